"""Whether the machine is quiet enough for times to mean something: its load, and the same loop before and after.

The loop runs on one thread, so that it tells of others and not of threads that wait for each other. It is timed in
several rounds: a hiccup spoils one of them, a neighbour most.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import numpy as np

from celm.base.threads import n_cores, one_blas_thread

# Load per core that others may make, and how much slower the same loop may be in the median, or afterwards.
MOST_LOAD, MOST_SPREAD = 0.15, 1.15
ROUNDS, TURNS, PAUSE = 7, 15, 0.3
# Seconds that are waited for the load to fall: it remembers what ran in the last minutes.
PATIENCE, GLANCE = 300.0, 5.0


@dataclass(frozen=True)
class Calibration:
    """The best of equal turns, the median of their rounds' medians, in seconds, and the machine's load per core."""

    best: float
    median: float
    load: float


def load() -> float:
    """The machine's load per core in the last minute."""
    return os.getloadavg()[0] / n_cores()


def settle(patience: float = PATIENCE, glance: float = GLANCE) -> None:
    """Wait until the load is quiet, or patience is at its end."""
    end = time.monotonic() + patience
    while load() > MOST_LOAD and time.monotonic() < end:
        time.sleep(glance)


def calibrate(rounds: int = ROUNDS, turns: int = TURNS, pause: float = PAUSE) -> Calibration:
    """Time the same small piece of work again and again."""
    found, A = load(), np.random.default_rng(0).standard_normal((300, 300))
    seconds = np.empty((rounds, turns))
    with one_blas_thread():
        for place in np.ndindex(rounds, turns):
            if place[1] == 0:
                time.sleep(pause)
                np.tanh(A @ A)
            started = time.perf_counter()
            for _ in range(10):
                np.tanh(A @ A)
            seconds[place] = time.perf_counter() - started
    return Calibration(float(seconds.min()), float(np.median(np.median(seconds, axis=1))), found)


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
