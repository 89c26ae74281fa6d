"""Directions with the covariance of the rows: their moments, however they are made."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
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


def many_rows(n_rows=6000, features=40):
    """Rows in two heaps, one after the other, far from zero."""
    rng = np.random.default_rng(8)
    heaps = np.where(np.arange(n_rows)[:, None] < n_rows // 3, 3.0, 0.0) * rng.normal(size=features)
    return 7.0 + heaps + rng.exponential(size=(n_rows, features)) * np.linspace(0.2, 3.0, features)


def test_many_rows_have_their_covariance_in_few_that_are_combined():
    """Nodes share rows, so an entry of the covariance errs more than by independent draws: three times at most."""
    rows = many_rows(6000, 4)
    vectors, target = drawn(combined_rows, 300_000, rows), np.cov(rows.T)
    error = 3 * 5 * np.sqrt((target**2 + np.outer(np.diag(target), np.diag(target))) / len(vectors))
    assert (np.abs(np.cov(vectors.T) - target) < error).all()
    assert (np.abs(vectors.mean(axis=0)) < 5 * np.sqrt(np.diag(target) / len(vectors))).all()
    # A mixture of normals by the variance of 128 exponential numbers has an excess of 3 · (6 + 2)/128 = 0.19.
    assert np.abs(kurtosis(vectors)).max() < 0.3


def test_directions_of_many_rows_span_all_features_and_nest():
    rows = many_rows()
    vectors = drawn(combined_rows, 100, rows)
    assert np.linalg.matrix_rank(vectors[:40]) == 40
    assert_allclose(drawn(combined_rows, 37, rows), vectors[:37], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("other", [np.asfortranarray, csr_matrix])
def test_many_rows_of_any_kind_give_the_same_directions(other):
    rows = many_rows()
    codes = np.zeros(len(rows), dtype=np.intp)
    found = combined_rows(other(rows), codes, 50, np.random.default_rng(1), WeightOptions()).vectors
    assert_allclose(found, drawn(combined_rows, 50, rows), rtol=1e-9, atol=1e-9)


def test_a_shift_of_many_rows_changes_nothing():
    rows = many_rows()
    assert_allclose(drawn(combined_rows, 50, rows + 1e5), drawn(combined_rows, 50, rows), rtol=1e-6, atol=1e-8)


def test_rows_up_to_the_largest_of_the_registered_study_are_dealt_out_as_ever():
    rows = many_rows(covariance.MANY_ROWS, 3)
    assert covariance.MANY_ROWS >= 4000
    vectors = drawn(combined_rows, 20, rows)
    assert not np.allclose(vectors, covariance.few_combined_rows(rows, 20, *np.random.default_rng(1).spawn(3)[1:]))
