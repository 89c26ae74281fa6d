"""Runs a graph where its chunks are: on the current Dask client, or on Dask's local scheduler when there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, NamedTuple

from dask import config
from dask.base import compute, persist
from dask.callbacks import Callback
from dask.delayed import Delayed, delayed

from celm.base.clusters import ClusterError, naming_a_lost_scheduler
from celm.base.threads import one_blas_thread
from celm.dask.progress import Meter, Report
from celm.dask.shares import Add, Shares, merged, raise_failure

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


class Kept(NamedTuple):
    """A value on a worker, and futures of what it was put together from, on the workers that made that.

    As long as they are held, what a dead worker takes along of the value costs what that worker made.
    """

    value: Delayed
    parts: Sequence[Any] = ()


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

    def keep(self, output: Delayed, parts: Sequence[Delayed] = (), stage: str = "") -> Kept:
        """Compute ``output`` and leave it where it was made; as each of its ``parts`` is done, progress is told."""
        meter = Meter(self._report, stage, len(parts))
        with self._errors_named():
            if self._client is None:
                with one_blas_thread(), _Ticking(meter, {part.key for part in parts}):
                    return Kept(*persist(output))
            kept, *ingredients = self._client.persist([output, *parts])
            made = self._distributed().futures_of(ingredients)
            for future in self._distributed().as_completed(made, loop=self._client.loop):
                raise_failure(future)
                meter.tick()
            for future in self._distributed().wait(self._distributed().futures_of(kept)).done:
                raise_failure(future)
            return Kept(kept, made)

    def summed(self, leaves: Sequence[Delayed], add: Add, finish: Callable[[Any], Any], stage: str) -> Kept:
        """``finish`` of the sum of all leaves: each worker's own are added where they are, the workers' at the end."""
        if self._client is None:
            total = reduce(lambda one, other: delayed(add)([one, other]), leaves)
            return self.keep(delayed(finish)(total), leaves, stage)
        with self._errors_named():
            shares = Shares(self._client, leaves, add, Meter(self._report, stage, len(leaves))).made()
            total = merged(self._client, shares, add)
        return Kept(self.keep(delayed(finish)(total)).value, shares)

    def gathered(self, leaves: Sequence[Delayed], stage: str) -> list[Any]:
        """The values of leaves, counts and the like, brought to this process as they are made."""
        meter = Meter(self._report, stage, len(leaves))
        with self._errors_named():
            if self._client is None:
                with one_blas_thread(), _Ticking(meter, {leaf.key for leaf in leaves}):
                    return list(compute(*leaves))
            futures = self._distributed().futures_of(self._client.persist(list(leaves)))
            numbers = {future.key: number for number, future in enumerate(futures)}
            completed = self._distributed().as_completed(futures, with_results=True, loop=self._client.loop)
            del futures
            values: list[Any] = [None] * len(leaves)
            for future, value in completed:
                raise_failure(future)
                values[numbers[future.key]] = value
                meter.tick()
            return values

    def fetch(self, *values: Any) -> tuple[Any, ...]:
        """Bring values to this process: those of a model, never rows."""
        with self._errors_named():
            if self._client is None:
                with one_blas_thread():
                    return tuple(compute(*values))
            return tuple(self._client.compute(list(values), sync=True))

    def _distributed(self) -> Any:
        return sys.modules["distributed"]

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
