"""The linear SVM baseline: one-vs-all squared hinge with a free intercept, and the choice of its C by folds."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.base.validation import (
    as_generator,
    check_choice,
    check_folds,
    check_integer,
    check_number,
    encode_labels,
    signed_targets,
)
from celm.models.baselines.svm_path import svm_path

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

CS = tuple(10.0**exponent for exponent in range(-8, 9))
INFER_CLASSES = ("all", "max_label")


def class_targets(codes: Codes, n_classes: int, infer_classes: str = "all") -> Array:
    """Targets ±1 of the one-vs-all columns (m × N).

    "all": one column per class; of two classes only the second, as the other one is its negative. "max_label":
    the codes 0..k-1 are taken for labels that start at 1, so code 0 gets no column.
    """
    first = 1 if infer_classes == "max_label" or n_classes == 2 else 0
    return np.ascontiguousarray(signed_targets(codes, n_classes)[:, first:].T)


def predicted_codes(scores: Array, infer_classes: str = "all") -> Codes:
    """The codes (N) that the scores (N × m) of the columns of ``class_targets`` stand for."""
    if infer_classes == "max_label":
        return np.asarray(1 + scores.argmax(axis=1))
    if scores.shape[1] == 1:
        return (scores[:, 0] > 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))


def correct_by_C(
    X: Array,
    codes: Codes,
    n_classes: int,
    folds: Codes,
    Cs: Sequence[float],
    *,
    infer_classes: str = "all",
    tol: float = 1e-4,
    max_iter: int = 200,
) -> tuple[npt.NDArray[np.intp], bool]:
    """How many rows each C classifies correctly while they are held out, and whether every solve converged.

    All folds and classes are columns of one path; each row is judged by the columns that have not seen it.
    """
    targets = class_targets(codes, n_classes, infer_classes)
    n_folds, rows = int(folds.max()) + 1, np.arange(len(X))
    fold_targets = np.concatenate([targets * (folds != fold) for fold in range(n_folds)])
    correct, converged = [], True
    for solution in svm_path(X, fold_targets, Cs, tol=tol, max_iter=max_iter):
        held_out = solution.scores.reshape(n_folds, len(targets), len(X))[folds, :, rows]
        correct.append(np.count_nonzero(predicted_codes(held_out, infer_classes) == codes))
        converged = converged and bool(solution.converged.all())
    return np.array(correct, dtype=np.intp), converged


class _OneVersusAll(ClassifierMixin, BaseEstimator):
    """What the two classifiers share: parameter checks, the fit at one C, scores and predictions."""

    infer_classes: str
    tol: float
    max_iter: int

    def _check_shared(self, owner: str) -> None:
        check_choice(self.infer_classes, "infer_classes", INFER_CLASSES, owner)
        check_number(self.tol, "tol", owner, 0.0, 1.0, above=True)
        check_integer(self.max_iter, "max_iter", owner, 1)

    def _validated(self, X: Any, y: Any, owner: str) -> tuple[Array, Codes]:
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = encode_labels(y, owner)
        return X, codes

    def _learn(self, X: Array, codes: Codes, C: float) -> None:
        targets = class_targets(codes, len(self.classes_), self.infer_classes)
        solution = next(svm_path(X, targets, [C], tol=self.tol, max_iter=self.max_iter))
        self.coef_, self.intercept_ = solution.coef, solution.intercept
        self.n_iter_ = int(solution.n_iter.max())
        self.converged_ = bool(solution.converged.all())

    def _warn_unless_converged(self, owner: str) -> None:
        if not self.converged_:
            message = f"{owner}: not converged to tol={self.tol:g} after max_iter={self.max_iter} Newton steps."
            warnings.warn(message, ConvergenceWarning, stacklevel=3)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self, "coef_")
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_.T + self.intercept_)

    def decision_function(self, X: Any) -> Array:
        """The scores x·w + b of X (N × n): N × m, or N when there is one column (two classes)."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score; of two classes the second where its score is positive."""
        codes = predicted_codes(self._scores(X), self.infer_classes)
        return np.asarray(self.classes_[codes])


