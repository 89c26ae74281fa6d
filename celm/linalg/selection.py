"""Choosing the node count and λ together by cross-validation, for all candidates at about the price of one.

For nested hidden layers one pass gives every fold's Gram matrix, and one Cholesky per fold and λ serves all node
counts (see :mod:`celm.linalg.readout`). Where layers do not nest, every count has its own layer and one
eigen-decomposition per fold serves all λ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.linalg.readout import Array, ridge_curve, ridge_path_scores
from celm.linalg.truth import Truth, gain_type, held_out_gain

# Hidden outputs of all rows for a layer of L nodes; the second argument is the fold it is drawn for, or None.
LayerOutputs = Callable[[int, int | None], Array]

LAYERS = ("shared", "per_fold")


class Choice(NamedTuple):
    """A candidate, and how many held-out rows it classified correctly; for regression minus its squared errors."""

    n_hidden: int
    lam: float
    correct: int


class Problem(NamedTuple):
    """What is chosen from what: targets T (N × m), truth and folds of the rows, and the candidates.

    The truth of a row is its class code, with a weight or without, or for regression its targets.
    """

    T: Array
    truth: Truth
    folds: npt.NDArray[np.intp]
    counts: Sequence[int]
    lams: Sequence[float]

    @property
    def n_folds(self) -> int:
        """How many folds there are."""
        return int(self.folds.max()) + 1

    def no_hits(self) -> npt.NDArray[Any]:
        """A surface of zeros: correct held-out rows (or minus squared errors) per node count and λ."""
        return np.zeros((len(self.counts), len(self.lams)), dtype=gain_type(self.truth))


def correct_surface(
    outputs: LayerOutputs, problem: Problem, *, nested: bool, layer: str = "shared"
) -> npt.NDArray[Any]:
    """Held-out rows classified correctly, summed over folds, for every node count and λ (n_counts × n_lams).

    ``outputs(L, fold)`` gives H (N × L); with ``layer="per_fold"`` it is called for each fold, otherwise once.
    Whole numbers, so that ties are exact.
    """
    surface = problem.no_hits()
    for drawn_for in range(problem.n_folds) if layer == "per_fold" else [None]:
        held_out = range(problem.n_folds) if drawn_for is None else [drawn_for]
        if nested:
            surface += _nested_surface(outputs(problem.counts[-1], drawn_for), problem, held_out)
        else:
            for i, L in enumerate(problem.counts):
                surface[i] += _path_row(outputs(L, drawn_for), problem, held_out)
    return surface


class _Fold(NamedTuple):
    """What one held-out fold needs: the Gram matrix and moment of the other rows, and its own rows."""

    G: Array
    moment: Array
    H: Array
    truth: Truth


def _folds_of(H: Array, problem: Problem, held_out: Sequence[int]) -> list[_Fold]:
    rows = [np.flatnonzero(problem.folds == fold) for fold in range(problem.n_folds)]
    parts = [(H[r], problem.T[r]) for r in rows]
    grams, moments = [h.T @ h for h, _ in parts], [h.T @ t for h, t in parts]
    made = []
    for fold in held_out:
        first, *others = [other for other in range(problem.n_folds) if other != fold]
        G = sum((grams[other] for other in others), grams[first])
        moment = sum((moments[other] for other in others), moments[first])
        made.append(_Fold(G, moment, parts[fold][0], problem.truth[rows[fold]]))
    return made


def _nested_surface(H: Array, problem: Problem, held_out: Sequence[int]) -> npt.NDArray[Any]:
    surface = problem.no_hits()
    for fold in _folds_of(H, problem, held_out):
        for j, lam in enumerate(problem.lams):
            curve = ridge_curve(fold.G, fold.moment, fold.H, problem.counts, lam)
            surface[:, j] += [held_out_gain(scores, fold.truth) for _, scores in curve]
    return surface


def _path_row(H: Array, problem: Problem, held_out: Sequence[int]) -> npt.NDArray[Any]:
    row = problem.no_hits()[0]
    for fold in _folds_of(H, problem, held_out):
        row += held_out_gain(ridge_path_scores(fold.G, fold.moment, fold.H, problem.lams), fold.truth)
    return row


def best_choice(surface: npt.NDArray[Any], counts: Sequence[int], lams: Sequence[float]) -> Choice:
    """The candidate with most correct rows; ties go to fewer nodes, then to the stronger penalty (smaller λ)."""
    i, j = divmod(int(np.argmax(surface)), surface.shape[1])
    return Choice(counts[i], lams[j], surface[i, j].item())


def best_lambdas(surface: npt.NDArray[Any], counts: Sequence[int], lams: Sequence[float]) -> list[Choice]:
    """For every node count its own best λ; ties go to the stronger penalty."""
    return [best_choice(row[None, :], [L], lams) for L, row in zip(counts, surface, strict=True)]
