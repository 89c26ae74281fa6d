"""Whether the machine is quiet enough for times to mean something: its load, and the same loop before and after."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import numpy as np

# Load per core that others may make, and how much slower the same loop may be at its worst, or afterwards.
MOST_LOAD, MOST_SPREAD = 0.15, 1.10
TURNS = 15


@dataclass(frozen=True)
class Calibration:
    """The best and the median of equal turns, in seconds, and the machine's load per core."""

    best: float
    median: float
    load: float


def calibrate(turns: int = TURNS) -> Calibration:
    """Time the same small piece of work again and again."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    A = np.random.default_rng(0).standard_normal((300, 300))
    seconds = []
    for _ in range(turns):
        started = time.perf_counter()
        for _ in range(10):
            np.tanh(A @ A)
        seconds.append(time.perf_counter() - started)
    return Calibration(min(seconds), float(np.median(seconds)), load)


def complaints(before: Calibration, after: Calibration) -> list[str]:
    """What speaks against publishing times that were taken between two calibrations; nothing on a quiet machine."""
    found = []
    if before.load > MOST_LOAD:
        found.append(f"load per core was {before.load:.2f} at the start; at most {MOST_LOAD} is quiet")
    for when, calibration in (("before", before), ("after", after)):
        spread = calibration.median / calibration.best
        if spread > MOST_SPREAD:
            found.append(f"equal work took {spread:.2f} times its best {when} the run; at most {MOST_SPREAD} is quiet")
    drift = max(before.best, after.best) / min(before.best, after.best)
    if drift > MOST_SPREAD:
        found.append(f"the same loop took {drift:.2f} times as long at one end of the run as at the other")
    return found
