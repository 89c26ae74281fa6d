"""Were the rules there before the records? A pure judgement from a registration, its records and the history."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from celm.study.store import Document
from experiments.registration.entries import Planned, Registration, plan_digest, registrations_of
from experiments.registration.fixed import fixed_digest, path_in, says_the_same
from experiments.registration.history import History, NoHistory

SHORT = 10
CANNOT = "cannot check"


class Registered(NamedTuple):
    """Whether records are registered: True, False or None where nobody can check here, and why in one sentence."""

    answer: bool | None
    reason: str

    def document(self) -> dict[str, Any]:
        """For programs: ``registered`` is true, false or "cannot check"."""
        return {"registered": CANNOT if self.answer is None else self.answer, "registered_why": self.reason}


class Ran(NamedTuple):
    """What the records of an experiment say of themselves: keys of cells, seeds, rounds, and where they come from."""

    keys: frozenset[str]
    seeds: frozenset[Any]
    rounds: frozenset[Any]
    origins: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, documents: Collection[Document]) -> Ran:
        """What finished cells say."""
        done = [document for document in documents if document["status"] == "ok"]
        rows = [{**document["shared"], **document["records"][0]} for document in done]
        columns = {name: [row.get(name) for row in rows] for name in ("seed", "round")}
        return cls.told(
            {"cell": [document["key"] for document in done], **columns}, [document["provenance"] for document in done]
        )

    @classmethod
    def told(cls, columns: Mapping[str, Collection[Any]], origins: Iterable[Mapping[str, Any]]) -> Ran:
        """What columns of records say that come from these origins."""
        keys, seeds, rounds = (frozenset(columns.get(name, (None,))) for name in ("cell", "seed", "round"))
        told = sorted({json.dumps(origin, sort_keys=True) for origin in origins})
        return cls(keys, seeds, rounds, tuple(json.loads(origin) for origin in told))


def registered(
    experiment: str,
    registration: Registration | None,
    ran: Ran,
    history: History,
    *,
    by: str = "",
    claim: str = "",
) -> Registered:
    """Whether the records of an experiment ran under a registration that came first and still stands.

    Parameters
    ----------
    experiment : str
        Its name.
    registration : Registration or None
        The one that lists it.
    ran : Ran
        What its records say of themselves.
    history : History
        The repository of the registration.
    by : str
        The module that judges, which the registration must fix; any if empty.
    claim : str
        The id of the claim or hypothesis, which it must fix; other claims may then have changed. All of them if empty.

    Returns
    -------
    Registered
        Never True unless everything was checked.
    """
    if registration is None:
        return Registered(False, f"not registered: no registration lists {experiment}")
    if registration.withdrawn:
        return Registered(False, f"the registration {registration.name} was withdrawn: {registration.withdrawn}")
    names = fixed_names(registration, claim)
    fault = _scope_fault(registration, names, by, claim) or ran_fault(experiment, registration, ran)
    if fault:
        return Registered(False, fault)
    try:
        history.check_whole()
    except NoHistory as error:
        return Registered(None, f"{CANNOT}: {error}")
    commits = sorted({str(origin["commit"]) for origin in ran.origins})
    fault = history_fault(registration, names, commits, history)
    if fault:
        return Registered(False, fault)
    return Registered(True, f"registered as {registration.name} before its first record, and nothing changed since")


def fixed_names(registration: Registration, claim: str = "") -> list[str]:
    """What must not have changed: all that is fixed; for one claim without the others."""
    return [name for name in registration.fixes if not claim or "#" not in name or name.endswith(f"#{claim}")]


def _scope_fault(registration: Registration, names: Iterable[str], by: str, claim: str) -> str:
    """Whether what judges is what was registered."""
    module = by.replace(".", "/")
    if by and not {f"{module}.py", f"{module}/__init__.py"} & set(names):
        return f"the registration {registration.name} does not fix {by}, which judges"
    if claim and not any(name.endswith(f"#{claim}") for name in names):
        return f"the registration {registration.name} does not fix {claim}"
    return ""


def ran_fault(experiment: str, registration: Registration, ran: Ran) -> str:
    """What records themselves say against their registration; empty where nothing does."""
    if not ran.keys:
        return f"{experiment} has no records"
    if fault := _plan_fault(experiment, registration.experiments[experiment], ran):
        return fault
    for origin in ran.origins:
        commit, under = str(origin.get("commit", "unknown")), origin.get("registration")
        if commit == "unknown":
            return "the commit of some records is not known"
        if commit.endswith("+changes"):
            return f"some records ran in a tree with uncommitted changes, at {commit[:SHORT]}"
        if under is None:
            return f"some records did not run under {registration.name}, at {commit[:SHORT]}"
        if under != registration.stamp():
            return f"some records ran under another registration or another version of {registration.name}"
    return ""


def _plan_fault(experiment: str, planned: Planned, ran: Ran) -> str:
    if ran.seeds != {planned.seed}:
        found = ", ".join(sorted(map(str, ran.seeds)))
        return f"the master seed of {experiment} is {found}, registered is {planned.seed}"
    if len(ran.rounds) != planned.rounds:
        return f"{experiment} has {len(ran.rounds)} rounds, registered are {planned.rounds}"
    if len(ran.keys) != planned.cells:
        return f"{experiment} has {len(ran.keys)} cells, registered are {planned.cells}"
    if plan_digest(ran.keys) != planned.plan:
        return f"the cells of {experiment} are not those that were registered"
    return ""


def first_commit(registration: Registration, history: History) -> str | None:
    """The first commit in which the registration stands as it does now; None when it is not committed."""
    for commit in history.commits_of(registration.path):
        text = history.contents(commit, [registration.path]).get(registration.path, b"").decode()
        try:
            there = registrations_of(text, registration.path).get(registration.name) if text else None
        except (ValueError, KeyError, AttributeError):
            continue
        if there is not None and there.digest == registration.digest:
            return commit
    return None


def history_fault(registration: Registration, names: Collection[str], commits: Iterable[str], history: History) -> str:
    """What the history says against a registration and the commits of its records; empty where nothing does."""
    first = first_commit(registration, history)
    if first is None:
        return f"the registration {registration.name} is not committed"
    paths = {path_in(name) for name in names}
    before = history.contents(first, paths)
    for name in names:
        content = before.get(path_in(name))
        if content is None or fixed_digest(name, content) != registration.fixes[name]:
            return f"{name} was not as registered in the registration's commit {first[:SHORT]}"
    for commit in commits:
        if not history.knows(commit):
            return f"the commit of some records, {commit[:SHORT]}, is not in this repository"
        if not history.is_before(first, commit):
            return f"some records ran at {commit[:SHORT]}, which does not build on the registration's {first[:SHORT]}"
        if found := _changed(names, before, history.contents(commit, paths)):
            return f"{found} was not as registered when records ran, at {commit[:SHORT]}"
    found = _changed(names, before, history.contents("HEAD", paths)) or _changed(names, before, history.here(paths))
    return f"{found} changed since the registration's commit {first[:SHORT]}" if found else ""


def _changed(names: Iterable[str], before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """What does not say the same any more, joined by commas."""
    found = [name for name in names if not says_the_same(name, before.get(path_in(name)), after.get(path_in(name)))]
    return ", ".join(found)
