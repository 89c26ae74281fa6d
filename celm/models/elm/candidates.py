"""What the candidates of a search share: drawn layers serve every scale, sums of their rows the chosen model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy.typing as npt

from celm.linalg.gram import FoldGrams
from celm.linalg.layer import Layer
from celm.linalg.selection import Problem
from celm.linalg.solve import first_nodes
from celm.models.elm.drawing import DrawnLayer, check_reach
from celm.models.elm.machine import Known
from celm.models.elm.search_tasks import Task, task_surface


class Best(NamedTuple):
    """The layer that has reached most so far, its sums per fold, and its scale."""

    reached: float
    layer: Layer
    sums: FoldGrams
    scale: float | None


class Candidates:
    """Candidates of a search, judged scale by scale.

    With ``quick`` they are judged by what agrees with :func:`celm.linalg.selection.correct_surface` up to rounding,
    and where one layer serves all node counts its sums are kept for :meth:`known`.
    """

    def __init__(self, search: Any, *, quick: bool = False) -> None:
        self._search, self._quick = search, quick
        self._drawn: dict[tuple[int, int | None], DrawnLayer] = {}
        self._best: Best | None = None

    def surface(self, task: Task, problem: Problem, scale: float | None) -> npt.NDArray[Any]:
        """What every node count and λ reaches at one scale (n_counts × n_lams)."""
        search, made = self._search, list[tuple[Layer, FoldGrams]]()

        def layer(n_hidden: int, fold: int | None) -> Layer:
            return self._layer(task, problem, scale, n_hidden, fold)

        one_layer = search.layer == "shared" and (search.nests() or len(problem.counts) == 1)
        surface = task_surface(
            *(task, problem, layer),
            nested=search.nests(),
            layer=search.layer,
            loo=isinstance(search.cv, str),
            quick=self._quick,
            keep=made.append if self._quick and one_layer else None,
        )
        if made and (self._best is None or surface.max() > self._best.reached):
            self._best = Best(surface.max(), *made[0], scale)
        return surface

    def _layer(self, task: Task, problem: Problem, scale: float | None, n_hidden: int, fold: int | None) -> Layer:
        model = self._search.estimator_at(n_hidden, None, fold)
        if (n_hidden, fold) not in self._drawn:
            rows = slice(None) if fold is None else problem.folds != fold
            self._drawn[n_hidden, fold] = model.drawing().drawn(
                task.X[rows], task.labels[rows], model.random_state, with_spread=scale is not None
            )
        W, b = self._drawn[n_hidden, fold].at(scale)
        check_reach(task.X, W, self._search.owner)
        return Layer(W, b, precision=model.precision)

    def known(self, n_hidden: int, scale: float | None) -> Known | None:
        """What is known of the model of a candidate: None where it is of another scale, or has more nodes than rows."""
        best = self._best
        if best is None or best.scale != scale or sum(best.sums.n_rows) < n_hidden:
            return None
        layer = best.layer.first(n_hidden)
        own = replace(layer, W=layer.W.copy(order="K"), b=layer.b.copy())
        return Known(own, first_nodes(best.sums, n_hidden))
