"""Scores of a fitted model on partitions: summed on the workers, so that only sums travel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from dask.delayed import delayed

from celm.dask.partitions import partitions_of
from celm.dask.prediction import answers, checked_rows, without_names
from celm.dask.running import Runner

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]


class Hits(NamedTuple):
    """The weight of the rows that were answered correctly, and of all."""

    correct: float
    total: float

    def plus(self, other: Hits) -> Hits:
        """Those of both."""
        return Hits(self.correct + other.correct, self.total + other.total)


def hits_of(model: Any, X: Any, y: Array, weights: Array | None) -> Hits:
    """Correct answers in one partition."""
    weights = np.ones(len(y)) if weights is None else weights
    correct = answers(X, model, "predict") == y.ravel()
    return Hits(float(weights[correct].sum()), float(weights.sum()))


def accuracy(model: Any, X: Any, y: Any, sample_weight: Any, runner: Runner) -> float:
    """The share of the rows, by weight, that a fitted classifier answers correctly."""
    hits: Hits = _summed(hits_of, Hits.plus, model, X, y, sample_weight, runner)
    return hits.correct / hits.total


class Spread(NamedTuple):
    """Of one partition or more, per target: weight, mean and squared deviations of y, and squared residuals."""

    weight: float
    mean: Floats
    deviations: Floats
    residuals: Floats

    def plus(self, other: Spread) -> Spread:
        """That of both, by the update of Chan, Golub and LeVeque, which does not cancel where the mean is large."""
        weight = self.weight + other.weight
        if not weight:
            return self
        gap, share = other.mean - self.mean, other.weight / weight
        deviations = self.deviations + other.deviations + gap**2 * self.weight * share
        return Spread(weight, self.mean + gap * share, deviations, self.residuals + other.residuals)


def spread_of(model: Any, X: Any, y: Array, weights: Array | None) -> Spread:
    """Residuals and spread in one partition."""
    T = y.reshape(len(y), -1).astype(np.float64)
    w = np.ones(len(T)) if weights is None else weights
    total = float(w.sum())
    mean = w @ T / total if total else np.zeros(T.shape[1])
    residuals = T - answers(X, model, "predict").reshape(T.shape)
    return Spread(total, mean, w @ (T - mean) ** 2, w @ residuals**2)


def r_squared(model: Any, X: Any, y: Any, sample_weight: Any, runner: Runner) -> float:
    """The coefficient of determination of a fitted regressor, the mean over targets, as scikit-learn has it."""
    spread: Spread = _summed(spread_of, Spread.plus, model, X, y, sample_weight, runner)
    perfect = np.where(spread.residuals == 0, 1.0, 0.0)
    varied = spread.deviations > 0
    ratio = np.divide(spread.residuals, spread.deviations, out=np.ones_like(spread.residuals), where=varied)
    return float(np.where(varied, 1.0 - ratio, perfect).mean())


def _summed(leaf: Any, add: Any, model: Any, X: Any, y: Any, sample_weight: Any, runner: Runner) -> Any:
    """``leaf(model, X, y, weights)`` of all partitions, added up."""
    checked_rows(model, X, runner.owner)
    partitions = partitions_of(X, y, sample_weight, runner.owner)
    shared = delayed(without_names(model), traverse=False)
    weights: Sequence[Any] = partitions.weights or [None] * len(partitions.X)
    of_one = delayed(leaf)
    leaves = [of_one(shared, *chunk) for chunk in zip(partitions.X, partitions.y, weights, strict=True)]
    return reduce(add, runner.gathered(leaves, "score"))
