"""The linear SVM with its C chosen by folds on one warm-started path."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.grids import check_grid
from celm.base.validation import as_generator, check_folds
from celm.models.baselines.linear_svm import OneVersusAll
from celm.models.baselines.scored import Array, Codes
from celm.models.baselines.svm_columns import correct_by_C
from celm.models.baselines.svm_path import check_penalty

CS = tuple(10.0**exponent for exponent in range(-8, 9))


class LinearSVMCV(OneVersusAll):
    """:class:`LinearSVM` with C chosen by cross-validation on one warm-started path, then fitted on all rows.

    Parameters
    ----------
    Cs : sequence of float
        Ascending candidates; 10⁻⁸ to 10⁸ by default.
    cv : int or array (N,), default=3
        Number of shuffled folds, or the fold number (0, 1, …) of every training row.
    infer_classes, tol, max_iter
        As in :class:`LinearSVM`, for the choice and for the fit.
    random_state : None, int, RandomState or Generator, default=None
        The folds come from it.

    Attributes
    ----------
    C_ : float
        The candidate with most correct held-out rows, the smallest one of equals (strongest penalty).
    cv_accuracy_ : array
        Share of correct held-out rows for every candidate (the mean of the folds' accuracies, weighted by their
        sizes).
    C_at_edge_ : bool
        Whether ``C_`` is the first or last candidate.
    selection_seconds_, fit_seconds_ : float
        Time of the choice and of the one fit after it.
    classes_, n_features_in_, coef_, intercept_, n_iter_
        As in :class:`LinearSVM`.
    converged_ : bool
        The fit and every solve of the path.

    See Also
    --------
    LinearSVM : The SVM at one C.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from celm import LinearSVMCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearSVMCV([1.0, 10.0, 100.0], random_state=0).fit(X, y)
    >>> model.cv_accuracy_.shape
    (3,)
    """

    def __init__(
        self,
        Cs: Sequence[float] = CS,
        *,
        cv: int | npt.ArrayLike = 3,
        infer_classes: str = "all",
        tol: float = 1e-4,
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.Cs = Cs
        self.cv = cv
        self.infer_classes = infer_classes
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_grid(self.Cs, "Cs", "LinearSVMCV", lambda C: check_penalty(C, "Cs", "LinearSVMCV"))
        self._check_shared("LinearSVMCV")

    def choose(self, X: Any, y: Any) -> LinearSVMCV:
        """Only choose C on folds.

        Nothing is fitted on all rows, so it does not predict.

        Parameters
        ----------
        X : array (N, n)
            Training rows.
        y : array (N,)
            Their classes.

        Returns
        -------
        LinearSVMCV
            The estimator itself.
        """
        self._choose(*self._prepared(X, y))
        self._warn_unless_converged("LinearSVMCV", stacklevel=3)
        return self

    def _learn(self, X: Array, codes: Codes) -> None:
        self._choose(X, codes)
        path_converged, started = self.converged_, time.perf_counter()
        self._learn_at(self.C_, X, codes)
        self.fit_seconds_ = time.perf_counter() - started
        self.converged_ = self.converged_ and path_converged
        self._warn_unless_converged("LinearSVMCV")

    def _choose(self, X: Array, codes: Codes) -> None:
        """Set what the path decides."""
        folds = check_folds(self.cv, len(X), as_generator(self.random_state), "LinearSVMCV")
        started = time.perf_counter()
        Cs = [float(C) for C in self.Cs]
        correct, self.converged_ = correct_by_C(
            X,
            codes,
            len(self.classes_),
            folds,
            Cs,
            infer_classes=self.infer_classes,
            tol=self.tol,
            max_iter=self.max_iter,
        )
        best = int(np.argmax(correct))
        self.C_ = Cs[best]
        self.cv_accuracy_ = correct / len(X)
        self.C_at_edge_ = best in (0, len(Cs) - 1)
        self.selection_seconds_ = time.perf_counter() - started
