"""Folds as scikit-learn states them, a splitter or a list of (train, test), as one number per row."""

from __future__ import annotations

from typing import Any

import numpy as np

from celm.base.validation import quoted


def fold_numbers(cv: Any, y: Any, owner: str) -> Any:
    """One fold number per row of a splitter or of its splits; anything else as it is.

    Sums over folds need every row to be held out once, and learned from in all other splits.
    """
    splitter = hasattr(cv, "split") and not isinstance(cv, (str, bytes, type))
    splits = list(cv.split(np.zeros(len(y)), y)) if splitter else cv
    if not isinstance(splits, (list, tuple)) or not all(isinstance(split, (list, tuple)) for split in splits):
        return cv
    if not all(len(split) == 2 for split in splits):
        raise ValueError(f"{owner}: a split of cv must be rows to learn from and rows held out; got {quoted(cv)}.")
    numbers, held_out = np.zeros(len(y), dtype=np.intp), np.zeros(len(y), dtype=np.intp)
    learned = np.zeros(len(y), dtype=np.intp)
    try:
        for number, (train, test) in enumerate(splits):
            numbers[test] = number
            np.add.at(held_out, test, 1)
            np.add.at(learned, train, 1)
    except (IndexError, TypeError, ValueError) as error:
        raise ValueError(f"{owner}: a split of cv names rows that are not there; {len(y)} rows are given.") from error
    if not ((held_out == 1).all() and (learned == len(splits) - 1).all()):
        raise ValueError(f"{owner}: the splits of cv must hold every row out once and learn from it in all others.")
    return numbers
