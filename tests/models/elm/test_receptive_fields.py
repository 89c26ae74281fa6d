"""Receptive fields: the shape of a mask, where masks lie, and what a node keeps of its weights."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm.models.elm.options import WeightOptions
from celm.models.elm.receptive_fields import checked_shape, rectangles
from celm.models.elm.strategies import STRATEGIES

CODES = np.arange(40) % 4
IMAGES = np.random.default_rng(0).uniform(0.1, 1.0, size=(40, 28 * 28)) + CODES[:, None]


def layer(name, n=60, rows=IMAGES, shape=(28, 28)):
    return STRATEGIES[name](rows, CODES, n, np.random.default_rng(0), WeightOptions(image_shape=shape))


def test_masks_are_rectangles_inside_the_border_and_not_too_small():
    masks = rectangles(3000, (28, 28), np.random.default_rng(0)).reshape(-1, 28, 28)
    rows, columns = masks.any(axis=2), masks.any(axis=1)
    assert_array_equal(masks, rows[:, :, None] & columns[:, None, :])
    for side in (rows, columns):
        assert not side[:, [0, 1, 2, 25, 26, 27]].any()
        assert (np.abs(np.diff(side.astype(int), axis=1)).sum(axis=1) == 2).all()
    assert ((rows.sum(axis=1) - 1) * (columns.sum(axis=1) - 1) >= 10).all()
    assert len(np.unique(masks.reshape(3000, -1), axis=0)) > 2500
    # A pixel in the middle is seen by far more nodes than one at the edge.
    assert masks[:, 14, 14].mean() > 4 * masks[:, 3, 3].mean()


def test_channels_share_a_rectangle_and_small_images_have_one():
    masks = rectangles(50, (6, 5, 3), np.random.default_rng(0)).reshape(50, 6, 5, 3)
    assert_array_equal(masks, np.repeat(masks[..., :1], 3, axis=-1))
    assert rectangles(20, (1, 4), np.random.default_rng(0)).any(axis=1).all()


@pytest.mark.parametrize("name", ["rf_ciw", "rf_differences"])
def test_weights_are_those_without_fields_inside_the_rectangle(name):
    W, b = layer(name)
    assert_allclose(np.linalg.norm(W, axis=0), 2.0)
    masks = (W != 0).T.reshape(-1, 28, 28)
    assert_array_equal(masks, masks.any(axis=2)[:, :, None] & masks.any(axis=1)[:, None, :])
    assert_allclose(layer(name, 25)[0], W[:, :25], rtol=1e-9)
    if name == "rf_ciw":
        assert_array_equal(b, 0.0)


def test_a_field_over_blank_pixels_is_drawn_again():
    rows = np.zeros((40, 28, 28))
    rows[:, 10:14, 10:14] = np.random.default_rng(1).uniform(0.5, 1.0, size=(40, 4, 4)) + CODES[:, None, None]
    W, _ = layer("rf_differences", 40, rows.reshape(40, -1))
    assert (np.abs(W).max(axis=0) > 0).all()
    rows[:] = 0.0
    rows[:, 0, 0] = 1.0 + CODES
    with pytest.raises(ValueError, match="no receptive field with a weight in it"):
        layer("rf_differences", 3, rows.reshape(40, -1))


@pytest.mark.parametrize("shape", [None, (28,), (28, 27), (28, 28, 3)])
def test_the_shape_must_fit_the_features(shape):
    with pytest.raises(ValueError, match=r"image_shape must be \(height, width\) or .* with a product of 784"):
        checked_shape(shape, 784)
