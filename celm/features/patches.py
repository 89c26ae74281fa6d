"""Patches of images: all of them on a regular lattice, or a random sample to learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import validate_data

from celm.base.validation import check_integer

Images = npt.NDArray[Any]


def check_images(images: npt.ArrayLike, owner: str) -> Images:
    """``images`` as an N × H × W × C array of real numbers, none of its sides empty."""
    array = np.asarray(images)
    if array.ndim != 4:
        hint = " Reshape flat rows to (N, H, W, C); grayscale images have C = 1." if array.ndim in (2, 3) else ""
        raise ValueError(f"{owner}: images must be an N × H × W × C array; got shape {array.shape}.{hint}")
    if array.dtype.kind not in "uif":
        raise ValueError(f"{owner}: images must hold whole or real numbers; got dtype {array.dtype}.")
    if 0 in array.shape:
        raise ValueError(f"{owner}: images must hold at least one image and one pixel; got shape {array.shape}.")
    return array


def lattice_length(side: int, patch_size: int, stride: int, owner: str) -> int:
    """How many patches fit along a side of the image: ⌊(side − patch_size)/stride⌋ + 1."""
    if side < patch_size:
        raise ValueError(f"{owner}: patch_size must be at most the image's side of {side} pixels; got {patch_size}.")
    return (side - patch_size) // stride + 1


def dense_patches(images: Images, patch_size: int, stride: int) -> Images:
    """Every patch on the lattice: N × H × W × C to N × rows × columns × d, d = patch_size²·C in (y, x, c) order."""
    windows = sliding_window_view(images, (patch_size, patch_size), axis=(1, 2))[:, ::stride, ::stride]
    n, rows, columns = windows.shape[:3]
    return windows.transpose(0, 1, 2, 4, 5, 3).reshape(n, rows, columns, -1)


def sample_patches(images: Images, n_patches: int, patch_size: int, rng: np.random.Generator) -> Images:
    """``n_patches`` × d patches, each from a uniform image and a uniform position, drawn with replacement."""
    windows = sliding_window_view(images, (patch_size, patch_size), axis=(1, 2))
    image, row, column = (rng.integers(0, size, n_patches) for size in windows.shape[:3])
    return windows[image, row, column].transpose(0, 2, 3, 1).reshape(n_patches, -1)


class DensePatches(TransformerMixin, BaseEstimator):
    """N × H × W × C images to the N × rows × columns × d map of their patches (Coates & Ng 2011).

    patch_size : side of the square patch, in pixels
    stride : pixels between neighbouring patches
    """

    def __init__(self, patch_size: int = 6, stride: int = 1) -> None:
        self.patch_size = patch_size
        self.stride = stride

    def fit(self, X: npt.ArrayLike, y: object = None) -> DensePatches:
        """Learn the shape of the images; nothing else."""
        self._validated(X, reset=True)
        return self

    def transform(self, X: npt.ArrayLike) -> Images:
        """All patches at once: d times the memory of the images, meant for small stacks."""
        return dense_patches(self._validated(X, reset=False), self.patch_size, self.stride)

    def _validated(self, X: npt.ArrayLike, *, reset: bool) -> Images:
        check_integer(self.patch_size, "patch_size", "DensePatches", 1)
        check_integer(self.stride, "stride", "DensePatches", 1)
        images = validated_images(self, X, reset=reset)
        for side in images.shape[1:3]:
            lattice_length(side, self.patch_size, self.stride, "DensePatches")
        return images

    def __sklearn_tags__(self) -> Any:
        return image_tags(super().__sklearn_tags__(), requires_fit=False)


def validated_images(estimator: Any, X: npt.ArrayLike, *, reset: bool) -> Images:
    """X checked as images for ``estimator``; with ``reset`` its shape is learned, otherwise it must agree.

    ``n_features_in_`` is H·W·C, the number of values per image, and ``image_shape_`` is (H, W, C).
    """
    owner = type(estimator).__name__
    images = check_images(X, owner)
    shape = images.shape[1:]
    known = getattr(estimator, "image_shape_", shape)
    if not reset and known != shape:
        raise ValueError(f"{owner}: fitted on images of shape {known}, so it takes no others; got {shape}.")
    validate_data(estimator, images.reshape(len(images), -1), dtype=None, reset=reset)
    if reset:
        estimator.image_shape_ = shape
    return images


def image_tags(tags: Any, *, requires_fit: bool) -> Any:
    """scikit-learn's tags of an estimator that takes N × H × W × C images only."""
    tags.input_tags.two_d_array = False
    tags.requires_fit = requires_fit
    return tags
