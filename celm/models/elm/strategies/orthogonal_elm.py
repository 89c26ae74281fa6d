"""Orthogonal ELM: orthonormal weight vectors made from random ones (paper §IV, after Kasun's ELM-AE code)."""

from __future__ import annotations

import numpy as np

from celm.models.elm.directions import Array, random_directions, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.strategy import Strategy


def orthogonal(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """Orthonormal columns for L ≤ n, orthonormal rows for L > n, as MATLAB's `orth` of a U[-1,1] matrix."""
    node_rng, bias_rng = rng.spawn(2)
    drawn = random_directions(X, codes, n_hidden, node_rng, options).vectors.T
    U, _, Vt = np.linalg.svd(drawn, full_matrices=False)
    W = U if n_hidden <= X.shape[1] else Vt
    if options.orthogonal_signs == "largest_positive":
        W = with_fixed_signs(W)
    if options.orthogonal_norm == "unit":
        W = W / np.sqrt(squared_norms(W.T))
    if options.orthogonal_bias == "uniform":
        return W, bias_rng.random(n_hidden)
    b = bias_rng.uniform(-1.0, 1.0, size=n_hidden)
    return W, b / np.linalg.norm(b)


def with_fixed_signs(W: Array) -> Array:
    """``W`` (n × L) with the largest entry of each singular vector positive.

    The sign of a singular vector is free. LAPACK's depends on the order in which a processor's kernels add, and the
    bias makes another network of the opposite sign.
    """
    axis = 0 if W.shape[1] <= W.shape[0] else 1
    largest = np.take_along_axis(W, np.abs(W).argmax(axis=axis, keepdims=True), axis)
    return W * np.sign(largest)


STRATEGY = Strategy(orthogonal, nested=False, uses_classes=False)
