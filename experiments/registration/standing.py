"""Whether records ran under a registration that came first and still stands; what a run carries of it."""

from __future__ import annotations

import logging
from collections.abc import Collection
from functools import cache
from pathlib import Path

from celm.study.environment import commit
from celm.study.store import Document
from experiments.config.entries import ROOT
from experiments.registration.entries import Registration, registration_of
from experiments.registration.history import History, NoHistory
from experiments.registration.precedence import Ran, Registered, history_fault, registered
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
    ran = _ran_here(experiment, store)
    return registered(experiment, registration_of(experiment), ran, _history_here(), by=by, claim=claim)


def status_in(
    results: Results, root: Path, experiment: str, *, by: str = "", claim: str = "", store: str = "published"
) -> Registered:
    """As :func:`status`, for the records of a folder and the registrations of a work tree."""
    ran = _ran(results, root, experiment, store)
    return registered(experiment, registration_of(experiment, root), ran, History(root), by=by, claim=claim)


def _ran(results: Results, root: Path, experiment: str, store: str) -> Ran:
    """What the records of an experiment say of themselves; those of one without a registration are not asked."""
    if registration_of(experiment, root) is None:
        return Ran.of(())
    if store == "local":
        return Ran.of(results.local.documents(experiment).values())
    columns = results.published.columns(experiment, bulk=False)
    return Ran.told(columns, results.published.manifest(experiment)["provenance"]) if columns else Ran.of(())


@cache
def _ran_here(experiment: str, store: str) -> Ran:
    """Read once, however many claims are judged on them."""
    return _ran(Results(), ROOT, experiment, store)


@cache
def _history_here() -> History:
    """Asked the same for every claim, it asks git once."""
    return History(ROOT, remembering=True)


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
