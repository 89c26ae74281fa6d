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
