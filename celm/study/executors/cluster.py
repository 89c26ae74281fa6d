"""Runs cells on a Dask cluster: one that exists, or worker processes started on this machine.

A worker runs one cell at a time with the BLAS threads it is told, takes data by digest from its own cache, and is
sent what it lacks once. The library ``distributed`` is an extra: it is imported only when a run asks for it.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

from celm.base.clusters import naming_a_lost_scheduler
from celm.base.signals import interrupts_waiting
from celm.base.threads import limit_threads
from celm.study.cells import Cell
from celm.study.executors.cluster_worker import (
    Answer,
    ExecutorError,
    NoData,
    OtherBuild,
    WorkersLost,
    build_message,
    distributed,
    numeric_build,
    run_on_worker,
)
from celm.study.inputs import hand_over, load
from celm.study.runner import failed_document
from celm.study.store import Document

# What worker processes import before their first cell.
WORKER = run_on_worker.__module__

CONNECT_SECONDS = 5
WORKER_SECONDS = 60
POLL_SECONDS = 5

# Dask samples its processes' stacks, clocks and load, and has them hand freed memory back at once. Cells can do without
# all of it, and it took up to a fifth of their time.
LEAN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.nanny.pre-spawn-environ": {},
}

KEPT = "finished cells are kept, the same command goes on from them"

logger = logging.getLogger(__name__)


def run_on_dask(
    cells: Sequence[Cell], *, address: str | None, workers: int, threads: int, max_deaths: int, any_kernels: bool
) -> Generator[Document, None, None]:
    """Documents of ``cells`` as they finish; every worker has its next cell waiting with it.

    The cells of a dead worker run again, one by one; one that loses ``max_deaths`` workers is
    recorded as failed. (On an existing cluster the scheduler first tries as often as it allows.) A worker of other
    libraries is refused; ``any_kernels`` takes one whose BLAS alone is another, and its documents say so.
    """
    if not cells:
        return
    with _connected(address, workers, threads) as client:
        desk = _Desk(client, threads, max_deaths, deque(cells), any_kernels)
        finished: list[Document] = []
        try:
            with naming_a_lost_scheduler(client, "executor=dask", KEPT, WorkersLost):
                while desk.waiting or desk.running:
                    desk.fill()
                    yield from finished
                    finished = desk.take()
                yield from finished
        finally:
            client.cancel(list(desk.running))


@contextmanager
def _connected(address: str | None, workers: int, threads: int) -> Iterator[Any]:
    """A client of the cluster at ``address``, or of one that lives as long as the block."""
    library = distributed()
    # What goes wrong is told by us, in a sentence; Dask prints a traceback of its own for every process it loses.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if address is not None:
        with _client(library, address) as client:
            yield client
        return
    limit_threads(threads)
    with (
        import_module("dask").config.set(LEAN),
        _local_cluster(library, workers) as cluster,
        library.Client(cluster) as client,
    ):
        yield client


def _client(library: Any, address: str) -> Any:
    try:
        return library.Client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise ExecutorError(f"executor=dask: no scheduler answers at {address}: {error}") from error


def check_scheduler(address: str | None) -> None:
    """Raise an ExecutorError where a run on Dask could not start: its extra is not here, or nobody answers there."""
    library = distributed()
    if address is not None:
        _client(library, address).close()


@contextmanager
def _local_cluster(library: Any, workers: int) -> Iterator[Any]:
    """Worker processes on this machine; a stop while they start is answered once they can be ended in order."""
    cluster = None
    try:
        with interrupts_waiting():
            cluster = _started(library, workers)
        yield cluster
    finally:
        if cluster is not None:
            with suppress(AssertionError):  # a worker that died and was about to start again has nothing to close
                cluster.close()


def _started(library: Any, workers: int) -> Any:
    try:
        return library.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            memory_limit=0,
            preload=[WORKER],
            scheduler_kwargs={"dashboard": False, "allowed_failures": 0},
        )
    except (RuntimeError, OSError, AssertionError) as error:
        raise WorkersLost(f"executor=dask: the worker processes could not be started ({error}); {KEPT}") from error


class _Desk:
    """Hands cells to a cluster's workers and takes their answers."""

    def __init__(self, client: Any, threads: int, max_deaths: int, waiting: deque[Cell], any_kernels: bool) -> None:
        self.client = client
        self.threads = threads
        self.max_deaths = max_deaths
        self.deaths = Counter[str]()
        self.waiting = waiting
        self.running: dict[Any, Cell] = {}
        self.build = numeric_build()
        self.any_kernels = any_kernels
        self.sent: set[tuple[str, str]] = set()
        self.n_workers = 0
        self.counted = float("-inf")

    def fill(self) -> None:
        """Give every worker a cell and its next one, as long as there are cells."""
        self._count_workers()
        while self.waiting and len(self.running) < self._room():
            cell = self.waiting.popleft()
            future = self.client.submit(run_on_worker, cell, self.threads, self.build, self.any_kernels, pure=False)
            self.running[future] = cell

    def _room(self) -> int:
        """Two cells per worker; a cell that has lost a worker runs alone, so that it takes none along."""
        suspects = [cell for cell in (self.waiting[0], *self.running.values()) if self.deaths[cell.key]]
        return 1 if suspects else 2 * self.n_workers

    def _count_workers(self) -> None:
        """How many workers the cluster has, asked at most once in a second: they come and go."""
        if time.monotonic() < self.counted + 1:
            return
        try:
            self.client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            address = self.client.scheduler.address
            raise ExecutorError(
                f"executor=dask: the scheduler at {address} has had no worker for {WORKER_SECONDS} seconds; "
                f"start one with: dask worker {address} --nthreads 1"
            ) from error
        self.n_workers = max(1, len(self.client.nthreads()))
        self.counted = time.monotonic()

    def take(self) -> list[Document]:
        """The documents that came in the next seconds; a worker without a cell's data is sent it."""
        try:
            done = distributed().wait(list(self.running), timeout=POLL_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return []
        documents = []
        for future in done:
            cell = self.running.pop(future)
            answer = self._answer(future, cell)
            if isinstance(answer, OtherBuild):
                raise ExecutorError(build_message(answer, self.build))
            if answer is None:
                self.waiting.append(cell)
            elif isinstance(answer, NoData):
                self._send_data(cell, answer)
                self.waiting.appendleft(cell)
            else:
                documents.append(answer)
        return documents

    def _answer(self, future: Any, cell: Cell) -> Answer | None:
        """What a worker said; None when it died and the cell has another try."""
        try:
            answer: Answer = future.result()
        except distributed().KilledWorker:
            self.deaths[cell.key] += 1
            if self.deaths[cell.key] < self.max_deaths:
                return None
            return failed_document(cell, self.threads, f"{self.max_deaths} worker processes died running this cell")
        except (OSError, CancelledError):
            raise
        except Exception as error:
            return failed_document(cell, self.threads, f"{type(error).__name__}: {error}")
        return answer

    def _send_data(self, cell: Cell, absence: NoData) -> None:
        """Send a cell's data to a worker, once in the life of its process."""
        if (absence.process, cell.data_digest) in self.sent:
            return
        logger.info("sending %s to the worker at %s", cell.dataset_name, absence.worker)
        self.client.run(hand_over, load(cell.dataset), workers=[absence.worker], on_error="ignore")
        self.sent.add((absence.process, cell.data_digest))
