"""What a loaded data set is, how its content is digested, and the errors of this room."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

#: What is to be said of a row: one of several classes, or a number.
TASKS = ("classification", "regression")


class DatasetError(RuntimeError):
    """A data set could not be had; the message names it, what was tried, what happened and what to do."""


class SourceError(Exception):
    """One source could not deliver; the message says what happened and what to do about it."""


class Arrays(NamedTuple):
    """Decoded content: samples ``X`` (one per row) and label codes or numbers ``y`` (N)."""

    X: npt.NDArray[Any]
    y: npt.NDArray[Any]


class Form(NamedTuple):
    """What is known of a fixed data set before anything of it is read: its shape, its official split, its classes."""

    shape: tuple[int, ...]
    n_train: int | None
    n_classes: int


@dataclass(frozen=True)
class Dataset:
    """A verified data set; both arrays are read-only."""

    name: str
    #: N × n float64; MNIST: N × 784 uint8; CIFAR-10: N × 32 × 32 × 3 uint8.
    X: npt.NDArray[Any]
    #: N codes 0..k-1, meaning ``classes[code]``; in regression N numbers, and ``classes`` is empty.
    y: npt.NDArray[Any]
    classes: tuple[str, ...]
    #: The first ``n_train`` rows are the official training rows; None: split at random, once per round.
    n_train: int | None
    #: Who answered: cache, sklearn, wheel, npm, openml, generated or file.
    source: str
    #: Identifies the content of X and y, wherever it came from.
    digest: str
    #: Columns of X that hold codes of levels, not numbers; they are spread as the training rows say.
    nominal: tuple[int, ...] = ()

    @property
    def task(self) -> str:
        """What is to be said of a row: ``classification``, or ``regression`` when there are no classes."""
        return TASKS[0] if self.classes else TASKS[1]

    @property
    def form(self) -> Form:
        """Its sizes without its values."""
        return Form(self.X.shape, self.n_train, len(self.classes))


def array_digest(array: npt.NDArray[Any]) -> str:
    """sha256 of the values in C order, little endian; shape and dtype are not part of it."""
    plain = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    return hashlib.sha256(plain.data).hexdigest()


def content_digest(arrays: Arrays, digests: tuple[str, str]) -> str:
    """sha256 over the ``digests`` of X and y, each with its dtype and shape."""
    return digest_of([(array.dtype, array.shape) for array in arrays], digests)


def digest_of(forms: Sequence[tuple[np.dtype[Any], tuple[int, ...]]], digests: tuple[str, str]) -> str:
    """The content digest of arrays of which dtype, shape and digest are known."""
    parts = [
        f"{dtype.newbyteorder('<').str} {shape} {digest}" for (dtype, shape), digest in zip(forms, digests, strict=True)
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def as_dataset(
    name: str,
    arrays: Arrays,
    classes: tuple[str, ...],
    source: str,
    *,
    n_train: int | None = None,
    digests: tuple[str, str] | None = None,
    nominal: tuple[int, ...] = (),
) -> Dataset:
    """The data set of ``arrays``, which become read-only; ``digests`` of X and y spare their computation.

    Which columns are ``nominal`` is part of the content, and so of its digest.
    """
    for array in arrays:
        array.flags.writeable = False
    digests = digests or (array_digest(arrays.X), array_digest(arrays.y))
    digest = content_digest(arrays, digests)
    if nominal:
        digest = hashlib.sha256(f"{digest} nominal {nominal}".encode()).hexdigest()
    return Dataset(name, arrays.X, arrays.y, classes, n_train, source, digest, nominal)
