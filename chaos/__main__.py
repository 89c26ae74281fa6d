"""The long form: python -m chaos [--kills N] [--dask-kills N] [--seed K]."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from chaos.faults import FAULTS, every_fault
from chaos.kills import killed_runs
from chaos.runs import left_alone


def main() -> None:
    """Kill, fill, lock and set back; fail if anything is lost or left behind."""
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--dask-kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    started, faults = time.monotonic(), []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        faults += every_fault(folder / "faults", left_alone(folder / "alone").content)
        print(f"{len(FAULTS)} faults of the machine: {', '.join(FAULTS)}; {len(faults)} not survived", flush=True)
        for executor, kills in (("local", arguments.kills), ("dask", arguments.dask_kills)):
            chosen = f"executor={executor}"
            alone = left_alone(folder / executor / "alone", chosen)
            sent, wrong = killed_runs(folder / executor, kills, arguments.seed, alone, chosen)
            told = ", ".join(f"{count} {blow}" for blow, count in sorted(sent.items()))
            print(f"executor={executor}: {sent.total()} kills ({told}); {len(wrong)} faults", flush=True)
            faults += wrong
    print(f"{time.monotonic() - started:.0f} s")
    for fault in faults:
        print(f"  {fault}")
    if faults:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
