"""The ridge readout by a QR factorisation of the rows, for a ridge so small that HᵀH + I/λ is singular to rounding.

β = (I/λ + HᵀH)⁻¹HᵀT is the least-squares solution for the rows of H with the rows of I/√λ below them. Its QR
factorisation is built block by block: the triangle R found so far stands above the next rows of [H, T] and is
factorised with them. The condition of this problem is the root of that of HᵀH + I/λ, H is never held whole, and the
work is twice that of HᵀH.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack, solve_triangular

from celm.models.blocks import HiddenOutputs, cut_rows
from celm.models.readout import truncated_solve
from celm.models.ridge import EPS, SolveInfo

Array = npt.NDArray[np.float64]

BLOCK_ROWS = 2000
PANEL = 32


def add_rows(R: Array, rows: Array) -> None:
    """Overwrite R (p × p, upper triangle) by the triangle of [R; rows]; ``rows`` (m × p) is spoilt.

    Both are Fortran-ordered float64; below its diagonal R is neither read nor written.
    """
    *_, info = lapack.dtpqrt(0, min(PANEL, len(R)), R, rows, overwrite_a=1, overwrite_b=1)
    if info:
        raise ValueError(f"row_qr: R must be p × p and the rows m × p; got {R.shape} and {rows.shape}.")


def factorise_rows(
    X: Array, T: Array, W: Array, b: Array, lam: float, activation: str = "sigmoid", block_rows: int = BLOCK_ROWS
) -> tuple[Array, Array]:
    """R (L × L, upper triangle) and QᵀT (L × k) of [H; I/√λ] = QR, with H = g(XW + b) (N × L) and T (N × k)."""
    n_hidden, width = W.shape[1], W.shape[1] + T.shape[1]
    R = np.zeros((width, width), order="F")
    R.flat[: n_hidden * width : width + 1] = 1.0 / np.sqrt(lam)
    outputs = HiddenOutputs(W, b, activation, "double")
    for block in cut_rows(len(X), None, 1, block_rows):
        H, targets = outputs(X, block.rows), T[block.rows]
        rows = np.empty((len(H), width), order="F")
        rows[:, :n_hidden], rows[:, n_hidden:] = H, targets
        add_rows(R, rows)
    return R[:n_hidden, :n_hidden], R[:n_hidden, n_hidden:]


def solve_rows(
    X: Array, T: Array, W: Array, b: Array, lam: float, activation: str = "sigmoid", block_rows: int = BLOCK_ROWS
) -> tuple[Array, SolveInfo]:
    """β (L × k) = argmin ‖Hβ − T‖² + ‖β‖²/λ, and how it was solved: by "qr", rcond being that of R.

    When R itself is singular to rounding, its singular values below L·eps(max) are dropped ("svd").
    """
    R, QtT = factorise_rows(X, T, W, b, lam, activation, block_rows)
    rcond, _ = lapack.dtrcon(R)
    if rcond < EPS:
        beta, rank = truncated_solve(np.triu(R), QtT, len(R), "matlab")
        return beta, SolveInfo("svd", float(rcond), rank)
    return solve_triangular(R, QtT, check_finite=False), SolveInfo("qr", float(rcond), len(R))
