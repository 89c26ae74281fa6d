"""Data sets by name: one table from a name to its parameters, its sources and its loader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from celm.base.validation import check_choice, nearest
from celm.datasets import images, own, sources, spiral, suite, uci
from celm.datasets.cache import cache_folder
from celm.datasets.clients import check_openml
from celm.datasets.dataset import Dataset
from celm.datasets.params import NoParams, build_params
from celm.datasets.sources import FetchedSpec, Status


@dataclass(frozen=True)
class Entry:
    """One line of the registry."""

    params: type[Any]
    #: Every source, in the order they are tried by default.
    sources: tuple[str, ...]
    #: (checked parameters, order of sources, cache folder) -> data set
    load: Callable[[Any, Sequence[str], Path], Dataset]
    status: Callable[[Path], list[Status]]
    #: The digest of its content where that is known before anything is read.
    digest: str | None = None
    #: How many of its first rows are the official training rows; None: rounds draw their own.
    n_train: int | None = None


def _fetched(spec: FetchedSpec) -> Entry:
    def load(_: NoParams, order: Sequence[str], cache: Path) -> Dataset:
        return sources.fetch(spec, order, cache)

    return Entry(NoParams, spec.order, load, partial(sources.status, spec), spec.digest, spec.n_train)


REGISTRY: dict[str, Entry] = {
    **{spec.name: _fetched(spec) for spec in (*uci.SPECS, *images.SPECS)},
    "spiral": Entry(
        spiral.SpiralParams,
        ("generated",),
        lambda params, _order, _cache: spiral.load_spiral(params),
        lambda _cache: [("generated", True, "made from a seed")],
    ),
    "openml": Entry(
        own.OpenMLParams,
        own.OPENML_ORDER,
        own.load_openml,
        lambda _cache: [sources.status_of("openml", check_openml)],
    ),
    "csv": Entry(
        own.CsvParams,
        ("file",),
        lambda params, _order, _cache: own.load_csv(params),
        lambda _cache: [("file", True, "read where its path says")],
    ),
}

#: The paper's sets and the ways to bring one's own; the suite's sets are in ``suite_names``.
DATASETS = tuple(REGISTRY)

REGISTRY.update({spec.name: _fetched(spec) for spec in suite.suite_specs()})


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
    order = (source,) if source is not None else tuple(sources if sources is not None else entry.sources)
    if not order:
        raise ValueError(f"{name}: sources must name at least one of {', '.join(entry.sources)}; got none.")
    for one in order:
        check_choice(one, "source", entry.sources, name)
    return entry.load(checked, order, cache if cache is not None else cache_folder())


def check_params(name: str, params: Mapping[str, Any] | None = None) -> Any:
    """The parameters of data set ``name`` as its dataclass, defaults filled in; a wrong one is a ValueError."""
    return build_params(_entry(name).params, params, name)


def declared_digest(name: str) -> str | None:
    """The digest that data set ``name`` must have, where its content is fixed; None: it depends on parameters."""
    return _entry(name).digest


def default_sources(name: str) -> tuple[str, ...]:
    """The sources of data set ``name`` in the order they are tried."""
    return _entry(name).sources


def official_split(name: str) -> bool:
    """Whether all rounds on data set ``name`` test on the same official rows; not so for a name that is not known."""
    return name in REGISTRY and REGISTRY[name].n_train is not None


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
