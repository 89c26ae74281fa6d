"""Every worker's share: the sum of the partitions that it made itself, until all are through.

Sums of different workers meet only at the end. A worker that dies before takes its own partitions along, and those
alone are made again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from dask.delayed import Delayed

from celm.dask.progress import Meter

# Of tasks that are ready on a worker those of a higher number run first: additions, so that sums do not pile up.
FIRST = 1

Add = Callable[[Sequence[Any]], Any]


def raise_failure(future: Any) -> None:
    """Raise what a task failed of, if it did."""
    if future.status in ("error", "cancelled"):
        future.result()


class Share(NamedTuple):
    """A value on a worker, and the numbers of the leaves that it is the sum of."""

    future: Any
    leaves: tuple[int, ...]


class Shares:
    """The sums of leaves, one on each worker that made some.

    Parameters
    ----------
    client : distributed.Client
        Where the leaves are made.
    leaves : sequence of Delayed
        One value per partition.
    add : callable
        The sum of a list of leaves or sums.
    meter : Meter
        Is told of every leaf that is through, and of every one that was lost.
    """

    def __init__(self, client: Any, leaves: Sequence[Delayed], add: Add, meter: Meter) -> None:
        self._client, self._leaves, self._add, self._meter = client, leaves, add, meter
        self._library = import_module("distributed")
        self._coming: dict[Any, Share] = {}
        self._there: list[Share] = []
        self._completed = self._library.as_completed(loop=client.loop)

    def made(self) -> list[Any]:
        """Futures of the sums, every one on the worker that made its leaves, once all leaves are in one of them."""
        self._make(range(len(self._leaves)))
        while self._coming:
            self._take(self._completed.next_batch())
            self._add_neighbours()
        return [share.future for share in self._there]

    def _make(self, numbers: Iterable[int]) -> None:
        wanted = list(numbers)
        kept = self._client.persist([self._leaves[number] for number in wanted])
        for number, future in zip(wanted, self._library.futures_of(kept), strict=True):
            self._expect(Share(future, (number,)))

    def _expect(self, share: Share) -> None:
        self._coming[share.future.key] = share
        self._completed.add(share.future)

    def _take(self, batch: list[Any]) -> None:
        """Note what is there; a leaf's error is the fit's."""
        for future in batch:
            share = self._coming.pop(future.key)
            raise_failure(future)
            self._there.append(share)
            if len(share.leaves) == 1:
                self._meter.tick()

    def _add_neighbours(self) -> None:
        """Add up what lies on the same worker; what lies nowhere any more is made again."""
        homes = self._client.who_has([share.future for share in self._there])
        by_home: dict[str, list[Share]] = defaultdict(list)
        there, self._there = self._there, []
        for share in there:
            holders = homes.get(share.future.key)
            if holders:
                by_home[min(holders)].append(share)
            else:
                self._make_again(share)
        for home, shares in by_home.items():
            if len(shares) == 1:
                self._there += shares
            else:
                self._expect(self._sum(shares, workers=[home], allow_other_workers=True, priority=FIRST))

    def _sum(self, shares: Sequence[Share], **where: Any) -> Share:
        future = self._client.submit(self._add, [share.future for share in shares], pure=False, **where)
        return Share(future, tuple(number for share in shares for number in share.leaves))

    def _make_again(self, share: Share) -> None:
        """Leaf by leaf, so that what other workers make of them is theirs; a lone leaf Dask makes by itself."""
        self._meter.tick(-len(share.leaves))
        if len(share.leaves) == 1:
            self._expect(share)
        else:
            self._make(share.leaves)


def merged(client: Any, futures: Sequence[Any], add: Add) -> Any:
    """The sum of all futures, in pairs; they themselves stay where they are."""
    level = list(futures)
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [client.submit(add, pair, pure=False) if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]
