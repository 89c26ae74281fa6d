"""Passes over the partitions as Dask graphs: a sample and its layer, sums added in a tree, held-out rows scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from dask.delayed import Delayed, delayed

from celm.dask import tasks
from celm.dask.partitions import Partitions
from celm.dask.row_numbers import sample_numbers
from celm.dask.running import Runner
from celm.dask.tasks import Folds, Setting
from celm.linalg.gram import FoldGrams
from celm.models.elm.machine import BaseELM

# Neighbours that are added one after the other before their sum goes a level up. More make a lower tree, so that fewer
# sums wait at once; fewer let more workers add at a time.
BRANCHES = 8

# Sums of as many neighbouring leaves each, which are added to one another only when all of them are there: no worker
# that dies takes a sum of more leaves along. More of them lose less, and wait in the memory of the workers.
GROUPS = 16


def tree_sum(leaves: Sequence[Delayed], plus: Callable[[Any, Any], Any]) -> Delayed:
    """The sum of all leaves, neighbours first; its order depends on their number alone."""
    size = -(-len(leaves) // GROUPS)
    groups = [_climb(leaves[i : i + size], delayed(plus)) for i in range(0, len(leaves), size)]
    whole = delayed(all)([delayed(tasks.is_there)(group) for group in groups])
    plus_when = delayed(tasks.plus_when)
    return _climb(groups, lambda one, other: plus_when(whole, plus, one, other))


def _climb(leaves: Sequence[Delayed], plus: Callable[[Delayed, Delayed], Delayed]) -> Delayed:
    """One tree over some leaves."""
    level = list(leaves)
    while len(level) > 1:
        level = [reduce(plus, level[i : i + BRANCHES]) for i in range(0, len(level), BRANCHES)]
    return level[0]


@dataclass(frozen=True)
class Passes:
    """What can be asked of counted partitions; what is found stays on the workers."""

    partitions: Partitions
    runner: Runner
    setting: Setting

    def with_folds(self, folds: Folds) -> Passes:
        """The same with rows in folds."""
        return replace(self, setting=replace(self.setting, folds=folds))

    def sample(self, size: int, seed: int) -> Delayed:
        """A uniform sample of ``size`` rows over all partitions, gathered on a worker."""
        numbers = sample_numbers(self.partitions.n_rows, size, seed)
        take, parts = delayed(tasks.taken), []
        for place in self.partitions.places():
            first, last = np.searchsorted(numbers, [place.start, place.stop])
            if last > first:
                words = (self.partitions.n_features, self.runner.owner)
                parts.append(take(*self.partitions.chunk(place), place, numbers[first:last], *words))
        ticks = [delayed(tasks.sample_size)(part) for part in parts]
        return self.runner.keep([delayed(tasks.joined)(parts)], ticks, "sample")[0]

    def layer(self, sample: Delayed, model: BaseELM, without: int | None = None) -> Delayed:
        """The layer that ``model`` draws from a sample, on the worker that has it."""
        drawn = delayed(tasks.drawn)(sample, delayed(model, traverse=False), self.setting, without)
        return self.runner.keep([drawn], [], "layer")[0]

    def sums(self, layer: Delayed) -> Delayed:
        """HᵀH and HᵀT of all rows, per fold."""
        leaves = self._of_each(tasks.fold_sums, layer)
        ticks = [delayed(tasks.row_count)(leaf) for leaf in leaves]
        return self.runner.keep([tree_sum(leaves, FoldGrams.plus)], ticks, "sums")[0]

    def gains(self, layer: Delayed, sums: Delayed, counts: Sequence[int], lams: Sequence[float]) -> Any:
        """How well every node count and λ meets held-out rows (n_folds × n_counts × n_lams), brought to the client."""
        n_folds = 1 if self.setting.folds is None else self.setting.folds.n_folds
        learn = delayed(tasks.learned_without)
        readouts = delayed(list)([learn(sums, fold, counts, lams) for fold in range(n_folds)])
        leaves = self._of_each(tasks.gains, layer, readouts, len(lams))
        return self.runner.fetch(self.runner.keep([tree_sum(leaves, add)], leaves, "held-out rows")[0])[0]

    def _of_each(self, task: Callable[..., Any], layer: Delayed, *words: Any) -> list[Delayed]:
        """``task`` of every partition that has rows."""
        later, setting = delayed(task), delayed(self.setting, traverse=False)
        chunks = ((self.partitions.chunk(place), place) for place in self.partitions.places())
        return [later(layer, *chunk, place, setting, *words) for chunk, place in chunks]
