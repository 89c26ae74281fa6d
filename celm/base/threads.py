"""BLAS and OpenMP threads: of this process, of those it starts, and for the length of a with block."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController, threadpool_limits

THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def n_cores() -> int:
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def blas_threads() -> int:
    """The threads that BLAS may use now: the machine's cores, or the limit that someone set."""
    pools = _pools().select(user_api="blas").info()
    return max((pool["num_threads"] for pool in pools), default=n_cores())


def one_blas_thread() -> Any:
    """``with one_blas_thread():`` holds every BLAS to one thread while Python's own threads share the work."""
    return _pools().limit(limits=1, user_api="blas")


def limit_threads(threads: int) -> None:
    """Fix this process's BLAS threads, and those of the processes it starts."""
    for variable in THREAD_VARIABLES:
        os.environ[variable] = str(threads)
    threadpool_limits(limits=threads)


@cache
def _pools() -> Any:
    """The thread pools of this process, listed once: numpy and scipy each bring a BLAS, so both are loaded first."""
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()
