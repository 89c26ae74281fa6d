"""The output layer: pseudo-inverse and ridge, and the whole curve over nested hidden nodes on one factorisation.

Nested means that the layer of L nodes is the first L columns of H. If G = CCᵀ is the Cholesky factorisation of a
regularised Gram matrix of all nodes, the factor of the first L nodes is the leading L × L block of C. With
Z = C⁻¹HᵀT and Q = H_eval C⁻ᵀ, the scores of the first L nodes are Q[:, :L] Z[:L]: every further node only adds
one outer product, and one factorisation serves all node counts. A QR factorisation does the same without a penalty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack, qr, solve_triangular

from celm.linalg.blas import triangle_rcond

Array = npt.NDArray[np.float64]

CUTOFFS = ("matlab", "numpy", "none")
# How far LAPACK's estimate of ‖R⁻¹‖₁ may lie below the truth, generously.
TRUST = 100.0


def cutoff_value(singular_values: npt.NDArray[Any], shape: tuple[int, ...], cutoff: str) -> float:
    """Singular values at or below this are dropped: max(size)·eps(‖H‖) (MATLAB's pinv) or 1e-15·‖H‖ (numpy's).

    "none" keeps all but eps(‖H‖), the rounding error of a zero; it counts only where QR alone finds no solution.
    """
    largest = float(singular_values[0]) if len(singular_values) else 0.0
    if cutoff == "matlab":
        return float(max(shape) * np.spacing(largest))
    return 1e-15 * largest if cutoff == "numpy" else float(np.spacing(largest))


def truncated_solve(R: Array, QtT: Array, n_rows: int, cutoff: str) -> tuple[Array, int]:
    """β = R⁺(QᵀT) with small singular values dropped as for the N × L matrix H = QR; and the rank that is left."""
    U, s, Vt = np.linalg.svd(R, full_matrices=False)
    rank = int(np.count_nonzero(s > cutoff_value(s, (n_rows, R.shape[1]), cutoff)))
    return Vt[:rank].T @ ((U[:, :rank].T @ QtT) / s[:rank, None]), rank


def pseudo_inverse_solve(H: Array, T: Array, cutoff: str = "matlab") -> tuple[Array, int]:
    """β = H⁺T, of minimal norm among the least squares solutions, and the numerical rank of H.

    With ``cutoff="none"`` nothing is dropped: plain least squares by QR without pivoting, wherever that has a solution.
    """
    return solve_factor(*orthogonal_factor(H, T), len(H), cutoff)


def solve_factor(R: Array, QtT: Array, n_rows: int, cutoff: str) -> tuple[Array, int]:
    """β and rank as :func:`pseudo_inverse_solve`, from H = QR of N rows."""
    if cutoff == "none" and _solvable_columns(R) == R.shape[1]:
        return solve_triangular(R, QtT, check_finite=False), R.shape[1]
    return truncated_solve(R, QtT, n_rows, cutoff)


def solve_long_factor(R: Array, QtT: Array, n_rows: int, cutoff: str) -> tuple[Array, int]:
    """As :func:`solve_factor`, by a triangular solve wherever the rank is full: for R too large to decompose idly."""
    if full_rank_count(R, n_rows, [len(R)], cutoff):
        return solve_triangular(R, QtT, check_finite=False), len(R)
    return truncated_solve(R, QtT, n_rows, cutoff)


class CurvePoint(NamedTuple):
    """One node count of a curve: its scores on the evaluation rows and the numerical rank of H."""

    n_hidden: int
    scores: Array
    rank: int


def full_rank_count(R: Array, n_rows: int, counts: Sequence[int], cutoff: str) -> int:
    """The largest L of ``counts`` (ascending) whose first L columns have full numerical rank; 0 if none has.

    Singular values of a leading block interlace, so full rank at L means full rank at every smaller count.
    """
    if cutoff == "none":
        return max((L for L in counts if L <= _solvable_columns(R)), default=0)
    low, high = 0, len(counts)
    probe = high
    while low < high:
        L = counts[probe - 1]
        full = L <= len(R)
        if full and not surely_full_rank(R[:L, :L], n_rows, cutoff):
            s = np.linalg.svd(R[:L, :L], compute_uv=False)
            full = bool(s[-1] > cutoff_value(s, (n_rows, L), cutoff))
        low, high = (probe, high) if full else (low, probe - 1)
        probe = (low + high + 1) // 2
    return counts[low - 1] if low else 0


def surely_full_rank(R: Array, n_rows: int, cutoff: str) -> bool:
    """Whether a bound that costs L² already shows that no singular value of R (L × L) falls under the cutoff.

    σ_max ≤ ‖R‖_F and σ_min ≥ 1/(√L‖R⁻¹‖₁), whose estimate is trusted to a factor of :data:`TRUST`.
    """
    rcond = triangle_rcond(np.asfortranarray(R))
    smallest = rcond * np.abs(R).sum(axis=0).max() / np.sqrt(len(R)) / TRUST
    return bool(smallest > cutoff_value(np.array([np.linalg.norm(R)]), (n_rows, len(R)), cutoff))


def pseudo_inverse_curve(
    R: Array, QtT: Array, n_rows: int, H_eval: Array, counts: Sequence[int], cutoff: str = "matlab"
) -> Iterator[CurvePoint]:
    """Scores H_eval[:, :L] H[:, :L]⁺ T for ascending ``counts``, from R and QᵀT of H = QR (N rows).

    One triangular solve where the rank is full, a truncated SVD of R's leading block elsewhere. The scores array is
    reused: read it at once.
    """
    full = full_rank_count(R, n_rows, counts, cutoff)
    if full:
        Q_eval = solve_triangular(R[:full, :full], H_eval[:, :full].T, trans="T", check_finite=False).T
        exact = [L for L in counts if L <= full]
        for L, scores in zip(exact, _cumulative_scores(Q_eval, QtT, exact), strict=True):
            yield CurvePoint(L, scores, L)
    for L in (L for L in counts if L > full):
        k = min(L, R.shape[0])
        beta, rank = truncated_solve(R[:k, :L], QtT[:k], n_rows, cutoff)
        yield CurvePoint(L, H_eval[:, :L] @ beta, rank)


def orthogonal_factor(H: Array, T: Array) -> tuple[Array, Array]:
    """R and QᵀT of H = QR, Q never formed: T rides along as extra columns."""
    L, k = H.shape[1], min(H.shape)
    stacked = np.empty((len(H), L + T.shape[1]), order="F")
    stacked[:, :L], stacked[:, L:] = H, T
    (R,) = qr(stacked, mode="r", check_finite=False, overwrite_a=True)
    return R[:k, :L], R[:k, L:]


def _solvable_columns(R: Array) -> int:
    """How many leading columns back-substitution solves: those before the first zero on R's diagonal."""
    zeros = np.flatnonzero(np.diagonal(R) == 0.0)
    return int(zeros[0]) if len(zeros) else len(R)


