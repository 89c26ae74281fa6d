"""Numbers of any finite size: ordinary ones keep every bit, others give the layer of the same rows near 1."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from celm.base import magnitude
from celm.base.magnitude import (
    SHARED,
    checked_data,
    exponent_of,
    largest_entry,
    one_look,
    ordinary_rows,
    ordinary_size,
    times_power,
)
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies import STRATEGIES
from celm.models.elm.weights import FACTORIAL, strategy_named

CODES = np.arange(30) % 3
X = np.random.default_rng(0).normal(size=(30, 4)) + CODES[:, None]


def layer(strategy, rows):
    return strategy_named(strategy)(rows, CODES, 12, np.random.default_rng(0), WeightOptions(image_shape=(2, 2)))


def test_ordinary_numbers_are_the_same_object():
    for size in (1.0, 2.0**-199, 2.0**199):
        rows = size * X / np.abs(X).max()
        same, exponent = ordinary_size(rows)
        assert same is rows
        assert exponent == 0
    assert exponent_of(np.zeros((2, 2))) == exponent_of(np.empty((0, 2))) == 0


@pytest.mark.parametrize("exponent", [-900, -300, 300, 900])
def test_a_power_of_two_changes_no_digit(exponent):
    rows, found = ordinary_size(np.ldexp(X, exponent))
    assert abs(found - exponent) < 4
    assert_array_equal(np.ldexp(rows, found), np.ldexp(X, exponent))
    assert_array_equal(times_power(rows, found), np.ldexp(X, exponent))


def test_powers_beyond_the_range_go_by_halves():
    assert times_power(np.array([2.0**-1000]), 2000) == 2.0**1000
    assert times_power(np.array([1.0]), 3000) == np.inf


@pytest.mark.parametrize("exponent", [-700, -510, 510])
@pytest.mark.parametrize("name", [*sorted(set(STRATEGIES) - {"elm", "normalized_elm", "orthogonal_elm"})])
def test_huge_and_tiny_rows_give_the_layer_of_ordinary_ones(name, exponent):
    (W, b), (W_far, b_far) = layer(name, X), layer(name, np.ldexp(X, exponent))
    unit = STRATEGIES[name].draw.scale == "l2" if hasattr(STRATEGIES[name].draw, "scale") else False
    assert_allclose(times_power(W_far, 0 if unit else exponent), W, rtol=1e-9)
    assert_allclose(times_power(b_far, -exponent if unit and b.any() else 0), b, rtol=1e-9)


@pytest.mark.parametrize("name", FACTORIAL)
def test_combinations_grow_as_their_rows_do(name):
    (W, _), (W_far, _) = layer(name, X), layer(name, np.ldexp(X, 400))
    scale = name.split("/")[1]
    degree = 0 if name.startswith("random") else {"none": 1, "l2": 0, "squared": -1}[scale]
    assert_allclose(times_power(W_far, -400 * degree), W, rtol=1e-9)


def test_rows_are_brought_near_one_each_by_itself():
    X = np.array([[1.0, -3.0], [1e200, 2e200], [0.0, 0.0], [-3e-300, 1e-301]])
    near = ordinary_rows(X)
    assert (near[[0, 2]] == X[[0, 2]]).all()
    assert ((np.abs(near[[1, 3]]).max(axis=1) >= 0.5) & (np.abs(near[[1, 3]]).max(axis=1) < 1)).all()
    np.testing.assert_allclose(near[1], [0.5 * near[1, 1], near[1, 1]])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("spoilt", [None, np.nan, np.inf, -np.inf])
def test_the_largest_entry_of_many_is_found_in_pieces(order, spoilt):
    X = np.array(np.random.default_rng(0).normal(size=(2200, 1000)), order=order)
    X[1234, 567] = -50.0 if spoilt is None else spoilt
    assert X.size > SHARED
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            np.testing.assert_equal(largest_entry(X), 50.0 if spoilt is None else abs(spoilt))


def test_rows_are_looked_through_once_within_a_block_and_anew_after_it(monkeypatch):
    X, looks = np.ones((3, 2)), []
    monkeypatch.setattr(magnitude, "_largest", lambda pieces: looks.append(1) or 1.0)
    with one_look():
        checked = checked_data(StandardScaler(), X)
        assert largest_entry(checked) == largest_entry(checked) == 1.0
        with one_look():
            largest_entry(checked)
    assert len(looks) == 1
    largest_entry(checked)
    assert len(looks) == 2


def test_rows_that_are_not_finite_are_refused_in_the_words_of_scikit_learn():
    for value, words in ((np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity")):
        with one_look(), pytest.raises(ValueError, match=words):
            checked_data(StandardScaler(), np.array([[1.0], [value]]))


def test_rows_as_learned_are_given_back_at_once_and_all_others_go_the_long_way(monkeypatch):
    """Whatever scikit-learn would convert, rename or refuse must reach its checks."""
    fitted = StandardScaler().fit(np.arange(6.0).reshape(3, 2))
    how = {"dtype": (np.float64, np.float32), "reset": False, "ensure_all_finite": False}
    rows, asked = np.ones((2, 2)), []
    monkeypatch.setattr(magnitude, "validate_data", lambda estimator, X, **how: asked.append(X))
    assert checked_data(fitted, rows, **how) is rows
    assert checked_data(fitted, rows.astype(np.float32)[:, ::-1], **how).dtype == np.float32
    assert not asked
    others = [rows[0], rows[:0], rows[:, :1], rows.astype(">f8"), rows.astype(int), rows.tolist(), np.ma.array(rows)]
    for other in others:
        checked_data(fitted, other, **how)
    checked_data(fitted, rows, **{**how, "reset": True})
    checked_data(fitted, rows, **{**how, "ensure_all_finite": True})
    fitted.feature_names_in_ = np.array(["a", "b"], dtype=object)
    checked_data(fitted, rows, **how)
    assert len(asked) == len(others) + 3
