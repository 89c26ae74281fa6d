"""Rows as a caller has them: dense or sparse, each with a weight or all alike; and the layer that reads them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from celm.linalg.blocks import Rows
from celm.linalg.layer import Array, BlockOutputs, Floats, Layer


@dataclass(frozen=True, eq=False)
class GivenRows:
    """Rows X (N × n, an array or CSR) whose hidden outputs and targets count times the square root of their weight.

    Least squares over rows with weights w is least squares over rows times √w, so everything that takes rows takes
    these, with a :class:`GivenLayer`. Sparse rows are never made dense.
    """

    X: Any
    root: Floats | None = None

    ndim = 2

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and features."""
        return int(self.X.shape[0]), int(self.X.shape[1])

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def __getitem__(self, rows: Rows) -> GivenRows:
        return GivenRows(self.X[rows], None if self.root is None else self.root[rows])


class GivenLayer(Layer):
    """A layer whose rows are :class:`GivenRows`."""

    def weighted(self, X: Any) -> Floats:
        """XW (N × L) of all rows at once."""
        return np.asarray(X.X @ self.W)

    def outputs(self, X: Any) -> Floats:
        """H (N × L) of all rows at once, each times the square root of its weight."""
        H = super().outputs(X)
        return H if X.root is None else np.multiply(H, X.root[:, None], out=H)

    def by_blocks(self) -> BlockOutputs:
        """What makes H block by block; every thread takes one of its own."""
        return _GivenBlocks(self)


class _GivenBlocks(BlockOutputs):
    """H of given rows by blocks."""

    def __call__(
        self, X: Any, rows: Rows, room: Array | None = None, look: Callable[[Array], None] | None = None
    ) -> Array:
        """The hidden outputs (rows × L) of a block times the root of their weight, valid until the next call."""
        H = super().__call__(X, rows, room, look)
        if X.root is not None:
            H *= X.root[rows, None]
        return H

    def weighted(self, X: Any, rows: Rows, room: Array | None = None) -> Array:
        """XW (rows × L), in the type of the layer's products."""
        if not issparse(X.X):
            return super().weighted(X.X, rows, room)
        return np.asarray(X.X[rows] @ self._W).astype(self._dtype, copy=False)


def given(layer: Layer, X: Any, weights: Array | None = None) -> tuple[Layer, Any]:
    """The layer and the rows as solvers take them: as they are where X is an array and no row has a weight.

    Given rows are computed in double precision unless the layer asks for single: the bound that chooses is for arrays.
    """
    rows = given_rows(X, weights)
    return reading_given(layer, rows), rows


def given_rows(X: Any, weights: Array | None) -> Any:
    """The rows as solvers take them."""
    if weights is None and not issparse(X):
        return X
    return GivenRows(X, None if weights is None else np.sqrt(weights))


def reading_given(layer: Layer, rows: Any) -> Layer:
    """The layer that reads such rows."""
    if not isinstance(rows, GivenRows):
        return layer
    precision = "quick_double" if layer.precision in ("mixed", "auto") else layer.precision
    return GivenLayer(layer.W, layer.b, layer.activation, precision)


def times_root(T: Array, weights: Array | None) -> Array:
    """Targets T (N × m) times the square root of their row's weight."""
    return T if weights is None else T * np.sqrt(weights)[:, None]
