"""Row blocks: how a pass cuts the rows and shares them out between threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from celm.base.threads import blas_threads, one_blas_thread
from celm.base.validation import check_integer

Array = npt.NDArray[Any]
Rows = slice | npt.NDArray[np.intp]
Task = TypeVar("Task")

BLOCK_ENTRIES = 1_000_000
# Hidden outputs up to which what is done to all of them is over before a second thread of BLAS has come.
FEW_OUTPUTS = 1_000_000
# Rows that are all there are cut into so many blocks at least, whatever the threads, unless these become too short.
SHARES, SMALLEST_BLOCK = 8, 250


@dataclass(frozen=True)
class Block:
    """Rows of one fold: ``rows`` is a slice or row numbers, ``place`` where they lie when folds follow each other."""

    rows: Rows
    fold: int
    place: slice

    @property
    def first_row(self) -> int:
        """The number of its first row: blocks in the order in which they were cut."""
        return int(self.rows.start if isinstance(self.rows, slice) else self.rows[0])


@dataclass(frozen=True)
class Pass:
    """How one pass over the rows is shared out: rows of a block, and threads; None leaves it to the pass."""

    block_rows: int | None = None
    n_threads: int | None = None

    def rows_for(self, n_hidden: int, n_rows: int | None = None) -> int:
        """Rows of a block: unless said, as many as fill a few megabytes with L outputs each.

        Where all ``n_rows`` are there, blocks are short enough that no thread waits long for the last one.
        """
        if self.block_rows is not None:
            return self.block_rows
        rows = int(np.clip(BLOCK_ENTRIES // max(n_hidden, 1), 500, 4000))
        return rows if n_rows is None else min(rows, max(SMALLEST_BLOCK, -(-n_rows // SHARES)))


USUAL = Pass()


def cut_rows(n_rows: int, folds: npt.ArrayLike | None, n_folds: int, block_rows: int) -> Iterator[Block]:
    """Blocks of at most ``block_rows`` rows of one fold each, near-equal in size, the folds taking turns."""
    check_integer(block_rows, "block_rows", "row blocks", 1)
    if folds is None:
        edges = np.linspace(0, n_rows, -(-n_rows // block_rows) + 1).astype(int)
        yield from (Block(part, 0, part) for part in (slice(int(a), int(b)) for a, b in pairwise(edges)))
        return
    ids = _checked_folds(folds, n_rows, n_folds)
    done, parts = 0, []
    for fold in range(n_folds):
        rows = np.flatnonzero(ids == fold)
        parts.append(list(_split(rows, fold, done, block_rows)))
        done += len(rows)
    for turn in range(max(map(len, parts))):
        yield from (part[turn] for part in parts if turn < len(part))


def _split(rows: npt.NDArray[np.intp], fold: int, place: int, block_rows: int) -> Iterator[Block]:
    for part in np.array_split(rows, -(-len(rows) // block_rows)) if len(rows) else []:
        yield Block(part, fold, slice(place, place + len(part)))
        place += len(part)


def _checked_folds(folds: npt.ArrayLike, n_rows: int, n_folds: int) -> Array:
    ids = np.asarray(folds)
    if ids.shape != (n_rows,) or (n_rows and not (0 <= ids.min() and ids.max() < n_folds)):
        span = f" between {ids.min()} and {ids.max()}" if ids.size else ""
        raise ValueError(
            f"row blocks: folds must hold one number from 0 to {n_folds - 1} for each of {n_rows} rows; "
            f"got shape {ids.shape}{span}."
        )
    return ids


class Buffers:
    """Arrays by name that are made once and used for every block of a thread."""

    def __init__(self) -> None:
        self._arrays: dict[str, Array] = {}

    def get(self, name: str, shape: tuple[int, int], dtype: npt.DTypeLike) -> Array:
        """An uninitialised C-ordered array of ``shape``, a piece of the buffer called ``name``."""
        held = self._arrays.get(name)
        if held is None or held.dtype != dtype or held.size < shape[0] * shape[1]:
            held = self._arrays[name] = np.empty(shape[0] * shape[1], dtype)
        return held[: shape[0] * shape[1]].reshape(shape)

    def converted(self, name: str, values: Array, dtype: npt.DTypeLike) -> Array:
        """``values`` itself when it is of ``dtype``, else its conversion in the buffer called ``name``."""
        if values.dtype == dtype:
            return values
        target = self.get(name, (values.shape[0], values.shape[1]), dtype)
        np.copyto(target, values, casting="same_kind")
        return target

    def rows_of(self, X: Array, rows: Rows, dtype: npt.DTypeLike) -> Array:
        """``X[rows]`` as ``dtype``: a view where that is possible, else gathered and converted in buffers."""
        if isinstance(rows, slice):
            return self.converted("inputs", X[rows], dtype)
        gathered = self.get("gathered", (len(rows), X.shape[1]), X.dtype)
        np.take(X, rows, axis=0, out=gathered, mode="clip")
        return self.converted("inputs", gathered, dtype)


def share_out(
    tasks: Iterable[Task],
    make_worker: Callable[[], Callable[[Task], None]],
    n_threads: int | None,
    on_failure: Callable[[], None] = lambda: None,
) -> None:
    """Let ``n_threads`` threads take the tasks in their order, each with a worker and one BLAS thread of its own.

    None stands for as many threads as BLAS would use; this one is among them. The first failure ends the pass and is
    raised.
    """
    if n_threads is not None:
        check_integer(n_threads, "n_threads", "row blocks", 1)
    count = blas_threads() if n_threads is None else n_threads
    queue = _Queue(tasks)

    def stop() -> None:
        queue.stop()
        on_failure()

    def work_off() -> None:
        with _calling_when_failed(stop):
            worker = make_worker()
            for task in queue:
                worker(task)

    with one_blas_thread():
        if count == 1:
            work_off()
            return
        with ThreadPoolExecutor(count - 1, thread_name_prefix="row-blocks") as pool, _calling_when_failed(stop):
            others = [pool.submit(work_off) for _ in range(count - 1)]
            work_off()
            for other in others:
                other.result()


def threads_for(n_outputs: int) -> AbstractContextManager[None]:
    """One thread of BLAS while something is done to few hidden outputs: more come late and stay too long."""
    return one_blas_thread() if n_outputs <= FEW_OUTPUTS else nullcontext()


@contextmanager
def _calling_when_failed(action: Callable[[], None]) -> Iterator[None]:
    try:
        yield
    except BaseException:
        action()
        raise


class _Queue(Iterator[Task]):
    """An iterator that several threads may draw from, and that can be stopped."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = iter(tasks)
        self._lock = threading.Lock()
        self._stopped = False

    def __next__(self) -> Task:
        with self._lock:
            if self._stopped:
                raise StopIteration
            return next(self._tasks)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True


class Turns:
    """Gives every accumulator its blocks in the order they were cut, whichever threads hold them.

    Sums of rounded numbers depend on their order; with a fixed order they do not depend on the threads.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._done: dict[int, int] = {}
        self._stopped = False

    def wait(self, accumulator: int, turn: int) -> bool:
        """Wait until ``turn`` blocks have gone into ``accumulator``; false when the pass was stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._done.get(accumulator, 0) == turn)
            return not self._stopped

    def finish(self, accumulator: int) -> None:
        with self._changed:
            self._done[accumulator] = self._done.get(accumulator, 0) + 1
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
