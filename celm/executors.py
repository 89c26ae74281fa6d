"""Where cells run: local processes, each with its own BLAS threads, that survive the death of one of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait

from threadpoolctl import threadpool_limits

from celm.cells import Cell
from celm.environment import n_cores
from celm.runner import failed_document, run_cell
from celm.schema import ExecutorConfig
from celm.store import Document

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
MAX_DEATHS = 2

Executor = Callable[[Sequence[Cell], ExecutorConfig], Iterator[Document]]


def resolve(executor: ExecutorConfig) -> tuple[int, int]:
    """Processes and BLAS threads of each, where the config leaves them open."""
    threads = n_cores() if executor.threads is None else executor.threads
    workers = max(1, n_cores() // threads) if executor.workers is None else executor.workers
    return workers, threads


def limit_threads(threads: int) -> None:
    """Fix this process's BLAS threads, and those of the processes it starts."""
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(threads)
    threadpool_limits(limits=threads)


def _serve(pipe: Connection, threads: int) -> None:
    """A worker's life: run the cells that come through ``pipe`` until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads(threads)
    while True:
        try:
            pipe.send(run_cell(pipe.recv(), threads))
        except (EOFError, BrokenPipeError):
            return


class _Worker:
    """A process and the cell it is at."""

    def __init__(self, threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, threads), daemon=True)
        self.process.start()
        theirs.close()
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


def run_local(cells: Sequence[Cell], executor: ExecutorConfig) -> Iterator[Document]:
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
            while waiting and len(staff) < n_workers:
                staff.append(_Worker(threads))
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
    finally:
        for worker in staff:
            worker.stop()


EXECUTORS: dict[str, Executor] = {"local": run_local}
