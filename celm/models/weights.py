"""How each model of the paper draws its hidden layer: pure functions (X, codes, n_hidden, rng, options) -> W, b.

A hidden layer is W (n × L, one column per node) and b (L); node j answers sigmoid(x·W[:, j] + b[j]).
A layer is a recipe of three choices: the direction of its weight vectors, the scale they are brought to, and
the bias. Nodes are drawn one after the other: the first L nodes of a longer draw are the draw of L nodes,
except for orthogonal ELM, whose columns depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from celm.models.directions import (
    Array,
    Draw,
    class_differences,
    class_sums,
    random_directions,
    random_sums,
    samples,
    squared_norms,
)
from celm.models.pairs import Indices
from celm.models.weight_options import WeightOptions


def scaled(vectors: Array, scale: str, factor: float) -> Array:
    """``factor``·v (none), ``factor``·v/‖v‖ (l2) or ``factor``·v/‖v‖² (squared), row by row."""
    if scale == "none":
        return factor * vectors
    norms2 = squared_norms(vectors)
    return vectors * (factor / (norms2 if scale == "squared" else np.sqrt(norms2)))[:, None]


@dataclass(frozen=True)
class Recipe:
    """A hidden layer as direction × scale × bias; ``factor`` names the option that multiplies the scale."""

    direction: Draw
    scale: str
    factor: str | float = 1.0
    midpoint_bias: bool = False

    def __call__(
        self, X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
    ) -> tuple[Array, Array]:
        """W (n × L) and b (L)."""
        node_rng, bias_rng = rng.spawn(2)
        drawn = self.direction(X, codes, n_hidden, node_rng, options)
        factor = getattr(options, self.factor) if isinstance(self.factor, str) else self.factor
        W = scaled(drawn.vectors, self.scale, factor)
        if self.midpoint_bias and drawn.midpoints is not None:
            return W.T, -np.einsum("ij,ij->i", W, drawn.midpoints)
        return W.T, bias_rng.random(n_hidden)


def orthogonal(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """Orthonormal columns for L ≤ n, orthonormal rows for L > n, as MATLAB's `orth` of a U[-1,1] matrix."""
    node_rng, bias_rng = rng.spawn(2)
    drawn = random_directions(X, codes, n_hidden, node_rng, options).vectors.T
    U, _, Vt = np.linalg.svd(drawn, full_matrices=False)
    W = U if n_hidden <= X.shape[1] else Vt
    if options.orthogonal_norm == "unit":
        W = W / np.sqrt(squared_norms(W.T))
    if options.orthogonal_bias == "uniform":
        return W, bias_rng.random(n_hidden)
    b = bias_rng.uniform(-1.0, 1.0, size=n_hidden)
    return W, b / np.linalg.norm(b)


def mixed(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """⌈L/2⌉ nodes of CSELM and ⌊L/2⌋ of CDELM: CMELM (§III.E, Algorithm 5).

    DEPARTURE: the paper lists the sums first; here they alternate, which is the same layer and lets it nest.
    """
    sums_rng, differences_rng = rng.spawn(2)
    W, b = np.empty((X.shape[1], n_hidden)), np.empty(n_hidden)
    W[:, ::2], b[::2] = STRATEGIES["cselm"](X, codes, (n_hidden + 1) // 2, sums_rng, options)
    W[:, 1::2], b[1::2] = STRATEGIES["cdelm"](X, codes, n_hidden // 2, differences_rng, options)
    return W, b


Strategy = Callable[[Array, Indices, int, np.random.Generator, WeightOptions], tuple[Array, Array]]

STRATEGIES: dict[str, Strategy] = {
    "elm": Recipe(random_directions, "none"),
    "normalized_elm": Recipe(random_directions, "l2"),
    "orthogonal_elm": orthogonal,
    "cdelm": Recipe(class_differences, "squared", factor=2.0, midpoint_bias=True),
    "selm": Recipe(samples, "squared", factor="sample_scale"),
    "cselm": Recipe(class_sums, "squared", factor="sum_scale"),
    "rselm": Recipe(random_sums, "squared", factor="sum_scale"),
    "cmelm": mixed,
}

# Strategies whose first L nodes of a longer draw are not the draw of L nodes.
NOT_NESTED = frozenset({"orthogonal_elm"})
