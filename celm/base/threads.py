"""BLAS and OpenMP threads: of this process, of those it starts, and for the length of a with block."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from threading import Event, Lock, Thread, active_count
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


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """``with one_blas_thread():`` holds every BLAS to one thread, in as many threads of Python at once as please.

    Most BLAS have one limit per process, and a block that ends brings back the limit it found: under the feet of a
    thread that is still inside another block, or, where that had set it, for good. So where there are other threads,
    the first to enter also has the limit set from outside, and the last to leave has it lifted.
    """
    with nullcontext() if active_count() == 1 else _shared_limit, _pools().limit(limits=1, user_api="blas"):
        yield


class _SharedLimit:
    """A limit of the whole process, held by a thread of its own as long as any other is inside.

    threadpoolctl lets only the thread that has set a limit lift it again, and no other set one meanwhile.
    """

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0
        self._keeper: Thread | None = None
        self._free = Event()

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1 and blas_threads() > 1:
                held = Event()
                self._free.clear()
                self._keeper = Thread(target=self._hold, args=(held,), name="blas-limit", daemon=True)
                self._keeper.start()
                held.wait()

    def __exit__(self, *failure: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside and self._keeper is not None:
                self._free.set()
                self._keeper.join()
                self._keeper = None

    def _hold(self, held: Event) -> None:
        with _pools().limit(limits=1, user_api="blas"):
            held.set()
            self._free.wait()


_shared_limit = _SharedLimit()


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
