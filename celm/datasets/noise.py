"""Noise for training rows: labels that are wrong, inputs that are blurred. A smaller share spoils some of the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def _spoilt(n_rows: int, share: float, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """round(share·N) random rows, the first ones of a permutation that does not depend on the share."""
    return rng.permutation(n_rows)[: round(share * n_rows)]


def flipped_labels(y: npt.NDArray[Any], share: float, rng: np.random.Generator) -> npt.NDArray[Any]:
    """Labels (N) of which round(share·N) are replaced by another class, each other class being as likely."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"flipped_labels: needs at least two classes; got {len(classes)}.")
    rows = _spoilt(len(y), share, rng)
    steps = rng.integers(1, len(classes), size=len(y))
    codes[rows] = (codes[rows] + steps[rows]) % len(classes)
    return classes[codes]


def noisy_rows(X: npt.NDArray[np.float64], share: float, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Rows (N × n) of which round(share·N) get Gaussian noise with the standard deviation of each feature."""
    rows = _spoilt(len(X), share, rng)
    noise = rng.normal(size=X.shape) * X.std(axis=0)
    noisy = X.copy()
    noisy[rows] += noise[rows]
    return noisy
