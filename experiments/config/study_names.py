"""What a study is called: a name that follows from everything that determines its numbers."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from celm.study.data_config import DatasetConfig
from celm.study.study_config import StudyConfig
from experiments.config.entries import options

# What a study is run with and how it is shown: none of it changes a number.
OPERATIONAL = ("executor", "store", "published", "resume", "only", "force", "strict", "dry_run", "progress")
SHOWN = ("name", "title", "origins", "readings")
AXES = ("dataset", "model")
# The scale of the published studies, which their names leave out.
WHOLE = "paper"
_DIGEST = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True)
class Identity:
    """``table1``, ``table1+raw_values``, ``table1+largest_nodes+sums_doubled``, ``table1-smoke``, ``table1-1f0c2a9b``.

    name: of the experiment or sweep. readings: in alphabetical order, whatever order they were given in. digest: of
    all that determines numbers and differs from what name, readings and scale stand for; empty where nothing does.
    """

    name: str
    readings: tuple[str, ...] = ()
    scale: str = WHOLE
    digest: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", tuple(sorted(set(self.readings))))

    def __str__(self) -> str:
        readings = "".join(f"+{reading}" for reading in self.readings)
        scale = "" if self.scale == WHOLE else f"-{self.scale}"
        return f"{self.name}{readings}{scale}{self.digest and '-'}{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Identity:
        """The identity that ``str`` made ``text`` of."""
        named, *tail = text.split("-")
        name, *readings = named.split("+")
        digest = tail.pop() if tail and _DIGEST.fullmatch(tail[-1]) else ""
        return cls(name, tuple(readings), "-".join(tail) or WHOLE, digest)

    @property
    def reading(self) -> str:
        """Its readings as its name has them, ``largest_nodes+sums_doubled``; empty where it has none."""
        return "+".join(self.readings)

    def is_named(self) -> bool:
        """Whether it names files under conf/ alone: such a study can be published."""
        known = self.name in options("experiment") + options("sweep")
        return known and set(self.readings) <= set(options("reading")) and self.scale == WHOLE and not self.digest

    def overrides(self) -> list[str]:
        """The command line that name, readings and scale stand for."""
        group = "sweep" if self.name in options("sweep") else "experiment"
        named = [f"{group}={self.name}"] if self.name in options(group) else []
        several = f"[{','.join(self.readings)}]" if len(self.readings) > 1 else self.reading
        readings = [f"reading={several}"] if self.readings else []
        return [*named, *readings, *([] if self.scale == WHOLE else [f"scale={self.scale}"])]


def check_own_name(name: str) -> None:
    """A study is called by a word: readings, scale and digest are added behind + and -."""
    if not re.fullmatch(r"\w[\w.]{0,99}", name):
        raise ValueError(
            f"config: name must be letters, digits, underscores and dots, at most 100 of them; got {name[:60]!r}."
        )


def determining(study: StudyConfig) -> dict[str, Any]:
    """Dotted key -> value of all that determines a study's numbers, but for its data sets and models."""
    whole: dict[str, Any] = {
        entry.name: getattr(study, entry.name)
        for entry in fields(study)
        if entry.name not in {*OPERATIONAL, *SHOWN, *AXES}
    }
    found = dict(
        _leaves(
            {
                name: asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
                for name, value in whole.items()
            }
        )
    )
    return {key: value for key, value in found.items() if key not in ("grid.datasets", "grid.models")}


def _leaves(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in tree.items():
        found += _leaves(value, f"{prefix}{key}.") if isinstance(value, Mapping) else [(f"{prefix}{key}", value)]
    return found


def dataset_settings(dataset: DatasetConfig) -> dict[str, Any]:
    """What of a data set's config determines numbers."""
    return {"name": dataset.name, "n_hidden": dataset.n_hidden, **dataset.params()}


def digest_of(differences: Mapping[str, Any]) -> str:
    """Eight hexadecimal digits for what differs; none where nothing does."""
    if not differences:
        return ""
    text = json.dumps(differences, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def title_on(study: StudyConfig) -> str:
    """The title of an experiment whose own data sets gave way to one that was named: its models, and that data."""
    file = study.dataset.params().get("path")
    return f"The models of {study.name} on {Path(str(file)).name if file else study.dataset.name}"
