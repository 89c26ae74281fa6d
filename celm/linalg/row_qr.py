"""The ridge readout by a QR factorisation of the rows, for a ridge so small that HᵀH + I/λ is singular to rounding.

β = (I/λ + HᵀH)⁻¹HᵀT is the least-squares solution for the rows of H with the rows of I/√λ below them. Its QR
factorisation is built block by block: the triangle R found so far stands above the next rows of [H, T] and is
factorised with them. The rows are cut into a few strips, which threads take in turn, and the triangles of the strips
are stacked in the end. The condition of this problem is the root of that of HᵀH + I/λ, H is never held whole, and the
work is twice that of HᵀH.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular

from celm.base.threads import one_blas_thread
from celm.linalg.blas import add_to_triangle, triangle_rcond
from celm.linalg.blocks import Pass, cut_rows, share_out
from celm.linalg.layer import Layer
from celm.linalg.readout import truncated_solve
from celm.linalg.ridge import EPS, SolveInfo

Array = npt.NDArray[np.float64]

STEADY = Pass(block_rows=2000)
PANEL = 64
# Strips of rows with a triangle each, and what all triangles may take where more than two are wanted.
MAX_STRIPS, TRIANGLE_BYTES = 4, 2**30


def n_strips(width: int) -> int:
    """Strips for triangles of that many columns; they depend on the problem alone, so that results do too."""
    return int(np.clip(TRIANGLE_BYTES // (8 * width**2), 2, MAX_STRIPS))


def factorise_rows(layer: Layer, X: Array, T: Array, lam: float, how: Pass = STEADY) -> tuple[Array, Array]:
    """R (L × L, upper triangle) and QᵀT (L × k) of [H; I/√λ] = QR, with H = g(XW + b) (N × L) and T (N × k).

    H is in double precision, whatever the layer says: a ridge this small is below the rounding of single precision.
    """
    n_hidden, width = layer.n_hidden, layer.n_hidden + T.shape[1]
    layer = layer.in_double()
    strips = list(cut_rows(len(X), None, 1, -(-len(X) // n_strips(width))))
    triangles = [np.zeros((width, width), order="F") for _ in strips]
    triangles[0].flat[: n_hidden * width : width + 1] = 1.0 / np.sqrt(lam)

    def make_worker() -> Callable[[int], None]:
        outputs = layer.by_blocks()

        def factorise(strip: int) -> None:
            rows = strips[strip].rows
            for block in cut_rows(len(X[rows]), None, 1, how.rows_for(n_hidden)):
                H = outputs(X[rows], block.rows)
                stacked = np.empty((len(H), width), order="F")
                stacked[:, :n_hidden], stacked[:, n_hidden:] = H, T[rows][block.rows]
                add_to_triangle(triangles[strip], stacked, PANEL)

        return factorise

    share_out(range(len(strips)), make_worker, how.n_threads)
    R, *others = triangles
    with one_blas_thread():
        for other in others:
            add_to_triangle(R, other, PANEL, triangular=True)
    return R[:n_hidden, :n_hidden], R[:n_hidden, n_hidden:]


def ridge_from_rows(layer: Layer, X: Array, T: Array, lam: float, how: Pass = STEADY) -> tuple[Array, SolveInfo]:
    """β (L × k) = argmin ‖Hβ − T‖² + ‖β‖²/λ, and how it was solved: by "qr", rcond being that of R.

    When R itself is singular to rounding, its singular values below L·eps(max) are dropped ("svd").
    """
    R, QtT = factorise_rows(layer, X, T, lam, how)
    rcond = triangle_rcond(np.asfortranarray(R))
    if rcond < EPS:
        beta, rank = truncated_solve(np.triu(R), QtT, len(R), "matlab")
        return beta, SolveInfo("svd", rcond, rank)
    return solve_triangular(R, QtT, check_finite=False), SolveInfo("qr", rcond, len(R))
