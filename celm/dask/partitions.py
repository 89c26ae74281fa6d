"""Rows in partitions: what a Dask array or DataFrame must be, and its chunks as values that workers are given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
from dask.base import is_dask_collection, optimize
from dask.delayed import Delayed


class Place(NamedTuple):
    """Where a partition's rows stand among all: rows ``start`` to ``stop``, partition ``number``."""

    number: int
    start: int
    stop: int


@dataclass(frozen=True)
class Partitions:
    """Chunks of rows, one delayed value each of X (rows × n), y and, where given, sample weights.

    ``lengths`` are the rows of each chunk, None as long as nobody has counted them.
    """

    X: Sequence[Delayed]
    y: Sequence[Delayed]
    weights: Sequence[Delayed] | None
    lengths: Sequence[int] | None
    n_features: int

    @property
    def n_rows(self) -> int:
        """Rows of all partitions, once they are counted."""
        return sum(self.lengths or [])

    def places(self) -> Iterator[Place]:
        """The places of the partitions that have rows."""
        lengths = self.lengths or []
        starts = [0, *accumulate(lengths)]
        for number, length in enumerate(lengths):
            if length:
                yield Place(number, starts[number], starts[number] + length)

    def chunk(self, place: Place) -> tuple[Delayed, Delayed, Delayed | None]:
        """X, y and the weights of one partition."""
        return self.X[place.number], self.y[place.number], self.weights_of(place.number)

    def weights_of(self, number: int) -> Delayed | None:
        """The weights of one partition's rows, None where all count alike."""
        return None if self.weights is None else self.weights[number]


def is_lazy(data: Any) -> bool:
    """Whether ``data`` is a Dask collection."""
    return bool(is_dask_collection(data))


def column_names(data: Any) -> Any:
    """The names of the columns of a DataFrame as scikit-learn keeps them, or None."""
    names = getattr(data, "columns", None)
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return np.asarray(names, dtype=object)


def rows_of(data: Any, name: str, owner: str) -> Any:
    """``data`` as a Dask array in row chunks; DataFrames and Series are converted partition by partition."""
    if not is_lazy(data) or not (isinstance(data, da.Array) or hasattr(data, "map_partitions")):
        raise TypeError(
            f"{owner}: {name} must be a Dask array or DataFrame; got {type(data).__name__}. "
            "The estimator of the same name in celm takes what one machine holds, dask.array.from_array cuts it."
        )
    if not isinstance(data, da.Array):
        shape = (0, len(data.columns)) if hasattr(data, "columns") else (0,)
        data = data.map_partitions(np.asarray, meta=np.empty(shape))
    if data.ndim == 2 and len(data.chunks[1]) > 1:
        raise ValueError(
            f"{owner}: {name} must be chunked by rows only; got column chunks {data.chunks[1]}. "
            f"{name}.rechunk({{1: -1}}) joins them."
        )
    return data


def partitions_of(X: Any, y: Any, sample_weight: Any, owner: str) -> Partitions:
    """The partitions of X (N × n), y (N, or N × m) and sample weights (N), which must be cut alike.

    Where all lengths are known, y and the weights are cut as X is; otherwise they must have as many partitions.
    """
    rows = rows_of(X, "X", owner)
    if rows.ndim != 2 or np.isnan(rows.shape[1]):
        raise ValueError(f"{owner}: X must have two dimensions and a known number of columns; got {rows}.")
    columns = {"y": y} if sample_weight is None else {"y": y, "sample_weight": sample_weight}
    alike = [_cut_alike(rows, rows_of(data, name, owner), name, owner) for name, data in columns.items()]
    rows, *alike = optimize(rows, *alike)
    delayed = [array.to_delayed(optimize_graph=False).ravel().tolist() for array in (rows, *alike)]
    lengths = None if np.isnan(rows.chunks[0]).any() else list(rows.chunks[0])
    return Partitions(delayed[0], delayed[1], delayed[2] if len(delayed) > 2 else None, lengths, int(rows.shape[1]))


def _cut_alike(rows: Any, other: Any, name: str, owner: str) -> Any:
    """``other`` in the row chunks of ``rows``."""
    known = not np.isnan([*rows.chunks[0], *other.chunks[0]]).any()
    if known and other.shape[0] != rows.shape[0]:
        raise ValueError(f"{owner}: X has {rows.shape[0]} rows and {name} {other.shape[0]}; they must be as many.")
    if not known and other.numblocks[0] != rows.numblocks[0]:
        raise ValueError(
            f"{owner}: X comes in {rows.numblocks[0]} partitions and {name} in {other.numblocks[0]}; where lengths are "
            "unknown they must be cut alike. compute_chunk_sizes() finds the lengths."
        )
    return other.rechunk({0: rows.chunks[0]}) if known else other
