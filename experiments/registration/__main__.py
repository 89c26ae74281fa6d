"""What was fixed before the first record, and whether that still stands: make check-registration."""

from __future__ import annotations

import argparse
from pathlib import Path

from experiments.command import command
from experiments.config.entries import ROOT
from experiments.config.schema import register
from experiments.registration.entries import registrations
from experiments.registration.history import History
from experiments.registration.precedence import Registered
from experiments.registration.standing import standing, status_in
from experiments.registration.writing import add, check_first, made
from experiments.results import Results


def check(results: Results, root: Path) -> list[Registered]:
    """Print what holds of every registration and of the records under it; returns all answers."""
    answers: list[Registered] = []
    for name, one in registrations(root).items():
        if one.withdrawn:
            print(f"{name}: withdrawn: {one.withdrawn}")
            continue
        found = {name: standing(one, History(root))}
        for experiment in one.experiments:
            if results.published.documents(experiment, chosen_alone=True):
                found[f"{name}, {experiment}"] = status_in(results, root, experiment)
        for owner, answer in found.items():
            print(f"{owner}: {answer.reason}")
        answers += found.values()
    if not answers:
        print("nothing is registered")
    return answers


def main() -> None:
    """Command line: python -m experiments.registration check | write NAME --experiments … --why …."""
    parser = argparse.ArgumentParser(prog="python -m experiments.registration", description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    commands.add_parser("check", help="exit with 1 when a registration, or records under it, do not hold")
    write = commands.add_parser("write", help="fix claims, configs and the source that judges, before the first record")
    write.add_argument("name")
    write.add_argument("--experiments", nargs="+", required=True, help="what it covers, such as suite suite_regression")
    write.add_argument("--why", required=True, help="one sentence: what it is for")
    write.add_argument("--paper", default="celm", help="the folder of experiments/papers whose file it goes to")
    write.add_argument("--files", nargs="*", default=[], help="further files that it fixes, from the top folder")
    arguments = parser.parse_args()
    register()
    if arguments.what == "check":
        if any(found.answer is False for found in check(Results(), ROOT)):
            raise SystemExit("a registration does not hold: see above")
        return
    check_first(arguments.name, arguments.experiments, Results(), History(ROOT))
    one = made(arguments.name, arguments.paper, arguments.experiments, arguments.why, arguments.files)
    print(f"{add(one)}: {one.name} covers {', '.join(one.experiments)} and fixes {len(one.fixes)} things; commit it")


if __name__ == "__main__":
    command(main)
