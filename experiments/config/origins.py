"""Where defaults come from: conf/origins.yaml for those of the schema, an experiment's own file for what it sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any

from omegaconf import OmegaConf

from celm.study.data_config import SCHEMAS, CoatesNgConfig, FeaturesConfig
from celm.study.families import study_schema
from celm.study.reading_config import FITTED, Origin
from experiments.config.entries import CONF
from experiments.config.studies import Study, composed_study
from experiments.config.study_names import determining

FILE = CONF / "origins.yaml"
# The section of what stands at the top of a study.
TOP = "study"
# What a study is about and how much of it is run: said by every study, no default of a protocol.
SUBJECTS = ("task", "n_hidden", "max_counts", "max_nodes", "grid.small", "grid.few")
# Data that a user brings has no default that decides anything.
BROUGHT = ("csv", "openml")
# What every study reads; other sections belong to a family, a data set or features.
COMMON = ("seed", "rounds", "split", "features", "selection")


@cache
def default_origins() -> dict[str, Origin]:
    """Dotted key -> where its default comes from, as conf/origins.yaml says it."""
    content: Any = OmegaConf.to_container(OmegaConf.load(FILE))
    found = {
        f"{section}.{key}".removeprefix(f"{TOP}."): Origin(**entry)
        for section, keys in content.items()
        for key, entry in keys.items()
    }
    for key, origin in found.items():
        origin.check(key)
    return found


def default_keys() -> set[str]:
    """Every dotted key whose default determines numbers."""
    named = {key for key in determining(study_schema()()) if key not in SUBJECTS}
    params = {f"{name}.{key}" for name, kind in SCHEMAS.items() if name not in BROUGHT for key in kind().params()}
    common = {entry.name for entry in fields(FeaturesConfig)}
    return named | params | {f"coates_ng.{entry.name}" for entry in fields(CoatesNgConfig) if entry.name not in common}


def without_origin(settings: Iterable[str], origins: Iterable[str]) -> list[str]:
    """Dotted keys that neither have an origin nor stand below one that has."""
    told = set(origins)
    return sorted(key for key in settings if not {key, *_above(key)} & told)


def _above(key: str) -> list[str]:
    parts = key.split(".")
    return [".".join(parts[:n]) for n in range(1, len(parts))]


def origins_of(study: Study) -> dict[str, Origin]:
    """Dotted key -> where it comes from, for all that a study reads: its own origins before those of defaults."""
    own: Mapping[str, Origin] = study.config.origins
    parts = {*COMMON, study.config.features.name, *(dataset.name for dataset in study.datasets)}
    parts |= {model.family for model in study.models}
    defaults = {key: origin for key, origin in default_origins().items() if key.split(".")[0] in parts}
    return {**own, **{key: defaults[key] for key in without_origin(defaults, own)}}


@cache
def calibrated(experiment: str) -> tuple[str, ...]:
    """What of an experiment was chosen by looking at the published results, a few words each."""
    found = [origin.about for origin in origins_of(composed_study(experiment)).values() if origin.origin == FITTED]
    return tuple(dict.fromkeys(found))
