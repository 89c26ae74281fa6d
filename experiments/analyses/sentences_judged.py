"""Every claim of every paper judged from the records that it reads: on the confirmatory ones where they are there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, cast

from omegaconf import OmegaConf

from celm.analysis.claims import Claim, Outcome, claims_of, judge
from celm.analysis.random_effects import source_of
from celm.datasets.suite import suite_table
from experiments.analysis import Frames
from experiments.config.entries import options
from experiments.config.study_names import Identity
from experiments.papers import papers
from experiments.registration.precedence import Registered
from experiments.registration.standing import status


@cache
def contents() -> tuple[dict[str, Any], ...]:
    """What experiments/papers/PAPER/claims.yaml say, paper by paper."""
    files = [paper.claims for paper in papers().values() if paper.claims.exists()]
    return tuple(cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.load(file))) for file in files)


@cache
def written_claims() -> tuple[Claim, ...]:
    """The claims of all papers."""
    return tuple(claim for one in contents() for claim in claims_of(one["claims"], one.get("records_before", ())))


@cache
def confirmatory() -> dict[str, str]:
    """Experiment -> the one that repeats it in the confirmatory run."""
    return {name: again for one in contents() for name, again in one.get("confirmatory", {}).items()}


def command_of(experiment: str) -> str:
    """The command that runs an experiment such as ``table1+raw_values`` or ``label_noise``."""
    return f"{run_command(experiment)}, then python -m experiments.publish records {experiment}"


def run_command(experiment: str) -> str:
    """The command alone, without the publication of what it made."""
    identity = Identity.parse(experiment)
    chosen = f"-m sweep={identity.name}" if identity.name in options("sweep") else f"experiment={identity.name}"
    names = ",".join(identity.readings)
    readings = [f"'reading=[{names}]'" if "," in names else f"reading={names}"] if names else []
    return " ".join(["python -m experiments.run", chosen, *readings])


def read_by(claims: Iterable[Claim]) -> tuple[str, ...]:
    """The experiments that claims read or join, each once."""
    return tuple(dict.fromkeys(name for claim in claims for name in (*claim.reads, *claim.joins)))


def find(frames: Frames) -> list[tuple[Claim, Outcome]]:
    """Every claim with its outcome; one whose records are missing is not run."""
    known = {name: frame.assign(round=0, n_hidden=0) if "/" in name else frame for name, frame in frames.items()}
    return [(claim, _judged(claim, known)) for claim in written_claims()]


def _judged(claim: Claim, known: Frames) -> Outcome:
    """The outcome of a claim on its confirmatory records where they are all there, else on the exploratory ones."""
    again = confirmatory()
    commands = {name: command_of(name) for name in claim.reads}
    confirmed = {name: again.get(name, name) for name in claim.reads}
    if any(name not in known for name in confirmed.values()):
        confirmed = {name: name for name in claim.reads}
    frames = {name: known[source] for name, source in confirmed.items() if source in known}
    frames |= {name: known[name] for name in claim.joins if name in known}
    stands = registered_by(claim.id, confirmed.values())
    outcome = judge(claim, frames, commands, stands.answer is True, source_named)
    return outcome._replace(registered_why=stands.reason)


def source_named(dataset: str) -> str:
    """The independent source of a data set, as the table of the wide study groups them."""
    return next((row.group for row in suite_table() if row.name == dataset), source_of(dataset))


def registered_by(claim: str, experiments: Iterable[str]) -> Registered:
    """Whether all experiments that a claim is judged on were registered with it; the first that was not says why."""
    found = [status(name, claim=claim) for name in experiments if "/" not in name]
    missing = [one for one in found if one.answer is not True]
    if not found:
        return Registered(False, "printed numbers were there before any claim")
    return missing[0] if missing else found[0]
