"""Data sets by name: every module of this folder that has ENTRIES, found by itself."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from celm.base.validation import check_choice, nearest
from celm.datasets import suite
from celm.datasets.cache import cache_folder
from celm.datasets.dataset import Dataset, Form
from celm.datasets.entry import Entry
from celm.datasets.params import build_params
from celm.datasets.sources import Status


def _found() -> dict[str, Entry]:
    """The entries of all modules beside this one; two of one name are an error."""
    entries: dict[str, Entry] = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.name != "registry":
            for entry in getattr(importlib.import_module(f"celm.datasets.{module.name}"), "ENTRIES", ()):
                if entry.name in entries:
                    raise ValueError(f"celm/datasets/{module.name}.py: the data set {entry.name!r} is there already.")
                entries[entry.name] = entry
    return entries


REGISTRY = _found()
#: The paper's sets and the ways to bring one's own; the suite's sets are in ``suite_names``.
DATASETS = tuple(name for name, entry in REGISTRY.items() if entry.listed)


def load(
    name: str,
    *,
    source: str | None = None,
    sources: Sequence[str] | None = None,
    cache: Path | None = None,
    params: Mapping[str, Any] | None = None,
) -> Dataset:
    """The data set ``name``, verified, from the first of its sources that delivers.

    ``sources`` is the order to try (default: the data set's own), ``source`` forces a single one, ``cache`` is the
    cache folder (default: ``CELM_CACHE``, else the platform's). ``params`` are those of the spiral, of an OpenML
    data set or of a CSV file. Wrong arguments are a ValueError before anything is read; data that cannot be had
    is a DatasetError.
    """
    entry = _entry(name)
    checked = check_params(name, params)
    order = check_sources(name, source, sources)
    return entry.load(checked, order, cache if cache is not None else cache_folder())


def check_params(name: str, params: Mapping[str, Any] | None = None) -> Any:
    """The parameters of data set ``name`` as its dataclass, defaults filled in; a wrong one is a ValueError."""
    return build_params(_entry(name).params, params, name)


def check_sources(name: str, source: str | None = None, sources: Sequence[str] | None = None) -> tuple[str, ...]:
    """The order in which the sources of ``name`` are tried; a ValueError for one that it does not have."""
    known = _entry(name).sources
    order = (source,) if source is not None else tuple(sources if sources is not None else known)
    if not order:
        raise ValueError(f"{name}: sources must name at least one of {', '.join(known)}; got none.")
    for one in order:
        check_choice(one, "source", known, name)
    return order


def declared_digest(name: str) -> str | None:
    """The digest that data set ``name`` must have, where its content is fixed; None: it depends on parameters."""
    return _entry(name).digest


def declared_form(name: str) -> Form | None:
    """The sizes that data set ``name`` must have, where its content is fixed; None: they depend on parameters."""
    return _entry(name).form


def seed_role(entry: str, name: str, digest: str) -> str:
    """What the seeds of a data set's splits and draws are made from: its name, or the content of a user's own file."""
    return digest if entry in REGISTRY and REGISTRY[entry].own else name


def default_sources(name: str) -> tuple[str, ...]:
    """The sources of data set ``name`` in the order they are tried."""
    return _entry(name).sources


def official_split(name: str) -> bool:
    """Whether all rounds on data set ``name`` test on the same official rows; not so for a name that is not known."""
    form = REGISTRY[name].form if name in REGISTRY else None
    return form is not None and form.n_train is not None


def source_status(name: str, *, cache: Path | None = None) -> list[Status]:
    """(source, does it answer, what it said) for every source of ``name``; nothing large is downloaded."""
    return _entry(name).status(cache if cache is not None else cache_folder())


def _entry(name: str) -> Entry:
    if name not in REGISTRY:
        raise ValueError(
            f"unknown data set {name!r}; known are {', '.join(DATASETS)} and the sets of {suite.TABLE.name}."
            f"{nearest(str(name), REGISTRY)}"
        )
    return REGISTRY[name]