def _cumulative_scores(Q_eval: Array, Z: Array, counts: Sequence[int]) -> Iterator[Array]:
    """Q_eval[:, :L] Z[:L] for ascending counts, each from the one before. The array is reused: read it at once."""
    scores = np.zeros((len(Q_eval), Z.shape[1]))
    done = 0
    for L in counts:
        scores += Q_eval[:, done:L] @ Z[done:L]
        done = L
        yield scores


def ridge_curve(
    G: Array, moment: Array, H_eval: Array, counts: Sequence[int], lam: float
) -> Iterator[tuple[int, Array]]:
    """(L, scores of the ridge readout β_L = (I/λ + G_L)⁻¹(HᵀT)_L on the rows H_eval) for ascending ``counts``.

    G = HᵀH (all nodes), moment = HᵀT. One Cholesky serves every count; a matrix that is not positive definite to
    rounding is solved count by count on its eigenvalues instead. The scores array is reused: read it at once.
    """
    C, info = lapack.dpotrf(regularised(G, lam), lower=1, clean=0, overwrite_a=1)
    if info:
        for L in counts:
            yield L, H_eval[:, :L] @ spectral_ridge(G[:L, :L], moment[:L], lam)
        return
    Z = solve_triangular(C, moment, lower=True, check_finite=False)
    Q_eval = solve_triangular(C, H_eval.T, lower=True, check_finite=False).T
    yield from zip(counts, _cumulative_scores(Q_eval, Z, counts), strict=True)


def regularised(G: Array, lam: float) -> Array:
    """G + I/λ as a fresh Fortran-ordered array."""
    A = np.array(G, order="F")
    A.flat[:: len(A) + 1] += 1.0 / lam
    return A


def ridge_from_outputs(H: Array, T: Array, lam: float) -> Array:
    """β = (I/λ + HᵀH)⁻¹HᵀT; for N < L the equal dual form Hᵀ(I/λ + HHᵀ)⁻¹T."""
    solved = cholesky_ridge(*shorter_system(H, T), lam)
    return solved if H.shape[0] >= H.shape[1] else H.T @ solved


def shorter_system(H: Array, T: Array) -> tuple[Array, Array]:
    """HᵀH and HᵀT, or for N < L HHᵀ and T."""
    return (H.T @ H, H.T @ T) if H.shape[0] >= H.shape[1] else (H @ H.T, T)


def cholesky_ridge(G: Array, right: Array, lam: float) -> Array:
    """(I/λ + G)⁻¹ right; on the eigenvalues of G where I/λ + G is not positive definite to rounding."""
    C, info = lapack.dpotrf(regularised(G, lam), lower=1, clean=0, overwrite_a=1)
    return spectral_ridge(G, right, lam) if info else lapack.dpotrs(C, right, lower=1)[0]


def spectral_ridge(G: Array, moment: Array, lam: float) -> Array:
    """(I/λ + G)⁻¹ moment on the eigenvalues of G, negative ones (rounding) taken as zero."""
    d, V = np.linalg.eigh(G)
    return V @ ((V.T @ moment) / (d.clip(min=0.0) + 1.0 / lam)[:, None])


def ridge_path_scores(G: Array, moment: Array, H_eval: Array, lams: Sequence[float]) -> Array:
    """Scores of the ridge readout for every λ (n_lams × N_eval × m) from one eigen-decomposition of G."""
    d, V = np.linalg.eigh(G)
    shrink = 1.0 / (d.clip(min=0.0)[None, :] + 1.0 / np.asarray(lams, dtype=np.float64)[:, None])
    loadings = (V.T @ moment)[None] * shrink[:, :, None]
    return (H_eval @ V) @ loadings


def correct_counts(scores: Array, codes: npt.NDArray[Any]) -> Any:
    """How many rows have their largest score in the column of their class, over the last two axes."""
    return np.count_nonzero(scores.argmax(axis=-1) == codes, axis=-1)
