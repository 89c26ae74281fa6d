"""Choosing the node count and λ together by cross-validation, for all candidates at about the price of one.

For nested hidden layers one pass gives every fold's Gram matrix, and one Cholesky per fold and λ serves all node
counts (see :mod:`celm.models.readout`). Where layers do not nest, every count has its own layer and one
eigen-decomposition per fold serves all λ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.models.readout import Array, correct_counts, ridge_curve, ridge_path_scores

# Hidden outputs of all rows for a layer of L nodes; the second argument is the fold it is drawn for, or None.
LayerOutputs = Callable[[int, int | None], Array]

LAYERS = ("shared", "per_fold")


class Choice(NamedTuple):
    """A candidate: its place in the grids, its values, and how many held-out rows it classified correctly."""

    n_hidden: int
    lam: float
    correct: int


def correct_surface(
    outputs: LayerOutputs,
    T: Array,
    codes: npt.NDArray[Any],
    folds: npt.NDArray[np.intp],
    counts: Sequence[int],
    lams: Sequence[float],
    *,
    nested: bool,
    layer: str = "shared",
) -> npt.NDArray[np.intp]:
    """Held-out rows classified correctly, summed over folds, for every node count and λ (n_counts × n_lams).

    ``outputs(L, fold)`` gives H (N × L); with ``layer="per_fold"`` it is called for each fold, otherwise once.
    Whole numbers, so that ties are exact.
    """
    surface = np.zeros((len(counts), len(lams)), dtype=np.intp)
    layers_of = range(int(folds.max()) + 1) if layer == "per_fold" else [None]
    for drawn_for in layers_of:
        held_out = range(int(folds.max()) + 1) if drawn_for is None else [drawn_for]
        if nested:
            H = outputs(counts[-1], drawn_for)
            surface += _nested_surface(H, T, codes, folds, held_out, counts, lams)
        else:
            for i, L in enumerate(counts):
                surface[i] += _path_surface(outputs(L, drawn_for), T, codes, folds, held_out, lams)
    return surface


class _Fold(NamedTuple):
    """What one held-out fold needs: the Gram matrix and moment of the other rows, and its own rows."""

    G: Array
    moment: Array
    H: Array
    codes: npt.NDArray[Any]


def _folds_of(
    H: Array, T: Array, codes: npt.NDArray[Any], folds: npt.NDArray[np.intp], held_out: Sequence[int]
) -> list[_Fold]:
    rows = {fold: np.flatnonzero(folds == fold) for fold in range(int(folds.max()) + 1)}
    parts = {fold: (H[r], T[r]) for fold, r in rows.items()}
    grams = {fold: h.T @ h for fold, (h, _) in parts.items()}
    moments = {fold: h.T @ t for fold, (h, t) in parts.items()}
    made = []
    for fold in held_out:
        others = [other for other in parts if other != fold]
        G = sum(grams[other] for other in others[1:]) + grams[others[0]]
        moment = sum(moments[other] for other in others[1:]) + moments[others[0]]
        made.append(_Fold(G, moment, parts[fold][0], codes[rows[fold]]))
    return made


def _nested_surface(
    H: Array,
    T: Array,
    codes: npt.NDArray[Any],
    folds: npt.NDArray[np.intp],
    held_out: Sequence[int],
    counts: Sequence[int],
    lams: Sequence[float],
) -> npt.NDArray[np.intp]:
    surface = np.zeros((len(counts), len(lams)), dtype=np.intp)
    for fold in _folds_of(H, T, codes, folds, held_out):
        for j, lam in enumerate(lams):
            curve = ridge_curve(fold.G, fold.moment, fold.H, counts, lam)
            surface[:, j] += [correct_counts(scores, fold.codes) for _, scores in curve]
    return surface


def _path_surface(
    H: Array,
    T: Array,
    codes: npt.NDArray[Any],
    folds: npt.NDArray[np.intp],
    held_out: Sequence[int],
    lams: Sequence[float],
) -> npt.NDArray[np.intp]:
    total = np.zeros(len(lams), dtype=np.intp)
    for fold in _folds_of(H, T, codes, folds, held_out):
        total += correct_counts(ridge_path_scores(fold.G, fold.moment, fold.H, lams), fold.codes)
    return total


def best_choice(surface: npt.NDArray[np.intp], counts: Sequence[int], lams: Sequence[float]) -> Choice:
    """The candidate with most correct rows; ties go to fewer nodes, then to the stronger penalty (smaller λ)."""
    i, j = divmod(int(np.argmax(surface)), surface.shape[1])
    return Choice(counts[i], lams[j], int(surface[i, j]))


def best_lambdas(surface: npt.NDArray[np.intp], counts: Sequence[int], lams: Sequence[float]) -> list[Choice]:
    """For every node count its own best λ; ties go to the stronger penalty."""
    return [best_choice(row[None, :], [L], lams) for L, row in zip(counts, surface, strict=True)]
