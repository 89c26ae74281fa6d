"""Numbers of any finite size: rows are brought near 1 by a power of two, which changes no digit of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

Array = npt.NDArray[np.float64]

# Rows whose largest entry lies within 2^±200 have squares and sums well inside the range of double precision.
ORDINARY = 200

# Entries up to this size have squares whose sums are inside that range, whatever their number.
LARGEST = 1e150


def largest_entry(values: Any) -> float:
    """The largest magnitude in an array or a CSR matrix; 0 without entries."""
    entries = values.data if issparse(values) else values
    return max(float(entries.max(initial=0.0)), -float(entries.min(initial=0.0)))


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


def check_squares(X: Any, owner: str) -> None:
    """Raise a ValueError for rows whose squares would overflow: ``owner`` multiplies them with each other."""
    if (largest := largest_entry(X)) > LARGEST:
        raise ValueError(
            f"{owner}: entries of X must be at most {LARGEST:g}, or products of rows overflow; got {largest:g}. "
            "Scale X, for example by StandardScaler."
        )


def checked_data(estimator: Any, *data: Any, **how: Any) -> Any:
    """scikit-learn's ``validate_data``, without the warnings of its sums over numbers near the end of the range."""
    with np.errstate(over="ignore", invalid="ignore"):
        return validate_data(estimator, *data, **how)


def times_power(values: Array, exponent: int) -> Array:
    """``values``·2^exponent, in two steps so that the power itself cannot overflow; infinite where the product is."""
    if not exponent:
        return values
    half = exponent // 2
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(np.ldexp(values, half), exponent - half)
