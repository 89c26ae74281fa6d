"""What workers make of the labels of their partition: targets of a readout, codes for a draw, the truth of a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from celm.base.validation import codes_among
from celm.linalg.given_rows import times_root
from celm.linalg.truth import Truth, WeightedCodes
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.numeric_targets import draw_labels
from celm.models.elm.regressor import ELMRegressor

Array = npt.NDArray[Any]
Codes = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClassTargets:
    """Labels that are classes; ``model`` says how they become the columns of T, ``weights`` how much each counts.

    ``n_judged`` is what is judged of all rows together: their classes, by weight.
    """

    model: ELMClassifier
    classes: Array
    owner: str
    n_judged: float
    weights: Floats | None = None

    def codes(self, y: Array) -> Codes:
        """Class codes (N), which a draw may look at."""
        return codes_among(self.classes, y.ravel(), self.owner)

    def columns(self, y: Array, weights: Floats | None = None) -> Floats:
        """T (N × k), times the root of the rows' weights."""
        return times_root(self.model.target_matrix(self.codes(y), len(self.classes)), weights)

    def truth(self, y: Array, weights: Floats | None) -> Truth:
        """What held-out scores are to meet: the column of the class, by weight."""
        return self.codes(y) if weights is None else WeightedCodes(self.codes(y), weights)

    def row_weights(self, y: Array, weights: Any) -> Floats | None:
        """What rows count: their own weights times those of their classes, None where all count alike."""
        own = as_floats(weights)
        if self.weights is None:
            return own
        of_class = self.weights[self.codes(y)]
        return of_class if own is None else own * of_class

    def tell(self, model: ELMClassifier) -> None:
        """Let a model know what a fit learns from labels."""
        model.classes_ = self.classes


@dataclass(frozen=True, eq=False)
class ValueTargets:
    """Labels that are numbers, centred by their mean over all rows; ``flat`` when there is one per row.

    ``n_judged`` is what is judged of all rows together: every target, by weight.
    """

    model: ELMRegressor
    mean: Floats
    flat: bool
    n_judged: float
    weights: None = None

    def codes(self, y: Array) -> Array:
        """What a draw is told: quantiles of the targets (N), which stand for classes, or the targets (N × k)."""
        return draw_labels(self.columns(y), self.model.strategy, self.model.n_quantiles)

    def columns(self, y: Array, weights: Floats | None = None) -> Floats:
        """T (N × k), times the root of the rows' weights."""
        return times_root(numbers_of(y) - self.mean, weights)

    def truth(self, y: Array, weights: Floats | None) -> Truth:
        """What held-out scores are to meet: the targets themselves."""
        return self.columns(y, weights)

    def row_weights(self, y: Array, weights: Any) -> Floats | None:
        """What rows count: their own weights, None where all count alike."""
        return as_floats(weights)

    def tell(self, model: ELMRegressor) -> None:
        """Let a model know what a fit learns from targets."""
        model.intercept_, model._flat, model._exponent = self.mean, self.flat, 0


Targets = ClassTargets | ValueTargets


def as_floats(weights: Any) -> Floats | None:
    """Weights in double precision; None stays None."""
    return None if weights is None else np.asarray(weights, dtype=np.float64)


def numbers_of(y: Array) -> Floats:
    """Finite numbers (N, or N × k) as N × k."""
    values = check_array(y, dtype=np.float64, ensure_2d=False, ensure_min_samples=0, input_name="y")
    return values.reshape(len(values), -1)
