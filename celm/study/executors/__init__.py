"""Where cells run: the executors by name."""

from __future__ import annotations

from collections.abc import Sequence

from celm.study.cells import Cell
from celm.study.executors.cluster import run_on_dask
from celm.study.executors.local import run_local
from celm.study.executors.workers import MAX_DEATHS, Documents, Executor, resolve, spawning
from celm.study.study_config import ExecutorConfig


def run_dask(cells: Sequence[Cell], executor: ExecutorConfig) -> Documents:
    """Documents of ``cells`` as they finish on a Dask cluster, see :mod:`celm.study.executors.cluster`."""
    workers, threads = resolve(executor)
    spawning()
    return run_on_dask(
        cells,
        address=executor.address,
        workers=workers,
        threads=threads,
        max_deaths=MAX_DEATHS,
        any_kernels=executor.kernels == "any",
    )


EXECUTORS: dict[str, Executor] = {"local": run_local, "dask": run_dask}
