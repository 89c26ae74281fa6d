"""Any classification data set of OpenML by its id, kept in the cache: OpenML never changes an id."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from celm.base.files import content_digest, read_json
from celm.base.validation import check_integer
from celm.datasets.cache import CorruptCacheError, read_arrays, write_arrays, write_file
from celm.datasets.clients import check_openml, openml_frame
from celm.datasets.columns import Handling, Table, read_columns
from celm.datasets.dataset import Dataset, SourceError, array_digest, as_dataset
from celm.datasets.entry import Entry
from celm.datasets.params import check_text
from celm.datasets.sources import failed, status_of

logger = logging.getLogger("celm.datasets")

OPENML_ORDER = ("cache", "openml")


@dataclass(frozen=True)
class OpenMLParams:
    """``target`` None takes the column that OpenML names as the default target; see Handling for the others."""

    id: int
    target: str | None = None
    nominal: str = "refuse"
    missing: str = "refuse"

    def __post_init__(self) -> None:
        check_integer(self.id, "id", "openml", 1)
        if self.target is not None:
            check_text(self.target, "target", "openml")
        self.handling.check("openml")

    @property
    def handling(self) -> Handling:
        """What to do with columns that are not numbers, and with gaps."""
        return Handling(self.nominal, self.missing)

    @property
    def entry(self) -> str:
        """Where its copy is kept: another target or handling is another copy."""
        if self == OpenMLParams(self.id):
            return f"openml-{self.id}"
        words = "\x1f".join([self.target or "", *self.handling])
        return f"openml-{self.id}-{hashlib.sha256(words.encode()).hexdigest()[:8]}"


def load_openml(params: OpenMLParams, order: Sequence[str], cache: Path) -> Dataset:
    """The data set of an OpenML id, named ``openml-<id>``."""
    name = f"openml-{params.id}"
    failures = []
    for source in order:
        try:
            table = _read_kept(cache, params.entry) if source == "cache" else _fetch(params, name)
        except SourceError as error:
            level = logging.WARNING if isinstance(error, CorruptCacheError) else logging.INFO
            logger.log(level, "%s: source %s: %s", name, source, error)
            failures.append((source, str(error)))
            continue
        if source != "cache":
            _keep(cache, params.entry, table)
        return as_dataset(name, table.arrays, table.classes, source, nominal=table.nominal)
    raise failed(name, failures, OPENML_ORDER)


def _fetch(params: OpenMLParams, name: str) -> Table:
    features, labels = openml_frame(params.id, params.target)
    frame = features.assign(**{str(labels.name): labels})
    columns = {str(column): _texts(frame[column]) for column in frame.columns}
    return read_columns(columns, str(labels.name), params.handling, f"The data set {name}")


def _texts(column: pd.Series[Any]) -> list[str]:
    """The values as text, from which the same numbers are read again; gaps are empty."""
    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all() and column.abs().max() < 2**53:
        column = column.astype("Int64")
    return ["" if pd.isna(value) else str(value) for value in column]


def _keep(cache: Path, entry: str, table: Table) -> None:
    """Arrays first, then the index that names their digests: an index never speaks of arrays not yet there."""
    index = {
        "x_digest": array_digest(table.arrays.X),
        "y_digest": array_digest(table.arrays.y),
        "classes": table.classes,
        "nominal": table.nominal,
        "target": table.target,
    }
    try:
        write_arrays(cache, entry, table.arrays)
        write_file(cache, cache / entry / "index.json", json.dumps({**index, "digest": content_digest(index)}).encode())
    except (OSError, SourceError) as error:
        logger.warning("%s: loaded but not kept in the cache: %s", entry, error)


def _read_kept(cache: Path, entry: str) -> Table:
    path = cache / entry / "index.json"
    try:
        index = read_json(path)
        digest = index.pop("digest", None)
        if content_digest(index) != digest:
            raise ValueError("its content is not what its digest says")
        digests, classes = (index["x_digest"], index["y_digest"]), tuple(index["classes"])
        nominal, target = tuple(index["nominal"]), index["target"]
    except FileNotFoundError as error:
        raise SourceError(f"no copy at {path}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorruptCacheError(f"{path} cannot be read ({error!r}); delete it to fetch it anew") from error
    return Table(read_arrays(cache, entry, *digests), classes, nominal, target)


ENTRIES = (
    Entry(
        name="openml",
        sources=OPENML_ORDER,
        load=load_openml,
        status=lambda _cache: [status_of("openml", check_openml)],
        params=OpenMLParams,
    ),
)
