"""The two-sided code holds all that exceeds the threshold, once and with its sign."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.features.threshold import ThresholdEncoder, threshold_codes

PRODUCTS = arrays(np.float64, (4, 3), elements=st.floats(-5, 5))


@parametrize_with_checks([ThresholdEncoder(), ThresholdEncoder(two_sided=False)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@given(z=PRODUCTS, alpha=st.floats(0, 2))
def test_difference_and_sum_of_the_sides(z, alpha):
    positive, negative = np.hsplit(threshold_codes(z, alpha, True), 2)
    assert (positive >= 0).all()
    assert (negative >= 0).all()
    assert_array_equal(positive * negative, 0.0)
    assert_allclose(positive - negative, np.sign(z) * np.maximum(np.abs(z) - alpha, 0))
    assert_allclose(positive + negative, np.maximum(np.abs(z) - alpha, 0))


@given(z=PRODUCTS, alpha=st.floats(0, 2))
def test_negation_swaps_the_sides_and_one_side_is_the_first_half(z, alpha):
    both = threshold_codes(z, alpha, True)
    assert_array_equal(threshold_codes(-z, alpha, True), np.hstack(np.hsplit(both, 2)[::-1]))
    assert_array_equal(threshold_codes(z, alpha, False), both[:, :3])


def test_no_threshold_splits_the_value_into_its_parts():
    z = np.array([[1.5, -2.0, 0.0]])
    assert_array_equal(threshold_codes(z, 0.0, True), [[1.5, 0, 0, 0, 2.0, 0]])


def test_the_transformer_works_on_maps():
    z = np.random.default_rng(0).standard_normal((2, 3, 4, 5))
    codes = ThresholdEncoder(alpha=0.25).transform(z)
    assert codes.shape == (2, 3, 4, 10)
    assert_array_equal(codes[..., :5], np.maximum(z - 0.25, 0))
    assert_array_equal(codes[..., 5:], np.maximum(-z - 0.25, 0))


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ValueError, match="ThresholdEncoder: alpha must be a number of at least 0; got -1"):
        ThresholdEncoder(alpha=-1).fit(np.ones((2, 2)))
    with pytest.raises(ValueError, match="ThresholdEncoder: two_sided must be true or false; got 'yes'"):
        ThresholdEncoder(two_sided="yes").fit(np.ones((2, 2)))
