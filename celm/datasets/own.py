"""A user's own data: a CSV file, or any classification data set of OpenML by its id.

Features must be numbers without gaps; labels may be anything and are coded in their sorted order.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from celm.base.validation import check_integer, encode_labels, nearest
from celm.datasets.cache import CorruptCacheError, read_arrays, write_arrays, write_file
from celm.datasets.clients import openml_frame
from celm.datasets.dataset import Arrays, Dataset, DatasetError, SourceError, array_digest, as_dataset
from celm.datasets.sources import failed

logger = logging.getLogger("celm.datasets")

OPENML_ORDER = ("cache", "openml")


def _check_text(value: Any, name: str, owner: str) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{owner}: {name} must be a text that is not empty; got {value!r}.")


@dataclass(frozen=True)
class CsvParams:
    """A table with a header row; ``target`` None takes the last column as the label."""

    path: str
    target: str | None = None
    separator: str = ","

    def __post_init__(self) -> None:
        _check_text(str(self.path) if isinstance(self.path, Path) else self.path, "path", "csv")
        if self.target is not None:
            _check_text(self.target, "target", "csv")
        _check_text(self.separator, "separator", "csv")


@dataclass(frozen=True)
class OpenMLParams:
    """``target`` None takes the column that OpenML names as the default target."""

    id: int
    target: str | None = None

    def __post_init__(self) -> None:
        check_integer(self.id, "id", "openml", 1)
        if self.target is not None:
            _check_text(self.target, "target", "openml")


def load_csv(params: CsvParams) -> Dataset:
    """The data set of a CSV file, named ``csv-<file name without its ending>``."""
    path = Path(params.path).expanduser()
    owner = f"The CSV file {path}"
    try:
        table = pd.read_csv(path, sep=params.separator)
    except (OSError, ValueError) as error:
        raise DatasetError(f"{owner} cannot be read: {error}. Check dataset.path and dataset.separator.") from error
    columns = [str(column) for column in table.columns]
    if len(columns) < 2:
        raise DatasetError(
            f"{owner} has one column, {columns[0]!r}, where features and a label are needed; "
            f"is {params.separator!r} the right separator?"
        )
    target = columns[-1] if params.target is None else params.target
    if target not in columns:
        raise DatasetError(
            f"{owner} has no column {target!r}; its columns are {_listed(columns)}.{nearest(target, columns)}"
        )
    arrays, classes = arrays_from_frame(table.drop(columns=target), table[target], owner)
    return as_dataset(f"csv-{path.stem}", arrays, classes, "file")


def load_openml(params: OpenMLParams, order: Sequence[str], cache: Path) -> Dataset:
    """The data set of an OpenML id, named ``openml-<id>``; a copy is kept, since OpenML never changes an id."""
    name = f"openml-{params.id}"
    entry = name if params.target is None else f"{name}-{hashlib.sha256(params.target.encode()).hexdigest()[:8]}"
    failures = []
    for source in order:
        try:
            arrays, classes = _read_kept(cache, entry) if source == "cache" else _fetch_openml(params, name)
        except SourceError as error:
            level = logging.WARNING if isinstance(error, CorruptCacheError) else logging.INFO
            logger.log(level, "%s: source %s: %s", name, source, error)
            failures.append((source, str(error)))
            continue
        if source != "cache":
            _keep(cache, entry, arrays, classes)
        return as_dataset(name, arrays, classes, source)
    raise failed(name, failures, OPENML_ORDER)


def _fetch_openml(params: OpenMLParams, name: str) -> tuple[Arrays, tuple[str, ...]]:
    features, labels = openml_frame(params.id, params.target)
    return arrays_from_frame(features, labels, f"The data set {name}")


def _keep(cache: Path, entry: str, arrays: Arrays, classes: tuple[str, ...]) -> None:
    """Arrays first, then the index that names their digests: an index never speaks of arrays not yet there."""
    index = {"x_digest": array_digest(arrays.X), "y_digest": array_digest(arrays.y), "classes": classes}
    try:
        write_arrays(cache, entry, arrays)
        write_file(cache, cache / entry / "index.json", json.dumps(index).encode())
    except (OSError, SourceError) as error:
        logger.warning("%s: loaded but not kept in the cache: %s", entry, error)


def _read_kept(cache: Path, entry: str) -> tuple[Arrays, tuple[str, ...]]:
    path = cache / entry / "index.json"
    try:
        index = json.loads(path.read_bytes())
        digests, classes = (index["x_digest"], index["y_digest"]), tuple(index["classes"])
    except FileNotFoundError as error:
        raise SourceError(f"no copy at {path}") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptCacheError(f"{path} cannot be read ({error!r}); delete it to fetch it anew") from error
    return read_arrays(cache, entry, *digests), classes


def arrays_from_frame(features: pd.DataFrame, labels: pd.Series[Any], owner: str) -> tuple[Arrays, tuple[str, ...]]:
    """X (N × n float64), y (N codes) and the classes in sorted order; ``owner`` begins every error."""
    for column in features.columns:
        _check_feature(features[column], owner)
    if labels.isna().any():
        raise DatasetError(f"{owner} has no label in {_rows(labels.isna())}, column {labels.name!r}; remove them.")
    if pd.api.types.is_float_dtype(labels) and (labels % 1 != 0).any():
        raise DatasetError(
            f"{owner} has numbers with fractions in its target column {labels.name!r}; classes are needed: "
            "choose another column as target."
        )
    values = labels.astype(np.int64) if pd.api.types.is_numeric_dtype(labels) else labels.astype(str)
    try:
        classes, y = encode_labels(values.to_numpy(), owner)
    except ValueError as error:
        raise DatasetError(str(error)) from error
    X = np.ascontiguousarray(features.to_numpy(dtype=np.float64))
    return Arrays(X, y), tuple(str(label) for label in classes)


def _check_feature(column: pd.Series[Any], owner: str) -> None:
    if not pd.api.types.is_numeric_dtype(column):
        example = column.dropna().iloc[0] if column.notna().any() else None
        raise DatasetError(
            f"{owner} has a feature column that does not hold numbers: {column.name!r} (for example {example!r}); "
            "code it as numbers or remove it."
        )
    bad = ~np.isfinite(column.to_numpy(dtype=np.float64, na_value=np.nan))
    if bad.any():
        raise DatasetError(
            f"{owner} has missing or infinite values in column {column.name!r}, {_rows(bad)}; fill or remove them."
        )


def _rows(marked: Any) -> str:
    """``3 rows, the first is row 7`` (rows counted from 1, without the header)."""
    at = np.flatnonzero(marked)
    return f"row {at[0] + 1}" if len(at) == 1 else f"{len(at)} rows, the first is row {at[0] + 1}"


def _listed(columns: Sequence[str], limit: int = 12) -> str:
    return ", ".join(columns[:limit]) + (f" and {len(columns) - limit} more" if len(columns) > limit else "")
