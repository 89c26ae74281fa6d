"""Whether the machine is quiet enough for times to mean something: others at work, the same loop again, and turns.

The loop runs on one thread, so that it tells of others and not of threads that wait for each other. The best turn of
a library counts, so what must hold still is the best: of the loop before and after every task, and of our own rows,
whose second best turn has to be near it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.measure import NO_PEERS, Row
from celm.base.threads import n_cores, one_blas_thread

# Share of the cores that others may keep busy, and how much slower the best loop may be around a task, or a second best
# turn.
MOST_BUSY, MOST_SPREAD = 0.15, 1.15
TURNS = 100
# Seconds that are waited for others to end, and of one look at what they do.
PATIENCE, GLANCE = 300.0, 1.0
STAT = Path("/proc/stat")
IDLE = slice(3, 5)


@dataclass(frozen=True)
class Calibration:
    """The best of equal turns, in seconds, and the share of the cores that others kept busy just before them."""

    best: float
    busy: float


def busy(glance: float = GLANCE) -> float:
    """The share of the machine's cores that is at work while this process waits; its load where nothing tells."""
    if not STAT.exists():
        return os.getloadavg()[0] / n_cores()
    before = _ticks()
    time.sleep(glance)
    spent = [after - known for after, known in zip(_ticks(), before, strict=True)]
    return 1.0 - sum(spent[IDLE]) / max(sum(spent), 1)


def _ticks() -> list[int]:
    """What all cores together have spent at work of every kind and at none."""
    first, *_ = STAT.read_text(encoding="ascii").splitlines()
    return [int(word) for word in first.split()[1:9]]


def settle(patience: float = PATIENCE) -> None:
    """Wait until others are quiet, or patience is at its end."""
    end = time.monotonic() + patience
    while busy() > MOST_BUSY and time.monotonic() < end:
        pass


def calibrate(turns: int = TURNS) -> Calibration:
    """Time the same small piece of work again and again."""
    found, A = busy(), np.random.default_rng(0).standard_normal((300, 300))
    seconds = []
    with one_blas_thread():
        for _ in range(turns):
            started = time.perf_counter()
            for _ in range(10):
                np.tanh(A @ A)
            seconds.append(time.perf_counter() - started)
    return Calibration(min(seconds), found)


def complaints(name: str, around: Sequence[Calibration], best: float) -> list[str]:
    """What speaks against times that were taken between calibrations; ``best`` is the best loop of the run."""
    found = []
    if (others := max(each.busy for each in around)) > MOST_BUSY:
        found.append(f"{name}: others kept {others:.0%} of the cores busy beside it; at most {MOST_BUSY:.0%} is quiet")
    slowest = max(each.best for each in around) / best
    if slowest > MOST_SPREAD:
        found.append(
            f"{name}: the same loop took {slowest:.2f} times its best around it; at most {MOST_SPREAD} is quiet"
        )
    return found


def unsettled(name: str, rows: Iterable[Row]) -> list[str]:
    """What speaks against the times of a task itself: the least steady of our row and those beside it.

    A peer's row says so for itself, and so does every bar that rests on it.
    """
    own = [row for row in rows if row.library in NO_PEERS]
    worst = max(own, key=lambda row: row.next_best or 0.0, default=None)
    if worst is None or (worst.next_best or 0.0) <= MOST_SPREAD:
        return []
    whose = f"{worst.library} {worst.dtype} ({worst.task})"
    spread = f"{worst.next_best:.2f} times the best; at most {MOST_SPREAD} is quiet"
    return [f"{name}: the second best turn of {whose} took {spread}"]
