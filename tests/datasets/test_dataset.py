"""Digests identify values, shape and dtype; loaded arrays are read-only."""

from __future__ import annotations

import hashlib
import pickle

import numpy as np
import pytest

from celm.datasets.dataset import Arrays, DatasetError, array_digest, as_dataset, content_digest


def test_digest_is_that_of_the_little_endian_bytes_in_c_order() -> None:
    X = np.arange(6.0).reshape(2, 3)
    expected = hashlib.sha256(X.astype("<f8").tobytes()).hexdigest()
    assert array_digest(X) == expected
    assert array_digest(np.asfortranarray(X)) == expected
    assert array_digest(X.astype(">f8")) == expected


def test_content_digest_sees_shape_and_dtype() -> None:
    X, y = np.zeros((2, 3)), np.zeros(2, dtype=np.uint8)
    digests = ("a", "b")
    variants = [
        Arrays(X, y),
        Arrays(X.reshape(3, 2), y),
        Arrays(X.view(np.int64), y),
        Arrays(X, y.astype(np.intp)),
    ]
    assert len({content_digest(arrays, digests) for arrays in variants}) == len(variants)


def test_given_digests_lead_to_the_same_content_digest() -> None:
    arrays = Arrays(np.ones((3, 2)), np.array([0, 1, 0]))
    digests = (array_digest(arrays.X), array_digest(arrays.y))
    assert as_dataset("a", arrays, ("x", "y"), "s", digests=digests) == as_dataset("a", arrays, ("x", "y"), "s")


def test_arrays_are_read_only() -> None:
    data = as_dataset("a", Arrays(np.ones((3, 2)), np.array([0, 1, 0])), ("x", "y"), "file")
    with pytest.raises(ValueError, match="read-only"):
        data.X[0, 0] = 5
    with pytest.raises(ValueError, match="read-only"):
        data.y[0] = 1


def test_error_crosses_process_borders() -> None:
    assert str(pickle.loads(pickle.dumps(DatasetError("what happened")))) == "what happened"
