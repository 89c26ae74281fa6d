"""What a Dask worker does with a cell: sets threads, compares builds, finds the data, runs it or says why it cannot."""

from __future__ import annotations

import signal
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any

from celm.base.clusters import ClusterError, import_extra
from celm.base.threads import limit_threads
from celm.datasets import DatasetError, default_sources
from celm.study.cells import Cell
from celm.study.environment import blas_libraries
from celm.study.inputs import hand_over, holds, load
from celm.study.runner import run_cell
from celm.study.store import Document

Build = dict[str, str]


class ExecutorError(ClusterError):
    """Cells cannot be run where they were meant to; the message says where and what to do."""


class WorkersLost(ExecutorError):
    """The machine or the cluster failed under a run: nothing in what was asked for would mend it."""


@dataclass(frozen=True)
class NoData:
    """A worker's answer when it has no copy of a cell's data; ``process`` tells a restarted worker from the old."""

    worker: str
    process: str


@dataclass(frozen=True)
class OtherBuild:
    """A worker's answer when its libraries would not round as ours do."""

    worker: str
    build: Build


Answer = Document | NoData | OtherBuild


def distributed() -> Any:
    """The library, imported at its first use."""
    return import_extra("distributed", "executor=dask", ExecutorError)


def dask_setup(_worker: Any) -> None:
    """Dask calls this in each worker process we start: Ctrl-C is for the parent, which then ends them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def numeric_build() -> Build:
    """The libraries that decide how sums round, and which code is run."""
    versions = {name: version(name) for name in ("celm", "numpy", "scipy", "scikit-learn")}
    return {**versions, "BLAS": "; ".join(blas_libraries())}


_one_cell_at_a_time = Lock()


@lru_cache(maxsize=1)
def _prepare(threads: int) -> Build:
    """Set the BLAS threads of this worker process, once, and say how it is built."""
    limit_threads(threads)
    return numeric_build()


def _has_data(cell: Cell) -> bool:
    """Whether this process has the cell's data, or finds it without asking the network."""
    if holds(cell.data_digest):
        return True
    own = "cache" if "cache" in default_sources(cell.dataset.name) else None
    try:
        data = load(replace(cell.dataset, source=own, sources=[]))
    except DatasetError:
        return False
    if data.digest != cell.data_digest:
        return False
    hand_over(data)
    return True


def run_on_worker(cell: Cell, threads: int, build: Build, any_kernels: bool) -> Answer:
    """The document of a cell, or why this worker cannot make it."""
    worker = distributed().get_worker()
    with _one_cell_at_a_time:
        ours = _prepare(threads)
        others = {name for name in build if ours.get(name) != build[name]}
        if others - ({"BLAS"} if any_kernels else set()):
            return OtherBuild(worker.address, ours)
        if not _has_data(cell):
            return NoData(worker.address, worker.id)
        document = run_cell(cell, threads)
        if others:
            document["provenance"] = {**document["provenance"], "kernels": f"any; the run's own: {build['BLAS']}"}
        return document


def build_message(other: OtherBuild, ours: Build) -> str:
    """What to tell of a worker that was refused."""
    pairs = [(name, other.build.get(name), value) for name, value in ours.items()]
    differing = "; ".join(f"{name} {theirs}, here {value}" for name, theirs, value in pairs if theirs != value)
    return (
        f"executor=dask: the worker at {other.worker} would compute other numbers: {differing}. "
        "Start workers with the same libraries, and with the same OPENBLAS_CORETYPE in their environment; "
        "executor.kernels=any takes workers whose BLAS alone differs."
    )
