"""What a weight strategy is: its contract, and the recipe of direction, scale and bias that most are made of.

A hidden layer is W (n × L, one column per node) and b (L); node j answers sigmoid(x·W[:, j] + b[j]).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from celm.base.magnitude import ordinary_size, times_power
from celm.models.elm.directions import Array, Draw, midpoints_of, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import any_pairs

DrawLayer = Callable[[Array, Any, int, np.random.Generator, WeightOptions], tuple[Array, Array]]


@dataclass(frozen=True)
class Strategy:
    """A way to draw a hidden layer, and what may be relied on.

    Parameters
    ----------
    draw : callable
        ``draw(X, codes, n_hidden, rng, options)`` gives W (n × L) and b (L). X (N × n) holds the training rows, codes
        (N) their classes as whole numbers from 0, in regression the quantiles of their targets. All randomness comes
        from ``rng``; X is not changed. A weight vector that would be zero is drawn again, and a ValueError says when
        the rows allow no other.
    nested : bool, default=False
        The first L nodes of a longer draw are the draw of L nodes. One draw and one factorisation then serve every
        node count; a strategy that is not nested is drawn afresh for each.
    uses_classes : bool, default=True
        The draw looks at ``codes``. If not, :class:`~celm.HiddenLayer` needs no y.
    anchored : slice or None, default=None
        The nodes whose bias places their hyperplane among the rows. It is multiplied with the weights when
        ``input_scale`` is; the other biases are multiplied by ``bias_width``.

    centred : bool, default=False
        Biases count from the mean row x̄: −x̄W is added once the weights have their scale, so that a shift of the inputs
        changes nothing.
    for_numbers : callable or None, default=None
        The draw in regression, given the targets T (N × k) where ``draw`` is given codes; None takes ``draw``.

    See Also
    --------
    celm.models.elm.strategies : the folder in which every file is a strategy.

    Examples
    --------
    Any function of this form is a strategy; wrapped, it says that it nests:

    >>> import numpy as np
    >>> from celm import ELMClassifier
    >>> def gaussian(X, codes, n_hidden, rng, options):
    ...     return rng.standard_normal((n_hidden, X.shape[1])).T, np.zeros(n_hidden)
    >>> strategy = Strategy(gaussian, nested=True, uses_classes=False)
    >>> X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2
    >>> ELMClassifier(5, strategy=strategy, lam=1.0, random_state=0).fit(X, y).W_.shape
    (4, 5)
    """

    draw: DrawLayer
    nested: bool = False
    uses_classes: bool = True
    anchored: slice | None = None
    centred: bool = False
    for_numbers: DrawLayer | None = None

    def __call__(
        self, X: Array, labels: Any, n_hidden: int, rng: np.random.Generator, options: WeightOptions
    ) -> tuple[Array, Array]:
        """W (n × L) and b (L); labels are codes (N) or, for :attr:`for_numbers`, targets (N × k)."""
        draw = self.draw if self.for_numbers is None or np.ndim(labels) == 1 else self.for_numbers
        return draw(X, labels, n_hidden, rng, options)


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
    otherwise two random ones. The bias "zero" leaves every hyperplane at the origin.
    """

    direction: Draw
    scale: str
    factor: str | float = 1.0
    bias: str = "uniform"

    def __call__(
        self, X: Array, codes: Any, n_hidden: int, rng: np.random.Generator, options: WeightOptions
    ) -> tuple[Array, Array]:
        """W (n × L) and b (L)."""
        node_rng, bias_rng = rng.spawn(2)
        X, exponent = ordinary_size(X)
        drawn = self.direction(X, codes, n_hidden, node_rng, options)
        factor = getattr(options, self.factor) if isinstance(self.factor, str) else self.factor
        W = scaled(drawn.vectors, self.scale, factor)
        # How W grows when the rows do: v by 1 (or not at all), its unit vector by 0, v/‖v‖² by −1.
        degree = {"none": 1, "l2": 0, "squared": -1}[self.scale] if drawn.of_rows else 0
        weights = times_power(W.T, degree * exponent)
        if self.bias == "zero":
            return weights, np.zeros(n_hidden)
        if self.bias == "uniform":
            return weights, bias_rng.random(n_hidden)
        midpoints = random_midpoints(X, n_hidden, bias_rng) if drawn.midpoints is None else drawn.midpoints
        return weights, times_power(-np.einsum("ij,ij->i", W, midpoints), (degree + 1) * exponent)


def random_midpoints(X: Array, n: int, rng: np.random.Generator) -> Array:
    """Midpoints (n × features) of pairs of rows of any class."""
    first, second = any_pairs(X.shape[0], n, rng, same_sample=True)
    return midpoints_of(X, first, second)


def by_recipe(
    direction: Draw,
    scale: str,
    factor: str | float = 1.0,
    bias: str = "uniform",
    *,
    uses_classes: bool = False,
    centred: bool = False,
    for_numbers: Draw | None = None,
) -> Strategy:
    """The nested strategy of a :class:`Recipe`; a midpoint bias follows the weights.

    ``for_numbers`` takes the place of ``direction`` in regression.
    """
    anchored = slice(None) if bias == "midpoint" else None
    recipe = Recipe(direction, scale, factor, bias)
    numeric = None if for_numbers is None else replace(recipe, direction=for_numbers)
    return Strategy(
        recipe, nested=True, uses_classes=uses_classes, anchored=anchored, centred=centred, for_numbers=numeric
    )


def as_strategy(given: Any) -> Strategy:
    """``given`` itself, or a plain function as the strategy that promises nothing."""
    return given if isinstance(given, Strategy) else Strategy(given)
