"""BLAS and LAPACK on triangles, in place and without Python's global lock.

scipy's own wrappers hold the lock for the length of a call, so two threads of them run one after the other.
The same routines are reachable through the function pointers that ``scipy.linalg.cython_blas`` and
``scipy.linalg.cython_lapack`` publish for compiled code; ctypes releases the lock around each call. They are looked
up when first needed; where there are none, :mod:`celm.linalg.plain_blas` does the same by scipy's wrappers.
Symmetric matrices are float64 and Fortran-ordered; only their lower triangle is read or written. Triangles of a QR
factorisation are upper ones.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from celm.linalg import plain_blas
from celm.linalg.arguments import as_int, check_fortran, done, order_of, with_workspace

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

_BLAS = ("syrk", "trmm")
_SYRK: dict[str, tuple[str, Any]] = {"d": ("dsyrk", ctypes.c_double), "f": ("ssyrk", ctypes.c_float)}


@cache
def routine(name: str) -> Callable[..., Any]:
    """The compiled routine that scipy publishes as ``name``; all its arguments are pointers."""
    module = import_module("scipy.linalg.cython_blas" if name[1:] in _BLAS else "scipy.linalg.cython_lapack")
    capsule = module.__pyx_capi__[name]
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = name_of(capsule)
    result, _, arguments = signature.decode().rstrip(")").partition("(")
    kinds = arguments.split(", ")
    if "int *" not in kinds or not all(kind.endswith("*") for kind in kinds):
        raise ImportError(f"{module.__name__}: {name} must take pointers and 32-bit integers; got {signature!r}.")
    returns = None if result.strip() == "void" else ctypes.c_double
    return ctypes.CFUNCTYPE(returns, *[ctypes.c_void_p] * len(kinds))(pointer_of(capsule, signature))


@cache
def has_pointers() -> bool:
    """Whether this Python and this scipy have function pointers of the kind that is called here."""
    try:
        return all(routine(name) for name in ("dsyrk", "ssyrk", "dtrmm", "dpotrf", "dsytrd", "dtpqrt", "dtrtri"))
    except (ImportError, AttributeError, KeyError):
        return False


def or_plain(function: Function) -> Function:
    """``function``, or its namesake of :mod:`celm.linalg.plain_blas` where there are no pointers."""
    plain = getattr(plain_blas, function.__name__)

    @wraps(function)
    def call(*arguments: Any, **options: Any) -> Any:
        return (function if has_pointers() else plain)(*arguments, **options)

    return cast(Function, call)


@or_plain
def add_gram(H: Array, G: Array, *, anew: bool = False) -> None:
    """G += HᵀH, or G = HᵀH if ``anew``, both in double or both in single precision, for C-ordered H (rows × L)."""
    rows, size = H.shape
    if H.dtype.char not in _SYRK or not H.flags.c_contiguous:
        raise ValueError(f"add_gram: H must be C-ordered float64 or float32; got {H.dtype} with strides {H.strides}.")
    check_fortran(G, "G", size, size, H.dtype)
    kind, number = _SYRK[H.dtype.char]
    alpha, beta = ctypes.byref(number(1.0)), ctypes.byref(number(0.0 if anew else 1.0))
    n = as_int(size)
    routine(kind)(b"L", b"N", n, as_int(rows), alpha, H.ctypes.data, n, beta, G.ctypes.data, n)


@or_plain
def one_norm(A: Floats) -> float:
    """‖A‖₁ of a symmetric A, its largest column sum of absolute values."""
    size = order_of(A, "A")
    work = np.empty(size)
    return float(routine("dlansy")(b"1", b"L", as_int(size), A.ctypes.data, as_int(size), work.ctypes.data))


@or_plain
def cholesky(A: Floats) -> bool:
    """Overwrite A by its Cholesky factor; false (A is then spoilt) when A is not positive definite."""
    size = order_of(A, "A")
    info = ctypes.c_int()
    routine("dpotrf")(b"L", as_int(size), A.ctypes.data, as_int(size), ctypes.byref(info))
    return done(info, "dpotrf")


@or_plain
def cholesky_rcond(factor: Floats, norm: float) -> float:
    """An estimate of 1/(‖A‖₁‖A⁻¹‖₁) from A's Cholesky factor and ``norm`` = ‖A‖₁."""
    size = order_of(factor, "factor")
    rcond, info = ctypes.c_double(), ctypes.c_int()
    work, iwork = np.empty(3 * size), np.empty(size, dtype=np.intc)
    routine("dpocon")(
        *(b"L", as_int(size), factor.ctypes.data, as_int(size), ctypes.byref(ctypes.c_double(norm))),
        *(ctypes.byref(rcond), work.ctypes.data, iwork.ctypes.data, ctypes.byref(info)),
    )
    done(info, "dpocon")
    return rcond.value


@or_plain
def cholesky_solve(factor: Floats, B: Floats) -> None:
    """Overwrite Fortran-ordered B (L × m) by A⁻¹B, given A's Cholesky factor."""
    size = order_of(factor, "factor")
    check_fortran(B, "B", size)
    n, info = as_int(size), ctypes.c_int()
    routine("dpotrs")(b"L", n, as_int(B.shape[1]), factor.ctypes.data, n, B.ctypes.data, n, ctypes.byref(info))
    done(info, "dpotrs")


