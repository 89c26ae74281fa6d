"""Pooling a map of codes over the cells of a grid: quadrants by default."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin

from celm.base.validation import check_choice, check_integer
from celm.features.patches import image_tags, validated_images

POOLINGS = ("average", "sum")


def grid_edges(length: int, grid: int, owner: str) -> npt.NDArray[np.intp]:
    """The grid + 1 edges that cut ``length`` positions into near-equal parts, longer ones first: 27 = 14 + 13."""
    if length < grid:
        raise ValueError(f"{owner}: grid must be at most the {length} patch positions of a side; got {grid}.")
    sizes = np.full(grid, length // grid)
    sizes[: length % grid] += 1
    return np.concatenate([[0], np.cumsum(sizes)])


def membership(edges: npt.NDArray[np.intp], pooling: str) -> npt.NDArray[np.float64]:
    """length × grid matrix whose product with a map pools one side: ones in the cell, over its size for averages."""
    sizes = np.diff(edges)
    ones = np.repeat(np.eye(len(sizes)), sizes, axis=0)
    return np.asarray(ones / sizes if pooling == "average" else ones)


def pooled(codes: npt.NDArray[Any], grid: int, pooling: str, owner: str) -> npt.NDArray[Any]:
    """N × rows × columns × F maps to N × grid²·F features, cell after cell in reading order."""
    rows, columns = (membership(grid_edges(side, grid, owner), pooling) for side in codes.shape[1:3])
    cells = np.einsum("nrcf,ra,cb->nabf", codes, rows, columns, optimize=True)
    return cells.reshape(len(codes), -1)


class GridPooling(TransformerMixin, BaseEstimator):
    """Average or sum of the codes in each cell of a grid × grid partition of the map (Coates & Ng: 2 × 2).

    grid : cells per side
    pooling : ``average`` or ``sum``
    """

    def __init__(self, grid: int = 2, pooling: str = "average") -> None:
        self.grid = grid
        self.pooling = pooling

    def fit(self, X: npt.ArrayLike, y: object = None) -> GridPooling:
        """Learn the shape of the maps; nothing else."""
        self._check_parameters()
        validated_images(self, X, reset=True)
        return self

    def transform(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """N × rows × columns × F maps to N × grid²·F features."""
        self._check_parameters()
        return pooled(validated_images(self, X, reset=False), self.grid, self.pooling, "GridPooling")

    def _check_parameters(self) -> None:
        check_integer(self.grid, "grid", "GridPooling", 1)
        check_choice(self.pooling, "pooling", POOLINGS, "GridPooling")

    def __sklearn_tags__(self) -> Any:
        return image_tags(super().__sklearn_tags__(), requires_fit=False)
