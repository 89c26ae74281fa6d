"""Directions with the covariance of the rows: their moments, however they are made."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kstest, kurtosis
from sklearn.covariance import LedoitWolf

from celm.models.elm import covariance
from celm.models.elm.covariance import (
    COMBINED_ROWS,
    combined_rows,
    diagonal_directions,
    gaussian_directions,
    shrunk_directions,
)
from celm.models.elm.options import WeightOptions

RNG = np.random.default_rng(0)
MIX = np.array([[2.0, 1.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 0.3]])
X = RNG.exponential(size=(60, 3)) @ MIX + 5.0


def drawn(direction, n=40_000, rows=X, seed=1):
    return direction(rows, np.zeros(len(rows), dtype=np.intp), n, np.random.default_rng(seed), WeightOptions()).vectors


def expected(direction):
    full = np.cov(X.T)
    if direction is diagonal_directions:
        return np.diag(np.diag(full))
    if direction is shrunk_directions:
        return LedoitWolf().fit(X).covariance_ * len(X) / (len(X) - 1)
    return full


@pytest.mark.parametrize("direction", [combined_rows, gaussian_directions, shrunk_directions, diagonal_directions])
def test_the_draws_have_their_covariance_and_no_mean(direction):
    vectors, target = drawn(direction), expected(direction)
    error = 6 * np.sqrt((target**2 + np.outer(np.diag(target), np.diag(target))) / len(vectors))
    assert (np.abs(np.cov(vectors.T) - target) < error).all()
    assert (np.abs(vectors.mean(axis=0)) < 5 * np.sqrt(np.diag(target) / len(vectors))).all()
    for column in vectors.T:
        assert kstest(column / column.std(), "norm").pvalue > 1e-4


def test_groups_of_rows_have_the_covariance_of_all(monkeypatch):
    """More rows than one direction combines: the covariance is exact, whatever the groups; the shape nearly normal."""
    monkeypatch.setattr(covariance, "COMBINED_ROWS", 25)
    vectors, target = drawn(combined_rows, 200_000), np.cov(X.T)
    assert_allclose(np.cov(vectors.T), target, atol=0.02 * np.abs(target).max())
    assert abs(kurtosis(vectors[:, 0])) < 0.6


def test_no_row_stands_out():
    """Of two thousand rows in two groups each direction combines about a thousand."""
    rows = np.eye(2000)
    vectors = drawn(combined_rows, 8, rows)
    assert ((np.abs(vectors) > 1e-2).sum(axis=1) > 400).all()


def test_equal_rows_are_refused():
    for direction in (combined_rows, shrunk_directions, diagonal_directions):
        with pytest.raises(ValueError, match="need rows that differ; all rows are equal"):
            drawn(direction, 5, np.ones((9, 3)))


@pytest.mark.parametrize("order", ["C", "F"])
def test_directions_of_large_data_are_combinations_of_centred_rows_to_the_last_bit(order):
    X = np.array(np.random.default_rng(4).normal(2.0, 1.0, size=(3 * COMBINED_ROWS, 7)), order=order)
    drawn = combined_rows(X, np.zeros(len(X), dtype=np.intp), 9, np.random.default_rng(5), WeightOptions()).vectors
    deal, group, normal = np.random.default_rng(5).spawn(3)
    groups = np.array_split(deal.permutation(len(X)), 3)
    picks = (group.random(9) * 3).astype(int)
    g = normal.standard_normal((9, COMBINED_ROWS)) * np.sqrt(len(X) / (len(X) - 1) / COMBINED_ROWS)
    for pick in range(3):
        expected = g[picks == pick] @ (X[groups[pick]] - X.mean(axis=0))
        assert_array_equal(drawn[picks == pick], expected)
