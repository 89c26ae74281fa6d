"""What a curve over node counts learns and is judged on: classes or numbers, of training and of test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.magnitude import times_power
from celm.base.validation import codes_among, encode_labels
from celm.linalg.readout import Array
from celm.linalg.truth import held_out_gain
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.numeric_targets import centred, draw_labels
from celm.models.elm.regressor import ELMRegressor


@dataclass(frozen=True)
class CurveTask:
    """Of the training rows what a draw is told, T (N × k) and the truth that folds are to meet; of test rows the truth.

    The truth is class codes (N), or targets (N × k) times 2^−exponent.
    """

    labels: Any
    T: Array
    truth: npt.NDArray[Any]
    test_truth: npt.NDArray[Any]
    exponent: int = 0

    def gain(self, scores: Array) -> Any:
        """Test rows that scores (… × N × k) classify correctly, or minus the sum of their squared errors."""
        return self.in_units(held_out_gain(scores, self.test_truth))

    def gain_of(self, fitted: Any, X_test: Any) -> Any:
        """The same of a fitted model on the test rows."""
        return self.gain(times_power(fitted.scores(X_test), -self.exponent))

    def in_units(self, gain: Any) -> Any:
        """A gain in the units of the targets: whole numbers of rows, squared errors as floats."""
        given = times_power(np.asarray(gain), 2 * self.exponent)
        return given.item() if given.ndim == 0 else given


def curve_task(model: ELMClassifier | ELMRegressor, y: Any, y_test: Any) -> CurveTask:
    """What ``model`` makes of training and test labels."""
    if isinstance(model, ELMRegressor):
        T, mean, exponent = centred(y)
        of_test = times_power(np.asarray(y_test, dtype=np.float64).reshape(len(y_test), -1), -exponent) - mean
        return CurveTask(draw_labels(T, model.strategy, model.n_quantiles), T, T, of_test, exponent)
    classes, codes = encode_labels(y, "accuracy curve")
    return CurveTask(codes, model.target_matrix(codes, len(classes)), codes, _codes_among(classes, y_test))


def fitted_targets(model: ELMClassifier | ELMRegressor, y: Any, owner: str) -> Array:
    """Targets (N × k) of rows as a fitted ``model`` has learned its own: by its classes, or about its mean."""
    if isinstance(model, ELMRegressor):
        T = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        if T.shape[1] != len(model.intercept_):
            raise ValueError(f"{owner}: the model has {len(model.intercept_)} targets; y has {T.shape[1]}.")
        return times_power(T, -model._exponent) - times_power(model.intercept_, -model._exponent)
    return model.target_matrix(codes_among(model.classes_, np.asarray(y), owner), len(model.classes_))


def fitted_truth(model: ELMClassifier | ELMRegressor, y: Any, owner: str) -> npt.NDArray[Any]:
    """What scores of a fitted ``model`` are to meet: codes (N), −1 for classes it does not know, or targets (N × k)."""
    if isinstance(model, ELMRegressor):
        return fitted_targets(model, y, owner)
    return np.asarray(_codes_among(model.classes_, y))


def _codes_among(classes: Any, y: Any) -> Any:
    """Codes of test labels; −1, which no prediction equals, for a class without training rows."""
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    return np.where(classes[codes] == y, codes, -1)
