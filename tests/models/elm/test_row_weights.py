"""Weights of rows and classes: the readout of repeated rows, given the same layer; labels that are none; blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from celm import ELMClassifier, ELMRegressor
from celm.linalg import solve

RNG = np.random.default_rng(0)
CODES = np.arange(60) % 3
X = RNG.normal(size=(60, 4)) + CODES[:, None]
TIMES = RNG.integers(0, 4, 60)
REPEATED = np.repeat(np.arange(60), TIMES)


def layer_of(fitted):
    """A strategy that draws the layer of a fitted model whatever the rows."""
    return lambda X, codes, n_hidden, rng, options: (fitted.W_, fitted.b_)


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize("lam", [None, 30.0])
@pytest.mark.parametrize(("model", "y"), [(ELMClassifier, CODES), (ELMRegressor, X[:, :2] ** 2)])
def test_weights_are_repetitions(monkeypatch, model, y, lam, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    weighted = model(10, strategy="cdelm", lam=lam, precision="double", random_state=0).fit(X, y, TIMES)
    repeated = model(10, strategy=layer_of(weighted), lam=lam, precision="double").fit(X[REPEATED], y[REPEATED])
    assert_allclose(weighted.beta_, repeated.beta_, rtol=1e-6, atol=1e-8)
    assert_allclose(weighted.scores(X), repeated.scores(X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(("model", "y"), [(ELMClassifier, CODES), (ELMRegressor, X[:, 0] ** 2)])
def test_blocks_have_weights_too(model, y):
    whole = model(10, strategy="elm", lam=30.0, random_state=0).fit(X, y, TIMES)
    parts = model(10, strategy="elm", lam=30.0, random_state=0)
    for rows in (slice(0, 20), slice(20, 60)):
        parts.partial_fit(X[rows], y[rows], sample_weight=TIMES[rows])
    assert_allclose(parts.beta_, whole.beta_, rtol=1e-7, atol=1e-9)
    streamed = model(10, strategy="elm", lam=30.0, random_state=0)
    streamed.fit_blocks((X[rows], y[rows], TIMES[rows]) for rows in (slice(0, 20), slice(20, 60)))
    assert_allclose(streamed.beta_, parts.beta_)


def test_class_weights_are_weights_of_their_rows():
    y = np.array(["a", "b"])[(np.arange(60) % 4 == 0).astype(int)]
    balanced = ELMClassifier(10, lam=10.0, class_weight="balanced", random_state=0).fit(X, y)
    by_hand = ELMClassifier(10, lam=10.0, random_state=0).fit(X, y, np.where(y == "b", 2.0, 2.0 / 3.0))
    assert_allclose(balanced.beta_, by_hand.beta_)
    given = ELMClassifier(10, lam=10.0, class_weight={"a": 1.0, "b": 3.0}, random_state=0)
    tripled = ELMClassifier(10, lam=10.0, random_state=0).fit(X, y, TIMES * np.where(y == "b", 3.0, 1.0))
    assert_allclose(given.fit(X, y, TIMES).beta_, tripled.beta_)
    assert clone(given).partial_fit(X, y).score(X, y) > 0.5


def test_equal_weights_change_nothing_without_a_penalty():
    plain, weighted = (ELMClassifier(8, random_state=0).fit(X, CODES, w) for w in (None, np.full(60, 7.0)))
    assert_allclose(weighted.scores(X), plain.scores(X), rtol=1e-8)
    assert_array_equal(weighted.W_, plain.W_)


@pytest.mark.parametrize("weights", [np.ones(59), -np.ones(60), np.zeros(60), np.ones((60, 1)), np.full(60, np.nan)])
def test_wrong_weights_are_named(weights):
    with pytest.raises(
        ValueError, match=r"ELMClassifier: sample_weight must hold one number from 0 to .* for each of the 60 rows"
    ):
        ELMClassifier(5).fit(X, CODES, weights)


def test_wrong_class_weights_are_named():
    with pytest.raises(ValueError, match=r'class_weight must be None, "balanced" or a dict .* got 3'):
        ELMClassifier(5, class_weight=3).fit(X, CODES)
    for weight in (-1.0, np.nan, np.inf, 1e308, "2", None):
        with pytest.raises(
            ValueError, match=r"ELMClassifier: class_weight of 1 must be a number of at least 0 and .*; got "
        ):
            ELMClassifier(5, class_weight={0: 1.0, 1: weight, 2: 1.0}).fit(X, CODES)
    with pytest.raises(ValueError, match="class_weight must leave a weight above 0 to some row"):
        ELMClassifier(5, class_weight={0: 0, 1: 0.0, 2: 0}).fit(X, CODES)
    with pytest.raises(ValueError, match='class_weight="balanced" needs all rows at once; give a dict'):
        ELMClassifier(5, class_weight="balanced", lam=1.0).partial_fit(X, CODES)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([0, None, 1], "every row needs a label; y holds None"),
        (["a", 1, "b"], "labels must be all numbers or all strings; y holds int and str"),
        (["a", None, "b"], "every row needs a label; y holds None"),
    ],
)
@pytest.mark.parametrize("form", [list, tuple, lambda labels: np.array(labels, dtype=object)])
def test_labels_that_are_none_or_mixed_are_named(labels, words, form):
    with pytest.raises(ValueError, match=f"ELMClassifier: {words}"):
        ELMClassifier(5).fit(X, form(labels * 20))


DEFICIENT = {
    "every row four times": np.repeat(RNG.normal(size=(30, 3)), 4, axis=0),
    "fewer rows than nodes": RNG.normal(size=(20, 3)),
    "nodes that are nearly linear": 1e-6 * RNG.normal(size=(120, 3)),
}


@pytest.mark.parametrize("lam", [1e2, 1e6, 1e16, 1e20])
@pytest.mark.parametrize("rows", DEFICIENT.values(), ids=DEFICIENT)
@pytest.mark.parametrize("model", [ELMClassifier, ELMRegressor])
def test_blocks_equal_one_fit_where_the_rank_is_deficient(model, rows, lam):
    """On rows unseen too: a ridge that drowns in rounding is solved the same way from blocks and from all rows.

    Up to the last digits of hidden outputs, of which the quickest sigmoid has two or three at stake.
    """
    y, unseen = np.arange(len(rows)) % 3, rows[::-1] * RNG.normal(size=rows.shape)
    whole = model(60, strategy="elm", lam=lam, random_state=0).fit(rows, y)
    parts = model(60, strategy="elm", lam=lam, random_state=0)
    parts.fit_blocks((rows[part], y[part]) for part in np.array_split(np.arange(len(rows)), 3))
    size = np.abs(whole.beta_).max()
    assert_allclose(parts.scores(rows), whole.scores(rows), atol=3e-8 * size + 1e-7)
    assert_allclose(parts.scores(unseen), whole.scores(unseen), atol=1e-7 * size + 1e-6)
    assert size < 1e6
