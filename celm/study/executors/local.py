"""The local executor: worker processes that are replaced when they die."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait

from celm.base.threads import limit_threads
from celm.study.cells import Cell
from celm.study.executors.workers import MAX_DEATHS, Documents, resolve, spawning
from celm.study.runner import failed_document, run_cell
from celm.study.store import Document
from celm.study.study_config import ExecutorConfig

# Seconds that idle workers have to end on their own.
GRACE = 5.0


def _end_with_parent() -> None:
    """End this process when its parent is gone: a killed run leaves no worker busy with a cell nobody waits for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _serve(pipe: Connection, threads: int) -> None:
    """A worker's life: run the cells that come through ``pipe`` until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_threads(threads)
    while True:
        try:
            pipe.send(run_cell(pipe.recv(), threads))
        except (EOFError, BrokenPipeError):
            return


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started in here ignore Ctrl-C from their first instruction on: only their parent answers it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    answer = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, answer)


class _Worker:
    """A process and the cell it is at."""

    def __init__(self, threads: int) -> None:
        context = spawning()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, threads), daemon=True)
        with _deaf_to_interrupts():
            self.process.start()
        theirs.close()
        self.threads = threads
        self.cell: Cell | None = None

    def give(self, cell: Cell) -> None:
        """Hand over the next cell; a worker that has just died is noticed when its answer is read."""
        self.cell = cell
        try:
            self.pipe.send(cell)
        except OSError:
            return

    def take(self) -> Document | None:
        """The finished document, or None when the process died."""
        try:
            document: Document = self.pipe.recv()
        except (EOFError, OSError):
            return None
        self.cell = None
        return document

    def stop(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self.process.terminate()
        self.process.join()


# Workers of a run that came to its end: the next job of a sweep goes on with them, their imports and data loaded.
_idle: list[_Worker] = []


@atexit.register
def _dismiss_at_exit() -> None:
    """All is done and kept: a Ctrl-C that comes now ends nothing but the wait for the workers."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    dismiss()


def dismiss() -> None:
    """Let the idle workers end on their own: one that is killed leaves the semaphores of its libraries behind."""
    for worker in _idle:
        worker.pipe.close()
    while _idle:
        worker = _idle.pop()
        worker.process.join(GRACE)
        worker.stop()


def _hire(threads: int) -> _Worker:
    """An idle worker with that many BLAS threads, else a new one."""
    while _idle:
        worker = _idle.pop()
        if worker.threads == threads and worker.process.is_alive():
            return worker
        worker.stop()
    return _Worker(threads)


def run_local(cells: Sequence[Cell], executor: ExecutorConfig) -> Documents:
    """Documents of ``cells`` as they finish.

    When a worker dies (killed, out of memory), its cell runs again in a new one; a cell that loses two workers is
    recorded as failed.
    """
    n_workers, threads = resolve(executor)
    waiting, deaths = deque(cells), Counter[str]()
    staff: list[_Worker] = []
    limit_threads(threads)
    try:
        while waiting or any(worker.cell for worker in staff):
            while len(staff) < min(n_workers, len(waiting) + sum(1 for worker in staff if worker.cell)):
                staff.append(_hire(threads))
            for worker in staff:
                if worker.cell is None and waiting:
                    worker.give(waiting.popleft())
            busy = {worker.pipe: worker for worker in staff if worker.cell}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]  # wait() returns the connections it was given
                cell = worker.cell
                document = worker.take()
                if document is not None:
                    yield document
                elif cell is not None:
                    staff.remove(worker)
                    worker.stop()
                    deaths[cell.key] += 1
                    if deaths[cell.key] < MAX_DEATHS:
                        waiting.append(cell)
                    else:
                        yield failed_document(cell, threads, f"{MAX_DEATHS} worker processes died running this cell")
        _idle.extend(staff)
        staff = []
    finally:
        for worker in staff:
            worker.stop()
