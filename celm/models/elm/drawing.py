"""Drawing a hidden layer: strategy, number of nodes, scale of the weights and width of the biases as one value."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from celm.base.magnitude import SQUARED, largest_entry, ordinary_size, times_power
from celm.base.room import check_room
from celm.base.threads import one_blas_thread
from celm.base.validation import as_generator, check_integer, check_number, quoted
from celm.models.elm.column_sums import Array, column_means
from celm.models.elm.covariance import MANY_ROWS
from celm.models.elm.options import WeightOptions
from celm.models.elm.own_strategies import own_layer
from celm.models.elm.pairs import Indices
from celm.models.elm.weights import check_strategy, strategy_named

# Nodes whose pre-activations tell the spread of a layer: the first, so that layers of any length share their scale.
SPREAD_NODES = 200
SPREAD_ROWS = 4096
# Standard deviations below this part of the mean are rounding.
ROUNDING = 64 * np.finfo(np.float64).eps
# Where the sigmoid is 1 to the last digit, and how many rows and nodes are looked at.
SATURATED, SATURATION_SAMPLE = 37.0, 128
# Pre-activations up to this size are far from overflow, whatever is added to them.
REACH = 1e300


@dataclass(frozen=True)
class Drawing:
    """How a hidden layer is drawn, but for its rows and its random numbers.

    Parameters
    ----------
    strategy : str or callable
        See :class:`celm.models.elm.strategy.Strategy`.
    n_hidden : int
        Number of nodes L.
    options : WeightOptions
        Readings of the draw.
    input_scale : float or None
        None leaves the weights as the strategy draws them; a number multiplies all of them so that the median standard
        deviation of the pre-activations xW on the training rows, over the first 200 nodes, is that number.
    bias_width : float
        Multiplies the biases that are drawn without regard to the rows: U[0, 1] becomes U[0, bias_width].
    """

    strategy: Any
    n_hidden: int
    options: WeightOptions = field(default_factory=WeightOptions)
    input_scale: float | None = None
    bias_width: float = 1.0

    def check(self, owner: str) -> None:
        """Raise a ValueError that names the first value out of range; needs no data."""
        check_integer(self.n_hidden, "n_hidden", owner, 1)
        check_strategy(self.strategy, "strategy", owner)
        if not isinstance(self.options, WeightOptions):
            raise ValueError(f"{owner}: options must be a WeightOptions or None; got {quoted(self.options)}.")
        self.options.check(owner)
        if self.input_scale is not None:
            check_number(self.input_scale, "input_scale", owner, 0, above=True)
        check_number(self.bias_width, "bias_width", owner, 0, SQUARED)

    def __call__(self, X: Array, codes: Indices, random_state: Any) -> tuple[Array, Array]:
        """W (n × L) and b (L) for the rows X (N × n) and their classes ``codes`` (N)."""
        return self.drawn(X, codes, random_state, with_spread=self.input_scale is not None).at(self.input_scale)

    def drawn(self, X: Array, codes: Indices, random_state: Any, *, with_spread: bool) -> DrawnLayer:
        """The same before any scale, with what :meth:`DrawnLayer.at` needs to bring it to one."""
        strategy = strategy_named(self.strategy)
        check_room(X.shape[1] * self.n_hidden, f"the weights of {self.n_hidden} hidden nodes")
        n_drawn = max(self.n_hidden, SPREAD_NODES) if with_spread and strategy.nested else self.n_hidden
        draw = strategy if isinstance(self.strategy, str) else partial(own_layer, strategy)
        W, b = draw(X, codes, n_drawn, as_generator(random_state), self.options)
        if self.bias_width != 1.0:
            b = self._widened(b, strategy.anchored)
        check_finite(W, b)
        spread = median_spread(X, W[:, :SPREAD_NODES]) if with_spread else None
        mean = mean_row(X) if strategy.centred else None
        return DrawnLayer(W[:, : self.n_hidden], b[: self.n_hidden], strategy.anchored, spread, mean)

    def _widened(self, b: Array, anchored: slice | None) -> Array:
        width = np.full(len(b), float(self.bias_width))
        if anchored is not None:
            width[anchored] = 1.0
        return b * width


@dataclass(frozen=True)
class DrawnLayer:
    """A layer as its strategy drew it, the spread of its pre-activations, and the row that its biases count from."""

    W: Array
    b: Array
    anchored: slice | None
    spread: float | None
    mean: Array | None = None

    def at(self, input_scale: float | None) -> tuple[Array, Array]:
        """W and b with that spread of pre-activations, hyperplanes among the rows left where they are."""
        W, b = self.W, self.b
        with np.errstate(over="ignore", invalid="ignore"):
            if input_scale is not None and self.spread is not None:
                W = W * (input_scale / self.spread)
                if self.anchored is not None:
                    b = b.copy()
                    b[self.anchored] *= input_scale / self.spread
            if self.mean is not None:
                b = b - self.mean @ W
        check_finite(W, b)
        return W, b


def check_finite(W: Array, b: Array) -> None:
    """Raise a ValueError that says what to do about weights that are not finite."""
    if not (np.isfinite(W).all() and np.isfinite(b).all()):
        raise ValueError(
            "hidden layer: weights for these rows lie beyond double precision; the inputs are too large or too small. "
            "Scale them first, for example with sklearn.preprocessing.StandardScaler."
        )


def mean_row(X: Any) -> Array:
    """x̄ (n), of rows of any finite size; of many rows, that of some thousands at equal distances."""
    rows, exponent = ordinary_size(X)
    return times_power(column_means(rows if X.shape[0] <= MANY_ROWS else rows[:: X.shape[0] // MANY_ROWS]), exponent)


def median_spread(X: Array, W: Array) -> float:
    """The median over nodes of the standard deviation over rows of xW, a block of rows at a time."""
    X, x_exponent = ordinary_size(X)
    W, w_exponent = ordinary_size(W)
    centre, squares = column_means(X) @ W, np.zeros(W.shape[1])
    for start in range(0, X.shape[0], SPREAD_ROWS):
        squares += ((X[start : start + SPREAD_ROWS] @ W - centre) ** 2).sum(axis=0)
    deviations = np.sqrt(squares / X.shape[0])
    above_rounding = np.where(deviations > ROUNDING * np.abs(centre), deviations, 0.0)
    spread = float(times_power(np.median(above_rounding), x_exponent + w_exponent))
    if not 0.0 < spread < np.inf:
        raise ValueError(
            f"input_scale: pre-activations of the training rows have a median standard deviation of {spread:g}: "
            "the rows are equal, or too large or too small for double precision."
        )
    return spread


def draw_layer(
    X: Array, codes: Indices, strategy: Any, n_hidden: int, random_state: Any, options: WeightOptions
) -> tuple[Array, Array]:
    """W (n × L) and b (L) of one hidden layer as the strategy draws it."""
    return Drawing(strategy, n_hidden, options)(X, codes, random_state)


class SaturationWarning(UserWarning):
    """Hidden outputs are 0 or 1 to the last digit: the layer tells rows apart by signs alone."""


def warn_if_saturated(X: Any, W: Array, b: Array, owner: str) -> None:
    """Warn when most outputs of the first nodes are 0 or 1 in double precision, |xW + b| > 37."""
    with one_blas_thread():  # a second one takes longer to come than the product
        z = np.abs(X[:SATURATION_SAMPLE] @ W[:, :SATURATION_SAMPLE] + b[:SATURATION_SAMPLE])
    if (middle := np.median(z)) > SATURATED:
        warnings.warn(
            f"{owner}: most hidden outputs are 0 or 1, with pre-activations of {middle:.3g} in the median: the "
            "inputs are not scaled. Put a sklearn.preprocessing.StandardScaler before it, or set input_scale.",
            SaturationWarning,
            stacklevel=4,
        )


def check_reach(X: Array, W: Array, owner: str) -> None:
    """Raise a ValueError when xW may overflow: no score is ever infinite or NaN."""
    largest, weight = largest_entry(X), largest_entry(W)
    with np.errstate(over="ignore"):
        bound = np.float64(largest) * weight * len(W)
    if not bound <= REACH:
        raise ValueError(
            f"{owner}: inputs as large as {largest:.3g} overflow in the hidden layer. "
            "Scale them first, for example with sklearn.preprocessing.StandardScaler."
        )
