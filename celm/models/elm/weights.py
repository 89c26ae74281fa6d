"""How each model of the paper draws its hidden layer: pure functions (X, codes, n_hidden, rng, options) -> W, b.

A hidden layer is W (n × L, one column per node) and b (L); node j answers sigmoid(x·W[:, j] + b[j]).
A layer is a recipe of three choices: the direction of its weight vectors, the scale they are brought to, and
the bias. Any combination has a name such as "gaussian/squared/midpoint"; some are models of the paper. Nodes are
drawn one after the other: the first L nodes of a longer draw are the draw of L nodes, except for orthogonal ELM,
whose columns depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from celm.base.validation import check_choice
from celm.models.elm.directions import (
    Array,
    Draw,
    class_differences,
    class_sums,
    gaussian_directions,
    random_directions,
    random_sums,
    samples,
    squared_norms,
)
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices, any_pairs


def scaled(vectors: Array, scale: str, factor: float) -> Array:
    """``factor``·v (none), ``factor``·v/‖v‖ (l2) or ``factor``·v/‖v‖² (squared), row by row."""
    if scale == "none":
        return factor * vectors
    norms2 = squared_norms(vectors)
    return vectors * (factor / (norms2 if scale == "squared" else np.sqrt(norms2)))[:, None]


@dataclass(frozen=True)
class Recipe:
    """A hidden layer as direction × scale × bias; ``factor`` names the option that multiplies the scale.

    A midpoint bias puts the hyperplane halfway between two training rows: those whose difference the vector is,
    otherwise two random ones.
    """

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
        if not self.midpoint_bias:
            return W.T, bias_rng.random(n_hidden)
        midpoints = random_midpoints(X, n_hidden, bias_rng) if drawn.midpoints is None else drawn.midpoints
        return W.T, -np.einsum("ij,ij->i", W, midpoints)


def random_midpoints(X: Array, n: int, rng: np.random.Generator) -> Array:
    """Midpoints (n × features) of pairs of rows of any class."""
    first, second = any_pairs(len(X), n, rng, same_sample=True)
    return 0.5 * (X[first] + X[second])


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

# The factors of a recipe, by the names that make up the name of a combination.
DIRECTIONS: dict[str, Draw] = {
    "random": random_directions,
    "gaussian": gaussian_directions,
    "samples": samples,
    "class_sums": class_sums,
    "class_differences": class_differences,
}
SCALES = ("none", "l2", "squared")
BIASES = ("uniform", "midpoint")
FACTORIAL = tuple(f"{direction}/{scale}/{bias}" for direction in DIRECTIONS for scale in SCALES for bias in BIASES)


def factorial_recipe(direction: str, scale: str, bias: str) -> Recipe:
    """One combination of the three factors.

    A difference counts by half, v = (x_c2 − x_c1)/2, the way from the midpoint to a sample: v/‖v‖² is CDELM's
    2(x_c2 − x_c1)/‖x_c2 − x_c1‖², and like x/‖x‖² it maps the sample it leads to to 1.
    """
    factors: dict[str, str | float] = {"samples": "sample_scale", "class_sums": "sum_scale"}
    factors["class_differences"] = {"none": 0.5, "l2": 1.0, "squared": 2.0}[scale]
    return Recipe(DIRECTIONS[direction], scale, factors.get(direction, 1.0), midpoint_bias=bias == "midpoint")


def check_strategy(name: Any, what: str, owner: str) -> None:
    """``name`` must be a model of the paper or a combination of direction, scale and bias."""
    parts = name.split("/") if isinstance(name, str) else []
    if len(parts) < 2:
        check_choice(name, what, STRATEGIES, owner)
        return
    if len(parts) != 3:
        raise ValueError(f"{owner}: {what} must be a model or DIRECTION/SCALE/BIAS; got {name!r}.")
    for part, factor, allowed in zip(parts, ("direction", "scale", "bias"), (DIRECTIONS, SCALES, BIASES), strict=True):
        check_choice(part, f"the {factor} in {what} {name!r}", allowed, owner)


def strategy_named(name: str) -> Strategy:
    """The strategy of a name that :func:`check_strategy` accepts."""
    return STRATEGIES[name] if name in STRATEGIES else factorial_recipe(*name.split("/"))
