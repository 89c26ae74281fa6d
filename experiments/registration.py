"""What was fixed before the first record, and whether that still stands: make check-registration."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from celm.study.environment import commit
from celm.study.store import Document
from experiments.config.entries import ROOT
from experiments.config.schema import register
from experiments.registration_entries import Registration, registration_of, registrations
from experiments.registration_history import History, NoHistory
from experiments.registration_judged import Ran, Registered, history_fault, registered
from experiments.registration_writing import add, check_first, made
from experiments.results import Results

logger = logging.getLogger(__name__)


@cache
def status(experiment: str, *, by: str = "", claim: str = "", store: str = "published") -> Registered:
    """Whether the records of an experiment are registered.

    Parameters
    ----------
    experiment : str
        Its name, such as ``suite`` or ``table1+raw_values``.
    by : str
        The module that judges them (``__name__``): the registration must fix it. Not asked if empty.
    claim : str
        The id of the claim or hypothesis that is judged: the registration must fix it, others may have changed.
    store : {"published", "local"}
        Whose records.

    Returns
    -------
    Registered
        ``answer`` is True, False or None ("cannot check"), ``reason`` says why.
    """
    return status_in(Results(), ROOT, experiment, by=by, claim=claim, store=store)


def status_in(
    results: Results, root: Path, experiment: str, *, by: str = "", claim: str = "", store: str = "published"
) -> Registered:
    """As :func:`status`, for the records of a folder and the registrations of a work tree."""
    registration = registration_of(experiment, root)
    documents: Mapping[str, Document] = {}
    if registration is not None:
        documents = _documents(results, experiment, store)
    return registered(experiment, registration, Ran.of(documents.values()), History(root), by=by, claim=claim)


def _documents(results: Results, experiment: str, store: str) -> Mapping[str, Document]:
    if store == "published":
        return results.published.documents(experiment, chosen_alone=True)
    return results.local.documents(experiment)


def standing(registration: Registration, history: History) -> Registered:
    """Whether a registration is committed and all that it fixes is as it was, records left aside."""
    try:
        history.check_whole()
    except NoHistory as error:
        return Registered(None, f"cannot check: {error}")
    fault = history_fault(registration, list(registration.fixes), (), history)
    return Registered(not fault, fault or "it is committed, and nothing that it fixes changed since")


def run_faults(registration: Registration, history: History, at: str, finished: Collection[Document]) -> list[str]:
    """Why records of a run that starts now, at a commit, would not be registered."""
    found = []
    if at == "unknown" or at.endswith("+changes"):
        found.append("the commit is not known" if at == "unknown" else "the tree has uncommitted changes")
    stands = standing(registration, history)
    if stands.answer is not True:
        found.append(stands.reason)
    others = sum(document["provenance"].get("registration") != registration.stamp() for document in finished)
    if others:
        found.append(f"{others} finished cells did not run under it; force=true reruns them")
    return found


def stamp_of(experiment: str, finished: Collection[Document], strict: bool) -> dict[str, dict[str, str]]:
    """What the provenance of new records of an experiment names beside the machine: its registration, if it has one.

    A run whose records would not be judged registered says so; with ``strict`` it is a ValueError.
    """
    registration = registration_of(experiment)
    if registration is None or registration.withdrawn:
        return {}
    for fault in run_faults(registration, History(ROOT), commit(), finished):
        told = f"{experiment}: its records will not count as registered under {registration.name}: {fault}"
        if strict:
            raise ValueError(f"{told}; strict=true refuses that.")
        logger.warning("%s", told)
    return {"registration": registration.stamp()}


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
    try:
        check_first(arguments.name, arguments.experiments, Results(), History(ROOT))
        one = made(arguments.name, arguments.paper, arguments.experiments, arguments.why, arguments.files)
    except (ValueError, NoHistory) as error:
        raise SystemExit(str(error)) from error
    print(f"{add(one)}: {one.name} covers {', '.join(one.experiments)} and fixes {len(one.fixes)} things; commit it")


if __name__ == "__main__":
    main()
