"""Where a claim says that an effect lies, and what an interval says of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from celm.analysis.words import FAILS, HOLDS, OPEN

# Printed decimals are compared as decimals.
ROUNDING = 1e-9


class Bounds(NamedTuple):
    """Where a claim says that an effect lies."""

    at_least: float = -math.inf
    at_most: float = math.inf

    def on(self, change: Callable[[float], float]) -> Bounds:
        """The same bounds on another scale; an infinite one stays."""
        return Bounds(*(value if math.isinf(value) else change(value) for value in self))

    def verdict(self, low: float, high: float) -> str:
        """Holds if a whole interval lies inside, fails if the whole of it lies outside, open otherwise."""
        if math.isnan(low) or math.isnan(high):
            return OPEN
        if self.at_least - ROUNDING <= low and high <= self.at_most + ROUNDING:
            return HOLDS
        return FAILS if high < self.at_least - ROUNDING or low > self.at_most + ROUNDING else OPEN
