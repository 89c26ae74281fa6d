"""Clocks of the race: warm actions by the wall and by the processor, and who else is at work meanwhile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from celm.study.families.family import rounded

STAT = Path("/proc/stat")
# Which of its first numbers count work, and time that other machines took; the others are rest and waiting for disks.
WORK = (0, 1, 2, 5, 6, 7)
# In these parts of a second, as Linux gives it to everyone; so many of them tell who works.
TICKS, ENOUGH_TICKS = 100.0, 10


class Times(NamedTuple):
    """Medians of one action: wall seconds, processor seconds of this process, and how often it was timed."""

    wall: float
    cpu: float
    repeats: int


def warm_times(action: Callable[[], object], least: int, enough: float, most: float) -> Times:
    """Do an action once unseen, then on the clock ``least`` times and ``enough`` seconds, not again after ``most``."""
    action()
    walls, cpus = list[float](), list[float]()
    while not walls or ((len(walls) < least or sum(walls) < enough) and sum(walls) < most):
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        cpus.append(time.process_time() - cpu)
        walls.append(time.perf_counter() - wall)
    return Times(rounded(median(walls)), rounded(median(cpus)), len(walls))


def load() -> float | None:
    """The machine's load of the last minute, our own work in it; None where nothing tells."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


class Company:
    """What others do from here on: processes of this machine, and machines that take its processors away."""

    def __init__(self) -> None:
        self._started, self._own, self._all = time.perf_counter(), time.process_time(), _work()

    def cores(self) -> float | None:
        """How many cores they kept busy on average; None where nothing tells, or in too short a time."""
        passed, spent, now = time.perf_counter() - self._started, time.process_time() - self._own, _work()
        if self._all is None or now is None or passed < ENOUGH_TICKS / TICKS:
            return None
        return round(max(0.0, (now - self._all - spent) / passed), 2)


def _work() -> float | None:
    """Seconds that all cores together have been at work since the start of the machine."""
    try:
        words = STAT.read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        return sum(int(words[place]) for place in WORK) / TICKS
    except (OSError, ValueError, IndexError):
        return None
