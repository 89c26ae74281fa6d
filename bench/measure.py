"""Times tasks side by side: a process per library, asked in turns, in alternating order; the best of several counts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from bench.environments import CannotInstall, Library, python_of
from bench.tasks import Task
from bench.workers import TOO_LONG, Worker, WorkerFailed

# Ours, and what ours is measured by: their turns must be steady for a task to be published.
NO_PEERS = ("celm", "limit", "one fit", "validation")
# What celm alone offers, and where it has one way to compute.
OURS_ALONE, ONE_PRECISION = ("draw", "out_of_core"), ("draw", "choice")
# numpy as a textbook writes it: measured beside the peers, and no library.
TEXTBOOK = "naive"
LACKING = "NotImplementedError"
# The libraries that are tried on everything.
ALWAYS = ("celm", "limit", TEXTBOOK)
# Workers that start together: models to predict with are fitted then, and of many nodes more do not fit in memory.
ABREAST = 5
# How a fit grows with its nodes, by which the time of a larger one is guessed from that of the largest before.
GROWTH = 1.5
# A second best turn within this of the best settles a row; until then there are turns, at most so many times as asked.
SETTLED, MORE_TURNS = 1.05, 4
Entry = tuple[Library, str]


@dataclass
class Row:
    """A row of bench.csv; its fields are the columns."""

    task: str
    library: str
    version: str = ""
    dtype: str = "float64"
    threads: int = 1
    seconds: float | None = None
    cpu_seconds: float | None = None
    accuracy: float | None = None
    peak_mb: float | None = None
    ratio_to_ours: float | None = None
    ratio_to_limit: float | None = None
    next_best: float | None = None
    status: str = "ok"

    def add_turn(self, seconds: float, cpu_seconds: float) -> None:
        """Take a turn into account: the best counts, and how near the second best came to it."""
        known = [] if self.seconds is None else [self.seconds]
        known += [] if self.seconds is None or self.next_best is None else [self.seconds * self.next_best]
        best, *others = sorted([*known, seconds])
        self.seconds, self.next_best = best, others[0] / best if others else None
        self.cpu_seconds = cpu_seconds if self.cpu_seconds is None else min(self.cpu_seconds, cpu_seconds)

    @property
    def settled(self) -> bool:
        """Whether two turns were about equally quick, so that a further one would bring little."""
        return self.next_best is not None and self.next_best <= SETTLED


COLUMNS = [field.name for field in fields(Row)]


def precisions_of(library: Library, task: Task) -> tuple[str, ...]:
    """The precisions in which a library has a row of a task."""
    one = library.name == "celm" and task.kind.startswith(ONE_PRECISION)
    return library.dtypes[: 1 if one else None]


def work_of(task: Task, data: Path) -> float:
    """What the time of a fit is taken to grow with: its rows times a power of its nodes."""
    return float(len(np.load(data / "X.npy", mmap_mode="r", allow_pickle=False)) * task.nodes**GROWTH)


class Contest:
    """All libraries on one task, in environments under ``environments``.

    Every library has ``repeat`` turns and then more until its two best are near each other; after the first, none when
    they have taken ``budget`` seconds together. A peer whose smaller fit shows that a larger one would take more than
    ``patience`` seconds is not tried on it.
    """

    def __init__(self, environments: Path, threads: int, repeat: int, patience: float, budget: float = 30.0) -> None:
        self._environments, self._threads, self._repeat = environments, threads, repeat
        self._patience, self._budget = patience, budget
        self._fits: dict[Entry, list[tuple[float, Row]]] = {}
        self._lacking: set[tuple[str, str]] = set()

    def rows(self, task: Task, libraries: Iterable[Library], data: Path, **more: Any) -> list[Row]:
        """A row per library and precision; failures are rows too, and so is a peer that does not offer the task."""
        entries = [
            (each, dtype)
            for each in libraries
            if each.only in ("", task.kind) and (task.kind not in OURS_ALONE or each.name == "celm")
            for dtype in precisions_of(each, task)
        ]
        rows = {entry: Row(task.name, entry[0].name, dtype=entry[1], threads=self._threads) for entry in entries}
        workers: dict[Entry, Worker] = {}
        self._say_what_lacks(rows, task)
        if task.kind == "fit":
            self._expect(rows, work_of(task, data))
        try:
            self._start(rows, workers, {"task": asdict(task), "data": str(data), **more})
            self._take_turns(workers, rows)
        finally:
            for worker in workers.values():
                worker.stop()
        self._lacking |= {(r.library, task.kind) for r in rows.values() if r.status.startswith(LACKING)}
        self._say_what_lacks(rows, task)
        lacking = {name for name, kind in self._lacking if kind == task.kind}
        return [row for row in rows.values() if row.library not in (*NO_PEERS, TEXTBOOK) or row.library not in lacking]

    def _say_what_lacks(self, rows: dict[Entry, Row], task: Task) -> None:
        """Mark the rows of libraries that are known not to offer such a task."""
        for row in rows.values():
            if (row.library, task.kind) in self._lacking:
                row.status = f"does not offer {task.kind}"

    def _expect(self, rows: dict[Entry, Row], work: float) -> None:
        """Mark the rows that would take too long, by the fits that their libraries have made before."""
        for entry, row in rows.items():
            known = self._fits.setdefault(entry, [])
            timed = [each for each in known if each[1].seconds is not None or each[1].status.startswith(TOO_LONG)]
            if row.status == "ok" and timed and entry[0].name not in ALWAYS:
                done, nearest = max(timed, key=lambda each: each[0])
                taken = self._patience if nearest.seconds is None else nearest.seconds
                expected = taken * work / done
                if expected > self._patience:
                    row.status = (
                        f"not tried: {taken:.2g} s of {nearest.task}, growing with rows · nodes^{GROWTH:g}, "
                        f"become {expected:.0f} s; {self._patience:g} s are waited for"
                    )
            known.append((work, row))

    def _start(self, rows: dict[Entry, Row], workers: dict[Entry, Worker], order: dict[str, Any]) -> None:
        """Start a worker for every row, a few at a time, and wait until all are ready: nothing is timed before."""
        entries = list(rows)
        for first in range(0, len(entries), ABREAST):
            abreast = entries[first : first + ABREAST]
            for entry in abreast:
                self._start_one(entry, rows[entry], workers, order)
            for entry in filter(workers.__contains__, abreast):
                try:
                    rows[entry].version = workers[entry].version()
                except WorkerFailed as error:
                    rows[entry].status = str(error)

    def _start_one(self, entry: Entry, row: Row, workers: dict[Entry, Worker], order: dict[str, Any]) -> None:
        if row.status == "ok":
            try:
                python = python_of(entry[0], self._environments)
            except CannotInstall as error:
                row.status = str(error)
                return
            own = {"library": row.library, "dtype": row.dtype, **order}
            workers[entry] = Worker(python, own, self._threads, self._patience)

    def _take_turns(self, workers: dict[Entry, Worker], rows: dict[Entry, Row]) -> None:
        spent = dict.fromkeys(workers, 0.0)
        for turn in range(MORE_TURNS * self._repeat):
            for entry in list(workers)[:: -1 if turn % 2 else 1]:
                row = rows[entry]
                wanted = turn < self._repeat or not row.settled
                if row.status == "ok" and wanted and (turn == 0 or spent[entry] < self._budget):
                    started = time.perf_counter()
                    answer = self._ask(workers[entry], row, "run")
                    if row.status == "ok":
                        row.add_turn(answer["seconds"], answer["cpu_seconds"])
                    spent[entry] += time.perf_counter() - started
        for entry, worker in workers.items():
            if rows[entry].status == "ok":
                answer = self._ask(worker, rows[entry], "end")
                rows[entry].accuracy, rows[entry].peak_mb = answer.get("accuracy"), answer.get("peak_mb")

    def _ask(self, worker: Worker, row: Row, order: str) -> dict[str, Any]:
        """The answer; nothing where there is none, and the row then says why and has no times."""
        try:
            return worker.ask(order)
        except WorkerFailed as error:
            row.status, row.seconds, row.cpu_seconds, row.next_best = str(error), None, None, None
            return {}


def add_ratios(rows: list[Row]) -> None:
    """Fill the ratios of the rows of one task: to celm's float64 row, and to the limit."""
    seconds = {(row.library, row.dtype): row.seconds for row in rows}
    for row in rows:
        for column, reference in (("ratio_to_ours", "celm"), ("ratio_to_limit", "limit")):
            base = seconds.get((reference, "float64"))
            if row.seconds is not None and base:
                setattr(row, column, row.seconds / base)
