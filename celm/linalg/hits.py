"""Rows that are classified correctly, for every node count and λ at once: what the surface of a protocol is made of.

As :mod:`celm.linalg.selection`, whose numbers it gives to rounding, but cheaper. For nested layers, with
I/λ + G = CCᵀ, the outputs of the judged rows are multiplied by the inverse triangle, which is quicker than solving
with it; all λ then take their steps from count to count together. Where layers do not nest, the readouts of all λ
stand side by side in one product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import blas, lapack

from celm.linalg.blas import apply_q, tridiagonalise
from celm.linalg.readout import Array, correct_counts, regularised, ridge_curve, spectral_ridge
from celm.linalg.selection import Problem

# Values of λ whose scores are made together: as many as a processor's cache holds the outputs of.
TOGETHER = 9
# Nodes up to which a triangle is inverted in one go.
WHOLE_TRIANGLE = 50

Hits = npt.NDArray[np.intp]


class Judged(NamedTuple):
    """HᵀH and HᵀT of the rows that are learned from, and outputs H and class codes of the rows that judge."""

    G: Array
    moment: Array
    H: Array
    codes: npt.NDArray[Any]


def hit_surface(outputs: Callable[[int], Array], problem: Problem, *, nested: bool) -> Hits:
    """As :func:`celm.linalg.selection.correct_surface` for class codes and a shared layer of outputs(L) (N × L)."""
    found = []
    for group in [list(problem.counts)] if nested else [[L] for L in problem.counts]:
        first, *others = folds_and_new_rows(outputs(group[-1]), problem.truth, problem)
        hits = group_hits(first, group, problem.lams)
        found.append(sum((group_hits(judged, group, problem.lams) for judged in others), hits))
    return np.concatenate(found)


def folds_and_new_rows(
    H: Array, codes: Any, problem: Problem, H_new: Array | None = None, codes_new: npt.NDArray[Any] | None = None
) -> list[Judged]:
    """Every fold judged by what the others teach, then new rows, if there are any, by what all teach.

    H (N × L) are the outputs of all rows.
    """
    rows = [np.flatnonzero(problem.folds == fold) for fold in range(problem.n_folds)]
    parts = [(H[r], problem.T[r]) for r in rows]
    grams, moments = [h.T @ h for h, _ in parts], [h.T @ t for h, t in parts]

    def without(sums: list[Array], fold: int | None) -> Array:
        first, *others = [each for place, each in enumerate(sums) if place != fold]
        return sum(others, first)

    held_out = [
        Judged(without(grams, fold), without(moments, fold), parts[fold][0], codes[r]) for fold, r in enumerate(rows)
    ]
    if H_new is None or codes_new is None:
        return held_out
    return [*held_out, Judged(without(grams, None), without(moments, None), H_new, codes_new)]


def group_hits(judged: Judged, counts: Sequence[int], lams: Sequence[float]) -> Hits:
    """Correct rows of layers whose nodes are the first of one, for every count and λ (n_counts × n_lams)."""
    return nested_hits(judged, counts, lams) if len(counts) > 1 else path_hits(judged, lams)[None]


def right_rows(scores: Array, codes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which rows (… × N) have their largest score in the row of their class, for scores (… × m × N).

    Of equal scores the first is taken, as in an argmax, which is slower on few classes. A code of −1 is never met.
    """
    largest = scores.max(axis=-2)
    if np.count_nonzero(scores == largest[..., None, :]) != largest.size:
        return np.asarray(scores.argmax(axis=-2) == codes)
    own = scores.reshape(*largest.shape[:-1], -1).take(codes.clip(min=0) * len(codes) + np.arange(len(codes)), axis=-1)
    return np.asarray((own == largest) & (codes >= 0))


