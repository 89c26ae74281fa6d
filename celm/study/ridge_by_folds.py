"""Ridge regression on ±1 targets with an intercept, its penalty chosen by folds: all candidates share one pass.

The rows are needed only for sums per fold, X'X, X'T and the means; training without a fold is a difference of sums. One
eigen-decomposition of a centred Gram matrix serves every penalty.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.validation import check_folds, check_number, signed_targets
from celm.models.baselines.scored import Array, Codes, ScoredClassifier, winners


class _Sums(NamedTuple):
    """Of some rows: how many, Σx, Σt, XᵀX and XᵀT."""

    n: float
    x: Array
    t: Array
    gram: Array
    moment: Array

    @classmethod
    def of(cls, X: Array, T: Array) -> _Sums:
        return cls(float(len(X)), X.sum(axis=0), T.sum(axis=0), X.T @ X, X.T @ T)

    def without(self, other: _Sums) -> _Sums:
        """The sums of the rows that the other has not."""
        return self.plus(_Sums(-other.n, -other.x, -other.t, -other.gram, -other.moment))

    def plus(self, other: _Sums) -> _Sums:
        """The sums of the rows of both."""
        gram, moment = self.gram + other.gram, self.moment + other.moment
        return _Sums(self.n + other.n, self.x + other.x, self.t + other.t, gram, moment)

    def path(self) -> _Path:
        """The centred system on its eigenvectors."""
        x, t = self.x / self.n, self.t / self.n
        d, V = np.linalg.eigh(self.gram - self.n * np.outer(x, x))
        return _Path(x, t, d.clip(min=0.0), V, V.T @ (self.moment - self.n * np.outer(x, t)))


class _Path(NamedTuple):
    """Means of rows and targets, eigenvalues and -vectors of the centred Gram matrix, and its moment on them."""

    x: Array
    t: Array
    d: Array
    V: Array
    loadings: Array

    def at(self, alpha: float) -> tuple[Array, Array]:
        """Coefficients (n × k) and intercepts (k) of one penalty."""
        coef = self.V @ (self.loadings / (self.d + alpha)[:, None])
        return coef, self.t - self.x @ coef


class RidgeByFolds(ScoredClassifier):
    """What scikit-learn's RidgeClassifierCV with given folds computes, in one pass for all penalties.

    Parameters
    ----------
    alphas : sequence of float
        Penalties to choose from; among equals the first one is taken.
    cv : int or array (N,), default=3
        Number of folds, or the fold of every training row; each is held out once, and their accuracies are averaged.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    alpha_ : float
        The penalty that was chosen.
    best_score_ : float
        Its mean accuracy over the folds.
    coef_ : array (n, k)
        Coefficients, from all rows.
    intercept_ : array (k,)

    See Also
    --------
    sklearn.linear_model.RidgeClassifierCV : The same, candidate by candidate.

    References
    ----------
    A. Hoerl, R. Kennard, "Ridge Regression", Technometrics 12, 1970.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from celm.study.ridge_by_folds import RidgeByFolds
    >>> X, y = load_iris(return_X_y=True)
    >>> RidgeByFolds([0.1, 10.0], np.arange(len(X)) % 3).fit(X, y).alpha_
    0.1
    """

    def __init__(self, alphas: Sequence[float], cv: Any = 3) -> None:
        self.alphas = alphas
        self.cv = cv

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        for alpha in self.alphas:
            check_number(alpha, "alphas", "RidgeByFolds", 0.0, above=True)

    def _learn(self, X: Array, codes: Codes) -> None:
        folds = check_folds(self.cv, len(X), np.random.default_rng(0), "RidgeByFolds")
        T = signed_targets(codes, len(self.classes_))
        shift = X.mean(axis=0)  # so that sums are not large beside what is left of them when means are taken off
        X = X - shift
        parts = [np.flatnonzero(folds == fold) for fold in np.unique(folds)]
        sums = [_Sums.of(X[rows], T[rows]) for rows in parts]
        whole = reduce(_Sums.plus, sums)
        held_out = [
            self._accuracies(whole.without(one).path(), X[rows], codes[rows])
            for one, rows in zip(sums, parts, strict=True)
        ]
        means = np.mean(held_out, axis=0)
        best = int(means.argmax())
        self.alpha_, self.best_score_ = float(self.alphas[best]), float(means[best])
        self.coef_, intercept = whole.path().at(self.alpha_)
        self.intercept_ = intercept - shift @ self.coef_

    def _accuracies(self, path: _Path, X: Array, codes: Codes) -> list[float]:
        """The accuracy of every penalty on held-out rows."""
        at = [path.at(alpha) for alpha in self.alphas]
        return [float(np.mean(winners(X @ coef + intercept) == codes)) for coef, intercept in at]

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        X = checked_data(self, X, dtype=np.float64, reset=False)
        scores: Array = X @ self.coef_ + self.intercept_
        return scores
