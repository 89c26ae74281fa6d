"""The extreme learning machine of every kind as a regressor, of one target or several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.metaestimators import available_if

from celm.base.magnitude import checked_data, times_power
from celm.base.validation import as_given, check_integer, is_single
from celm.linalg.readout import Array
from celm.models.elm.block_rules import learns_in_blocks
from celm.models.elm.machine import BaseELM
from celm.models.elm.numeric_targets import centred, draw_labels
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices


class ELMRegressor(RegressorMixin, BaseELM):
    """Extreme learning machine regressor: ridge regression on the outputs of a drawn hidden layer.

    Predictions are sigmoid(XW + b)β + ȳ with β = (I/λ + HᵀH)⁻¹Hᵀ(T − ȳ), ȳ the mean of the training targets, or
    β = H⁺(T − ȳ) without a penalty. Strategies that draw by class take the quantiles of the target for classes: pairs
    of CDELM then come from different quantiles, sums of CSELM from one. SWIM weighs pairs by the targets themselves.

    Parameters
    ----------
    n_hidden : int, default=100
        Number of hidden nodes L.
    strategy : str or callable, default="covariance"
        How the weights are drawn, as in :class:`ELMClassifier`.
    input_scale : float or None, default=None
        The median standard deviation of the pre-activations on the training rows; None as the strategy draws.
    bias_width : float, default=1.0
        Multiplies the biases that are drawn without regard to the rows.
    lam : float or None, default=None
        λ (larger is a weaker penalty), or None for the pseudo-inverse.
    cutoff : {"matlab", "numpy", "none"}, default="matlab"
        Which singular values the pseudo-inverse drops.
    n_quantiles : int, default=10
        Quantiles of the target that stand for classes in a draw.
    precision : {"auto", "mixed", "double", "quick_double", "single_products"}, default="auto"
        As in :class:`ELMClassifier`.
    options : WeightOptions or None, default=None
        Readings of the draw; None for the defaults.
    random_state : None, int, RandomState or Generator, default=None
        Where the random numbers come from.

    Attributes
    ----------
    W_ : array (n, L)
        Input weights.
    b_ : array (L,)
        Biases.
    beta_ : array (L, k)
        Output weights.
    intercept_ : array (k,)
        Mean of the training targets.
    rank_ : int or None
        Numerical rank of H; None with a penalty.
    solver_ : str
        How β was solved, a fallback included.
    n_features_in_ : int
        Features seen during fit.

    See Also
    --------
    ELMRegressorCV : chooses node count, λ and scale by cross-validation.
    ELMClassifier : the same for classes.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §II.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from celm import ELMRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ELMRegressor(50, input_scale=0.3, lam=10.0, random_state=0))
    >>> model.fit(X, y).score(X, y) > 0.45
    True
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: Any = "covariance",
        input_scale: float | None = None,
        bias_width: float = 1.0,
        lam: float | None = None,
        cutoff: str = "matlab",
        n_quantiles: int = 10,
        precision: str = "auto",
        options: WeightOptions | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_hidden, strategy, input_scale, bias_width, lam, cutoff, precision, options, random_state)
        self.n_quantiles = n_quantiles

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        super().check_parameters()
        check_integer(self.n_quantiles, "n_quantiles", self.owner, 2)

    def _validated(self, X: Any, y: Any, *, reset: bool) -> tuple[Array, Any]:
        single = is_single(y)
        X, y = checked_data(
            self, X, y, dtype=np.float64, accept_sparse="csr", reset=reset, multi_output=True, y_numeric=True
        )
        self._single_targets = single
        return X, np.asarray(y, dtype=np.float64)

    def _learn_targets(self, y: Any, weights: Array | None) -> tuple[Indices, Array]:
        self._flat = np.ndim(y) == 1
        T, mean, self._exponent = centred(y, weights)
        self.intercept_ = times_power(mean, self._exponent)
        return draw_labels(T, self.strategy, self.n_quantiles), T

    def _block_targets(self, y: Any, learned: Any, *, first: bool) -> tuple[Indices, Array]:
        T = y.reshape(len(y), -1)
        if first:
            self._flat, self._exponent = np.ndim(y) == 1, 0
            self._about = T.mean(axis=0)
            self.target_sum_, self.weight_sum_ = np.zeros(T.shape[1]), 0.0
        if T.shape[1] != len(self.target_sum_):
            raise ValueError(
                f"{self.owner}: partial_fit goes on with {len(self.target_sum_)} targets; got {T.shape[1]}."
            )
        return draw_labels(T, self.strategy, self.n_quantiles), np.column_stack([T - self._about, np.ones(len(T))])

    def _block_moment(self, moment: Array) -> Array:
        """Hᵀ(T − ȳ) from HᵀT and Hᵀ1: the mean is known only after all rows.

        Targets count from the mean of the first block, so that little cancels where they are far from 0.
        """
        mean = self.target_sum_ / self.weight_sum_
        self.intercept_ = self._about + mean
        return moment[:, :-1] - moment[:, -1:] * mean

    def _block_added(self, T: Array, weights: Array | None) -> None:
        w = np.ones(len(T)) if weights is None else weights
        self.target_sum_ += w @ T[:, :-1]
        self.weight_sum_ += w.sum()

    def _readout(self, beta: Array) -> Array:
        return times_power(beta, self._exponent)

    @available_if(learns_in_blocks)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> ELMRegressor:
        """Learn a further block of rows; the first one draws the hidden layer.

        After all blocks β is that of one fit in double precision with the same hidden layer.

        Parameters
        ----------
        X : array (N, n)
            Rows.
        y : array (N,) or (N, k)
            Their targets.
        sample_weight : array (N,) or None
            Weights of the rows.

        Returns
        -------
        ELMRegressor
            The estimator itself.
        """
        return self._partial_fit(X, y, None, sample_weight)

    @available_if(learns_in_blocks)
    def fit_blocks(self, blocks: Iterable[tuple[Any, ...]]) -> ELMRegressor:
        """Fit on a stream of (X, y) that need not fit in memory; as many calls of partial_fit, solved once.

        Parameters
        ----------
        blocks : iterable of (X, y) or (X, y, sample_weight)
            Row blocks; the first one draws the hidden layer.

        Returns
        -------
        ELMRegressor
            The estimator itself.
        """
        return self._fit_blocks(blocks)

    def predict(self, X: Any) -> Array:
        """Predicted targets.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N,) or (N, k)
            Of the form of the training targets; in single precision if they and X are.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            predicted = self.scores(X) + self.intercept_
            if getattr(self, "_single_targets", False):
                predicted = as_given(predicted, X)
        if not np.isfinite(predicted).all():
            raise ValueError(f"{self.owner}: predictions lie beyond their precision; scale the targets first.")
        return predicted[:, 0] if self._flat else predicted

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
