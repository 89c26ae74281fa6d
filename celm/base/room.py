"""What this machine can hold: a size beyond it is refused in words, before the system ends the process for it."""

from __future__ import annotations

import os
from functools import cache

BYTES = 8


@cache
def memory() -> float:
    """Bytes of memory that this machine has; infinite where the system does not say."""
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def check_room(n_numbers: int, what: str) -> None:
    """Raise a ValueError where ``what``, numbers of double precision, would not fit into all the memory there is."""
    if BYTES * n_numbers > memory():
        needed = BYTES * min(n_numbers, 10**300) / 1e9
        raise ValueError(f"{what:.80} would need {needed:.3g} GB of memory, this machine has {memory() / 1e9:.3g}.")
