"""What everything that runs on a Dask cluster shares: its import, and one wording for a cluster that is gone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from typing import Any


class ClusterError(RuntimeError):
    """Work cannot be done on the cluster it was meant for; the message says where and what to do."""


def import_extra(name: str, owner: str, error: type[ClusterError] = ClusterError) -> Any:
    """A library of the extra ``dask``, imported at its first use."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        raise error(f"{owner} needs the dask extra: pip install 'celm[dask]'") from missing


@contextmanager
def naming_a_lost_scheduler(
    client: Any, owner: str, advice: str, error: type[ClusterError] = ClusterError
) -> Iterator[None]:
    """Within the block, the loss of the scheduler of ``client`` is an ``error`` that names it and gives ``advice``.

    A task's own OSError (a file that a worker does not find) reaches a client that is still connected: it passes,
    unless it is one of Dask's own.
    """
    try:
        yield
    except (OSError, CancelledError) as lost:
        of_dask = isinstance(lost, CancelledError) or type(lost).__module__.startswith("distributed")
        if not of_dask and client.status == "running":
            raise
        raise error(f"{owner}: the scheduler at {client.scheduler.address} was lost; {advice}") from lost
