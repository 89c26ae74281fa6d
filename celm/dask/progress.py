"""How far a pass over the partitions is, and when it will be done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from celm.base.validation import check_flag


class Progress(NamedTuple):
    """Where a pass stands.

    Parameters
    ----------
    stage : str
        What the pass is for.
    done, total : int
        Partitions that are through, and all.
    seconds : float
        Time since the pass began.

    Examples
    --------
    >>> half = Progress("sums", done=5, total=10, seconds=30.0)
    >>> half.seconds_left
    30.0
    >>> str(half)
    'sums: 5 of 10 partitions, 30 s, about 30 s left'
    """

    stage: str
    done: int
    total: int
    seconds: float

    @property
    def seconds_left(self) -> float:
        """The time the rest will take if it goes on as so far; infinite as long as nothing is through."""
        return self.seconds * (self.total - self.done) / self.done if self.done else float("inf")

    def __str__(self) -> str:
        left = "" if not self.done or self.done == self.total else f", about {self.seconds_left:.0f} s left"
        return f"{self.stage}: {self.done} of {self.total} partitions, {self.seconds:.0f} s{left}"


# A line is written over no more often than this.
PRINT_SECONDS = 0.5

Report = Callable[[Progress], None]


def print_progress(progress: Progress) -> None:
    """One line on standard error, written over until the pass is done."""
    end = "\n" if progress.done == progress.total else ""
    print(f"\r\x1b[2K{progress}", end=end, file=sys.stderr, flush=True)


def check_report(report: Any, name: str, owner: str) -> None:
    """``report`` must be a function of a :class:`Progress`, or true or false."""
    if not callable(report):
        check_flag(report, name, owner)


class Meter:
    """Counts the partitions of one pass and says so.

    Parameters
    ----------
    report : bool or callable
        A callable is told of every partition; true prints a line now and then, false nothing.
    stage : str
        What the pass is for.
    total : int
        All partitions.
    """

    def __init__(self, report: bool | Report, stage: str, total: int) -> None:
        self._report = report if callable(report) else self._print if report else None
        self._stage, self._total, self._done = stage, total, 0
        self._started = time.monotonic()
        self._printed = float("-inf")

    def tick(self, partitions: int = 1) -> None:
        """So many more partitions are through; fewer than none when they were lost."""
        self._done += partitions
        if self._report is not None:
            self._report(Progress(self._stage, self._done, self._total, time.monotonic() - self._started))

    def _print(self, progress: Progress) -> None:
        if progress.done == progress.total or time.monotonic() > self._printed + PRINT_SECONDS:
            self._printed = time.monotonic()
            print_progress(progress)
