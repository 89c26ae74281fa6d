"""The functions of :mod:`celm.linalg.blas` by numpy and scipy's wrappers, for Pythons without function pointers.

The same contracts, results equal to rounding; but the global lock is held, and arrays of any order are taken by a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import blas, lapack

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


def add_gram(H: Array, G: Array, *, anew: bool = False) -> None:
    """G += HᵀH, or G = HᵀH, lower triangle."""
    beta, syrk = 0.0 if anew else 1.0, blas.ssyrk if H.dtype == np.float32 else blas.dsyrk
    if len(H):
        _into(G, syrk(1.0, H.T, beta=beta, c=G, lower=1, overwrite_c=1))
    elif anew:
        G[...] = 0.0


def times_triangle(B: Floats, A: Floats) -> None:
    """Overwrite B by BAᵀ for a lower triangle A."""
    _into(B, blas.dtrmm(1.0, A, B, side=1, lower=1, trans_a=1, overwrite_b=1))


def invert_triangle(A: Floats) -> None:
    """Overwrite a lower triangle by its inverse."""
    _into(A, lapack.dtrtri(A, lower=1, overwrite_c=1)[0])


def one_norm(A: Floats) -> float:
    """‖A‖₁ of a symmetric A from its lower triangle."""
    lower = np.abs(np.tril(A))
    return float((lower.sum(axis=0) + np.tril(lower, -1).sum(axis=1)).max())


def cholesky(A: Floats) -> bool:
    """Overwrite A by its Cholesky factor; false when it has none."""
    factor, info = lapack.dpotrf(A, lower=1, clean=0, overwrite_a=1)
    _into(A, factor)
    return bool(info == 0)


def cholesky_rcond(factor: Floats, norm: float) -> float:
    """An estimate of 1/(‖A‖₁‖A⁻¹‖₁) from A's Cholesky factor."""
    return float(lapack.dpocon(factor, norm, uplo="L")[0])


def cholesky_solve(factor: Floats, B: Floats) -> None:
    """Overwrite B by A⁻¹B."""
    _into(B, lapack.dpotrs(factor, B, lower=1, overwrite_b=1)[0])


def tridiagonalise(A: Floats) -> tuple[Floats, Floats, Floats]:
    """Reduce symmetric A = QTQᵀ: reflectors in A; T's diagonals d, e, and Q's tau."""
    work = int(lapack.dsytrd_lwork(len(A), lower=1)[0])
    reflectors, d, e, tau, _ = lapack.dsytrd(A, lower=1, lwork=max(1, work), overwrite_a=1)
    _into(A, reflectors)
    return d, e, tau


def apply_q(reflectors: Floats, tau: Floats, B: Floats, *, transpose: bool) -> None:
    """Overwrite B by QB or QᵀB: the first row stays, the reflectors of a QR act on the others."""
    if len(B) < 2:
        return
    below, rest = np.asfortranarray(reflectors[1:, :-1]), np.asfortranarray(B[1:])
    rotated, _, info = lapack.dormqr("L", "T" if transpose else "N", below, tau, rest, max(1, 64 * B.shape[1]))
    if info:
        raise ValueError(f"blas: argument {-info} of dormqr is not valid.")
    B[1:] = rotated


def tridiagonal_factor(d: Floats, e: Floats) -> bool:
    """Overwrite the diagonals of T by its LDLᵀ factor; false when it has none."""
    d[:], off_diagonal, info = lapack.dpttrf(d, _padded(e))
    e[:] = off_diagonal[: len(e)]
    return bool(info == 0)


def tridiagonal_rcond(d: Floats, e: Floats, norm: float) -> float:
    """1/(‖T‖₁‖T⁻¹‖₁) from T's LDLᵀ factor, by the inverse itself: L solves."""
    inverse, _ = lapack.dpttrs(d, _padded(e), np.eye(len(d), order="F"))
    return float(1.0 / (norm * np.abs(inverse).sum(axis=0).max())) if norm else 0.0


def tridiagonal_solve(d: Floats, e: Floats, B: Floats) -> None:
    """Overwrite B by T⁻¹B."""
    _into(B, lapack.dpttrs(d, _padded(e), B, overwrite_b=1)[0])


def triangle_rcond(R: Floats) -> float:
    """1/(‖R‖₁‖R⁻¹‖₁) of an upper triangle, by the inverse itself; 0 where it has none."""
    inverse, info = lapack.dtrtri(R)
    norms = [np.abs(np.triu(matrix)).sum(axis=0).max() for matrix in (R, inverse)]
    return 0.0 if info else float(1.0 / (norms[0] * norms[1]))


def add_to_triangle(R: Floats, rows: Floats, panel: int, *, triangular: bool = False) -> None:
    """Overwrite the upper triangle of R by that of [R; rows] = QR."""
    stacked = np.vstack([np.triu(R), np.triu(rows) if triangular else rows])
    upper = np.triu_indices(len(R))
    R[upper] = np.asarray(np.linalg.qr(stacked, mode="r"))[upper]


def _padded(e: Floats) -> Floats:
    """The wrappers want one number beside the diagonal of a single node, and do not read it."""
    return e if len(e) else np.zeros(1)


def _into(target: Floats, result: Any) -> None:
    """The wrappers work in place on Fortran-ordered arrays and on a copy of others."""
    if not np.shares_memory(target, result):
        target[...] = result
