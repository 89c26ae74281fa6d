"""The fused features equal the composed pipeline, on any shape of image and under every setting."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from celm.features.coates_ng import CoatesNgFeatures
from celm.features.whitening import OffsetStandardizer

QUICK = {"n_patches": 1500, "n_iterations": 4, "random_state": 0}


def some_images(shape, dtype, seed=0):
    """Smooth images with noise, so that patches have contrast of every size."""
    rng = np.random.default_rng(seed)
    smooth = np.cumsum(rng.standard_normal(shape), axis=2)
    smooth = (smooth - smooth.min()) / np.ptp(smooth) * 255.0
    return smooth.astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.float64])
@pytest.mark.parametrize(
    ("shape", "settings"),
    [
        ((21, 32, 32, 3), {}),
        ((9, 32, 32, 3), {"stride": 2}),
        ((5, 17, 13, 1), {"patch_size": 3, "grid": 3}),
        ((5, 17, 14, 1), {"patch_size": 5, "stride": 2, "grid": 1, "pooling": "sum"}),
        ((4, 19, 26, 2), {"stride": 3, "grid": 4, "patch_size": 4}),
        ((6, 11, 11, 3), {"normalisation": "jia", "alpha": 0.0}),
        ((6, 12, 12, 4), {"two_sided": False, "n_atoms": 80, "contrast_offset": 1.0, "whitening_offset": 0.5}),
        ((3, 6, 6, 3), {"grid": 1}),
        ((2, 500, 9, 1), {"alpha": 1.0}),
        ((2, 9, 500, 1), {}),
    ],
)
def test_fused_equals_composed(shape, settings, dtype):
    images = some_images(shape, dtype)
    features = CoatesNgFeatures(**{"n_atoms": 11, **QUICK, **settings}).fit(images)
    fast, composed = features.transform(images), features.composed().transform(images)
    assert fast.shape == composed.shape == (shape[0], len(features.get_feature_names_out()))
    assert np.abs(composed).max() > 0.01
    assert_allclose(fast, composed, rtol=1e-5, atol=5e-6)


@pytest.mark.parametrize("dtype", [np.int16, np.float32, np.int64])
def test_the_type_of_the_pixels_does_not_matter(dtype):
    pixels = some_images((6, 12, 12, 3), np.uint8)
    features = CoatesNgFeatures(5, **QUICK).fit(pixels)
    assert_allclose(features.transform(pixels.astype(dtype)), features.transform(pixels), atol=5e-6)
    assert_allclose(features.transform(pixels[:, ::-1].astype(dtype)[:, ::-1]), features.transform(pixels), atol=5e-6)


def test_400_features_of_the_paper():
    images = some_images((3, 32, 32, 3), np.uint8)
    assert CoatesNgFeatures(**QUICK).fit_transform(images).shape == (3, 400)
    assert CoatesNgFeatures(two_sided=False, **QUICK).fit_transform(images).shape == (3, 200)


def test_learning_sees_the_training_images_only():
    train, test = some_images((8, 12, 12, 3), np.uint8), some_images((4, 12, 12, 3), np.uint8, seed=1)
    features = CoatesNgFeatures(5, **QUICK).fit(train)
    atoms, alone = features.filters_.copy(), features.transform(train)
    features.transform(test)
    assert_array_equal(features.filters_, atoms)
    assert_allclose(features.transform(np.concatenate([train, test]))[:8], alone, atol=1e-6)


def test_the_learned_filters_do_not_depend_on_the_threads_of_blas():
    images = some_images((8, 12, 12, 3), np.uint8)
    settings = {"n_atoms": 30, "n_patches": 20_000, "n_iterations": 5, "random_state": 0}
    learned = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            learned.append(CoatesNgFeatures(**settings).fit(images).filters_)
    assert_array_equal(*learned)


def test_order_and_neighbours_of_an_image_do_not_matter():
    images = some_images((40, 12, 12, 3), np.uint8)
    features = CoatesNgFeatures(5, **QUICK).fit(images)
    together = features.transform(images)
    assert_allclose(features.transform(images[::-1]), together[::-1], atol=1e-6)
    assert_allclose(np.concatenate([features.transform(images[n : n + 1]) for n in range(40)]), together, atol=1e-6)


def test_flat_images_have_the_same_features_whatever_their_brightness():
    features = CoatesNgFeatures(5, **QUICK).fit(some_images((8, 12, 12, 3), np.uint8))
    flat = np.repeat(np.array([0, 90, 255], dtype=np.uint8), 12 * 12 * 3).reshape(3, 12, 12, 3)
    codes = features.transform(flat)
    assert_allclose(codes[1:], codes[:1].repeat(2, axis=0), atol=1e-4)


def test_scikit_learn_contract():
    images = some_images((8, 12, 12, 3), np.uint8)
    before = images.copy()
    features = CoatesNgFeatures(5, **QUICK)
    with pytest.raises(NotFittedError):
        features.transform(images)
    assert features.fit(images) is features
    first = features.transform(images)
    assert_array_equal(images, before)
    assert features.n_features_in_ == 12 * 12 * 3
    assert clone(features).get_params() == features.get_params()
    assert_array_equal(clone(features).fit(images).transform(images), first)
    assert_array_equal(features.fit(images).transform(images), first)
    assert_array_equal(pickle.loads(pickle.dumps(features)).transform(images), first)
    assert_array_equal(features.set_params(n_threads=1).transform(images), first)
    assert not np.array_equal(clone(features).set_params(random_state=1).fit_transform(images), first)


def test_before_a_standardiser_in_a_pipeline():
    images = some_images((30, 12, 12, 3), np.uint8)
    standardised = make_pipeline(CoatesNgFeatures(5, **QUICK), OffsetStandardizer(0.0)).fit_transform(images)
    assert_allclose(standardised.mean(axis=0), 0.0, atol=1e-4)
    assert_allclose(standardised.std(axis=0), 1.0, atol=1e-3)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"n_atoms": 0}, "n_atoms must be a whole number of at least 1; got 0"),
        ({"n_threads": 0}, "n_threads must be a whole number of at least 1; got 0"),
        ({"patch_size": 13}, "patch_size must be at most the image's side of 12 pixels; got 13"),
        ({"grid": 8}, "grid must be at most the 7 patch positions of a side; got 8"),
        ({"pooling": "max"}, "pooling must be one of average, sum; got 'max'"),
        ({"normalisation": "coats"}, "normalisation must be one of coates, jia; got 'coats'. Did you mean 'coates'"),
        ({"contrast_offset": 0}, "contrast_offset must be a number above 0; got 0"),
        ({"alpha": -0.1}, "alpha must be a number of at least 0; got -0.1"),
        ({"two_sided": 1}, "two_sided must be true or false; got 1"),
        ({"progress": None}, "progress must be true or false; got None"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(settings, words):
    with pytest.raises(ValueError, match="CoatesNgFeatures: " + words):
        CoatesNgFeatures(**{**QUICK, **settings}).fit(some_images((2, 12, 12, 3), np.uint8))


def test_what_is_no_stack_of_images_is_refused():
    images = some_images((4, 12, 12, 3), np.uint8)
    features = CoatesNgFeatures(3, **QUICK).fit(images)
    with pytest.raises(ValueError, match="CoatesNgFeatures: images must be an N × H × W × C array"):
        features.transform(images.reshape(4, -1))
    with pytest.raises(ValueError, match=r"fitted on images of shape \(12, 12, 3\).*got \(12, 12, 1\)"):
        features.transform(images[..., :1])