def nested_hits(judged: Judged, counts: Sequence[int], lams: Sequence[float]) -> Hits:
    """Correct rows of the first L nodes for every L of ``counts`` (ascending) and every λ (n_counts × n_lams)."""
    # Outputs of the rows that judge, and the moment, go into the basis of a λ together.
    given = np.concatenate([judged.H, judged.moment.T]).T
    bases = np.empty((TOGETHER, *given.shape))
    parts = []
    for start in range(0, len(lams), TOGETHER):
        some = lams[start : start + TOGETHER]
        solved = [_into_basis(judged.G, lam, given, basis) for lam, basis in zip(some, bases, strict=False)]
        parts.append(_by_steps(bases[: len(some)], judged, counts))
        for place, lam in enumerate(some):
            if solved[place]:
                continue
            curve = ridge_curve(judged.G, judged.moment, judged.H, counts, lam)
            parts[-1][:, place] = [correct_counts(scores, judged.codes) for _, scores in curve]
    return np.concatenate(parts, axis=1)


def _into_basis(G: Array, lam: float, given: Array, basis: Array) -> bool:
    """``basis`` (L × m, C-ordered) becomes C⁻¹ · ``given`` for I/λ + G = CCᵀ; false, and zeros, if there is no C."""
    C, info = lapack.dpotrf(regularised(G, lam), lower=1, clean=0, overwrite_a=1)
    np.copyto(basis, 0.0 if info else given)
    if not info:
        # In place, since the transpose is Fortran-ordered.
        blas.dtrmm(1.0, inverse_triangle(C), basis.T, side=1, lower=1, trans_a=1, overwrite_b=1)
    return not info


def inverse_triangle(C: Array) -> Array:
    """C⁻¹ of a lower triangle, by halves: LAPACK's own goes column by column. Nothing above the diagonal is read."""
    if len(C) <= WHOLE_TRIANGLE:
        return np.asarray(lapack.dtrtri(C, lower=1)[0])
    half = len(C) // 2
    top, bottom = inverse_triangle(C[:half, :half]), inverse_triangle(C[half:, half:])
    inverse = np.empty_like(C)
    inverse[:half, :half], inverse[half:, half:] = top, bottom
    corner = blas.dtrmm(-1.0, bottom, C[half:, :half], lower=1)
    inverse[half:, :half] = blas.dtrmm(1.0, top, corner, side=1, lower=1, overwrite_b=1)
    return inverse


def _by_steps(bases: Array, judged: Judged, counts: Sequence[int]) -> Hits:
    """Correct rows for every count, the scores of all λ growing together from one count to the next."""
    n_rows = len(judged.H)
    Q, Z = bases[:, :, :n_rows], np.ascontiguousarray(bases[:, :, n_rows:].transpose(0, 2, 1))
    right = np.empty((len(counts), len(bases), n_rows), dtype=np.bool_)
    scores = np.zeros((*Z.shape[:2], n_rows))
    done = 0
    for place, L in enumerate(counts):
        scores += Z[:, :, done:L] @ Q[:, done:L]
        right[place], done = right_rows(scores, judged.codes), L
    return np.asarray(np.count_nonzero(right, axis=-1))


def path_hits(judged: Judged, lams: Sequence[float]) -> Hits:
    """Correct rows of one layer for every λ, on one reduction of G to a tridiagonal matrix."""
    readouts = _path(judged.G, judged.moment, lams)
    scores = (readouts.T @ judged.H.T).reshape(len(lams), -1, len(judged.H))
    return np.asarray(np.count_nonzero(right_rows(scores, judged.codes), axis=-1))


def _path(G: Array, moment: Array, lams: Sequence[float]) -> Array:
    """Readouts of all λ side by side (L × n_lams·m); one that rounding leaves indefinite is solved on eigenvalues."""
    reflectors = np.array(G, order="F")
    d, e, tau = tridiagonalise(reflectors)
    rotated = np.array(moment, order="F")
    apply_q(reflectors, tau, rotated, transpose=True)
    loadings = np.empty((len(G), len(lams) * moment.shape[1]), order="F")
    columns = [slice(j * moment.shape[1], (j + 1) * moment.shape[1]) for j in range(len(lams))]
    off_diagonal = e if len(e) else np.zeros(1)
    failed = []
    for lam, place in zip(lams, columns, strict=True):
        *_, loadings[:, place], info = lapack.dptsv(d + 1.0 / lam, off_diagonal, rotated)
        failed += [(lam, place)] if info else []
    apply_q(reflectors, tau, loadings, transpose=False)
    for lam, place in failed:
        loadings[:, place] = spectral_ridge(G, moment, lam)
    return loadings
