"""What all executors share: how many processes and threads, how a process is started, when a cell is given up."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Sequence
from multiprocessing.context import SpawnContext

from celm.base.signals import start_tracker
from celm.base.threads import n_cores
from celm.study.cells import Cell
from celm.study.store import Document
from celm.study.study_config import ExecutorConfig

# A cell that loses so many workers is recorded as failed.
MAX_DEATHS = 2

# Finished documents as they come; closing it before its end stops the processes at work.
Documents = Generator[Document, None, None]
Executor = Callable[[Sequence[Cell], ExecutorConfig], Documents]


def resolve(executor: ExecutorConfig) -> tuple[int, int]:
    """Processes and BLAS threads of each, where the config leaves them open."""
    threads = n_cores() if executor.threads is None else executor.threads
    workers = max(1, n_cores() // threads) if executor.workers is None else executor.workers
    return workers, threads


def spawning() -> SpawnContext:
    """A context whose processes start anew, also where a joblib worker has left a start method they do not know."""
    if multiprocessing.get_start_method(allow_none=True) not in (None, *multiprocessing.get_all_start_methods()):
        multiprocessing.set_start_method("spawn", force=True)
    start_tracker()
    return multiprocessing.get_context("spawn")
