"""BLAS and OpenMP threads of this process and of those it starts."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Any

from threadpoolctl import threadpool_limits

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def n_cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def blas_threads(n: int | None) -> AbstractContextManager[Any]:
    """Limit BLAS and OpenMP to ``n`` threads (None: one per core) inside a with block."""
    return threadpool_limits(limits=n_cores() if n is None else n)


def limit_threads(threads: int) -> None:
    """Fix this process's BLAS threads, and those of the processes it starts."""
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(threads)
    threadpool_limits(limits=threads)
