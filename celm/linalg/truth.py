"""What held-out scores are to meet, and how well they do: classes, classes of rows with weights, or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.linalg.readout import Array, correct_counts


@dataclass(frozen=True, eq=False)
class WeightedCodes:
    """Class codes (N) of rows that count by their weights (N)."""

    codes: npt.NDArray[np.intp]
    weights: Array

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Any) -> WeightedCodes:
        return WeightedCodes(self.codes[rows], self.weights[rows])


# Class codes (N), the same with weights, or targets (N × m).
Truth = npt.NDArray[Any] | WeightedCodes


def gain_type(truth: Truth) -> type:
    """Rows are counted in whole numbers, so that ties are exact; weights and squared errors are not whole."""
    return np.float64 if isinstance(truth, WeightedCodes) or truth.ndim > 1 else np.intp


def held_out_gain(scores: Array, truth: Truth) -> Any:
    """How well scores (… × N × m) meet the truth of their rows, larger is better, over the last two axes.

    Class codes (N): rows classified correctly, or the sum of their weights. Targets (N × m): minus the sum of squared
    errors.
    """
    if isinstance(truth, WeightedCodes):
        return (scores.argmax(axis=-1) == truth.codes) @ truth.weights
    return correct_counts(scores, truth) if truth.ndim == 1 else -((scores - truth) ** 2).sum(axis=(-2, -1))
