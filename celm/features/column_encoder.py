"""Gaps filled and levels spread as the training rows say: what a table of one's own needs before it is scaled."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data


class ColumnEncoder(TransformerMixin, BaseEstimator):
    """Numbers with gaps get the median of the fitted rows; codes of levels become one column per level.

    A level that the fitted rows do not have, and a gap among levels, are zeros in all columns of their feature. A
    number that is missing in every fitted row becomes zero.

    Parameters
    ----------
    nominal : tuple of int
        Columns, counted from 0, that hold codes of levels.

    Attributes
    ----------
    medians_ : ndarray (n,)
        The median of every column over the fitted rows; unused for nominal ones.
    levels_ : dict of int to ndarray
        The codes that the fitted rows have in each nominal column.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [np.nan, 1.0], [3.0, 2.0]])
    >>> ColumnEncoder(nominal=(1,)).fit(X[:2]).transform(X)
    array([[1., 1., 0.],
           [1., 0., 1.],
           [3., 0., 0.]])

    See Also
    --------
    sklearn.preprocessing.OneHotEncoder, sklearn.impute.SimpleImputer : the same, one step each.
    """

    def __init__(self, nominal: tuple[int, ...] = ()) -> None:
        self.nominal = nominal

    def fit(self, X: Any, y: Any = None) -> ColumnEncoder:
        """Note medians and levels of the rows of X (N × n)."""
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        self.medians_ = np.zeros(X.shape[1])
        known = ~np.isnan(X).all(axis=0)
        self.medians_[known] = np.nanmedian(X[:, known], axis=0)
        self.levels_ = {column: np.unique(X[~np.isnan(X[:, column]), column]) for column in self.nominal}
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """X with its numbers whole and its levels spread, the columns in their order."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False, ensure_all_finite="allow-nan")
        whole = np.where(np.isnan(X), self.medians_, X)
        parts = [
            X[:, [column]] == self.levels_[column] if column in self.levels_ else whole[:, [column]]
            for column in range(X.shape[1])
        ]
        return np.hstack(parts).astype(np.float64)
