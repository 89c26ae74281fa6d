"""The linear SVM baseline: one-vs-all squared hinge with a free intercept."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.validation import check_choice, check_integer, check_number
from celm.models.baselines.scored import Array, Codes, ScoredClassifier
from celm.models.baselines.svm_columns import class_targets, predicted_codes
from celm.models.baselines.svm_path import check_penalty, svm_path

INFER_CLASSES = ("all", "max_label")


class OneVersusAll(ScoredClassifier):
    """What the two classifiers share: parameter checks, the fit at one C, scores and predictions."""

    infer_classes: str
    tol: float
    max_iter: int

    def _check_shared(self, owner: str) -> None:
        check_choice(self.infer_classes, "infer_classes", INFER_CLASSES, owner)
        check_number(self.tol, "tol", owner, 0.0, 1.0, above=True)
        check_integer(self.max_iter, "max_iter", owner, 1)

    def _learn_at(self, C: float, X: Array, codes: Codes) -> None:
        targets = class_targets(codes, len(self.classes_), self.infer_classes)
        solution = next(svm_path(X, targets, [C], tol=self.tol, max_iter=self.max_iter))
        self.coef_, self.intercept_ = solution.coef, solution.intercept
        self.n_iter_ = int(solution.n_iter.max())
        self.converged_ = bool(solution.converged.all())

    def _warn_unless_converged(self, owner: str, stacklevel: int = 4) -> None:
        if not self.converged_:
            message = f"{owner}: not converged to tol={self.tol:g} after max_iter={self.max_iter} Newton steps."
            warnings.warn(message, ConvergenceWarning, stacklevel=stacklevel)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self, "coef_")
        X = checked_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_.T + self.intercept_)

    def _margins(self, scores: Array) -> Array:
        """Columns as they are, also where max_label leaves two of three classes."""
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _winners(self, scores: Array) -> Codes:
        return predicted_codes(scores, self.infer_classes)


class LinearSVM(OneVersusAll):
    """One-vs-all linear SVM with squared hinge, solved to the optimum by Newton's method.

    Each class minimises ½‖w‖² + C·mean_i max(0, 1 − y_i(x_i·w + b))² with b not penalised: the SVM that Coates
    and Ng put on their features, and the baseline of the paper's tables. scikit-learn's LinearSVC states the
    same loss as a sum, so its C is this one divided by N, and penalises b.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the mean loss; larger means weaker regularisation.
    infer_classes : {"all", "max_label"}, default="all"
        "max_label" is the reading that explains the published accuracy of 0.628 on WDBC. Code that takes the number
        of classes from max(label) is right for labels 1..k; with labels coded from 0 the lowest class gets no column
        and is never answered. Of two classes one column is left, whose argmax is always the second class, so the
        accuracy is that class's share: 357 benign rows of 569. This reading takes the position of a label among the
        sorted labels, 0..k-1, for the label itself.
    tol : float, default=1e-4
        The gradient in w ends below tol·‖w‖, the objective within about tol² of the optimum.
    max_iter : int, default=200
        Most Newton steps.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    coef_ : array (m, n)
        m is the number of classes, 1 for two classes.
    intercept_ : array (m,)
    n_iter_ : int
        Most Newton steps of any column at C.
    converged_ : bool

    See Also
    --------
    LinearSVMCV : The same with C chosen by cross-validation.
    R2SVMClassifier : Layers of such SVMs.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from celm import LinearSVM
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVM(C=100.0).fit(X, y)
    >>> model.coef_.shape, model.converged_
    ((3, 4), True)
    """

    def __init__(self, C: float = 1.0, *, infer_classes: str = "all", tol: float = 1e-4, max_iter: int = 200) -> None:
        self.C = C
        self.infer_classes = infer_classes
        self.tol = tol
        self.max_iter = max_iter

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_penalty(self.C, "C", "LinearSVM")
        self._check_shared("LinearSVM")

    def _learn(self, X: Array, codes: Codes) -> None:
        self._learn_at(self.C, X, codes)
        self._warn_unless_converged("LinearSVM")
