"""Weights of rows: those a caller gives, those that classes have, and their product."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from celm.base.magnitude import SQUARED
from celm.base.validation import check_number, check_plain, quoted
from celm.models.elm.directions import Array


def checked_weights(sample_weight: Any, n_rows: int, owner: str) -> Array | None:
    """One finite number of at least 0 per row, not all of them 0; None stays None."""
    if sample_weight is None:
        return None
    check_plain(sample_weight, "sample_weight", owner)
    weights = np.asarray(sample_weight)
    try:
        weights = weights if weights.dtype.kind == "c" else weights.astype(np.float64)
    except OverflowError as error:
        raise ValueError(f"{owner}: sample_weight has a whole number beyond what a float can hold.") from error
    fault = ""
    if weights.shape != (n_rows,):
        fault = f"shape {weights.shape}"
    elif not weights.any():
        fault = "zeros alone"
    elif (wrong := ~((weights.real >= 0) & (weights.real <= SQUARED) & (weights.imag == 0))).any():
        fault = f"{weights[wrong][0]} in row {wrong.argmax()}"
    if fault:
        raise ValueError(
            f"{owner}: sample_weight must hold one number from 0 to {SQUARED:g} for each of the {n_rows} rows, not all "
            f"zero weights; got {fault}."
        )
    return weights.real


def with_class_weight(weights: Array | None, class_weight: Any, y: Any) -> Array | None:
    """Row weights times those of their classes: None, "balanced" or a dict from class to weight."""
    if class_weight is None:
        return weights
    of_class: Array = compute_sample_weight(class_weight, y)
    product = of_class if weights is None else weights * of_class
    if not product.any():
        raise ValueError("class_weight must leave a weight above 0 to some row; with it all rows weigh 0.")
    return product


def check_class_weight(class_weight: Any, owner: str) -> None:
    """``class_weight`` must be None, "balanced" or a dict from classes to numbers from 0 to 1e150."""
    named = isinstance(class_weight, str) and class_weight == "balanced"
    if not (class_weight is None or named or isinstance(class_weight, dict)):
        raise ValueError(
            f'{owner}: class_weight must be None, "balanced" or a dict from class to weight; got '
            f"{quoted(class_weight)}."
        )
    for name, weight in class_weight.items() if isinstance(class_weight, dict) else ():
        check_number(weight, f"class_weight of {quoted(name)}", owner, 0, SQUARED)
