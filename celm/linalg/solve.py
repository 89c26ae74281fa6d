"""One decision in one place: how the readout of a hidden layer is solved for the size of its problem.

Small problems hold H whole and run on one thread. Larger ones go over the rows once, in blocks on all threads, and
hold only sums: Gram matrices with a penalty, the triangle of a QR factorisation without one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import nullcontext
from math import isfinite
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from celm.base.room import check_room
from celm.base.threads import one_blas_thread
from celm.linalg.blocks import FEW_OUTPUTS, threads_for
from celm.linalg.gram import FoldGrams, accumulate, room_for_hidden
from celm.linalg.iterative import iterative_ridge
from celm.linalg.layer import QUICK, SHARED, Layer, activated
from celm.linalg.projection import project, project_single
from celm.linalg.readout import (
    Array,
    cholesky_ridge,
    orthogonal_factor,
    pseudo_inverse_solve,
    shorter_system,
    solve_long_factor,
)
from celm.linalg.ridge import EPS, choose_lambda, dual_ridge, ridge_from_gram
from celm.linalg.row_qr import factorise_rows, ridge_from_rows
from celm.linalg.selection import Problem
from celm.linalg.single import HANDED_OVER, harmless_single, threads_of_cholesky

# Entries of H up to which holding it whole on one thread is quickest.
WHOLE = 4_000_000

# The same where the last digits are no record's: in blocks, numbers are activated while a core has them at hand.
QUICK_WHOLE = FEW_OUTPUTS

# The same for scores alone, which need no more than a block at a time, and for products in single precision.
SCORED_WHOLE = 250_000

# A ridge below this part of the trace of a Gram matrix is rounding: up to λ = 1e8 none of a whole H is.
DROWNED = 4.0 * EPS

# What a direct solution may take; beyond it lie 13,000 nodes and more.
DIRECT_BYTES = 2**32

# What H may take while λ is chosen, so that it need not be made twice.
HIDDEN_BYTES = 2**30

# The layer of L nodes; the second argument is the fold it is drawn for, or None.
DrawnLayers = Callable[[int, int | None], Layer]

# Takes a layer and the sums of its rows.
Keep = Callable[[tuple[Layer, FoldGrams]], None]


class Readout(NamedTuple):
    """Output weights (L × k), the numerical rank used (None with a penalty), and how they were solved."""

    beta: Array
    rank: int | None
    solver: str


def goes_by_blocks(layer: Layer, n_rows: int) -> bool:
    """Whether a readout goes over the rows in blocks: sooner where digits are no record's, or products single."""
    if n_rows < layer.n_hidden or layer.precision == "double":
        return is_large(n_rows, layer.n_hidden)
    single = layer.precision in ("single_products", "mixed")
    return _is_larger(n_rows, layer.n_hidden, SCORED_WHOLE if single else QUICK_WHOLE)


def is_large(n_rows: int, n_hidden: int) -> bool:
    """Whether a problem is solved in blocks of rows."""
    return n_rows * n_hidden > WHOLE


def _is_long(layer: Layer, n_rows: int) -> bool:
    """Whether rows are many, and more than nodes: a QR of them goes by blocks."""
    return is_large(n_rows, layer.n_hidden) and n_rows > layer.n_hidden


def _is_larger(n_rows: int, n_hidden: int, entries: int) -> bool:
    return n_rows * n_hidden > min(entries, WHOLE)


def tries_single(precision: str, n_rows: int, n_hidden: int) -> bool:
    """Whether a readout is made in single precision first, and kept where :func:`harmless_single` finds it so."""
    if precision not in ("mixed", "auto") or n_rows < n_hidden:
        return False
    return _is_larger(n_rows, n_hidden, SCORED_WHOLE if precision == "mixed" else QUICK_WHOLE)


def solve_readout(
    layer: Layer, X: Array, T: Array, *, lam: float | None, cutoff: str, sums: FoldGrams | None = None
) -> Readout:
    """β of a hidden layer on the rows X (N × n), T (N × k): ridge with λ, from ``sums`` if known, or pseudo-inverse."""
    if lam is not None and sums is not None:
        return _solve_sums(sums, layer, X, T, lam)
    in_blocks = _is_long(layer, len(X)) if lam is None else goes_by_blocks(layer, len(X))
    if not in_blocks:
        with threads_for(len(X) * layer.n_hidden) if layer.precision in QUICK else nullcontext():
            return _solve_whole(layer, X, T, lam, cutoff)
    if lam is None:
        return Readout(*solve_long_factor(*factor_of(layer, X, T), len(X), cutoff), "row blocks qr")
    if direct_bytes(len(X), layer.n_hidden) > DIRECT_BYTES:
        return _solve_by_passes(layer, X, T, lam)
    if len(X) < layer.n_hidden:
        beta, info = dual_ridge(layer.outputs(X), T, lam)
        return Readout(beta, None, f"dual {info.method}")
    if tries_single(layer.precision, len(X), layer.n_hidden):
        harmless = harmless_single(layer, X, T, lam)
        if harmless is not None:
            return Readout(harmless[0], None, harmless[1])
    return _solve_sums(accumulate(layer, X, T), layer, X, T, lam)


def direct_bytes(n_rows: int, n_hidden: int) -> int:
    """What a direct solution holds at once: two sums of products, a factor, and H where rows are fewer than nodes."""
    return 24 * min(n_rows, n_hidden) ** 2 + (8 * n_rows * n_hidden if n_rows < n_hidden else 0)


