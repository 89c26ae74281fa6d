"""What the library asks of itself: bars on ratios within one run, and whether they were met.

A peer's double-precision row is held against celm's, a single-precision row against celm's mixed one and, across
precisions, against the double one too. Peers are libraries; the textbook's numpy, which checks nothing, has a bar of
its own, and the limit has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from bench.measure import NO_PEERS, TEXTBOOK, Row
from bench.quiet import MOST_SPREAD
from bench.tasks import Task

# How many times the limit a fit of many nodes, one of few, and a prediction may take.
MANY_NODES = 1000
MOST_FIT, MOST_SMALL_FIT, MOST_PREDICT = 1.10, 1.30, 1.15
# Seconds that the answer to one row may take beyond checking it.
MOST_ONE_ROW = 0.15e-3
# How many times as fast as the fastest peer a fit in mixed precision must be with many nodes.
LEAST_MIXED = 1.8
# What a choice of λ may take in fits, and how many times as fast as the textbook a choice of nodes and λ must be.
MOST_CHOICE, LEAST_TABLE1 = 1.6, 20.0
# How much more memory ten times the rows may take.
MOST_MEMORY = 1.1


@dataclass(frozen=True)
class Bar:
    """A bar on one measured number: at most the bound, or at least; ``of`` are the rows it comes from."""

    task: str
    what: str
    measured: float
    bound: float
    of: tuple[Row, ...] = ()
    at_least: bool = False

    @property
    def met(self) -> bool:
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    @property
    def steady(self) -> bool:
        """Whether every row that it comes from had a second turn near its best."""
        return all((row.next_best or 1.0) <= MOST_SPREAD for row in self.of)

    @property
    def accuracies(self) -> str:
        """What the two rows answered right, ours first: how quick says nothing of how well."""
        ours = sorted(self.of, key=lambda row: row.library != "celm")
        known = [f"{row.accuracy:.3f}" for row in ours if row.accuracy is not None]
        return " / ".join(known) if len(known) == 2 else ""

    def cells(self) -> tuple[str, ...]:
        """Task, what is measured, the number, the bar, whether it was met, on steady turns, and both accuracies."""
        bound = f"{'at least' if self.at_least else 'at most'} {self.bound:.4g}"
        met, steady = "met" if self.met else "missed", "" if self.steady else "unsteady"
        return self.task, self.what, f"{self.measured:.3g}", bound, met, steady, self.accuracies


class Measured:
    """The rows of a run by task, library and precision."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = [row for row in rows if row.seconds is not None]

    def row(self, task: str, library: str, dtype: str = "float64") -> Row | None:
        found = (r for r in self._rows if (r.task, r.library, r.dtype) == (task, library, dtype))
        return next(found, None)

    def fastest_peer(self, task: str, dtype: str) -> Row | None:
        """The fastest library of a precision."""
        others = (*NO_PEERS, TEXTBOOK)
        peers = [r for r in self._rows if r.task == task and r.dtype == dtype and r.library not in others]
        return min(peers, key=_seconds, default=None)


def _seconds(row: Row) -> float:
    return row.seconds or 0.0


def _ratio(task: str, what: str, rows: tuple[Row | None, Row | None], bound: float, **how: bool) -> Iterator[Bar]:
    """A bar on the seconds of one row over those of another, where both were measured."""
    one, other = rows
    if one is not None and other is not None:
        yield Bar(task, what, _seconds(one) / _seconds(other), bound, (one, other), **how)


def all_bars(rows: Iterable[Row], tasks: Iterable[Task], streams: tuple[str, str]) -> list[Bar]:
    """Every bar whose rows were measured; ``streams`` are the fits out of core on few rows and on many."""
    measured = Measured(rows)
    found: list[Bar] = []
    for task in tasks:
        found += [*_over_limit(measured, task), *_against_peers(measured, task)]
    return [*found, *_of_choices(measured), *_of_memory(measured, *streams)]


def _over_limit(measured: Measured, task: Task) -> Iterator[Bar]:
    ours, limit, checks = (measured.row(task.name, library) for library in ("celm", "limit", "validation"))
    if task.kind == "predict_one_row" and ours is not None and checks is not None:
        beyond = 1e3 * (_seconds(ours) - _seconds(checks))
        yield Bar(task.name, "milliseconds beyond validation", beyond, 1e3 * MOST_ONE_ROW, (ours, checks))
    elif task.kind in ("fit", "predict"):
        most = MOST_FIT if task.kind == "fit" and task.nodes >= MANY_NODES else MOST_SMALL_FIT
        bound = MOST_PREDICT if task.kind == "predict" else most
        yield from _ratio(task.name, "seconds over the limit's", (ours, limit), bound)


def _against_peers(measured: Measured, task: Task) -> Iterator[Bar]:
    double, mixed = measured.row(task.name, "celm"), measured.row(task.name, "celm", "mixed")
    peers = {dtype: measured.fastest_peer(task.name, dtype) for dtype in ("float64", "float32")}
    for (dtype, peer), ours in product(peers.items(), (double, mixed)):
        if ours is not None and peer is not None and (ours is not mixed or dtype == "float32"):
            across = ", single against double" if ours is double and dtype == "float32" else ""
            what = f"{ours.dtype}: seconds over those of {peer.library} {dtype}{across}"
            yield from _ratio(task.name, what, (ours, peer), 1.0)
    textbook = double, measured.row(task.name, TEXTBOOK)
    yield from _ratio(task.name, f"float64: seconds over those of {TEXTBOOK}, no library", textbook, 1.0)
    if task.kind == "fit" and task.nodes >= MANY_NODES:
        for dtype, peer in peers.items():
            what = f"mixed: times as fast as {peer.library if peer else ''} {dtype}"
            yield from _ratio(task.name, what, (peer, mixed), LEAST_MIXED, at_least=True)


def _of_choices(measured: Measured) -> Iterator[Bar]:
    fits = measured.row("choice_lambda", "celm"), measured.row("choice_lambda", "one fit")
    yield from _ratio("choice_lambda", "seconds over those of one fit", fits, MOST_CHOICE)
    textbook = measured.row("choice_table1", TEXTBOOK), measured.row("choice_table1", "celm")
    yield from _ratio("choice_table1", f"times as fast as {TEXTBOOK}", textbook, LEAST_TABLE1, at_least=True)


def _of_memory(measured: Measured, few: str, many: str) -> Iterator[Bar]:
    small, large = measured.row(few, "celm"), measured.row(many, "celm")
    if small is not None and large is not None and small.peak_mb and large.peak_mb is not None:
        yield Bar(many, f"peak memory over that of {few}", large.peak_mb / small.peak_mb, MOST_MEMORY)


HEADINGS = ("task", "what", "measured", "bar", "", "turns", "accuracy, ours / theirs")


def as_markdown(bars: list[Bar]) -> str:
    """The bars as a table."""
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(bar.cells() for bar in bars)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def spoken(bars: list[Bar]) -> str:
    """The bars as lines to read, and how many were met."""
    lines = ["{4:6} {0:20} {1}: {2} ({3}) {5}".format(*bar.cells()).rstrip() for bar in bars]
    return "\n".join([*lines, f"{sum(bar.met for bar in bars)} of {len(bars)} bars met"])
