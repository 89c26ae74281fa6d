"""What the registry knows of a data set: its name, its parameters, its sources and its loader.

A data set is one file of this folder: a module whose ``ENTRIES`` hold one of these per name. Nothing else lists it;
``load`` finds it, and its parameters become keys of a study (``dataset.turns=2``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from celm.datasets import sources
from celm.datasets.dataset import Arrays, Dataset, Form, as_dataset
from celm.datasets.params import NoParams
from celm.datasets.sources import FetchedSpec, Status


@dataclass(frozen=True)
class Entry:
    """One data set, or one way to bring one's own.

    Attributes
    ----------
    name : str
        What ``load`` and ``dataset=`` call it.
    sources : tuple of str
        Every source, in the order they are tried by default.
    load : callable
        (checked parameters, order of sources, cache folder) -> data set.
    status : callable
        cache folder -> for every source whether it answers; nothing large is downloaded.
    params : type
        A frozen dataclass that checks its own values; its fields are the parameters.
    digest : str, optional
        The digest of its content where that is known before anything is read.
    form : Form, optional
        Its shape, official split and classes where those are known before anything is read.
    own : bool
        A user's own file: its splits follow from its content, not from its name.
    listed : bool
        False for the sets of suite.csv, which messages do not list one by one.
    """

    name: str
    sources: tuple[str, ...]
    load: Callable[[Any, Sequence[str], Path], Dataset]
    status: Callable[[Path], list[Status]]
    params: type[Any] = NoParams
    digest: str | None = None
    form: Form | None = None
    own: bool = False
    listed: bool = True


def fetched(spec: FetchedSpec, *, listed: bool = True) -> Entry:
    """The entry of a data set that is fetched and must have the digests of ``spec``."""

    def load(_: NoParams, order: Sequence[str], cache: Path) -> Dataset:
        return sources.fetch(spec, order, cache)

    status = partial(sources.status, spec)
    form = Form(spec.x_shape, spec.n_train, len(spec.classes))
    return Entry(spec.name, spec.order, load, status, digest=spec.digest, form=form, listed=listed)


def generated(name: str, make: Callable[[Any], Arrays], classes: tuple[str, ...], params: type[Any]) -> Entry:
    """The entry of a data set that is made from its parameters, among them a seed."""

    def load(given: Any, _order: Sequence[str], _cache: Path) -> Dataset:
        return as_dataset(name, make(given), classes, "generated")

    return Entry(name, ("generated",), load, lambda _cache: [("generated", True, "made from a seed")], params)
