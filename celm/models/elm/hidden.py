"""The hidden layer: sigmoid(XW + b), as a pure function and as a scikit-learn transformer."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.base.validation import as_generator, check_integer, encode_labels
from celm.linalg.layer import Layer
from celm.models.elm.directions import Array
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.weights import check_strategy, strategy_named


def draw_layer(
    X: Array, codes: Indices, strategy: str, n_hidden: int, random_state: Any, options: WeightOptions
) -> tuple[Array, Array]:
    """W (n × L) and b (L) of one hidden layer drawn by the named strategy."""
    return strategy_named(strategy)(X, codes, n_hidden, as_generator(random_state), options)


class HiddenLayer(TransformerMixin, BaseEstimator):
    """Maps samples to the outputs of a random hidden layer.

    Parameters
    ----------
    n_hidden : number of hidden nodes L.
    strategy : how weights are drawn: elm, normalized_elm, orthogonal_elm, cdelm, selm, cselm, rselm, cmelm,
        or direction/scale/bias such as gaussian/squared/uniform (:data:`celm.models.elm.weights.FACTORIAL`).
    options : readings of the draw (:class:`celm.models.elm.options.WeightOptions`), or None for the defaults.
    random_state : None, an integer or a numpy generator.

    Attributes
    ----------
    W_ : array (n_features, n_hidden); b_ : array (n_hidden,)
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: str = "cdelm",
        options: WeightOptions | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.strategy = strategy
        self.options = options
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> HiddenLayer:
        """Draw the layer from the rows of X (N × n) and their classes y (N)."""
        check_integer(self.n_hidden, "n_hidden", "HiddenLayer", 1)
        check_strategy(self.strategy, "strategy", "HiddenLayer")
        options = self.options or WeightOptions()
        options.check("HiddenLayer")
        X, y = validate_data(self, X, y, dtype=np.float64)
        _, codes = encode_labels(y, "HiddenLayer")
        self.W_, self.b_ = draw_layer(X, codes, self.strategy, self.n_hidden, self.random_state, options)
        return self

    def transform(self, X: Any) -> Array:
        """H (N × L)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return Layer(self.W_, self.b_).outputs(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


OPTION_NAMES = tuple(field.name for field in fields(WeightOptions))
