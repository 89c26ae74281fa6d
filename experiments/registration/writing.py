"""Writes a registration: refused unless the tree is clean, its name is new and none of its records is there yet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from celm.base.files import write_whole
from experiments.analysis import analyses
from experiments.config.entries import ROOT
from experiments.config.studies import composed_study
from experiments.registration.entries import (
    Planned,
    Registration,
    file_text,
    plan_digest,
    registrations,
    registrations_of,
)
from experiments.registration.fixed import claim_names, config_files, digests, judging_files, path_in
from experiments.registration.history import History
from experiments.results import Results


def judges_of(experiments: Collection[str]) -> list[str]:
    """The modules whose analyses read one of these experiments."""
    read = [one.find for one in analyses().values() if set(one.reads) & set(experiments)]
    return sorted({getattr(find, "func", find).__module__ for find in read})  # a partial is its function's


def check_first(name: str, experiments: Collection[str], results: Results, history: History) -> None:
    """Raise a ValueError unless a registration of this name comes before everything that it speaks of."""
    owner = f"registration {name}"
    history.check_whole()
    if not history.is_clean():
        raise ValueError(f"{owner}: the tree has uncommitted changes; what is fixed must be committed first.")
    known = registrations(history.root)
    if name in known:
        raise ValueError(f"{owner}: it stands in {known[name].path} already; a registration is never rewritten.")
    for experiment in experiments:
        if results.published.documents(experiment, chosen_alone=True):
            raise ValueError(f"{owner}: records of {experiment} are published already; it must come before them.")
        if any((results.runs / experiment / "cells").glob("*.json")):
            raise ValueError(
                f"{owner}: records of {experiment} are in {results.runs} already; it must come before them."
            )


def made(name: str, paper: str, experiments: Sequence[str], why: str, further: Sequence[str]) -> Registration:
    """The registration of experiments of this house: all that it fixes, with digests."""
    planned, names = {}, [*further, *claim_names(experiments), *judging_files(judges_of(experiments))]
    for experiment in experiments:
        study = composed_study(experiment)
        keys = [cell.key for cell in study.plan()]
        rounds = max(cell.round for cell in study.plan()) + 1
        planned[experiment] = Planned(study.config.seed, rounds, len(set(keys)), plan_digest(set(keys)))
        names += config_files(experiment, study)
    fixes = digests(names, History(ROOT).here(map(path_in, names)))
    return Registration(name, f"experiments/papers/{paper}/registration.yaml", why, planned, fixes)


def add(registration: Registration, root: Path = ROOT) -> Path:
    """Put a registration behind those of its file; it counts from the commit that holds it."""
    path = root / registration.path
    others = registrations_of(path.read_text(encoding="utf-8"), registration.path) if path.exists() else {}
    write_whole(path, file_text([*others.values(), registration]))
    return path
