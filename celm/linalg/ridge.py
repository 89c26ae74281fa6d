"""The ridge readout from a Gram matrix: one λ, a path of λ on one reduction, and the choice of λ by folds.

β = (I/λ + HᵀH)⁻¹HᵀT (paper §II). Reduce G = HᵀH = QSQᵀ once, S tridiagonal, and (I/λ + G)⁻¹ = Q(I/λ + S)⁻¹Qᵀ:
every λ is a tridiagonal solve, and a path of 17 costs clearly less than 17 Choleskys.
Of a Gram matrix (L × L) only the lower triangle is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh_tridiagonal

from celm.base.validation import check_number
from celm.linalg import blas
from celm.linalg.blocks import USUAL, Block, Buffers, Pass, cut_rows, share_out
from celm.linalg.gram import FoldGrams
from celm.linalg.layer import Floats, Layer
from celm.linalg.truth import Truth, gain_type, held_out_gain

Array = npt.NDArray[Any]

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class SolveInfo:
    """How one λ was solved, for the record.

    method : "cholesky", "tridiagonal", or the fallback "spectral".
    rcond : reciprocal condition of I/λ + G in the 1-norm, estimated; 0 if not positive definite to rounding.
    rank : how many eigenvalues of G were used: all L, but for the fallback.
    """

    method: str
    rcond: float
    rank: int


def ridge_from_gram(G: Array, moment: Array, lam: float) -> tuple[Floats, SolveInfo]:
    """β = (I/λ + G)⁻¹ moment (L × m) by Cholesky.

    When I/λ + G is not positive definite to rounding, or its reciprocal condition is below the rounding unit, the
    system is solved on the eigenvalues of G (see :meth:`_Reduction.spectral`), and the info says so.
    """
    beta, rcond = cholesky_from_gram(G, moment, lam)
    if beta is not None:
        return beta, SolveInfo("cholesky", rcond, len(G))
    reduction = _Reduction(np.array(G, dtype=np.float64, order="F"), moment)
    loadings, rank = reduction.spectral(lam)
    return reduction.back(loadings), SolveInfo("spectral", rcond, rank)


def cholesky_from_gram(G: Array, moment: Array, lam: float) -> tuple[Floats | None, float]:
    """β = (I/λ + G)⁻¹ moment by Cholesky or None where that is rounding, and the reciprocal condition of I/λ + G."""
    _check_system(G, moment, [lam])
    A = np.array(G, dtype=np.float64, order="F")
    A.flat[:: len(A) + 1] += 1.0 / lam
    norm = _finite_norm(blas.one_norm(A))
    rcond = blas.cholesky_rcond(A, norm) if blas.cholesky(A) else 0.0
    if rcond < EPS:
        return None, rcond
    beta = np.array(moment, dtype=np.float64, order="F")
    blas.cholesky_solve(A, beta)
    return beta, rcond


def dual_ridge(H: Array, T: Array, lam: float) -> tuple[Floats, SolveInfo]:
    """β = Hᵀ(I/λ + HHᵀ)⁻¹T, equal to the primal form and cheaper for fewer rows than nodes (N < L)."""
    alpha, info = ridge_from_gram(H @ H.T, T, lam)
    return H.T @ alpha, info


def ridge_path(
    G: Array, moment: Array, lams: Sequence[float], *, overwrite: bool = False
) -> tuple[Floats, list[SolveInfo]]:
    """β of every λ (n_lams × L × m) from one reduction of G; each λ falls back as in :func:`ridge_from_gram`.

    With ``overwrite``, a Fortran-ordered float64 G is used as workspace.
    """
    _check_system(G, moment, lams)
    usable = overwrite and G.dtype == np.float64 and G.flags.f_contiguous
    reduction = _Reduction(G if usable else np.array(G, dtype=np.float64, order="F"), moment)
    L, m = moment.shape
    loadings = np.empty((L, len(lams) * m), order="F")
    infos = []
    for k, lam in enumerate(lams):
        loadings[:, k * m : (k + 1) * m], info = reduction.solve(lam)
        infos.append(info)
    return reduction.back(loadings).T.reshape(len(lams), m, L).transpose(0, 2, 1), infos


class _Reduction:
    """G = QSQᵀ with S tridiagonal; A (lower triangle of G) is overwritten by the reflectors of Q."""

    def __init__(self, A: Floats, moment: Array) -> None:
        self._reflectors = A
        self._d, self._e, self._tau = blas.tridiagonalise(A)
        self._rotated = np.array(moment, dtype=np.float64, order="F")
        blas.apply_q(A, self._tau, self._rotated, transpose=True)

    def solve(self, lam: float) -> tuple[Floats, SolveInfo]:
        """(I/λ + S)⁻¹Qᵀ moment (L × m)."""
        d, e = self._d + 1.0 / lam, self._e.copy()
        sums = np.abs(d)
        sums[1:] += np.abs(e)
        sums[:-1] += np.abs(e)
        norm = _finite_norm(float(sums.max()))
        rcond = blas.tridiagonal_rcond(d, e, norm) if blas.tridiagonal_factor(d, e) else 0.0
        if rcond < EPS:
            loadings, rank = self.spectral(lam)
            return loadings, SolveInfo("spectral", rcond, rank)
        loadings = self._rotated.copy(order="F")
        blas.tridiagonal_solve(d, e, loadings)
        return loadings, SolveInfo("tridiagonal", rcond, len(d))

    def spectral(self, lam: float) -> tuple[Floats, int]:
        """The same on the eigenvalues of S, and how many of them were used.

        A ridge above the rounding of S keeps all, negative ones (rounding) taken as zero; a ridge that drowns in it
        leaves only those that rise above rounding.
        """
        values, vectors = self._eigen
        rounding = EPS * max(values[-1], 0.0)
        drowned = 1.0 / lam <= 4.0 * rounding
        first = int(np.searchsorted(values, len(values) * rounding, side="right")) if drowned else 0
        V, kept = vectors[:, first:], values[first:, None].clip(min=0.0)
        return V @ ((V.T @ self._rotated) / (kept + 1.0 / lam)), len(values) - first

    @cached_property
    def _eigen(self) -> tuple[Floats, Floats]:
        """Eigenvalues, ascending, and eigenvectors of S by relatively robust representations: little workspace."""
        return eigh_tridiagonal(self._d, self._e, lapack_driver="stemr")

    def back(self, loadings: Floats) -> Floats:
        """Q · loadings, in place when they are Fortran-ordered."""
        loadings = np.asfortranarray(loadings)
        blas.apply_q(self._reflectors, self._tau, loadings, transpose=False)
        return loadings


@dataclass(frozen=True)
class LambdaChoice:
    """The λ with most held-out rows correct (the first of equals), and what led to it.

    correct : held-out rows classified correctly (or minus squared errors), n_folds × n_lams; infos : how each fold and
    λ was solved.
    """

    lam: float
    correct: npt.NDArray[Any]
    infos: list[list[SolveInfo]]


def choose_lambda(
    sums: FoldGrams,
    layer: Layer,
    X: Array,
    truth: Truth,
    folds: npt.ArrayLike,
    lams: Sequence[float],
    *,
    hidden: Array | None = None,
    how: Pass = USUAL,
) -> LambdaChoice:
    """Cross-validate λ on the fold sums of :func:`celm.linalg.gram.accumulate`: one path per fold, one more pass.

    Every row is scored by the readouts that did not see its fold. ``truth`` holds its class code, and it is correct
    when its largest score is in that column; or its targets (N × m), and errors count by their squares. ``hidden``
    (N × L, as filled by ``accumulate``) spares making H again.
    """
    found: dict[int, tuple[Floats, list[SolveInfo]]] = {}

    def learn(fold: int) -> None:
        found[fold] = fold_readouts(sums, fold, lams)

    share_out(range(sums.n_folds), lambda: learn, how.n_threads)
    readouts = [[found[fold][0]] for fold in range(sums.n_folds)]
    correct = held_out_gains(layer, X, truth, folds, readouts, len(lams), hidden=hidden, how=how)[:, 0]
    infos = [found[fold][1] for fold in range(sums.n_folds)]
    return LambdaChoice(lams[int(correct.sum(axis=0).argmax())], correct, infos)


def fold_readouts(sums: FoldGrams, fold: int, lams: Sequence[float]) -> tuple[Floats, list[SolveInfo]]:
    """The readouts of all λ side by side (L × n_lams·m), learned on the other folds, and how each was solved."""
    gram, moment = sums.without(fold)
    betas, infos = ridge_path(gram, moment, lams, overwrite=True)
    return betas.transpose(1, 0, 2).reshape(len(moment), -1), infos


def held_out_gains(
    layer: Layer,
    X: Array,
    truth: Truth,
    folds: npt.ArrayLike,
    readouts: Sequence[Sequence[Floats]],
    n_lams: int,
    *,
    hidden: Array | None = None,
    how: Pass = USUAL,
) -> Array:
    """How well every row is met by the readouts that did not see its fold (n_folds × n_counts × n_lams).

    ``readouts[fold]`` holds, for any number of node counts, the readouts of its first nodes for all λ side by side.
    """
    rows = cut_rows(len(truth), folds, len(readouts), how.rows_for(layer.n_hidden))
    found: dict[tuple[int, int], list[Array]] = {}

    def make_worker() -> Callable[[Block], None]:
        outputs = layer.by_blocks()
        buffers = Buffers()

        def score(block: Block) -> None:
            H = outputs(X, block.rows) if hidden is None else buffers.converted("H", hidden[block.place], np.float64)
            gains = []
            for B in readouts[block.fold]:
                scores = np.matmul(H[:, : len(B)], B, out=buffers.get("scores", (len(H), B.shape[1]), np.float64))
                by_lambda = scores.reshape(len(H), n_lams, -1).transpose(1, 0, 2)
                gains.append(held_out_gain(by_lambda, truth[block.rows]))
            found[block.fold, block.first_row] = gains

        return score

    share_out(rows, make_worker, how.n_threads)
    shape = (len(readouts), len(readouts[0]), n_lams)
    total: Array = np.zeros(shape, dtype=gain_type(truth))
    for (fold, _), gains in sorted(found.items(), key=lambda item: item[0]):
        total[fold] += gains
    return total


def _check_system(G: Array, moment: Array, lams: Sequence[float]) -> None:
    if G.ndim != 2 or G.shape[0] != G.shape[1] or moment.ndim != 2 or len(moment) != len(G):
        raise ValueError(f"ridge: G must be L × L and the moment L × m; got {G.shape} and {moment.shape}.")
    for lam in lams:
        check_number(lam, "lam", "ridge", 0, above=True)


def _finite_norm(norm: float) -> float:
    if not np.isfinite(norm):
        raise ValueError("ridge: the Gram matrix must be finite; it holds NaN or infinity.")
    return norm
