"""Weights of rows: those a caller gives, those that classes have, and their product."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_sample_weight

from celm.base.validation import check_number
from celm.models.elm.directions import Array


def checked_weights(sample_weight: Any, n_rows: int, owner: str) -> Array | None:
    """One finite number of at least 0 per row, not all of them 0; None stays None."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,) or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError(
            f"{owner}: sample_weight must hold one number of at least 0 for each of the {n_rows} rows, not all zero "
            f"weights; got shape {weights.shape}."
        )
    return weights


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
    """``class_weight`` must be None, "balanced" or a dict from classes to numbers of at least 0."""
    if not (class_weight is None or class_weight == "balanced" or isinstance(class_weight, dict)):
        raise ValueError(
            f'{owner}: class_weight must be None, "balanced" or a dict from class to weight; got {class_weight!r}.'
        )
    for name, weight in class_weight.items() if isinstance(class_weight, dict) else ():
        check_number(weight, f"class_weight of {name!r}", owner, 0)


def check_labels(y: Any, owner: str) -> None:
    """Labels must be there, and be all numbers or all strings; numpy makes strings of a list of both."""
    values = np.asarray(y, dtype=object if isinstance(y, (list, tuple)) else None)
    if y is None or values.dtype != object:
        return
    kinds = sorted({"str" if isinstance(label, str) else type(label).__name__ for label in values.ravel()})
    if "NoneType" in kinds:
        raise ValueError(f"{owner}: every row needs a label; y holds None.")
    if "str" in kinds and len(kinds) > 1:
        raise ValueError(f"{owner}: labels must be all numbers or all strings; y holds {' and '.join(kinds)}.")
