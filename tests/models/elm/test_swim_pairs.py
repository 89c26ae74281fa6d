"""SWIM's pairs: their probabilities, and where the layer maps them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit
from scipy.stats import chisquare

from celm.models.elm import swim_pairs
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies import STRATEGIES
from celm.models.elm.swim_pairs import candidate_pairs, close_differences

CODES = np.array([0, 0, 1, 1, 2])
X = np.random.default_rng(0).normal(size=(5, 3))


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
