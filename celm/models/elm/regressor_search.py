"""Choosing the node count, λ and scale of an extreme learning machine regressor by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from celm.base.magnitude import checked_data, times_power
from celm.models.elm.base_search import LAMBDAS, BaseELMCV
from celm.models.elm.numeric_targets import centred, draw_labels
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.row_weights import checked_weights
from celm.models.elm.search_tasks import Task, number_task


class ELMRegressorCV(RegressorMixin, BaseELMCV):
    """Chooses node count, λ and, with ``input_scales``, the scale by held-out squared error, then fits once.

    Targets are centred by their mean over all training rows before the folds are made, as in the fit.

    Parameters
    ----------
    estimator : ELMRegressor or None, default=None
        The model whose n_hidden and lam (and input_scale) are to be chosen; None for the default one.
    n_hidden_grid : sequence of int
        Node counts, ascending; 5, 10, …, 200 unless given.
    lams : sequence of float
        Penalties λ, ascending; 10^{-8..8} unless given.
    input_scales : sequence of float or None, default=None
        Scales of the pre-activations, ascending; None leaves the estimator's own.
    cv : int, "loo", array (N,), splitter or list of (train, test), default=3
        Number of folds, one fold number per training row, or folds as scikit-learn states them; "loo" leaves every row
        out once, in closed form, at the price of one factorisation per node count for all λ.
    choose : {"joint", "largest"}, default="joint"
        "joint" takes the best candidate; "largest" the largest node count with its own best λ and scale.
    layer : {"shared", "per_fold"}, default="shared"
        "shared" draws the hidden layer once for all folds; "per_fold" redraws it for each.
    nested : bool, default=True
        The layers of all node counts are prefixes of one draw; False draws every count afresh.
    random_state : None, int, RandomState or Generator, default=None
        Layers and folds come from it.

    Attributes
    ----------
    n_hidden_, lam_, input_scale_ : int, float, float or None
        The choice.
    cv_error_ : float
        Held-out mean squared error of the choice, over rows and targets.
    surface_ : array (n_counts, n_lams)
        Minus the sum of squared held-out errors per node count and λ, at the chosen scale.
    scale_surfaces_ : array (n_scales, n_counts, n_lams)
        The same of every scale; only with ``input_scales``.
    best_estimator_ : ELMRegressor
        The chosen model, fitted on all rows.
    lam_at_edge_, lambdas_by_count_, selection_seconds_, fit_seconds_, n_features_in_
        As in :class:`ELMClassifierCV`.

    See Also
    --------
    ELMClassifierCV : the same for classes.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from celm import ELMRegressorCV
    >>> X, y = load_diabetes(return_X_y=True)
    >>> search = ELMRegressorCV(n_hidden_grid=(20, 50), input_scales=(0.1, 0.3, 1.0), random_state=0)
    >>> model = make_pipeline(StandardScaler(), search).fit(X, y)
    >>> bool(search.cv_error_ < 0.6 * y.var())
    True
    """

    machine = ELMRegressor

    def __init__(
        self,
        estimator: ELMRegressor | None = None,
        *,
        n_hidden_grid: Sequence[int] = tuple(range(5, 201, 5)),
        lams: Sequence[float] = LAMBDAS,
        input_scales: Sequence[float] | None = None,
        cv: Any = 3,
        choose: str = "joint",
        layer: str = "shared",
        nested: bool = True,
        random_state: Any = None,
    ) -> None:
        super().__init__(estimator, n_hidden_grid, lams, input_scales, cv, choose, layer, nested, random_state)

    def _base(self) -> ELMRegressor:
        return ELMRegressor() if self.estimator is None else self.estimator

    def _task(self, X: Any, y: Any, sample_weight: Any) -> Task:
        how = {"accept_sparse": "csr", "multi_output": True, "y_numeric": True, "ensure_min_samples": 2}
        X, y = checked_data(self, X, y, dtype=np.float64, **how)
        weights = checked_weights(sample_weight, len(y), self.owner)
        T, _, self._exponent = centred(y, weights)
        base = self._base()
        return number_task(X, draw_labels(T, base.strategy, base.n_quantiles), T, weights)

    def _keep_gain(self, gain: float, n_judged: float) -> None:
        self.cv_error_ = float(times_power(np.asarray(-gain / n_judged), 2 * self._exponent))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
