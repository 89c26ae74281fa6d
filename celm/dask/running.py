"""Runs a graph where its chunks are: on the current Dask client, or on Dask's local scheduler when there is none."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dask import config
from dask.base import compute, persist
from dask.callbacks import Callback
from dask.delayed import Delayed

from celm.base.clusters import ClusterError, naming_a_lost_scheduler
from celm.base.threads import one_blas_thread_for_all
from celm.dask.progress import Meter, Report

# Schedulers by which Dask's configuration means the current client.
ON_CLIENT = (None, "distributed", "dask.distributed")

ADVICE = "nothing was fitted; start it again and fit anew"


def current_client() -> Any:
    """The client that Dask would compute with, or None for a scheduler inside this process."""
    distributed = sys.modules.get("distributed")
    if distributed is None or config.get("scheduler", None) not in ON_CLIENT:
        return None
    try:
        return distributed.Client.current()
    except ValueError:
        return None


class Runner:
    """One fit's way to its scheduler.

    Parameters
    ----------
    owner : str
        The name of the estimator, for errors.
    report : bool or callable
        As the parameter ``progress`` of the estimators.
    """

    def __init__(self, owner: str, report: bool | Report = False) -> None:
        self.owner, self._report = owner, report
        self._client = current_client()

    def keep(self, outputs: Sequence[Delayed], ticks: Sequence[Delayed], stage: str) -> list[Delayed]:
        """Compute ``outputs`` and leave them where they were made; as each of ``ticks`` is done, progress is told."""
        meter = Meter(self._report, stage, len(ticks))
        with self._errors_named():
            if self._client is None:
                with one_blas_thread_for_all(), _Ticking(meter, {tick.key for tick in ticks}):
                    return list(persist(*outputs, *ticks))[: len(outputs)]
            kept = self._client.persist([*outputs, *ticks])
            waiting = self._futures(kept[len(outputs) :])
            del kept[len(outputs) :]
            self._count(waiting, meter)
            self._await(self._futures(kept))
            return list(kept)

    def fetch(self, *values: Any) -> tuple[Any, ...]:
        """Bring values to this process: those of a model, never rows."""
        with self._errors_named():
            if self._client is None:
                with one_blas_thread_for_all():
                    return tuple(compute(*values))
            return tuple(self._client.compute(list(values), sync=True))

    def _futures(self, kept: Sequence[Delayed]) -> list[Any]:
        return [future for delayed in kept for future in self._distributed().futures_of(delayed)]

    def _distributed(self) -> Any:
        return sys.modules["distributed"]

    def _count(self, waiting: list[Any], meter: Meter) -> None:
        """A future that is through is let go: what a dead worker takes along of it is not made again."""
        done = self._distributed().as_completed(waiting)
        waiting.clear()
        for future in done:
            if future.status == "error":
                future.result()
            elif future.cancelled():
                raise self._distributed().CancelledError(future.key)
            meter.tick()
            del future

    def _await(self, futures: list[Any]) -> None:
        self._distributed().wait(futures)
        for future in futures:
            if future.status != "finished":
                future.result()

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        if self._client is None:
            yield
            return
        with naming_a_lost_scheduler(self._client, self.owner, ADVICE):
            try:
                yield
            except self._distributed().KilledWorker as error:
                raise ClusterError(
                    f"{self.owner}: workers died one after the other at one partition, most often for want of memory; "
                    f"smaller chunks need less ({error})"
                ) from error


class _Ticking(Callback):
    """Tells the meter of every finished task that is one of ``keys``."""

    def __init__(self, meter: Meter, keys: set[Any]) -> None:
        super().__init__()
        self._meter, self._keys = meter, keys

    def _posttask(self, key: Any, result: Any, dsk: Any, state: Any, worker_id: Any) -> None:
        if key in self._keys:
            self._meter.tick()
