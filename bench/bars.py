"""What the library asks of itself: bars on ratios within one run, and whether they were met.

Times are compared within one precision: a peer's double-precision row with celm's, a single-precision row with celm's
mixed one. The textbook's numpy counts as a peer; the limit does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bench.measure import Row
from bench.tasks import Task

# How many times the limit a fit of many nodes, one of few, and a prediction may take.
MANY_NODES = 1000
MOST_FIT, MOST_SMALL_FIT, MOST_PREDICT = 1.10, 1.30, 1.15
# Seconds that the answer to one row may take beyond checking it.
MOST_ONE_ROW = 0.15e-3
# How many times as fast as the fastest peer mixed precision must be with many nodes.
LEAST_MIXED = 1.8
# What a choice of λ may take in fits, and how many times as fast as the textbook a choice of nodes and λ must be.
MOST_CHOICE, LEAST_TABLE1 = 1.6, 20.0
# How much more memory ten times the rows may take.
MOST_MEMORY = 1.1
PRECISIONS = {"float64": "float64", "float32": "mixed"}
NO_PEERS = ("celm", "limit", "validation")


@dataclass(frozen=True)
class Bar:
    """A bar on one measured number: at most the bound, or at least."""

    task: str
    what: str
    measured: float
    bound: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    def cells(self) -> tuple[str, ...]:
        """Task, what is measured, the number, the bar, and whether it was met."""
        bound = f"{'at least' if self.at_least else 'at most'} {self.bound:.4g}"
        return self.task, self.what, f"{self.measured:.3g}", bound, "met" if self.met else "missed"


class Measured:
    """The rows of a run by task, library and precision."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = [row for row in rows if row.seconds is not None]

    def seconds(self, task: str, library: str, dtype: str = "float64") -> float | None:
        found = (r.seconds for r in self._rows if (r.task, r.library, r.dtype) == (task, library, dtype))
        return next(found, None)

    def memory(self, task: str) -> float | None:
        return next((row.peak_mb for row in self._rows if row.task == task and row.library == "celm"), None)

    def fastest_peer(self, task: str, dtype: str) -> Row | None:
        peers = [r for r in self._rows if r.task == task and r.dtype == dtype and r.library not in NO_PEERS]
        return min(peers, key=lambda row: row.seconds or 0.0, default=None)


def all_bars(rows: Iterable[Row], tasks: Iterable[Task], streams: tuple[str, str]) -> list[Bar]:
    """Every bar whose rows were measured; ``streams`` are the fits out of core on few rows and on many."""
    measured = Measured(rows)
    found: list[Bar] = []
    for task in tasks:
        found += [*_over_limit(measured, task), *_against_peers(measured, task)]
    return [*found, *_of_choices(measured), *_of_memory(measured, *streams)]


def _over_limit(measured: Measured, task: Task) -> Iterator[Bar]:
    ours, limit = measured.seconds(task.name, "celm"), measured.seconds(task.name, "limit")
    if ours is None:
        return
    if task.kind == "predict_one_row":
        checks = measured.seconds(task.name, "validation")
        if checks is not None:
            yield Bar(task.name, "milliseconds beyond validation", 1e3 * (ours - checks), 1e3 * MOST_ONE_ROW)
    elif limit is not None and task.kind in ("fit", "predict"):
        most = MOST_FIT if task.kind == "fit" and task.nodes >= MANY_NODES else MOST_SMALL_FIT
        yield Bar(task.name, "seconds over the limit's", ours / limit, MOST_PREDICT if task.kind == "predict" else most)


def _against_peers(measured: Measured, task: Task) -> Iterator[Bar]:
    for dtype, own in PRECISIONS.items():
        ours, peer = measured.seconds(task.name, "celm", own), measured.fastest_peer(task.name, dtype)
        if ours is not None and peer is not None:
            yield Bar(
                task.name, f"{own}: seconds over those of {peer.library} {dtype}", ours / (peer.seconds or 1), 1.0
            )
    mixed, peer = measured.seconds(task.name, "celm", "mixed"), measured.fastest_peer(task.name, "float64")
    if task.kind == "fit" and task.nodes >= MANY_NODES and mixed is not None and peer is not None:
        times = (peer.seconds or 0.0) / mixed
        yield Bar(task.name, f"mixed: times as fast as {peer.library} float64", times, LEAST_MIXED, at_least=True)


def _of_choices(measured: Measured) -> Iterator[Bar]:
    choice, fit = measured.seconds("choice_lambda", "celm"), measured.seconds("fit_1000", "celm")
    if choice is not None and fit is not None:
        yield Bar("choice_lambda", "seconds over those of fit_1000", choice / fit, MOST_CHOICE)
    ours, naive = (measured.seconds("choice_table1", library) for library in ("celm", "naive"))
    if ours is not None and naive is not None:
        yield Bar("choice_table1", "times as fast as naive", naive / ours, LEAST_TABLE1, at_least=True)


def _of_memory(measured: Measured, few: str, many: str) -> Iterator[Bar]:
    small, large = measured.memory(few), measured.memory(many)
    if small and large is not None:
        yield Bar(many, f"peak memory over that of {few}", large / small, MOST_MEMORY)


HEADINGS = ("task", "what", "measured", "bar", "")


def as_markdown(bars: list[Bar]) -> str:
    """The bars as a table."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(bar.cells() for bar in bars)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def spoken(bars: list[Bar]) -> str:
    """The bars as lines to read, and how many were met."""
    lines = ["{4:6} {0:20} {1}: {2} ({3})".format(*bar.cells()) for bar in bars]
    return "\n".join([*lines, f"{sum(bar.met for bar in bars)} of {len(bars)} bars met"])
