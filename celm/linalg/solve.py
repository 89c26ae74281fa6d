"""One decision in one place: how the readout of a hidden layer is solved for the size of its problem.

Small problems hold H whole and run on one thread. Larger ones go over the rows once, in blocks on all threads, and
hold only sums: Gram matrices with a penalty, the triangle of a QR factorisation without one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.linalg.gram import FoldGrams, accumulate, project, room_for_hidden
from celm.linalg.layer import hidden_outputs
from celm.linalg.readout import Array, orthogonal_factor, pseudo_inverse_solve, ridge_solve, solve_long_factor
from celm.linalg.ridge import choose_lambda, solve_dual, solve_ridge
from celm.linalg.row_qr import factorise_rows, solve_rows
from celm.linalg.selection import Problem

# Entries of H up to which holding it whole on one thread is quickest.
WHOLE = 4_000_000

# What H may take while λ is chosen, so that it need not be made twice.
HIDDEN_BYTES = 2**30

Layer = Callable[[int, int | None], tuple[Array, Array]]


class Readout(NamedTuple):
    """Output weights (L × k), the numerical rank used (None with a penalty), and how they were solved."""

    beta: Array
    rank: int | None
    solver: str


def is_large(n_rows: int, n_hidden: int) -> bool:
    """Whether a problem is solved in blocks of rows."""
    return n_rows * n_hidden > WHOLE


def solve_readout(
    X: Array, T: Array, W: Array, b: Array, *, lam: float | None, cutoff: str, precision: str = "double"
) -> Readout:
    """β for the hidden layer W (n × L), b on the rows X (N × n), T (N × k): ridge with λ, or pseudo-inverse."""
    large = is_large(len(X), W.shape[1])
    if lam is None:
        if large and len(X) > W.shape[1]:
            return Readout(*solve_long_factor(*factor_of(X, T, W, b), len(X), cutoff), "row blocks qr")
        return Readout(*pseudo_inverse_solve(hidden_outputs(X, W, b), T, cutoff), "qr")
    if not large:
        return Readout(ridge_solve(hidden_outputs(X, W, b), T, lam), None, "cholesky")
    if len(X) < W.shape[1]:
        beta, info = solve_dual(hidden_outputs(X, W, b), T, lam)
        return Readout(beta, None, f"dual {info.method}")
    return _solve_sums(accumulate(X, T, W, b, precision=precision), X, T, W, b, lam)


def _solve_sums(sums: FoldGrams, X: Array, T: Array, W: Array, b: Array, lam: float) -> Readout:
    """Cholesky of the summed Gram matrix; by QR of the rows when it is singular to rounding."""
    beta, info = solve_ridge(*sums.total(), lam)
    if info.method == "cholesky":
        return Readout(beta, None, "row blocks cholesky")
    beta, info = solve_rows(X, T, W, b, lam)
    return Readout(beta, None, f"row blocks {info.method}")


def readout_scores(X: Array, W: Array, b: Array, beta: Array) -> Array:
    """sigmoid(XW + b)β (N × k)."""
    if is_large(len(X), W.shape[1]):
        return project(X, W, b, beta)
    return hidden_outputs(X, W, b) @ beta


def blocked_surface(
    layer: Layer, X: Array, problem: Problem, *, nested: bool, per_fold: bool, precision: str = "double"
) -> npt.NDArray[np.intp]:
    """As :func:`celm.linalg.selection.correct_surface`, in blocks of rows: one pass per drawn layer.

    ``layer(L, fold)`` gives W and b. The Gram matrices of the first L nodes are leading blocks of those of all.
    """
    surface = problem.no_hits()
    T, codes, folds, counts, lams = problem
    for drawn_for in range(problem.n_folds) if per_fold else [None]:
        held_out = slice(None) if drawn_for is None else slice(drawn_for, drawn_for + 1)
        for group in [list(counts)] if nested else [[L] for L in counts]:
            W, b = layer(group[-1], drawn_for)
            room = room_for_hidden(len(X), W.shape[1], HIDDEN_BYTES, precision)
            sums = accumulate(X, T, W, b, folds=folds, n_folds=problem.n_folds, precision=precision, hidden=room)
            for L in group:
                hidden = None if room is None else room[:, :L]
                choice = choose_lambda(
                    first_nodes(sums, L), X, codes, W[:, :L], b[:L], folds, lams, precision=precision, hidden=hidden
                )
                surface[list(counts).index(L)] += choice.correct[held_out].sum(axis=0)
    return surface


def first_nodes(sums: FoldGrams, n_hidden: int) -> FoldGrams:
    """The sums of the first nodes of a layer."""
    if n_hidden == len(sums.grams[0]):
        return sums
    grams = [np.asfortranarray(gram[:n_hidden, :n_hidden]) for gram in sums.grams]
    return FoldGrams(grams, [np.asfortranarray(moment[:n_hidden]) for moment in sums.moments], list(sums.n_rows))


def factor_of(X: Array, T: Array, W: Array, b: Array) -> tuple[Array, Array]:
    """R and QᵀT of H = QR for the curve over nested nodes."""
    if is_large(len(X), W.shape[1]) and len(X) > W.shape[1]:
        R, QtT = factorise_rows(X, T, W, b, np.inf)
        return np.triu(R), QtT
    return orthogonal_factor(hidden_outputs(X, W, b), T)
