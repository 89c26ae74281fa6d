"""CMELM: nodes of CSELM and of CDELM in turn (paper §III.E, Algorithm 5)."""

from __future__ import annotations

import numpy as np

from celm.models.elm.directions import Array
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.strategies.cdelm import STRATEGY as DIFFERENCES
from celm.models.elm.strategies.cselm import STRATEGY as SUMS
from celm.models.elm.strategy import Strategy


def mixed(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """⌈L/2⌉ nodes of CSELM and ⌊L/2⌋ of CDELM.

    DEPARTURE: the paper lists the sums first; here they alternate, which is the same layer and lets it nest.
    """
    sums_rng, differences_rng = rng.spawn(2)
    W, b = np.empty((X.shape[1], n_hidden)), np.empty(n_hidden)
    W[:, ::2], b[::2] = SUMS(X, codes, (n_hidden + 1) // 2, sums_rng, options)
    W[:, 1::2], b[1::2] = DIFFERENCES(X, codes, n_hidden // 2, differences_rng, options)
    return W, b


STRATEGY = Strategy(mixed, nested=True, uses_classes=True, anchored=slice(1, None, 2))
