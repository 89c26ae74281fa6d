"""Passes over the partitions as Dask graphs: a sample and its layer, sums, held-out rows scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from dask.delayed import Delayed, delayed

from celm.dask import tasks
from celm.dask.carried import added, rounded
from celm.dask.partitions import Partitions
from celm.dask.row_numbers import sample_numbers
from celm.dask.running import Kept, Runner
from celm.dask.tasks import Folds, Setting
from celm.models.elm.machine import BaseELM


@dataclass(frozen=True)
class Passes:
    """What can be asked of counted partitions; what is found stays on the workers."""

    partitions: Partitions
    runner: Runner
    setting: Setting

    @property
    def weighs_alike(self) -> bool:
        """Whether all rows count alike."""
        return self.partitions.weights is None and self.setting.targets.weights is None

    def with_folds(self, folds: Folds) -> Passes:
        """The same with rows in folds."""
        return replace(self, setting=replace(self.setting, folds=folds))

    def sample(self, size: int, seed: int) -> Kept:
        """A uniform sample of ``size`` rows over all partitions, gathered on a worker."""
        numbers = sample_numbers(self.partitions.n_rows, size, seed)
        take, parts = delayed(tasks.taken), []
        for place in self.partitions.places():
            first, last = np.searchsorted(numbers, [place.start, place.stop])
            if last > first:
                words = (self.partitions.n_features, self.runner.owner)
                parts.append(take(*self.partitions.chunk(place), place, numbers[first:last], *words))
        return self.runner.keep(delayed(tasks.joined)(parts), parts, "sample")

    def layer(self, sample: Kept, model: BaseELM, without: int | None = None) -> Delayed:
        """The layer that ``model`` draws from a sample, on the worker that has it."""
        drawn = delayed(tasks.drawn)(sample.value, delayed(model, traverse=False), self.setting, without)
        return self.runner.keep(drawn).value

    def sums(self, layer: Delayed, *, single: bool = False) -> Kept:
        """HᵀH and HᵀT of all rows, per fold; of products in single precision if it is said so."""
        return self.runner.summed(self._of_each(tasks.fold_sums, layer, single), added, rounded, "sums")

    def gains(self, layer: Delayed, sums: Kept, counts: Sequence[int], lams: Sequence[float]) -> Any:
        """How well every node count and λ meets held-out rows (n_folds × n_counts × n_lams), brought to the client."""
        n_folds = 1 if self.setting.folds is None else self.setting.folds.n_folds
        learn = delayed(tasks.learned_without)
        readouts = delayed(list)([learn(sums.value, fold, counts, lams) for fold in range(n_folds)])
        return sum(self.runner.gathered(self._of_each(tasks.gains, layer, readouts, len(lams)), "held-out rows"))

    def _of_each(self, task: Callable[..., Any], layer: Delayed, *words: Any) -> list[Delayed]:
        """``task`` of every partition that has rows."""
        later, setting = delayed(task), delayed(self.setting, traverse=False)
        chunks = ((self.partitions.chunk(place), place) for place in self.partitions.places())
        return [later(layer, *chunk, place, setting, *words) for chunk, place in chunks]
