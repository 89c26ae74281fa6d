"""A registration: what was fixed before the first record, as experiments/papers/PAPER/registration.yaml says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from omegaconf import OmegaConf

from celm.base.files import content_digest
from experiments.config.entries import ROOT

FILES = "experiments/papers/*/registration.yaml"
HEADER = """# Written by python -m experiments.registration write, before the first record, and never edited: a changed
# entry is a new one. What no longer stands is named under withdrawn, with the reason.
"""


class Planned(NamedTuple):
    """What an experiment is to be: its master seed and rounds, how many cells, and a digest of all their keys."""

    seed: int
    rounds: int
    cells: int
    plan: str


@dataclass(frozen=True)
class Registration:
    """What a registration covers and fixes.

    why: what it is for. experiments: by name. fixes: file, or FILE#ID for one entry of a file -> sha256. path: the
    file it stands in. withdrawn: why it no longer stands, if it does not; no part of its digest.
    """

    name: str
    path: str
    why: str
    experiments: Mapping[str, Planned]
    fixes: Mapping[str, str]
    withdrawn: str = ""

    def entry(self) -> dict[str, Any]:
        """What stands under its name in the file."""
        planned = {name: dict(one._asdict()) for name, one in self.experiments.items()}
        return {"why": self.why, "experiments": planned, "fixes": dict(self.fixes)}

    @property
    def digest(self) -> str:
        """The sha256 of its entry, whatever the layout of the file."""
        return content_digest({"name": self.name, **self.entry()})

    def stamp(self) -> dict[str, str]:
        """What a record that ran under it carries."""
        return {"name": self.name, "digest": self.digest}


def plan_digest(keys: Iterable[str]) -> str:
    """A digest of the keys of cells, in whatever order."""
    return content_digest(sorted(keys))


@lru_cache(maxsize=32)
def registrations_of(text: str, path: str) -> dict[str, Registration]:
    """The registrations in the text of a file; a ValueError says what is wrong with which."""
    content: Any = OmegaConf.to_container(OmegaConf.create(text)) or {}
    withdrawn = content.get("withdrawn") or {}
    return {name: _registration(name, path, entry, withdrawn) for name, entry in content["registrations"].items()}


def _registration(name: str, path: str, entry: Mapping[str, Any], withdrawn: Mapping[str, str]) -> Registration:
    owner = f"registration {name} in {path}"
    lacking = [key for key in ("why", "experiments", "fixes") if not entry.get(key)]
    if lacking or len(entry) != 3:
        raise ValueError(f"{owner}: it must say why, experiments and fixes, each once, and nothing else.")
    try:
        experiments = {one: Planned(**planned) for one, planned in entry["experiments"].items()}
    except TypeError as error:
        raise ValueError(f"{owner}: an experiment must say {', '.join(Planned._fields)}.") from error
    return Registration(name, path, entry["why"], experiments, entry["fixes"], str(withdrawn.get(name, "")))


def registrations(root: Path = ROOT) -> dict[str, Registration]:
    """Every registration by its name; a ValueError where a name, or an experiment that still counts, is there twice."""
    found: dict[str, Registration] = {}
    owners: dict[str, str] = {}
    for file in sorted(root.glob(FILES)):
        path = file.relative_to(root).as_posix()
        for name, one in registrations_of(file.read_text(encoding="utf-8"), path).items():
            if name in found:
                raise ValueError(f"registration {name}: it stands in {found[name].path} and in {path}.")
            found[name] = one
            for experiment in () if one.withdrawn else one.experiments:
                if owners.setdefault(experiment, name) != name:
                    raise ValueError(f"registration {name}: {experiment} is one of {owners[experiment]} already.")
    return found


def registration_of(experiment: str, root: Path = ROOT) -> Registration | None:
    """The registration that lists an experiment, one that still stands before one that was withdrawn."""
    listing = [one for one in registrations(root).values() if experiment in one.experiments]
    return min(listing, key=lambda one: bool(one.withdrawn), default=None)


def file_text(registered: Iterable[Registration]) -> str:
    """The registrations of one file as its text."""
    every = list(registered)
    content: dict[str, Any] = {"registrations": {one.name: one.entry() for one in every}}
    withdrawn = {one.name: one.withdrawn for one in every if one.withdrawn}
    return HEADER + OmegaConf.to_yaml(OmegaConf.create({**content, **({"withdrawn": withdrawn} if withdrawn else {})}))
