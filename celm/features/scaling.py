"""Scalings of plain feature vectors, by the name they have in configs and records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, Normalizer, StandardScaler
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data, ordinary_rows


class SampleStandardizer(TransformerMixin, BaseEstimator):
    """Gives every sample mean 0 and standard deviation 1 over its own features (ddof 1, as MATLAB's zscore).

    A constant sample becomes zero. Nothing is learned: rows do not influence each other.

    Attributes
    ----------
    n_features_in_ : int

    See Also
    --------
    sklearn.preprocessing.StandardScaler : The same for every feature over the samples.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.C.

    Examples
    --------
    >>> from celm import SampleStandardizer
    >>> SampleStandardizer().fit_transform([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0]])
    array([[-1.,  0.,  1.],
           [ 0.,  0.,  0.]])
    """

    def fit(self, X: Any, y: Any = None) -> SampleStandardizer:
        """Only note the number of features.

        Parameters
        ----------
        X : array (N, n)
            Rows.
        y : None
            Not looked at.

        Returns
        -------
        SampleStandardizer
            The transformer itself.
        """
        checked_data(self, X, dtype=np.float64)
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """(x − mean(x)) / std(x) of every row.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, n)
            Rows of mean 0 and standard deviation 1.
        """
        check_is_fitted(self)
        X = ordinary_rows(checked_data(self, X, dtype=np.float64, reset=False))
        X = X - X.mean(axis=1, keepdims=True)  # a new array: that of a table may be read-only
        spread = X.std(axis=1, ddof=1 if X.shape[1] > 1 else 0, keepdims=True)
        spread[spread == 0.0] = 1.0
        X /= spread
        return X


def per_feature() -> TransformerMixin:
    """Every feature to mean 0, variance 1 (§IV): the default of the UCI sets."""
    return StandardScaler()


def per_sample() -> TransformerMixin:
    """Every sample to mean 0, variance 1: the default of MNIST."""
    return SampleStandardizer()


def unit_norm() -> TransformerMixin:
    """Every sample to l2 norm 1."""
    return Normalizer()


def per_feature_unit_norm() -> TransformerMixin:
    """Every feature to mean 0, variance 1, then every sample to l2 norm 1."""
    return make_pipeline(StandardScaler(), Normalizer())


def minmax() -> TransformerMixin:
    """Every feature to [-1, 1]."""
    return MinMaxScaler((-1.0, 1.0))


def _bytes_to_unit(X: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return X / 255.0


def pixels() -> TransformerMixin:
    """Bytes to [0, 1]: x/255."""
    return FunctionTransformer(_bytes_to_unit)


def raw() -> TransformerMixin:
    """The values as they come."""
    return FunctionTransformer()


SCALINGS: dict[str, Callable[[], TransformerMixin]] = {
    "per_feature": per_feature,
    "per_sample": per_sample,
    "unit_norm": unit_norm,
    "per_feature_unit_norm": per_feature_unit_norm,
    "minmax": minmax,
    "pixels": pixels,
    "raw": raw,
}
