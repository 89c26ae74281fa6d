"""The hidden layer alone, sigmoid(XW + b), as a scikit-learn transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data, one_look
from celm.base.validation import as_given, encode_labels
from celm.linalg.given_rows import given
from celm.linalg.layer import Layer
from celm.models.elm.directions import Array
from celm.models.elm.drawing import Drawing, check_reach, warn_if_saturated
from celm.models.elm.machine import FLOATS
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.weights import strategy_named


class HiddenLayer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Maps samples to the outputs of a random hidden layer, sigmoid(XW + b).

    Parameters
    ----------
    n_hidden : int, default=100
        Number of hidden nodes L.
    strategy : str or callable, default="cdelm"
        How the weights are drawn, as in :class:`ELMClassifier`.
    input_scale : float or None, default=None
        The median standard deviation of the pre-activations on the training rows; None as the strategy draws.
    bias_width : float, default=1.0
        Multiplies the biases that are drawn without regard to the rows.
    options : WeightOptions or None, default=None
        Readings of the draw; None for the defaults.
    random_state : None, int, RandomState or Generator, default=None
        Where the random numbers come from.

    Attributes
    ----------
    W_ : array (n_features, n_hidden)
        Input weights, one column per node.
    b_ : array (n_hidden,)
        Biases.
    n_features_in_ : int
        Features seen during fit.

    See Also
    --------
    ELMClassifier, ELMRegressor : the same layer with its readout.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §III.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from celm import HiddenLayer
    >>> X, y = load_iris(return_X_y=True)
    >>> HiddenLayer(20, random_state=0).fit_transform(X, y).shape
    (150, 20)
    >>> model = make_pipeline(HiddenLayer(20, random_state=0), LogisticRegression(max_iter=1000))
    >>> model.fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: Any = "cdelm",
        input_scale: float | None = None,
        bias_width: float = 1.0,
        options: WeightOptions | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.strategy = strategy
        self.input_scale = input_scale
        self.bias_width = bias_width
        self.options = options
        self.random_state = random_state

    def drawing(self) -> Drawing:
        """How the layer is drawn, as one value."""
        options = WeightOptions() if self.options is None else self.options
        return Drawing(self.strategy, self.n_hidden, options, self.input_scale, self.bias_width)

    @one_look()
    def fit(self, X: Any, y: Any = None) -> HiddenLayer:
        """Draw the layer.

        Parameters
        ----------
        X : array (N, n)
            Training rows.
        y : array (N,) or None
            Their classes; strategies that do not look at classes need none.

        Returns
        -------
        HiddenLayer
            The transformer itself.
        """
        drawing = self.drawing()
        drawing.check("HiddenLayer")
        if looks_at_classes(self.strategy):
            X, y = checked_data(self, X, y, dtype=np.float64, accept_sparse="csr")
            codes = self._codes(y)
        else:
            X = checked_data(self, X, dtype=np.float64, accept_sparse="csr")
            codes = np.zeros(X.shape[0], dtype=np.intp)
        self.W_, self.b_ = drawing(X, codes, self.random_state)
        warn_if_saturated(X, self.W_, self.b_, "HiddenLayer")
        self._n_features_out = self.n_hidden
        return self

    def _codes(self, y: Any) -> Indices:
        kind = type_of_target(y, input_name="y")
        if kind not in ("binary", "multiclass", "unknown"):
            raise ValueError(
                f"HiddenLayer: strategy {self.strategy!r} draws by class, so y must hold classes; got {kind} targets. "
                "Take ELMRegressor, which draws by quantiles of its target, or a strategy without classes."
            )
        return encode_labels(y, "HiddenLayer")[1]

    def transform(self, X: Any) -> Array:
        """Hidden outputs of rows.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, n_hidden)
            sigmoid(XW + b), in single precision for rows in single precision.
        """
        check_is_fitted(self)
        X = checked_data(self, X, dtype=FLOATS, accept_sparse="csr", reset=False)
        check_reach(X, self.W_, "HiddenLayer")
        layer, rows = given(Layer(self.W_, self.b_), X)
        return as_given(layer.outputs(rows), X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.target_tags.required = looks_at_classes(self.strategy)
        return tags


def looks_at_classes(strategy: Any) -> bool:
    """Whether a draw needs classes; a strategy that does not exist, which fit refuses, is taken to."""
    try:
        return strategy_named(strategy).uses_classes
    except (KeyError, TypeError):
        return True
