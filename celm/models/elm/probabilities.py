"""Probabilities from scores: a softmax whose temperature is learned on rows that the scores have not seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import softmax
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if

from celm.base.validation import as_generator, as_given
from celm.models.elm.directions import Array
from celm.models.elm.pairs import Indices

FOLDS = 5
# The flattest softmax: scores that say nothing on held-out rows still order the classes.
FLATTEST = 1e-6


def has_probabilities(model: Any) -> bool:
    """Whether ``model`` has predict_proba."""
    if not model.proba:
        raise AttributeError(f"{model.owner}: predict_proba needs proba=True, which learns it on held-out rows in fit.")
    return True


class ProbabilityMixin:
    """What a classifier with scores and a temperature answers."""

    temperature_: float

    @available_if(has_probabilities)
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, calibrated on held-out rows; needs ``proba=True``.

        Parameters
        ----------
        X : array or CSR matrix (N, n)
            Rows.

        Returns
        -------
        array (N, k)
            Probabilities in the order of ``classes_``.
        """
        scores = self.scores(X)  # type: ignore[attr-defined]  # of the machine
        return as_given(probabilities(scores, self.temperature_), X)


def probabilities(scores: Array, temperature: float) -> Array:
    """softmax(scores/temperature) (N × k); the largest score has the largest probability."""
    return softmax(scores / temperature, axis=1)


def fitted_temperature(scores: Array, codes: Indices, weights: Array | None) -> float:
    """The temperature with the least log loss on scores (N × k) of rows of classes ``codes``.

    Every row leaves 1/(N + 2) of its probability to the other classes, as Platt does: rows that are all met would
    otherwise call for a temperature of 0. The loss is convex in 1/temperature, so its slope has one root.
    """
    n_rows, k = scores.shape
    left = 1.0 / (n_rows + 2)
    truth = np.full((n_rows, k), left / (k - 1))
    truth[np.arange(n_rows), codes] = 1.0 - left
    rows = np.ones(n_rows) if weights is None else weights
    size = np.abs(scores).max()
    unit = scores / size

    def slope(sharpness: float) -> float:
        return float(rows @ ((softmax(sharpness * unit, axis=1) - truth) * unit).sum(axis=1))

    if slope(FLATTEST) >= 0.0:
        return float(size / FLATTEST)
    highest = 1.0
    while slope(highest) < 0.0:
        highest *= 2.0
    return float(size / brentq(slope, FLATTEST, highest))


def held_out_scores(model: Any, X: Any, codes: Indices, weights: Array | None, low: float) -> Array:
    """Scores (N × k) of every row by a model that has not seen it: not its readout, and not its layer.

    A class without other rows has the score ``low`` there.
    """
    counts = np.bincount(codes)
    if np.count_nonzero(counts > 1) < 2:
        raise ValueError(f"{model.owner}: proba=True needs two classes with at least two rows each to learn from.")
    rng = as_generator(model.random_state)
    folds = stratified_folds(codes, FOLDS, rng)
    scores = np.full((len(codes), len(counts)), low)
    for fold, seed in enumerate(rng.integers(2**63, size=FOLDS)):
        held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        if not len(held):
            continue
        part = clone(model).set_params(proba=False, class_weight=None, random_state=int(seed))
        part.fit(X[rest], codes[rest], None if weights is None else weights[rest])
        scores[np.ix_(held, part.classes_)] = part.scores(X[held])
    return scores


def stratified_folds(codes: Indices, n_folds: int, rng: np.random.Generator) -> Indices:
    """One fold number per row; every class, and all rows, are spread evenly."""
    mixed = rng.permutation(len(codes))
    by_class = mixed[np.argsort(codes[mixed], kind="stable")]
    folds = np.empty(len(codes), dtype=np.intp)
    folds[by_class] = np.arange(len(codes)) % n_folds
    return folds
