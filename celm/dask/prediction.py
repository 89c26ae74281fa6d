"""Lazy answers of a fitted model on Dask arrays and DataFrames, and scores that are summed on the workers."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.delayed import delayed

from celm.dask.partitions import column_names, rows_of
from celm.dask.tasks import on_one_thread


@on_one_thread
def answers(X: Any, model: Any, method: str) -> Any:
    """What a method of a plain estimator says of one chunk of rows; of no rows, an empty array of the same width."""
    if len(X):
        return getattr(model, method)(X)
    return getattr(model, method)(np.zeros((1, X.shape[1])))[:0]


def lazy_answers(model: Any, X: Any, method: str, owner: str) -> Any:
    """``model.method(X)`` as a Dask array in the chunks of X; nothing is computed yet.

    ``model`` is a fitted plain estimator; its answer to one row of zeros tells type and width of the others.
    """
    rows = checked_rows(model, X, owner)
    nameless = without_names(model)
    example = answers(np.zeros((1, model.n_features_in_)), nameless, method)[:0]
    shared = delayed(nameless, traverse=False)
    shape = {"drop_axis": 1} if example.ndim == 1 else {"chunks": (rows.chunks[0], (example.shape[1],))}
    return da.map_blocks(answers, rows, shared, method, dtype=example.dtype, meta=example, **shape)


def without_names(model: Any) -> Any:
    """A plain model that takes arrays without a word, once the names of the columns have been compared."""
    nameless = type(model)(**model.get_params(deep=False))
    nameless.__dict__.update({name: value for name, value in vars(model).items() if name != "feature_names_in_"})
    return nameless


def checked_rows(model: Any, X: Any, owner: str) -> Any:
    """X as a Dask array in row chunks that has the columns of fit, by number and, where both have them, by name."""
    fitted, given = getattr(model, "feature_names_in_", None), column_names(X)
    if fitted is not None and given is not None and list(fitted) != list(given):
        raise ValueError(f"{owner}: the columns of X must be those of fit, {list(fitted)}; got {list(given)}.")
    rows = rows_of(X, "X", owner)
    if rows.ndim != 2 or rows.shape[1] != model.n_features_in_:
        raise ValueError(f"{owner}: X must have {model.n_features_in_} columns, as in fit; got shape {rows.shape}.")
    return rows