@or_plain
def tridiagonalise(A: Floats) -> tuple[Floats, Floats, Floats]:
    """Reduce symmetric A = QTQᵀ: A is overwritten by Q's reflectors; returns T's diagonals d, e, and Q's tau."""
    size = order_of(A, "A")
    d, e, tau = np.empty(size), np.empty(max(size - 1, 0)), np.empty(max(size - 1, 0))
    n, info = as_int(size), ctypes.c_int()

    def reduce(work: Floats, length: int) -> None:
        arrays = (array.ctypes.data for array in (d, e, tau, work))
        routine("dsytrd")(b"L", n, A.ctypes.data, n, *arrays, as_int(length), ctypes.byref(info))
        done(info, "dsytrd")

    with_workspace(reduce)
    return d, e, tau


@or_plain
def apply_q(reflectors: Floats, tau: Floats, B: Floats, *, transpose: bool) -> None:
    """Overwrite Fortran-ordered B (L × m) by QB, or by QᵀB, with Q from :func:`tridiagonalise`."""
    size = order_of(reflectors, "reflectors")
    check_fortran(B, "B", size)
    n, info = as_int(size), ctypes.c_int()

    def multiply(work: Floats, length: int) -> None:
        routine("dormtr")(
            *(b"L", b"L", b"T" if transpose else b"N", n, as_int(B.shape[1]), reflectors.ctypes.data, n),
            *(tau.ctypes.data, B.ctypes.data, n, work.ctypes.data, as_int(length), ctypes.byref(info)),
        )
        done(info, "dormtr")

    with_workspace(multiply)


@or_plain
def tridiagonal_factor(d: Floats, e: Floats) -> bool:
    """Overwrite the diagonals of a tridiagonal T by its LDLᵀ factor; false when T is not positive definite."""
    info = ctypes.c_int()
    routine("dpttrf")(as_int(len(d)), d.ctypes.data, e.ctypes.data, ctypes.byref(info))
    return done(info, "dpttrf")


@or_plain
def tridiagonal_rcond(d: Floats, e: Floats, norm: float) -> float:
    """1/(‖T‖₁‖T⁻¹‖₁) from T's LDLᵀ factor and ``norm`` = ‖T‖₁."""
    rcond, info, work = ctypes.c_double(), ctypes.c_int(), np.empty(len(d))
    routine("dptcon")(
        *(as_int(len(d)), d.ctypes.data, e.ctypes.data, ctypes.byref(ctypes.c_double(norm))),
        *(ctypes.byref(rcond), work.ctypes.data, ctypes.byref(info)),
    )
    done(info, "dptcon")
    return rcond.value


@or_plain
def tridiagonal_solve(d: Floats, e: Floats, B: Floats) -> None:
    """Overwrite Fortran-ordered B (L × m) by T⁻¹B, given T's LDLᵀ factor."""
    check_fortran(B, "B", len(d))
    n, info = as_int(len(d)), ctypes.c_int()
    routine("dpttrs")(n, as_int(B.shape[1]), d.ctypes.data, e.ctypes.data, B.ctypes.data, n, ctypes.byref(info))
    done(info, "dpttrs")


@or_plain
def triangle_rcond(R: Floats) -> float:
    """An estimate of 1/(‖R‖₁‖R⁻¹‖₁) of an upper triangle R in Fortran order; nothing below its diagonal is read."""
    size = order_of(R, "R")
    rcond, info, n = ctypes.c_double(), ctypes.c_int(), as_int(size)
    work, iwork = np.empty(3 * size), np.empty(size, dtype=np.intc)
    routine("dtrcon")(
        *(b"1", b"U", b"N", n, R.ctypes.data, n, ctypes.byref(rcond)),
        *(work.ctypes.data, iwork.ctypes.data, ctypes.byref(info)),
    )
    done(info, "dtrcon")
    return rcond.value


@or_plain
def add_to_triangle(R: Floats, rows: Floats, panel: int, *, triangular: bool = False) -> None:
    """Overwrite the upper triangle of R (p × p) by that of [R; rows] = QR; ``rows`` (m × p) is spoilt.

    With ``triangular`` the rows are an upper triangle (p × p) themselves, and nothing below their diagonal is read.
    Reflectors go in panels of that many columns.
    """
    size = order_of(R, "R")
    check_fortran(rows, "rows", size if triangular else len(rows), size)
    panel = min(panel, size)
    n, m, info = as_int(size), as_int(len(rows)), ctypes.c_int()
    T, work = np.empty((panel, size), order="F"), np.empty(panel * size)
    routine("dtpqrt")(
        *(m, n, n if triangular else as_int(0), as_int(panel), R.ctypes.data, n, rows.ctypes.data, m),
        *(T.ctypes.data, as_int(panel), work.ctypes.data, ctypes.byref(info)),
    )
    done(info, "dtpqrt")
