"""Numbers of any finite size: rows are brought near 1 by a power of two, which changes no digit of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import assert_all_finite, validate_data

from celm.base.threads import blas_threads
from celm.base.validation import check_labels, check_plain

Array = npt.NDArray[np.float64]

# Rows whose largest entry lies within 2^±200 have squares and sums well inside the range of double precision.
ORDINARY = 200

# Entries up to these sizes have squares, or cubes, whose sums are inside that range, whatever their number.
SQUARED, CUBED = 1e150, 1e90
# The least setting by which something is divided.
LEAST = 1e-150

# Entries that are looked through at a time, so that they are read from memory once, and how many make threads pay.
PIECE, SHARED = 2**17, 2**21

# The rows that were checked in this block of one_look, and what was measured of them, by its function.
_looked_at: ContextVar[list[tuple[Any, dict[Any, Any]]] | None] = ContextVar("looked_at", default=None)

Measured = TypeVar("Measured")


@contextmanager
def one_look() -> Iterator[None]:
    """Within the block rows are looked through once for whatever is asked of them; they must not change."""
    if _looked_at.get() is not None:
        yield
        return
    token = _looked_at.set([])
    try:
        yield
    finally:
        _looked_at.reset(token)


def once(measure: Callable[[Any], Measured]) -> Callable[[Any], Measured]:
    """``measure``, taken once of rows that have been checked within :func:`one_look`; nobody may change its answer."""

    @wraps(measure)
    def taken(X: Any) -> Measured:
        known: dict[Any, Any] = next((found for rows, found in _looked_at.get() or () if rows is X), {})
        if measure not in known:
            known[measure] = measure(X)
        return known[measure]

    return taken


@once
def largest_entry(values: Any) -> float:
    """The largest magnitude in an array or a CSR matrix, NaN if it holds one; 0 without entries."""
    entries = values.data if issparse(values) else values
    if entries.size <= SHARED:
        return _largest([entries])
    if entries.flags.f_contiguous:
        entries = entries.T
    pieces = np.array_split(entries, min(len(entries), -(-entries.size // PIECE)))
    if (threads := blas_threads()) == 1:
        return _largest(pieces)
    with ThreadPoolExecutor(threads) as pool:
        return float(np.max(list(pool.map(_largest, (pieces[first::threads] for first in range(threads))))))


def _largest(pieces: list[npt.NDArray[Any]]) -> float:
    return float(np.max([(piece.max(initial=0.0), -piece.min(initial=0.0)) for piece in pieces], initial=0.0))


def exponent_of(values: Any) -> int:
    """The binary exponent of the largest entry; 0 for rows of ordinary size, of zeros, or without entries."""
    largest = largest_entry(values)
    exponent = int(np.frexp(largest)[1])
    return exponent if largest and abs(exponent) > ORDINARY else 0


def ordinary_size(values: Any) -> tuple[Any, int]:
    """``values``·2^−e with entries up to 1, and e; rows of ordinary size as they are, and 0."""
    exponent = exponent_of(values)
    if not exponent:
        return values, 0
    if not issparse(values):
        return np.ldexp(values, -exponent), exponent
    smaller = values.copy()
    smaller.data = np.ldexp(values.data, -exponent)
    return smaller, exponent


def ordinary_rows(X: Array) -> Array:
    """Every row of X (N × n) of extraordinary size times a power of two of its own; the others as they are."""
    exponents = np.frexp(np.abs(X).max(axis=1, keepdims=True))[1]
    exponents[np.abs(exponents) <= ORDINARY] = 0
    return np.ldexp(X, -exponents) if exponents.any() else X


def check_squares(X: Any, owner: str, largest: float = SQUARED) -> None:
    """Raise a ValueError for rows whose products would overflow: ``owner`` multiplies them with each other."""
    if (found := largest_entry(X)) > largest:
        raise ValueError(
            f"{owner}: entries of X must be at most {largest:g}, or products of rows overflow; got {found:g}. "
            "Scale X, for example by StandardScaler."
        )


def checked_data(estimator: Any, *data: Any, **how: Any) -> Any:
    """scikit-learn's ``validate_data``, without the warnings of its sums over numbers near the end of the range.

    Within :func:`one_look` the largest entry tells whether X is finite. Rows of a fitted estimator that need no look at
    their numbers and are what it takes already are given back at once: most of the time of a single row goes there.
    """
    if "ensure_all_finite" in how and len(data) == 1 and as_learned(estimator, data[0], **how):
        return data[0]
    owner = type(estimator).__name__
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return _checked(estimator, *_as_meant(owner, *data, numeric="y_numeric" in how), **how)
    except OverflowError as error:
        raise ValueError(f"{owner}: a whole number of the data is beyond what a float can hold.") from error


def _checked(estimator: Any, *data: Any, **how: Any) -> Any:
    looked_at = _looked_at.get()
    if looked_at is None or "ensure_all_finite" in how:
        return validate_data(estimator, *data, **how)
    checked = validate_data(estimator, *data, ensure_all_finite=False, **how)
    X = checked if len(data) == 1 else checked[0]
    looked_at.append((X, {}))
    if not np.isfinite(largest_entry(X)):
        assert_all_finite(X, estimator_name=type(estimator).__name__, input_name="X")
    return checked


def as_learned(estimator: Any, X: Any, *, ensure_all_finite: Any, dtype: Any, reset: bool = True, **how: Any) -> bool:
    """Whether X is a plain array that ``validate_data`` would give back as it is, after all of its checks."""
    return bool(
        not (reset or ensure_all_finite)
        and type(X) is np.ndarray
        and X.dtype in dtype
        and X.ndim == 2
        and len(X)
        and X.shape[1] == getattr(estimator, "n_features_in_", None)
        and not hasattr(estimator, "feature_names_in_")
    )


def _as_meant(owner: str, X: Any, *targets: Any, numeric: bool) -> tuple[Any, ...]:
    """X, and y where it is given: as they are, or refused where scikit-learn would take them for something else."""
    check_plain(X, "X", owner)
    if not targets or targets[0] is None:
        return X, *targets
    (y,) = targets
    check_plain(y, "y", owner, dates=not numeric)
    if not numeric:
        check_labels(y, owner)
    elif issparse(y):
        raise TypeError(f"{owner}: y must be dense: y.toarray().")
    elif getattr(getattr(y, "dtype", None), "kind", "") != "c":
        y = np.asarray(y, dtype=np.float64)  # scikit-learn looks for gaps before None has become one
    return X, y


def times_power(values: Array, exponent: int) -> Array:
    """``values``·2^exponent, in two steps so that the power itself cannot overflow; infinite where the product is."""
    if not exponent:
        return values
    half = exponent // 2
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(np.ldexp(values, half), exponent - half)
