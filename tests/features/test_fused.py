"""The pieces of the fast path: folded filters, exact variances, tiles that do not show in the result."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm.features import fused
from celm.features.fused import Encoding, box_sums, encode, exact_type, fold, patch_variances
from celm.features.patches import dense_patches

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(0, 256, (50, 12, 10, 3), dtype=np.uint8)


def an_encoding(**changes):
    filters, offsets = fold(RNG.standard_normal((7, 27)), RNG.standard_normal((27, 27)), RNG.standard_normal(27))
    settings = {
        "filters": filters,
        "offsets": offsets,
        "image_shape": IMAGES.shape[1:],
        "patch_size": 3,
        "stride": 1,
        "grid": 2,
        "pooling": "average",
        "alpha": 0.25,
        "two_sided": True,
        "contrast_offset": 10.0,
        "normalisation": "coates",
    }
    return Encoding(**{**settings, **changes})


def test_folded_filters_sum_to_zero_and_absorb_patch_mean_and_whitening():
    atoms, Z, mean = RNG.standard_normal((7, 27)), RNG.standard_normal((27, 27)), RNG.standard_normal(27)
    filters, offsets = fold(atoms, Z + Z.T, mean)
    assert_allclose(filters.sum(axis=1), 0.0, atol=1e-12)
    patch, spread = RNG.uniform(0, 255, 27), 31.0
    expected = atoms @ (Z + Z.T) @ ((patch - patch.mean()) / spread - mean)
    assert_allclose(filters @ patch / spread - offsets, expected)


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_box_sums_add_each_window(stride):
    values = RNG.integers(-9, 9, (12, 4, 10))
    images = values.transpose(1, 0, 2)[..., None]
    expected = dense_patches(images, 3, stride).sum(axis=3).transpose(1, 0, 2)
    assert_array_equal(box_sums(values, 3, stride), expected)


@pytest.mark.parametrize(("normalisation", "ddof"), [("coates", 1), ("jia", 0)])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_variances_are_those_of_the_patches(normalisation, ddof, dtype):
    planes = IMAGES.transpose(1, 3, 0, 2).astype(dtype)
    expected = dense_patches(IMAGES.astype(float), 3, 2).var(axis=3, ddof=ddof).transpose(1, 0, 2)
    assert_allclose(patch_variances(planes, 3, 2, normalisation), expected, rtol=1e-12)


def test_byte_sums_never_overflow():
    for size in (6, 8, 12):
        d = size * size * 3
        integers = exact_type(np.uint8, d)
        assert d * d * 255**2 <= np.iinfo(integers).max
        checker = np.indices((size, size)).sum(axis=0) % 2 * 255
        planes = np.broadcast_to(checker[:, None, None, :], (size, 3, 1, size)).astype(integers)
        assert patch_variances(planes, size, 1, "jia").item() == 127.5**2
    assert exact_type(np.uint8, 108) == np.int32
    assert exact_type(np.float32, 108) == np.float64


def test_neither_threads_nor_tiles_nor_chunks_show(monkeypatch):
    encoding = an_encoding()
    reference = encode(IMAGES, encoding, n_threads=1)
    assert_array_equal(encode(IMAGES, encoding, n_threads=3), reference)
    assert_array_equal(encode(IMAGES, encoding), reference)
    monkeypatch.setattr(fused, "TILE_COLUMNS", 3 * 8)
    monkeypatch.setattr(fused, "CHUNK_ELEMENTS", 1)
    assert_allclose(encode(IMAGES, encoding), reference, rtol=0, atol=2e-5)


def test_adding_brightness_changes_nothing():
    dark = IMAGES // 2
    assert_allclose(encode(dark + np.uint8(100), an_encoding_once()), encode(dark, an_encoding_once()), atol=1e-4)


def test_sums_are_averages_times_the_size_of_the_cell():
    encoding = an_encoding_once()
    sums = encode(IMAGES, Encoding(**{**vars(encoding), "pooling": "sum"})).reshape(50, 2, 2, 14)
    averages = encode(IMAGES, encoding).reshape(50, 2, 2, 14)
    assert_allclose(sums, averages * (5 * 4), rtol=1e-5)


def test_one_side_is_the_first_half_of_both():
    encoding = an_encoding_once()
    one = encode(IMAGES, Encoding(**{**vars(encoding), "two_sided": False})).reshape(50, 4, 7)
    assert_array_equal(one, encode(IMAGES, encoding).reshape(50, 4, 14)[..., :7])


def test_a_failing_tile_ends_the_encoding(monkeypatch):
    def fail(tile, images):
        raise FloatingPointError("tile failed")

    monkeypatch.setattr(fused.Tile, "encode", fail)
    with pytest.raises(FloatingPointError, match="tile failed"):
        encode(np.repeat(IMAGES, 10, axis=0), an_encoding(), n_threads=2)


def test_progress_counts_images(capsys):
    encode(IMAGES, an_encoding(), progress=True)
    assert "50/50" in capsys.readouterr().err


def an_encoding_once():
    """The same filters at every call."""
    rng = np.random.default_rng(5)
    filters, offsets = fold(rng.standard_normal((7, 27)), np.eye(27), rng.standard_normal(27))
    return an_encoding(filters=filters, offsets=offsets)
