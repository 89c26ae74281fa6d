"""Each scaling makes true what its name says, on training rows or on every row alone."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.features.scaling import SCALINGS, SampleStandardizer

RNG = np.random.default_rng(0)
TRAIN = RNG.normal(3.0, 5.0, size=(30, 6)) * 10.0 ** np.arange(-2, 4)
TEST = RNG.normal(-2.0, 1.0, size=(8, 6)) * 10.0 ** np.arange(-2, 4)

tables = arrays(np.float64, st.tuples(st.integers(2, 8), st.integers(2, 8)), elements=st.floats(-1e6, 1e6, width=32))


def fitted(name, X=TRAIN):
    return SCALINGS[name]().fit(X)


@parametrize_with_checks([SampleStandardizer()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_names():
    assert set(SCALINGS) == {
        "per_feature",
        "per_sample",
        "unit_norm",
        "per_feature_unit_norm",
        "minmax",
        "pixels",
        "raw",
    }


def test_per_feature_standardises_the_training_columns():
    scaler = fitted("per_feature")
    Z = scaler.transform(TRAIN)
    assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    assert_allclose(Z.std(axis=0), 1)
    assert_allclose(scaler.transform(TEST), (TEST - TRAIN.mean(axis=0)) / TRAIN.std(axis=0))


@given(X=tables)
def test_per_sample_standardises_every_row(X):
    assume((np.ptp(X, axis=1) > 1e-3 * (1 + np.abs(X).max(axis=1))).all())
    Z = fitted("per_sample", X).transform(X)
    assert_allclose(Z.mean(axis=1), 0, atol=1e-9)
    assert_allclose(Z.std(axis=1, ddof=1), 1, rtol=1e-9)


@given(scale=st.floats(1e-3, 1e3), shift=st.floats(-100, 100))
def test_per_sample_forgets_brightness_and_contrast(scale, shift):
    scaler = fitted("per_sample")
    assert_allclose(scaler.transform(scale * TEST + shift), scaler.transform(TEST), atol=1e-6)


@given(value=st.floats(-1e6, 1e6), n_features=st.integers(1, 40))
def test_a_constant_sample_becomes_zero(value, n_features):
    X = np.full((2, n_features), value)
    assert_allclose(fitted("per_sample", X).transform(X), 0, atol=1e-9)


@pytest.mark.parametrize("name", ["unit_norm", "per_feature_unit_norm"])
def test_unit_norms(name):
    assert_allclose(np.linalg.norm(fitted(name).transform(TEST), axis=1), 1)


def test_unit_norm_keeps_directions_and_leaves_blank_rows_blank():
    Z = fitted("unit_norm").transform(TEST)
    assert_allclose(Z * np.linalg.norm(TEST, axis=1, keepdims=True), TEST)
    assert_array_equal(fitted("unit_norm").transform(np.zeros((1, 6))), 0)


def test_per_feature_unit_norm_is_one_after_the_other():
    standardised = fitted("per_feature").transform(TEST)
    expected = standardised / np.linalg.norm(standardised, axis=1, keepdims=True)
    assert_allclose(fitted("per_feature_unit_norm").transform(TEST), expected)


def test_minmax_sends_the_training_range_to_minus_one_and_one():
    scaler = fitted("minmax")
    Z = scaler.transform(TRAIN)
    assert_allclose(Z.min(axis=0), -1)
    assert_allclose(Z.max(axis=0), 1)
    low, high = TRAIN.min(axis=0), TRAIN.max(axis=0)
    assert_allclose(scaler.transform(TEST), 2 * (TEST - low) / (high - low) - 1)


def test_pixels_are_bytes_over_255():
    X = np.array([[0, 51, 255]], dtype=np.uint8)
    assert_allclose(fitted("pixels", X).transform(X), [[0, 0.2, 1]])


def test_a_table_of_flags_is_standardised_as_its_numbers():
    flags = np.array([[True, False, True], [False, False, True]])
    table = pd.DataFrame(flags, columns=list("abc"))
    assert_array_equal(SampleStandardizer().fit_transform(table), SampleStandardizer().fit_transform(flags * 1.0))


def test_raw_is_the_identity():
    assert_array_equal(fitted("raw").transform(TEST), TEST)


@pytest.mark.parametrize("name", ["per_sample", "unit_norm", "pixels", "raw"])
def test_stateless_scalings_do_not_care_what_they_were_fitted_on(name):
    Z = fitted(name).transform(TEST)
    assert_array_equal(fitted(name, 1 + TRAIN[:2]).transform(TEST), Z)
    assert_allclose(fitted(name).transform(TEST[3:5]), Z[3:5], rtol=1e-15)


@pytest.mark.parametrize("name", ["per_feature", "per_feature_unit_norm", "minmax"])
def test_scalings_of_columns_learn_from_the_training_rows_only(name):
    Z = fitted(name).transform(TEST)
    assert_allclose(fitted(name).transform(TEST[3:5]), Z[3:5], rtol=1e-15)
    assert not np.allclose(fitted(name, TEST).transform(TEST), Z)


@pytest.mark.parametrize("name", sorted(SCALINGS))
def test_constant_columns_and_rows_stay_finite(name):
    X = np.column_stack([TRAIN, np.full(30, 0.1), np.zeros(30)])
    X[4] = 0.3
    X[5] = 0.0
    before = X.copy()
    Z = fitted(name, X).transform(X)
    assert Z.shape == X.shape
    assert np.isfinite(Z).all()
    assert_array_equal(X, before)


@pytest.mark.parametrize("name", ["per_feature", "minmax"])
def test_a_constant_column_carries_nothing(name):
    X = np.column_stack([TRAIN, np.full(30, 0.1)])
    assert np.ptp(fitted(name, X).transform(X)[:, -1]) == 0
