"""Gaps and levels are filled and spread as the fitted rows say, and as scikit-learn's two steps would."""

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from celm.features.column_encoder import ColumnEncoder


def test_equals_imputer_and_one_hot_encoder_fitted_on_the_same_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    X[rng.random((60, 4)) < 0.2] = np.nan
    X[:, 2] = rng.integers(0, 5, 60)
    train, levels = slice(0, 20), [2]
    numbers = SimpleImputer(strategy="median").fit(X[train][:, [0, 1, 3]]).transform(X[:, [0, 1, 3]])
    spread = (
        OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(X[train][:, levels]).transform(X[:, levels])
    )
    expected = np.hstack([numbers[:, :2], spread, numbers[:, 2:]])
    np.testing.assert_array_equal(ColumnEncoder((2,)).fit(X[train]).transform(X), expected)


def test_levels_not_seen_and_gaps_are_zeros_and_empty_columns_become_zero():
    X = np.array([[0.0, np.nan], [1.0, np.nan]])
    new = np.array([[2.0, 5.0], [np.nan, np.nan]])
    np.testing.assert_array_equal(ColumnEncoder((0,)).fit(X).transform(new), [[0, 0, 5], [0, 0, 0]])
