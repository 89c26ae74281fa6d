"""Lower triangles: their inverse and products with it, in place and without Python's global lock.

As :mod:`celm.linalg.blas`, for several threads at once; Fortran-ordered, and nothing above a diagonal is read.
"""

from __future__ import annotations

import ctypes

from celm.linalg.arguments import Floats, as_int, check_fortran, done, order_of
from celm.linalg.blas import or_plain, routine

# Nodes up to which a triangle is inverted in one go.
WHOLE_TRIANGLE = 50


@or_plain
def times_triangle(B: Floats, A: Floats) -> None:
    """Overwrite B (m × L) by BAᵀ for a lower triangle A."""
    size = order_of(A, "A")
    check_fortran(B, "B", len(B), size)
    _multiply(b"RLTN", (len(B), size), 1.0, (A.ctypes.data, size), (B.ctypes.data, len(B)))


@or_plain
def invert_triangle(A: Floats) -> None:
    """Overwrite a lower triangle by its inverse, by halves: LAPACK's own goes column by column."""
    _invert(A.ctypes.data, order_of(A, "A"), len(A))


def _invert(place: int, size: int, stride: int) -> None:
    """Invert ``size`` rows and columns of a triangle from an address on, columns ``stride`` numbers apart."""
    if size <= WHOLE_TRIANGLE:
        info = ctypes.c_int()
        routine("dtrtri")(b"L", b"N", as_int(size), place, as_int(stride), ctypes.byref(info))
        done(info, "dtrtri")
        return
    half = size // 2
    rest, step = size - half, ctypes.sizeof(ctypes.c_double)
    corner, bottom = place + step * half, place + step * half * (stride + 1)
    _invert(place, half, stride)
    _invert(bottom, rest, stride)
    _multiply(b"LLNN", (rest, half), -1.0, (bottom, stride), (corner, stride))
    _multiply(b"RLNN", (rest, half), 1.0, (place, stride), (corner, stride))


def _multiply(how: bytes, shape: tuple[int, int], by: float, A: tuple[int, int], B: tuple[int, int]) -> None:
    """B = by·AB, or BA with a side of R, for addresses and strides of a triangle A and a matrix B."""
    sides = (how[place : place + 1] for place in range(4))
    factor = ctypes.byref(ctypes.c_double(by))
    routine("dtrmm")(*sides, *map(as_int, shape), factor, A[0], as_int(A[1]), B[0], as_int(B[1]))
