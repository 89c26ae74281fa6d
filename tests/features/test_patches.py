"""Patches come from where they should, in one order, and images that are none are refused by name."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

from celm.features.patches import DensePatches, dense_patches, sample_patches

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(0, 256, (4, 9, 7, 3), dtype=np.uint8)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_each_dense_patch_is_the_window_at_its_place(stride):
    patches = dense_patches(IMAGES, 3, stride)
    assert patches.shape == (4, (9 - 3) // stride + 1, (7 - 3) // stride + 1, 27)
    for n, row, column in np.ndindex(*patches.shape[:3]):
        y, x = row * stride, column * stride
        assert_array_equal(patches[n, row, column], IMAGES[n, y : y + 3, x : x + 3].ravel())


def test_sampled_patches_are_dense_patches_and_reach_every_position():
    every = {tuple(patch) for patch in dense_patches(IMAGES, 3, 1).reshape(-1, 27)}
    sampled = {tuple(patch) for patch in sample_patches(IMAGES, 5000, 3, np.random.default_rng(1))}
    assert sampled == every


def test_shifting_the_image_shifts_the_patches():
    shifted = np.roll(IMAGES, (2, 1), axis=(1, 2))
    assert_array_equal(dense_patches(shifted, 3, 1)[:, 2:, 1:], dense_patches(IMAGES, 3, 1)[:, :-2, :-1])


def test_the_transformer_is_the_function_with_or_without_fit():
    transformer = DensePatches(patch_size=4, stride=2)
    assert_array_equal(transformer.transform(IMAGES), dense_patches(IMAGES, 4, 2))
    assert_array_equal(clone(transformer).fit_transform(IMAGES), dense_patches(IMAGES, 4, 2))
    assert transformer.fit(IMAGES).image_shape_ == (9, 7, 3)
    assert transformer.n_features_in_ == 9 * 7 * 3


@pytest.mark.parametrize(
    ("images", "parameters", "words"),
    [
        (IMAGES.reshape(4, -1), {}, r"N × H × W × C array; got shape \(4, 189\).*Reshape"),
        (IMAGES[0, 0, 0], {}, r"N × H × W × C array; got shape \(3,\)"),
        (IMAGES.astype(str), {}, "whole or real numbers; got dtype <U"),
        (IMAGES[:0], {}, "at least one image"),
        (IMAGES, {"patch_size": 8}, "patch_size must be at most the image's side of 7 pixels; got 8"),
        (IMAGES, {"patch_size": 0}, "patch_size must be a whole number of at least 1; got 0"),
        (IMAGES, {"stride": 1.5}, "stride must be a whole number of at least 1; got 1.5"),
        (np.where(IMAGES == 0, np.nan, IMAGES), {}, "NaN"),
    ],
)
def test_what_cannot_be_cut_is_refused(images, parameters, words):
    with pytest.raises(ValueError, match=words):
        DensePatches(**{"patch_size": 3, **parameters}).fit(images)


def test_other_shapes_than_those_of_fit_are_refused():
    fitted = DensePatches(3).fit(IMAGES)
    with pytest.raises(ValueError, match=r"fitted on images of shape \(9, 7, 3\).*got \(7, 9, 3\)"):
        fitted.transform(IMAGES.swapaxes(1, 2))
