"""What compiled routines are given: they trust their pointers, so that shape, type and order are checked here."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


def as_int(value: int) -> Any:
    """A whole number by its address."""
    return ctypes.byref(ctypes.c_int(value))


def order_of(A: Floats, name: str) -> int:
    """The rows of a square matrix."""
    check_fortran(A, name, len(A), len(A))
    return len(A)


def check_fortran(A: Array, name: str, rows: int, columns: int | None = None, dtype: Any = np.float64) -> None:
    """Raise a ValueError unless A is what a routine that writes to it expects."""
    right_shape = A.ndim == 2 and len(A) == rows and columns in (None, A.shape[1])
    if not right_shape or A.dtype != dtype or not A.flags.f_contiguous or not A.flags.writeable:
        expected = f"{rows} × {'any' if columns is None else columns}"
        raise ValueError(
            f"blas: {name} must be writeable, Fortran-ordered {np.dtype(dtype)} of shape {expected}; "
            f"got {A.dtype} of shape {A.shape} with strides {A.strides}."
        )


def done(info: ctypes.c_int, routine: str) -> bool:
    """Whether the factorisation got to its end; a negative code is a mistake in the call itself."""
    if info.value < 0:
        raise ValueError(f"blas: argument {-info.value} of {routine} is not valid.")
    return info.value == 0


def with_workspace(call: Callable[[Floats, int], None]) -> None:
    """Ask a routine for its best workspace (length −1), then run it with that."""
    query = np.empty(1)
    call(query, -1)
    length = max(1, int(query[0]))
    call(np.empty(length), length)
