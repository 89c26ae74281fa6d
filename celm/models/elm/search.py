"""Choosing the node count, λ and scale of an extreme learning machine classifier by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.validation import encode_labels
from celm.linalg.readout import Array
from celm.models.elm.base_search import LAMBDAS, BaseELMCV
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.probabilities import has_probabilities
from celm.models.elm.row_weights import checked_weights, with_class_weight
from celm.models.elm.search_tasks import Task, class_task


def chooses_probabilities(search: Any) -> bool:
    """Whether the model that is chosen has predict_proba."""
    return has_probabilities(search._base())


class ELMClassifierCV(ClassifierMixin, BaseELMCV):
    """Chooses node count and λ together by cross-validation, then fits once (§IV.B: three folds, λ = 10^{-8..8}).

    With ``input_scales`` the spread of the pre-activations is chosen by the same folds, at the price of one pass per
    scale. It makes a better ELM: much of what constrained weights gain over random ones is their scale.

    Parameters
    ----------
    estimator : ELMClassifier or None, default=None
        The model whose n_hidden and lam (and input_scale) are to be chosen; None for the default one.
    n_hidden_grid : sequence of int
        Node counts, ascending; 5, 10, …, 200 unless given.
    lams : sequence of float
        Penalties λ, ascending; 10^{-8..8} unless given.
    input_scales : sequence of float or None, default=None
        Scales of the pre-activations, ascending; None leaves the estimator's own. (0.03, 0.1, 0.3, 1, 3) is a good
        choice for standardised inputs.
    cv : int, "loo", array (N,), splitter or list of (train, test), default=3
        Number of folds, one fold number per training row, or folds as scikit-learn states them; "loo" leaves every row
        out once, in closed form, at the price of one factorisation per node count for all λ.
    choose : {"joint", "largest"}, default="joint"
        "joint" takes the best candidate; "largest" the largest node count with its own best λ and scale.
    layer : {"shared", "per_fold"}, default="shared"
        "shared" draws the hidden layer once for all folds; "per_fold" redraws it for each.
    nested : bool, default=True
        The layers of all node counts are prefixes of one draw; False draws every count afresh, as strategies that do
        not nest always do.
    random_state : None, int, RandomState or Generator, default=None
        Layers and folds come from it.

    Attributes
    ----------
    n_hidden_, lam_, input_scale_ : int, float, float or None
        The choice.
    cv_accuracy_ : float
        Held-out accuracy of the choice.
    lam_at_edge_ : bool
        Whether λ lies at an end of ``lams``.
    surface_ : array (n_counts, n_lams)
        Correct held-out rows per node count and λ, at the chosen scale.
    scale_surfaces_ : array (n_scales, n_counts, n_lams)
        The same of every scale; only with ``input_scales``.
    lambdas_by_count_ : list of (n_hidden, lam, correct)
        Best λ of every count at the chosen scale.
    best_estimator_ : ELMClassifier
        The chosen model, fitted on all rows.
    selection_seconds_, fit_seconds_ : float
        Time of the choice and of the one fit after it.
    classes_, n_features_in_ : array (k,), int
        The classes, sorted, and the features seen during fit.

    See Also
    --------
    ELMRegressorCV : the same for targets that are numbers.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from celm import ELMClassifier, ELMClassifierCV
    >>> X, y = load_wine(return_X_y=True)
    >>> elm = ELMClassifier(strategy="covariance")
    >>> search = ELMClassifierCV(elm, n_hidden_grid=(20, 40), input_scales=(0.1, 0.3, 1.0), random_state=0)
    >>> model = make_pipeline(StandardScaler(), search).fit(X, y)
    >>> search.input_scale_ in (0.1, 0.3, 1.0), search.cv_accuracy_ > 0.95
    (True, True)
    """

    machine = ELMClassifier

    def __init__(
        self,
        estimator: ELMClassifier | None = None,
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

    def _base(self) -> ELMClassifier:
        return ELMClassifier() if self.estimator is None else self.estimator

    def _task(self, X: Any, y: Any, sample_weight: Any) -> Task:
        X, y = checked_data(self, X, y, dtype=np.float64, accept_sparse="csr")
        check_classification_targets(y)
        base = self._base()
        weights = with_class_weight(checked_weights(sample_weight, len(y), self.owner), base.class_weight, y)
        self.classes_, codes = encode_labels(y, self.owner)
        return class_task(X, codes, base.target_matrix(codes, len(self.classes_)), weights)

    def _keep_gain(self, gain: float, n_judged: float) -> None:
        self.cv_accuracy_ = gain / n_judged

    def decision_function(self, X: Any) -> Array:
        """Scores of the chosen model, as :meth:`ELMClassifier.decision_function`.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, k) or (N,)
            One score per class; for two classes the margin of the second over the first.
        """
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    @available_if(chooses_probabilities)
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the chosen model; needs an estimator with ``proba=True``.

        Parameters
        ----------
        X : array or CSR matrix (N, n)
            Rows.

        Returns
        -------
        array (N, k)
            Probabilities in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict_proba(X)
