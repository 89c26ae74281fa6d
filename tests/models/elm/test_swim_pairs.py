"""SWIM's pairs: their probabilities, and where the layer maps them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from scipy.stats import chisquare
from sklearn.base import clone

from celm.models.elm import swim_pairs
from celm.models.elm.options import WeightOptions
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.strategies import STRATEGIES
from celm.models.elm.swim_pairs import all_pairs, candidate_pairs, close_differences, steep_differences

CODES = np.array([0, 0, 1, 1, 2])
X = np.random.default_rng(0).normal(size=(5, 3))
TARGETS = np.array([[0.0, 1.0], [0.5, 1.0], [0.0, 9.0], [4.0, 2.0], [4.0, 2.0]])


def pairs_of(vectors, rows=X):
    """The unordered pair of rows behind each difference, as a number i·N + j with i < j."""
    gaps = np.abs(np.abs(rows[:, None] - rows[None, :])[None] - np.abs(vectors)[:, None, None]).max(axis=-1)
    i, j = np.unravel_index(gaps.reshape(len(vectors), -1).argmin(axis=1), (len(rows), len(rows)))
    return np.minimum(i, j) * len(rows) + np.maximum(i, j)


def test_a_pair_is_drawn_with_the_inverse_of_its_distance():
    drawn = close_differences(X, CODES, 20_000, np.random.default_rng(1), WeightOptions())
    i, j = np.nonzero(np.triu(CODES[:, None] != CODES[None, :]))
    weights = 1 / np.linalg.norm(X[i] - X[j], axis=1)
    counts = np.bincount(pairs_of(drawn.vectors), minlength=25)
    assert counts.sum() == counts[i * 5 + j].sum()
    assert chisquare(counts[i * 5 + j], 20_000 * weights / weights.sum()).pvalue > 1e-4


@pytest.mark.parametrize("orientation", ["lower_positive", "random"])
def test_the_layer_maps_a_pair_to_a_quarter_and_three_quarters(orientation):
    options = WeightOptions(orientation=orientation)
    W, b = STRATEGIES["swim"](X, CODES, 30, np.random.default_rng(1), options)
    H = expit(X @ W + b)
    for value in (0.25, 0.75):
        assert_allclose(np.abs(H - value).min(axis=0), 0.0, atol=1e-9)


def test_many_pairs_are_sampled_and_few_are_listed(monkeypatch):
    monkeypatch.setattr(swim_pairs, "CANDIDATES", 7)
    first, second = candidate_pairs(CODES, np.random.default_rng(0))
    assert len(first) == 7
    assert (CODES[first] != CODES[second]).all()
    monkeypatch.setattr(swim_pairs, "CANDIDATES", 8)
    first, second = candidate_pairs(CODES, np.random.default_rng(0))
    assert len({frozenset(pair) for pair in zip(first.tolist(), second.tolist(), strict=True)}) == 8


def test_equal_rows_are_never_paired():
    rows = np.array([[0.0], [0.0], [0.0], [1.0], [0.0]])
    vectors = close_differences(rows, CODES, 200, np.random.default_rng(0), WeightOptions()).vectors
    assert_allclose(np.abs(vectors), 1.0)
    with pytest.raises(ValueError, match="all candidates are equal"):
        close_differences(np.ones((5, 2)), CODES, 3, np.random.default_rng(0), WeightOptions())
    with pytest.raises(ValueError, match="at least two classes"):
        close_differences(X, np.zeros(5, dtype=np.intp), 3, np.random.default_rng(0), WeightOptions())


@pytest.mark.parametrize("T", [TARGETS[:, :1], TARGETS])
@pytest.mark.parametrize("size", [1.0, 1e307])
def test_in_regression_a_pair_is_drawn_with_its_slope(T, size):
    """The largest |Δt| of the targets over ‖Δx‖; two rows with equal targets never meet."""
    drawn = steep_differences(X, size * T, 20_000, np.random.default_rng(1), WeightOptions())
    i, j = np.triu_indices(5, k=1)
    slopes = np.abs(T[i] - T[j]).max(axis=1) / np.linalg.norm(X[i] - X[j], axis=1)
    counts = np.bincount(pairs_of(drawn.vectors), minlength=25)[i * 5 + j]
    assert counts.sum() == 20_000
    assert not counts[slopes == 0].any()
    assert (slopes == 0).any()
    met = slopes > 0
    assert chisquare(counts[met], 20_000 * slopes[met] / slopes.sum()).pvalue > 1e-4
    assert_allclose(np.abs(drawn.midpoints * 2 - drawn.vectors), np.abs(2 * X[rows_behind(drawn)]), atol=1e-12)


def rows_behind(drawn):
    """The row that each difference starts from."""
    starts = drawn.midpoints - drawn.vectors / 2
    return np.linalg.norm(starts[:, None] - X[None], axis=2).argmin(axis=1)


@pytest.mark.parametrize("orientation", ["lower_positive", "random"])
def test_the_lower_target_is_mapped_up_as_the_lower_label_is(orientation):
    options = WeightOptions(orientation=orientation)
    drawn = steep_differences(X, TARGETS[:, :1], 200, np.random.default_rng(1), options)
    starts = rows_behind(drawn)
    ends = np.linalg.norm((drawn.midpoints + drawn.vectors / 2)[:, None] - X[None], axis=2).argmin(axis=1)
    lower = TARGETS[ends, 0] < TARGETS[starts, 0]
    assert lower.all() if orientation == "lower_positive" else 0.3 < lower.mean() < 0.7


def test_many_pairs_of_any_rows_are_sampled_and_few_are_listed(monkeypatch):
    monkeypatch.setattr(swim_pairs, "CANDIDATES", 9)
    first, second = all_pairs(5, np.random.default_rng(0))
    assert len(first) == 9
    assert (first != second).all()
    monkeypatch.setattr(swim_pairs, "CANDIDATES", 10)
    pairs = zip(*all_pairs(5, np.random.default_rng(0)), strict=True)
    assert len({frozenset(map(int, pair)) for pair in pairs}) == 10


@pytest.mark.parametrize("T", [np.ones((5, 1)), np.ones((1, 1))])
def test_targets_that_are_all_equal_have_no_pair(T):
    with pytest.raises(ValueError, match="all candidates are equal"):
        steep_differences(X[: len(T)], T, 3, np.random.default_rng(0), WeightOptions())


@pytest.mark.parametrize("y", [TARGETS[:, 0], TARGETS])
def test_regressors_draw_by_their_targets_not_by_quantiles(y):
    """Of a fit, of its first block and of a choice by folds; other strategies still get quantiles."""
    model = ELMRegressor(6, strategy="swim", lam=1.0, random_state=3)
    W, b = STRATEGIES["swim"](X, y.reshape(5, -1), 6, np.random.default_rng(3), WeightOptions())
    for fitted in (clone(model).fit(X, y), clone(model).partial_fit(X, y)):
        assert_allclose(fitted.W_, W)
        assert_allclose(fitted.b_, b)
    search = ELMRegressorCV(model, n_hidden_grid=[6], lams=[1.0], cv=np.arange(5) % 2, random_state=3).fit(X, y)
    seed = search.estimator_at(6, 1.0).random_state
    W = STRATEGIES["swim"](X, y.reshape(5, -1), 6, np.random.default_rng(seed), WeightOptions())[0]
    assert_allclose(search.best_estimator_.W_, W)
    H = expit(X @ W + search.best_estimator_.b_)
    T = y.reshape(5, -1) - y.mean(axis=0)
    error = 0.0
    for fold in (0, 1):
        rest, held = np.arange(5) % 2 != fold, np.arange(5) % 2 == fold
        beta = np.linalg.solve(np.eye(6) + H[rest].T @ H[rest], H[rest].T @ T[rest])
        error += ((H[held] @ beta - T[held]) ** 2).sum()
    assert_allclose(search.cv_error_, error / T.size)
