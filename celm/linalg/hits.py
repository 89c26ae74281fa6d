"""Rows that are classified correctly, for every node count and λ at once: what the surface of a protocol is made of.

As :mod:`celm.linalg.selection`, whose numbers it gives to rounding, but cheaper. For nested layers, with
I/λ + G = CCᵀ, the outputs of the judged rows are multiplied by the inverse triangle, which is quicker than solving
with it; all λ then take their steps from count to count together. Where layers do not nest, the readouts of all λ
stand side by side in one product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

from celm.base.threads import blas_threads
from celm.linalg.blas import apply_q, cholesky, tridiagonalise
from celm.linalg.blocks import Buffers, share_out, threads_for
from celm.linalg.readout import Array, correct_counts, regularised, ridge_curve, spectral_ridge
from celm.linalg.selection import Problem
from celm.linalg.triangles import invert_triangle, times_triangle

# Values of λ whose scores are made together: as many as a processor's cache holds the outputs of.
TOGETHER = 9

# Hidden outputs from which on threads of our own bring more than they cost.
WORTH_THREADS = 30_000

Hits = npt.NDArray[np.intp]


class Judged(NamedTuple):
    """HᵀH and HᵀT of the rows that are learned from, and outputs H and class codes of the rows that judge."""

    G: Array
    moment: Array
    H: Array
    codes: npt.NDArray[Any]


def hit_surface(outputs: Callable[[int], Array], problem: Problem, *, nested: bool) -> Hits:
    """As :func:`celm.linalg.selection.correct_surface` for class codes and a shared layer of outputs(L) (N × L)."""
    found, threads = [], blas_threads()
    for group in [list(problem.counts)] if nested else [[L] for L in problem.counts]:
        size = len(problem.folds) * group[-1]
        with threads_for(size):
            judges = folds_and_new_rows(outputs(group[-1]), problem.truth, problem)
            found.append(_summed_hits(judges, group, problem.lams, threads if size > WORTH_THREADS else 1))
    return np.concatenate(found)


def _summed_hits(judges: Sequence[Judged], counts: Sequence[int], lams: Sequence[float], threads: int) -> Hits:
    """Correct rows of all folds; every thread takes a fold with some λ at a time: BLAS has too little to share out."""
    step = TOGETHER if len(counts) > 1 else len(lams)
    hits = np.zeros((len(judges), len(counts), len(lams)), dtype=np.intp)

    def make_worker() -> Callable[[tuple[int, int]], None]:
        buffers = Buffers()

        def judge(task: tuple[int, int]) -> None:
            fold, some = task[0], slice(task[1], task[1] + step)
            hits[fold, :, some] = group_hits(judges[fold], counts, lams[some], buffers)

        return judge

    share_out(product(range(len(judges)), range(0, len(lams), step)), make_worker, threads)
    return np.asarray(hits.sum(axis=0))


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


def group_hits(judged: Judged, counts: Sequence[int], lams: Sequence[float], buffers: Buffers | None = None) -> Hits:
    """Correct rows of layers whose nodes are the first of one, for every count and λ (n_counts × n_lams)."""
    return nested_hits(judged, counts, lams, buffers) if len(counts) > 1 else path_hits(judged, lams)[None]


def right_rows(scores: Array, codes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which rows (… × N) have their largest score in the row of their class, for scores (… × m × N).

    Of equal scores the first is taken, as in an argmax, which is slower on few classes. A code of −1 is never met.
    """
    largest = scores.max(axis=-2)
    if np.count_nonzero(scores == largest[..., None, :]) != largest.size:
        return np.asarray(scores.argmax(axis=-2) == codes)
    own = scores.reshape(*largest.shape[:-1], -1).take(codes.clip(min=0) * len(codes) + np.arange(len(codes)), axis=-1)
    return np.asarray((own == largest) & (codes >= 0))


def nested_hits(judged: Judged, counts: Sequence[int], lams: Sequence[float], buffers: Buffers | None = None) -> Hits:
    """Correct rows of the first L nodes for every L of ``counts`` (ascending) and every λ (n_counts × n_lams)."""
    # Outputs of the rows that judge, and the moment, go into the basis of a λ together.
    given = np.concatenate([judged.H, judged.moment.T]).T
    room = (buffers or Buffers()).get("bases", (TOGETHER, given.size), np.float64)
    bases = room.reshape(TOGETHER, *given.shape)
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
    A = regularised(G, lam)
    solved = cholesky(A)
    np.copyto(basis, given if solved else 0.0)
    if solved:
        invert_triangle(A)
        times_triangle(basis.T, A)
    return solved


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
