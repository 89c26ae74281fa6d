"""The plumbing of transformers that act on the last axis, so that one class serves rows and maps of patches."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

FloatArray = npt.NDArray[Any]


def _is_map(X: object) -> TypeGuard[FloatArray]:
    return isinstance(X, np.ndarray) and X.ndim > 2


class RowTransformer(TransformerMixin, BaseEstimator, ABC):
    """A transformer of vectors: X is n × d, or any array whose last axis has length d.

    A subclass gives ``_check_parameters``, ``_learn(rows)`` and ``_apply(rows)``, all on n × d rows in single
    or double precision; the leading axes of X come back unchanged.
    """

    def fit(self, X: npt.ArrayLike, y: object = None) -> Any:
        """Check the parameters and learn from the rows of X."""
        self._check_parameters()
        self._learn(self._rows(X, reset=True))
        return self

    def transform(self, X: npt.ArrayLike) -> FloatArray:
        """Apply what was learned to every row of X."""
        check_is_fitted(self)
        self._check_parameters()
        rows = self._apply(self._rows(X, reset=False))
        return rows.reshape(*X.shape[:-1], -1) if _is_map(X) else rows

    def _rows(self, X: npt.ArrayLike, *, reset: bool) -> FloatArray:
        if _is_map(X):
            X = X.reshape(-1, X.shape[-1])
        rows: FloatArray = validate_data(self, X, dtype=[np.float64, np.float32], reset=reset)
        return rows

    def _check_parameters(self) -> None:
        """Parameters out of range raise here."""

    def _learn(self, rows: FloatArray) -> None:
        """Nothing to learn unless a subclass says so."""

    @abstractmethod
    def _apply(self, rows: FloatArray) -> FloatArray:
        """What becomes of the rows."""
