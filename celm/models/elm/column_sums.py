"""Means and variances of the columns of rows, by all threads where there are many: every column is summed as alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from celm.base.magnitude import SHARED, once
from celm.base.threads import blas_threads
from celm.linalg.blocks import share_out

Array = npt.NDArray[np.float64]

# Columns that a thread takes at least: fewer would be summed in another order, and read from memory in crumbs.
NARROWEST = 128


@once
def column_means(X: Any) -> Array:
    """The mean of every column of an array or a CSR matrix."""
    return np.asarray(X.mean(axis=0)).ravel() if issparse(X) else by_columns(lambda part: part.mean(axis=0), X)


def variances(X: Any, ddof: int = 0) -> Array:
    """The variance of every column of an array or a CSR matrix."""
    if not issparse(X):
        return by_columns(lambda part: part.var(axis=0, ddof=ddof), X)
    n_rows, mean = X.shape[0], column_means(X)
    return (np.asarray(X.multiply(X).sum(axis=0)).ravel() - n_rows * mean**2).clip(min=0.0) / (n_rows - ddof)


def by_columns(measure: Callable[[Array], Array], X: Array) -> Array:
    """``measure`` of X (N × n), which gives a number for every column, with the columns shared out between threads."""
    shares = min(blas_threads(), X.shape[1] // NARROWEST) if X.size > SHARED else 1
    if shares <= 1:
        return measure(X)
    found = np.empty(X.shape[1])

    def work(columns: slice) -> None:
        found[columns] = measure(X[:, columns])

    edges = np.linspace(0, X.shape[1], shares + 1).astype(int).tolist()
    share_out(map(slice, edges[:-1], edges[1:]), lambda: work, None)
    return found
