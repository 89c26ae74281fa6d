"""Targets that are numbers: centred for the readout, and sorted into quantiles that stand for classes in a draw."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.stats import rankdata

from celm.base.magnitude import ordinary_size
from celm.models.elm.directions import Array
from celm.models.elm.pairs import Indices
from celm.models.elm.weights import strategy_named


class Centred(NamedTuple):
    """(T − ȳ)·2^−e (N × k), ȳ·2^−e (k) and e, which is 0 for targets of ordinary size."""

    T: Array
    mean: Array
    exponent: int


def centred(y: Any, weights: Array | None = None) -> Centred:
    """Targets (N) or (N × k) less their (weighted) mean, brought near 1 should they be huge or tiny."""
    T, exponent = ordinary_size(np.asarray(y, dtype=np.float64).reshape(len(y), -1))
    mean = T.mean(axis=0) if weights is None else weights @ T / weights.sum()
    return Centred(T - mean, mean, exponent)


def quantile_codes(T: Array, n_quantiles: int) -> Indices:
    """The quantile (0, 1, …) that each row of the targets T (N × k) falls into; equal targets share that of their
    mean rank.

    Several targets are ranked by their first principal component, each target scaled to unit variance.
    """
    ranked = T[:, 0] if T.shape[1] == 1 else _first_component(T)
    ranks = rankdata(ranked) - 1.0
    return np.unique((ranks * n_quantiles / len(T)).astype(np.intp), return_inverse=True)[1].astype(np.intp)


def draw_labels(T: Array, strategy: Any, n_quantiles: int) -> Any:
    """What a draw is told about the targets T (N × k): themselves if its strategy weighs them, else their quantiles."""
    return quantile_codes(T, n_quantiles) if strategy_named(strategy).for_numbers is None else T


def _first_component(T: Array) -> Array:
    centred = T - T.mean(axis=0)
    spread = centred.std(axis=0)
    scaled = centred / np.where(spread > 0, spread, 1.0)
    return scaled @ np.linalg.eigh(scaled.T @ scaled)[1][:, -1]
