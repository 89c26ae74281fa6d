"""Contrast, whitening and standardisation do to means and covariances what their formulas promise."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.features import whitening
from celm.features.whitening import ContrastNormalizer, OffsetStandardizer, ZCAWhitening, mean_and_covariance

RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((500, 12)) @ RNG.standard_normal((12, 12)) + RNG.standard_normal(12)


@parametrize_with_checks([ContrastNormalizer(), ZCAWhitening(), OffsetStandardizer()])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_contrast_by_its_formula():
    deviations = ROWS - ROWS.mean(axis=1, keepdims=True)
    coates = deviations / np.sqrt(ROWS.var(axis=1, ddof=1, keepdims=True) + 10.0)
    jia = deviations / (ROWS.std(axis=1, keepdims=True) + 10.0)
    assert_allclose(ContrastNormalizer().transform(ROWS), coates, atol=1e-13)
    assert_allclose(ContrastNormalizer(normalisation="jia").transform(ROWS), jia, atol=1e-13)


@pytest.mark.parametrize("normalisation", ["coates", "jia"])
def test_contrast_ignores_brightness_and_flat_patches_vanish(normalisation):
    contrast = ContrastNormalizer(normalisation=normalisation)
    assert_allclose(contrast.transform(ROWS + 7.0), contrast.transform(ROWS), atol=1e-12)
    assert_array_equal(contrast.transform(np.full((3, 12), 200.0)), 0.0)


def test_contrast_forgets_the_scale_as_the_offset_vanishes():
    contrast = ContrastNormalizer(offset=1e-12)
    assert_allclose(contrast.transform(100.0 * ROWS), contrast.transform(ROWS), atol=1e-9)


def test_the_blocked_covariance_is_the_covariance(monkeypatch):
    monkeypatch.setattr(whitening, "BLOCK_ROWS", 37)
    mean, covariance = mean_and_covariance(ROWS)
    assert_allclose(mean, ROWS.mean(axis=0))
    assert_allclose(covariance, np.cov(ROWS, rowvar=False))


@pytest.mark.parametrize(
    ("normalisation", "shrunk"),
    [("coates", lambda v: v / (v + 0.1)), ("jia", lambda v: v / (np.sqrt(v) + 0.1) ** 2)],
)
def test_whitening_shrinks_each_eigenvalue_of_the_covariance(normalisation, shrunk):
    eigenvalues, V = np.linalg.eigh(np.cov(ROWS, rowvar=False))
    white = ZCAWhitening(normalisation=normalisation).fit_transform(ROWS)
    assert_allclose(white.mean(axis=0), 0.0, atol=1e-12)
    assert_allclose(np.cov(white, rowvar=False), (V * shrunk(eigenvalues)) @ V.T, atol=1e-10)


def test_whitening_tends_to_the_identity_covariance_and_stays_symmetric():
    zca = ZCAWhitening(offset=1e-10)
    assert_allclose(np.cov(zca.fit_transform(ROWS), rowvar=False), np.eye(12), atol=1e-6)
    assert_allclose(zca.matrix_, zca.matrix_.T, atol=1e-9)


def test_whitening_turns_with_the_data():
    Q, _ = np.linalg.qr(RNG.standard_normal((12, 12)))
    assert_allclose(ZCAWhitening().fit_transform(ROWS @ Q), ZCAWhitening().fit_transform(ROWS) @ Q, atol=1e-9)


def test_standardiser_by_its_formula_and_as_a_z_score():
    expected = (ROWS - ROWS.mean(axis=0)) / np.sqrt(ROWS.var(axis=0) + 0.01)
    assert_allclose(OffsetStandardizer().fit_transform(ROWS), expected)
    assert_allclose(OffsetStandardizer(offset=0).fit_transform(ROWS), StandardScaler().fit_transform(ROWS))
    assert_array_equal(OffsetStandardizer(offset=0).fit_transform(np.ones((5, 2))), 0.0)


@pytest.mark.parametrize("transformer", [ContrastNormalizer(), ZCAWhitening(), OffsetStandardizer()])
def test_maps_of_patches_are_treated_as_their_rows_and_single_precision_stays(transformer):
    transformer.fit(ROWS)
    as_map = transformer.transform(ROWS.reshape(5, 10, 10, 12))
    assert_array_equal(as_map.reshape(500, 12), transformer.transform(ROWS))
    single = transformer.transform(ROWS.astype(np.float32))
    assert single.dtype == np.float32
    assert_allclose(single, transformer.transform(ROWS), atol=2e-4)


@pytest.mark.parametrize(
    ("transformer", "words"),
    [
        (ContrastNormalizer(offset=0), "ContrastNormalizer: offset must be a number above 0; got 0"),
        (ContrastNormalizer(normalisation="jja"), "must be one of coates, jia; got 'jja'. Did you mean 'jia'"),
        (ZCAWhitening(offset=-1), "ZCAWhitening: offset must be a number above 0; got -1"),
        (OffsetStandardizer(offset=-1), "OffsetStandardizer: offset must be a number of at least 0; got -1"),
    ],
)
def test_parameters_out_of_range_are_refused(transformer, words):
    with pytest.raises(ValueError, match=words):
        transformer.fit(ROWS)
