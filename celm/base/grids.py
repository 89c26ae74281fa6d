"""Grids of candidates: what a search may be given to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from celm.base.validation import check_number, quoted


def check_positive(name: str, owner: str, value: Any) -> None:
    """A candidate must be a number above 0."""
    check_number(value, name, owner, 0, above=True)


def check_grid(values: Sequence[Any], name: str, owner: str, check_one: Callable[[Any], None]) -> None:
    """Candidates must be one or more, in ascending order, so that ties go to the smallest."""
    if np.ndim(values) == 1:
        for value in values:
            check_one(value)
    if np.ndim(values) != 1 or not len(values) or list(values) != sorted(set(values)):
        raise ValueError(f"{owner}: {name} must be one or more numbers in ascending order; got {quoted(values)}.")