class LinearSVM(_OneVersusAll):
    """One-vs-all linear SVM with squared hinge, solved to the optimum by Newton's method.

    Each class minimises ½‖w‖² + C·mean_i max(0, 1 − y_i(x_i·w + b))² with b not penalised: the SVM that Coates
    and Ng put on their features, and the baseline of the paper's tables. scikit-learn's LinearSVC states the
    same loss as a sum, so its C is this one divided by N, and penalises b.

    Parameters
    ----------
    C : weight of the mean loss; larger means weaker regularisation.
    infer_classes : "all", or "max_label" for the reading that explains the published accuracy of 0.628 on
        WDBC. Code that takes the number of classes from max(label) is right for labels 1..k; with labels coded
        from 0 the lowest class gets no column and is never answered. Of two classes one column is left, whose
        argmax is always the second class, so the accuracy is that class's share: 357 benign rows of 569. This
        reading takes the position of a label among the sorted labels, 0..k-1, for the label itself.
    tol : the gradient in w ends below tol·‖w‖, the objective within about tol² of the optimum.
    max_iter : most Newton steps.

    Attributes
    ----------
    classes_ ; coef_ (m × n), intercept_ (m) with m the number of classes, 1 for two classes ; n_iter_ : most
    Newton steps of any column at C ; converged_.
    """

    def __init__(self, C: float = 1.0, *, infer_classes: str = "all", tol: float = 1e-4, max_iter: int = 200) -> None:
        self.C = C
        self.infer_classes = infer_classes
        self.tol = tol
        self.max_iter = max_iter

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_number(self.C, "C", "LinearSVM", 0.0, above=True)
        self._check_shared("LinearSVM")

    def fit(self, X: Any, y: Any) -> LinearSVM:
        """Learn from X (N × n) and the labels y (N)."""
        self.check_parameters()
        X, codes = self._validated(X, y, "LinearSVM")
        self._learn(X, codes, self.C)
        self._warn_unless_converged("LinearSVM")
        return self


class LinearSVMCV(_OneVersusAll):
    """:class:`LinearSVM` with C chosen by cross-validation on one warm-started path, then fitted on all rows.

    Parameters
    ----------
    Cs : ascending candidates.
    cv : number of shuffled folds, or the fold number (0, 1, …) of every training row.
    infer_classes, tol, max_iter : as in :class:`LinearSVM`, for the choice and for the fit.
    random_state : None, an integer or a numpy generator; the folds come from it.

    Attributes
    ----------
    C_ : the candidate with most correct held-out rows, the smallest one of equals (strongest penalty) ;
    cv_accuracy_ : share of correct held-out rows for every candidate (the mean of the folds' accuracies, weighted
    by their sizes) ; C_at_edge_ : whether C_ is the first or last candidate ; selection_seconds_, fit_seconds_ :
    time of the choice and of the one fit after it ; classes_, coef_, intercept_, n_iter_ as in LinearSVM ;
    converged_ : the fit and every solve of the path.
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
        for C in self.Cs:
            check_number(C, "Cs", "LinearSVMCV", 0.0, above=True)
        if not len(self.Cs) or list(self.Cs) != sorted(set(self.Cs)):
            raise ValueError(f"LinearSVMCV: Cs must be at least one number, ascending; got {list(self.Cs)}.")
        self._check_shared("LinearSVMCV")

    def choose(self, X: Any, y: Any) -> LinearSVMCV:
        """Only choose C on folds of X (N × n), y (N): nothing is fitted on all rows, so it does not predict."""
        self._choose(X, y)
        self._warn_unless_converged("LinearSVMCV")
        return self

    def fit(self, X: Any, y: Any) -> LinearSVMCV:
        """Choose C on folds of X (N × n), y (N), then fit on all rows."""
        X, codes = self._choose(X, y)
        path_converged, started = self.converged_, time.perf_counter()
        self._learn(X, codes, self.C_)
        self.fit_seconds_ = time.perf_counter() - started
        self.converged_ = self.converged_ and path_converged
        self._warn_unless_converged("LinearSVMCV")
        return self

    def _choose(self, X: Any, y: Any) -> tuple[Array, Codes]:
        """Set what the path decides; returns the checked rows and their codes."""
        self.check_parameters()
        X, codes = self._validated(X, y, "LinearSVMCV")
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
        return X, codes
