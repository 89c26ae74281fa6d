"""The long form: python -m chaos [--kills N] [--dask-kills N] [--seed K] [--keep FILE]."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from chaos.faults import FAULTS
from chaos.kills import killed_runs
from chaos.runs import Alone, left_alone
from experiments.command import at_least, command
from fuzz.tried import Tried, try_all

MACHINE, LOCAL, DASK = "faults of the machine", "executor=local", "executor=dask"
# Kills between two notes of the counts.
BLOCK = 10


def main() -> None:
    """Kill, fill, lock and set back; fail if anything is lost or left behind."""
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--kills", type=at_least(1), default=200)
    parser.add_argument("--dask-kills", type=at_least(0), default=20)
    parser.add_argument("--seed", type=at_least(0), default=0)
    parser.add_argument("--keep", type=Path, help="count in this file and go on from what it holds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        parts = {MACHINE: len(FAULTS), LOCAL: arguments.kills, DASK: arguments.dask_kills}

        @cache
        def alone(executor: str) -> Alone:
            return left_alone(folder / executor.partition("=")[2] / "alone", executor)

        def block(part: str, numbers: range) -> tuple[Counter[str], list[str]]:
            place = folder / f"{list(parts).index(part)}-{numbers.start}"
            if part != MACHINE:
                return killed_runs(place, len(numbers), [arguments.seed, numbers.start], alone(part), part)
            names = [list(FAULTS)[number] for number in numbers]
            wrong = [
                told for name in names for told in FAULTS[name](place / name.replace(" ", "-"), alone(LOCAL).content)
            ]
            return Counter(names), wrong

        try_all(Tried(arguments.keep), parts, BLOCK, block)


if __name__ == "__main__":
    command(main)
