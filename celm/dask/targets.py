"""What workers make of the labels of their partition: targets of a readout, codes for a draw, the truth of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from celm.base.validation import codes_among
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.numeric_targets import draw_labels
from celm.models.elm.regressor import ELMRegressor

Array = npt.NDArray[Any]
Codes = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassTargets:
    """Labels that are classes; ``model`` says how they become the columns of T, ``weights`` how much each counts."""

    model: ELMClassifier
    classes: Array
    owner: str
    weights: Floats | None = None

    def codes(self, y: Array) -> Codes:
        """Class codes (N), which a draw may look at."""
        return codes_among(self.classes, y.ravel(), self.owner)

    def columns(self, y: Array) -> Floats:
        """T (N × k)."""
        return self.model.target_matrix(self.codes(y), len(self.classes))

    def truth(self, y: Array) -> Codes:
        """What held-out scores are to meet: the column of the class."""
        return self.codes(y)

    def row_weights(self, y: Array, weights: Floats | None) -> Floats | None:
        """What rows count: their own weights times those of their classes, None where all count alike."""
        if self.weights is None:
            return weights
        of_class = self.weights[self.codes(y)]
        return of_class if weights is None else weights * of_class

    @property
    def n_judged(self) -> int:
        """What is judged of a row: its class."""
        return 1

    def tell(self, model: ELMClassifier) -> None:
        """Let a model know what a fit learns from labels."""
        model.classes_ = self.classes


@dataclass(frozen=True, eq=False)
class ValueTargets:
    """Labels that are numbers, centred by their mean over all rows; ``flat`` when there is one per row."""

    model: ELMRegressor
    mean: Floats
    flat: bool

    def codes(self, y: Array) -> Array:
        """What a draw is told: quantiles of the targets (N), which stand for classes, or the targets (N × k)."""
        return draw_labels(self.columns(y), self.model.strategy, self.model.n_quantiles)

    def columns(self, y: Array) -> Floats:
        """T (N × k)."""
        return numbers_of(y) - self.mean

    def truth(self, y: Array) -> Floats:
        """What held-out scores are to meet: the targets themselves."""
        return self.columns(y)

    def row_weights(self, y: Array, weights: Floats | None) -> Floats | None:
        """What rows count: their own weights, None where all count alike."""
        return weights

    @property
    def n_judged(self) -> int:
        """What is judged of a row: every target."""
        return len(self.mean)

    def tell(self, model: ELMRegressor) -> None:
        """Let a model know what a fit learns from targets."""
        model.intercept_, model._flat, model._exponent = self.mean, self.flat, 0


Targets = ClassTargets | ValueTargets


def numbers_of(y: Array) -> Floats:
    """Finite numbers (N, or N × k) as N × k."""
    values = check_array(y, dtype=np.float64, ensure_2d=False, ensure_min_samples=0, input_name="y")
    return values.reshape(len(values), -1)
