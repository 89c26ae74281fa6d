"""The whole surface of node counts and λ on held-out and on test rows, and the curve without a penalty, all at once.

The numbers are those of a search with its :func:`celm.models.elm.node_curves.ridge_surface` and of
:func:`celm.models.elm.node_curves.pseudo_inverse_rows`; but a layer is drawn once for both kinds of rows, all λ share
what they can, and without a penalty a layer of full rank is solved by its triangle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.seeds import seed_of
from celm.linalg.hits import folds_and_new_rows, group_hits
from celm.linalg.layer import Layer
from celm.linalg.readout import pseudo_inverse_curve
from celm.linalg.selection import Problem
from celm.linalg.solve import factor_of, is_large
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.curve_tasks import curve_task
from celm.models.elm.drawing import check_reach
from celm.models.elm.node_curves import pseudo_inverse_rows, ridge_surface
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.search_tasks import Task
from celm.models.elm.weights import strategy_named

Hits = npt.NDArray[np.intp]


def chosen_with_tests(search: ELMClassifierCV, X: Any, y: Any, X_test: Any, y_test: Any) -> Hits:
    """Let ``search`` choose on X, y; test rows classified correctly by every candidate, like its ``surface_``.

    Layers at several scales, drawn per fold or too large to be held whole are judged as a search judges them, and so
    is leaving one row out.
    """
    plain = search.layer == "shared" and search.input_scales is None and not isinstance(search.cv, str)
    if not plain or is_large(len(X), search.n_hidden_grid[-1]):
        return ridge_surface(search.choose_candidate(X, y), X, y, X_test, y_test)
    tested: list[Hits] = []

    def surface(task: Task, problem: Problem, scale: float | None) -> Hits:
        codes_test = curve_task(search.estimator_at(1, None), y, y_test).test_truth
        held_out = []
        for group in [list(problem.counts)] if search.nests() else [[L] for L in problem.counts]:
            layer = _layer(search.estimator_at(group[-1], None), task)
            H, H_test = layer.outputs(task.X), layer.outputs(X_test)
            judges = folds_and_new_rows(H, task.labels, problem, H_test, codes_test)
            *folds, new = [group_hits(judged, group, problem.lams) for judged in judges]
            held_out.append(sum(folds[1:], folds[0]))
            tested.append(new)
        return np.concatenate(held_out)

    search.choose_on(X, y, surface)
    return np.concatenate(tested)


def _layer(model: ELMClassifier, task: Task) -> Layer:
    W, b = model.drawing()(task.X, task.labels, model.random_state)
    check_reach(task.X, W, model.owner)
    return Layer(W, b, precision=model.precision)


def plain_hits(
    model: ELMClassifier, counts: Sequence[int], X: Any, y: Any, X_test: Any, y_test: Any, *, nested: bool, seed: int
) -> list[int]:
    """Test rows that every node count classifies correctly without a penalty."""
    if (nested and strategy_named(model.strategy).nested) or is_large(len(X), counts[-1]):
        rows = pseudo_inverse_rows(model, counts, X, y, X_test, y_test, nested=nested, seed=seed)
        return [row.correct for row in rows]
    task = curve_task(model, y, y_test)
    correct = []
    for L in counts:
        W, b = replace(model.drawing(), n_hidden=L)(X, task.labels, seed_of(seed, "nodes", L))
        layer = Layer(W, b, precision=model.precision)
        R, QtT = factor_of(layer, X, task.T)
        (point,) = pseudo_inverse_curve(R, QtT, len(X), layer.outputs(X_test), [L], model.cutoff)
        correct.append(int(task.gain(point.scores)))
    return correct
