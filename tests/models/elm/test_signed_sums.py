"""Signed sums of samples: which rows a node adds up, how nodes are shared out, and that none is zero."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from celm.models.elm import signed_sums as module
from celm.models.elm.options import WeightOptions
from celm.models.elm.signed_sums import class_shares, class_signed_sums, signed_sums
from celm.models.elm.strategies import STRATEGIES

CODES = np.repeat([0, 1, 2], [6, 3, 1])


def drawn(direction, rows, codes=CODES, n=40, seed=0):
    return direction(rows, codes, n, np.random.default_rng(seed), WeightOptions()).vectors


def test_every_sample_of_the_class_is_added_or_taken_away():
    """With unit rows a sum shows its signs."""
    signs = drawn(class_signed_sums, np.eye(10))
    shares = class_shares(np.array([6, 3, 1]), 40)
    for node, cls in enumerate(shares):
        assert_array_equal(np.abs(signs[node]), (cls == CODES).astype(float))
    assert_array_equal(np.abs(drawn(signed_sums, np.eye(10))), np.ones((40, 10)))


def test_signs_are_fair_and_independent():
    signs = drawn(signed_sums, np.eye(10), n=20_000)
    assert (np.abs(signs.mean(axis=0)) < 5 / np.sqrt(20_000)).all()
    assert_allclose(np.corrcoef(signs.T), np.eye(10), atol=5 / np.sqrt(20_000))


def test_unlabelled_sums_have_the_second_moments_of_the_rows():
    rows = np.random.default_rng(1).exponential(size=(30, 2))
    vectors = drawn(signed_sums, rows, np.zeros(30, dtype=np.intp), 40_000)
    assert_allclose(vectors.T @ vectors / len(vectors), rows.T @ rows, rtol=0.05)


@given(sizes=st.lists(st.integers(1, 500), min_size=1, max_size=8), n=st.integers(1, 60))
def test_any_first_nodes_are_shared_out_by_size(sizes, n):
    """Sainte-Laguë: no class is off its share by a node in either direction at once; prefixes agree."""
    sizes = np.array(sizes)
    shares = class_shares(sizes, n)
    counts = np.bincount(shares, minlength=len(sizes))
    assert ((sizes / (counts + 0.5)).max() <= (sizes[counts > 0] / (counts[counts > 0] - 0.5)).min() + 1e-9).all()
    assert_array_equal(class_shares(sizes, n + 7)[:n], shares)


@pytest.mark.parametrize("at_once", [1, 70, 2**20])
def test_sums_that_cancel_are_drawn_again(monkeypatch, at_once):
    monkeypatch.setattr(module, "SIGN_ENTRIES", at_once)
    rows = np.array([[1.0, 2.0], [1.0, 2.0]])
    vectors = drawn(signed_sums, rows, np.zeros(2, dtype=np.intp), 50)
    assert_allclose(np.abs(vectors), np.tile([2.0, 4.0], (50, 1)))
    assert_allclose(drawn(signed_sums, rows, np.zeros(2, dtype=np.intp), 20), vectors[:20])


def test_zero_rows_are_named():
    with pytest.raises(ValueError, match="no usable signed sum after 1000 draws for 4 of 4 hidden nodes"):
        drawn(signed_sums, np.zeros((3, 2)), n=4)


@pytest.mark.parametrize("name", ["ciw", "ciw_unlabelled"])
def test_weights_have_norm_two_and_no_bias(name):
    rows = np.random.default_rng(2).normal(size=(10, 4))
    W, b = STRATEGIES[name](rows, CODES, 25, np.random.default_rng(0), WeightOptions())
    assert_allclose(np.linalg.norm(W, axis=0), 2.0)
    assert_array_equal(b, 0.0)