def _solve_by_passes(layer: Layer, X: Array, T: Array, lam: float) -> Readout:
    """Conjugate gradients; a warning where they end before they are done."""
    found = iterative_ridge(layer, X, T, lam)
    if not found.converged:
        warnings.warn(
            f"readout of {layer.n_hidden} nodes: {found.passes} passes leave a residual of {found.residual:.1e}; a "
            "smaller lam needs fewer.",
            ConvergenceWarning,
            stacklevel=6,
        )
    return Readout(found.beta, None, f"conjugate gradients, {found.passes} passes, residual {found.residual:.0e}")


def _solve_whole(layer: Layer, X: Array, T: Array, lam: float | None, cutoff: str) -> Readout:
    """With H held whole: the pseudo-inverse by QR, or the ridge."""
    if lam is None:
        check_room(len(X) * layer.n_hidden, f"the outputs of {layer.n_hidden} hidden nodes for {len(X)} rows")
        return Readout(*pseudo_inverse_solve(layer.outputs(X), T, cutoff), "qr")
    return _whole_ridge(layer.outputs(X), T, lam)


def _whole_ridge(H: Array, T: Array, lam: float) -> Readout:
    """By Cholesky; where the ridge drowns in the rounding of the Gram matrix, as sums of blocks are solved."""
    G, right = shorter_system(H, T)
    if 1.0 / lam > DROWNED * float(np.trace(G)):
        with one_blas_thread() if H.size >= SHARED and len(G) <= HANDED_OVER else nullcontext():
            solved, method = cholesky_ridge(G, right, lam), "cholesky"
    else:
        solved, info = ridge_from_gram(G, right, lam)
        method = info.method
    return Readout(solved if H.shape[0] >= H.shape[1] else H.T @ solved, None, method)


def _solve_sums(sums: FoldGrams, layer: Layer, X: Array, T: Array, lam: float) -> Readout:
    """Cholesky of the summed Gram matrix; by QR of the rows when it is singular to rounding."""
    with threads_of_cholesky(layer):
        beta, info = ridge_from_gram(*sums.summed(), lam)
    if info.method == "cholesky":
        return Readout(beta, None, "row blocks cholesky")
    beta, info = ridge_from_rows(layer, X, T, lam)
    return Readout(beta, None, f"row blocks {info.method}")


def readout_scores(layer: Layer, X: Array, beta: Array, refuse: Callable[[Array], None] | None = None) -> Array:
    """g(XW + b)β (N × k); ``refuse`` as in :func:`celm.linalg.projection.project`.

    Many rows that come in single precision are scored in it where the layer asks for that; else all is double.
    """
    if len(X) * layer.n_hidden > SCORED_WHOLE:
        single = layer.precision in ("single_products", "mixed") and getattr(X, "dtype", None) == np.float32
        scores = project_single(layer, X, beta) if single else None
        return project(layer.in_double(), X, beta, refuse=refuse) if scores is None else scores
    with np.errstate(invalid="ignore", over="ignore"):
        Z = layer.products(X)
        # Of a row's few numbers a dot product is quicker than a sum; what overflows in it alone is not refused.
        if refuse is not None and not isfinite(np.vdot(Z, Z)):
            refuse(X)
    return activated(layer.g, Z) @ beta


def blocked_surface(
    layers: DrawnLayers, X: Array, problem: Problem, *, nested: bool, per_fold: bool, keep: Keep | None = None
) -> npt.NDArray[Any]:
    """As :func:`celm.linalg.selection.correct_surface`, in blocks of rows: one pass per drawn layer.

    ``layers(L, fold)`` draws them; ``keep`` is given each with its sums. The Gram matrices of the first L nodes are
    leading blocks of those of all.
    """
    surface = problem.no_hits()
    T, truth, folds, counts, lams = problem
    for drawn_for in range(problem.n_folds) if per_fold else [None]:
        held_out = slice(None) if drawn_for is None else slice(drawn_for, drawn_for + 1)
        for group in [list(counts)] if nested else [[L] for L in counts]:
            layer = layers(group[-1], drawn_for)
            room = room_for_hidden(layer, len(X), HIDDEN_BYTES)
            sums = accumulate(layer, X, T, folds=folds, n_folds=problem.n_folds, hidden=room)
            if keep is not None:
                keep((layer, sums))
            for L in group:
                hidden = None if room is None else room[:, :L]
                choice = choose_lambda(first_nodes(sums, L), layer.first(L), X, truth, folds, lams, hidden=hidden)
                surface[list(counts).index(L)] += choice.correct[held_out].sum(axis=0)
    return surface


def first_nodes(sums: FoldGrams, n_hidden: int) -> FoldGrams:
    """The sums of the first nodes of a layer."""
    if n_hidden == len(sums.grams[0]):
        return sums
    grams = [np.asfortranarray(gram[:n_hidden, :n_hidden]) for gram in sums.grams]
    return FoldGrams(grams, [np.asfortranarray(moment[:n_hidden]) for moment in sums.moments], list(sums.n_rows))


def factor_of(layer: Layer, X: Array, T: Array) -> tuple[Array, Array]:
    """R and QᵀT of H = QR for the curve over nested nodes."""
    if _is_long(layer, len(X)):
        R, QtT = factorise_rows(layer, X, T, np.inf)
        return np.triu(R), QtT
    return orthogonal_factor(layer.outputs(X), T)
