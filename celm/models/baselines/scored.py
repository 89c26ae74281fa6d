"""Classifiers that answer by their scores: what all baselines do alike before they learn, and after."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from celm.base.magnitude import checked_data
from celm.base.validation import encode_labels

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]

Scored = TypeVar("Scored", bound="ScoredClassifier")


def margins(scores: Array) -> Array:
    """Scores (N × k) as they are; of two classes the margin of the second (N), from its one column or from two."""
    if scores.shape[1] == 1:
        return scores[:, 0]
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def winners(scores: Array) -> Codes:
    """The codes (N) of the largest scores; of two classes the second where its margin is positive."""
    values = margins(scores)
    return (values > 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)


class ScoredClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A classifier whose largest score wins; a subclass says how it learns and scores."""

    classes_: npt.NDArray[Any]

    @abstractmethod
    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""

    @abstractmethod
    def _learn(self, X: Array, codes: Codes) -> None:
        """Learn from checked rows (N × n) and the codes of their classes (N)."""

    @abstractmethod
    def _scores(self, X: Any) -> Array:
        """Scores (N × k, or N × 1 for two classes) of rows that are still to be checked."""

    def fit(self: Scored, X: Any, y: Any) -> Scored:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array (N, n)
            Training rows.
        y : array (N,)
            Their classes.

        Returns
        -------
        estimator
            The estimator itself.
        """
        self._learn(*self._prepared(X, y))
        return self

    def _prepared(self, X: Any, y: Any) -> tuple[Array, Codes]:
        """Checked rows and the codes of their classes, which are noted."""
        self.check_parameters()
        X, y = checked_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = encode_labels(y, type(self).__name__)
        return X, codes

    def decision_function(self, X: Any) -> Array:
        """Scores, as scikit-learn expects them.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, k) or (N,)
            One score per class; for two classes the margin of the second over the first.
        """
        return self._margins(self._scores(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N,)
            Classes.
        """
        predicted = self._winners(self._scores(X))
        return self.classes_[predicted]

    def _margins(self, scores: Array) -> Array:
        """Scores as scikit-learn expects them."""
        return margins(scores)

    def _winners(self, scores: Array) -> Codes:
        """The codes (N) that scores speak for."""
        return winners(scores)
