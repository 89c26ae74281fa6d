"""What a search is to learn and to judge: rows with or without weights, targets, the truth that folds are to meet."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from celm.linalg.blocks import threads_for
from celm.linalg.given_rows import given_rows, reading_given, times_root
from celm.linalg.hits import hit_surface
from celm.linalg.layer import Layer
from celm.linalg.leave_one_out import loo_surface
from celm.linalg.readout import Array
from celm.linalg.selection import Problem, correct_surface
from celm.linalg.solve import DrawnLayers, Keep, blocked_surface, is_large
from celm.linalg.truth import Truth, WeightedCodes
from celm.models.elm.pairs import Indices


@dataclass(frozen=True)
class Task:
    """What candidates are judged on.

    X : rows (N × n), an array or CSR. labels : what a draw is told of them. T : targets (N × k), times the root of the
    weights where rows have them. truth : what held-out scores are to meet. n_judged : rows or targets, by weight.
    """

    X: Any
    labels: Any
    T: Array
    truth: Truth
    n_judged: float
    weights: Array | None = None

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return int(self.X.shape[0])


# What every node count and λ of a problem reaches at a scale (n_counts × n_lams).
Surface = Callable[[Task, Problem, float | None], npt.NDArray[Any]]


def class_task(X: Any, codes: Indices, T: Array, weights: Array | None) -> Task:
    """Rows of classes, judged by how many are met."""
    if weights is None:
        return Task(X, codes, T, codes, len(codes))
    return Task(X, codes, times_root(T, weights), WeightedCodes(codes, weights), float(weights.sum()), weights)


def number_task(X: Any, labels: Any, T: Array, weights: Array | None) -> Task:
    """Rows with numbers for targets, judged by squared errors; weights enter with the targets."""
    if weights is None:
        return Task(X, labels, T, T, T.size)
    weighted = times_root(T, weights)
    return Task(X, labels, weighted, weighted, float(weights.sum()) * T.shape[1], weights)


def task_surface(
    task: Task,
    problem: Problem,
    layers: DrawnLayers,
    *,
    nested: bool,
    layer: str,
    loo: bool,
    quick: bool = False,
    keep: Keep | None = None,
) -> Any:
    """What every node count and λ reaches on held-out rows: whole, in blocks of rows, or every row a fold.

    With ``quick`` last digits are no record's: classes of rows alike are counted together, and few outputs have one
    thread; ``keep`` as in :func:`celm.linalg.solve.blocked_surface`.
    """
    rows = given_rows(task.X, task.weights)

    def reading(n_hidden: int, fold: int | None) -> Layer:
        return reading_given(layers(n_hidden, fold), rows)

    def outputs(n_hidden: int, fold: int | None) -> Array:
        return reading(n_hidden, fold).outputs(rows)

    if not loo and is_large(task.n_rows, problem.counts[-1]):
        return blocked_surface(reading, rows, problem, nested=nested, per_fold=layer == "per_fold", keep=keep)
    alike = not isinstance(problem.truth, WeightedCodes) and problem.truth.ndim == 1
    if quick and not loo and layer == "shared" and alike:
        return hit_surface(lambda L: outputs(L, None), problem, nested=nested)
    with threads_for(task.n_rows * problem.counts[-1]) if quick else nullcontext():
        if loo:
            return loo_surface(outputs, problem, nested=nested)
        return correct_surface(outputs, problem, nested=nested, layer=layer)
