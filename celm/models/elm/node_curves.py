"""Test rows against hidden nodes: every node count of one fitted draw, of a classifier or a regressor.

What a node count reaches, ``correct``, is the number of rows classified correctly; of a regressor minus the sum of
squared errors: more is better in either case.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from celm.base.seeds import seed_of
from celm.linalg.gram import accumulate, room_for_hidden
from celm.linalg.layer import Layer
from celm.linalg.readout import pseudo_inverse_curve, ridge_curve, ridge_from_outputs, ridge_path_scores
from celm.linalg.ridge import choose_lambda, ridge_from_gram
from celm.linalg.selection import Choice, Problem, best_lambdas, correct_surface
from celm.linalg.solve import HIDDEN_BYTES, factor_of, first_nodes, is_large
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.curve_tasks import CurveTask, curve_task
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.weights import strategy_named

Model = ELMClassifier | ELMRegressor
Search = ELMClassifierCV | ELMRegressorCV


class CurveRow(NamedTuple):
    """One node count: λ (None without a penalty), what it reaches on test rows, numerical rank (None with λ)."""

    n_hidden: int
    lam: float | None
    correct: Any
    rank: int | None


def ridge_curve_rows(chosen: Search, X: Any, y: Any, X_test: Any, y_test: Any) -> list[CurveRow]:
    """Every node count of a search that has chosen with that count's own best λ, fitted on all of X, y."""
    candidates = [(choice.n_hidden, choice.lam) for choice in chosen.lambdas_by_count_]
    task = curve_task(chosen.estimator_at(1, None), y, y_test)
    if not chosen.nests():
        fits = [chosen.estimator_at(L, lam).fit(X, y) for L, lam in candidates]
        return [
            CurveRow(L, lam, task.gain_of(fit, X_test), None) for (L, lam), fit in zip(candidates, fits, strict=True)
        ]
    counts = [L for L, _ in candidates]
    G, moment, H_test = _sums(chosen, counts[-1], X, task, X_test)
    correct = {}
    for lam in sorted({lam for _, lam in candidates}):
        for L, scores in ridge_curve(G, moment, H_test, counts, lam):
            if (L, lam) in candidates:
                correct[L] = task.gain(scores)
    return [CurveRow(L, lam, correct[L], None) for L, lam in candidates]


def ridge_surface(chosen: Search, X: Any, y: Any, X_test: Any, y_test: Any) -> npt.NDArray[Any]:
    """What every candidate of a search that has chosen reaches on test rows, fitted on all of X, y.

    n_counts × n_lams like its ``surface_``: nested layers on one factorisation per λ, others on one per node count.
    """
    task = curve_task(chosen.estimator_at(1, None), y, y_test)
    counts, lams = list(chosen.n_hidden_grid), list(chosen.lams)
    if not chosen.nests():
        return np.array([task.gain(ridge_path_scores(*_sums(chosen, L, X, task, X_test), lams)) for L in counts])
    G, moment, H_test = _sums(chosen, counts[-1], X, task, X_test)
    columns = [[task.gain(scores) for _, scores in ridge_curve(G, moment, H_test, counts, lam)] for lam in lams]
    return np.array(columns).T


def _sums(chosen: Search, n_hidden: int, X: Any, task: CurveTask, X_test: Any) -> tuple[Any, Any, Any]:
    """HᵀH and HᵀT of the training rows for the layer of one node count, and its outputs on the test rows."""
    layer = _layer(chosen.estimator_at(n_hidden, None), X, task)
    H = layer.outputs(X)
    return H.T @ H, H.T @ task.T, layer.outputs(X_test)


class ChosenRow(NamedTuple):
    """One node count with the λ that its folds chose: what it reaches on held-out and on test rows."""

    n_hidden: int
    lam: float
    held_out_correct: Any
    correct: Any


def one_pass_rows(
    model: Model,
    counts: Sequence[int],
    lams: Sequence[float],
    folds: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    nested: bool,
    seed: int,
) -> list[ChosenRow]:
    """Every node count with its own best λ from one pass over the rows: fold sums choose λ, their total gives β.

    Without ``nested`` each count has a draw and a pass of its own.
    """
    task = curve_task(model, y, y_test)

    def of_one_layer(group: list[int], *roles: str | int) -> list[ChosenRow]:
        member = clone(model).set_params(n_hidden=group[-1], random_state=seed_of(seed, *roles))
        layer = _layer(member, X, task)
        solve = _blocked_readouts if is_large(len(X), layer.n_hidden) else _whole_readouts
        H_test = layer.outputs(X_test)
        return [
            ChosenRow(L, lam, task.in_units(held_out), task.gain(H_test[:, :L] @ beta))
            for (L, lam, held_out), beta in solve(layer, X, Problem(task.T, task.truth, folds, group, lams))
        ]

    if nested and strategy_named(model.strategy).nested:
        return of_one_layer(list(counts), "nodes")
    return [row for L in counts for row in of_one_layer([L], "nodes", L)]


def _whole_readouts(layer: Layer, X: Any, problem: Problem) -> Iterator[tuple[Choice, Any]]:
    """The chosen λ and β of every node count, H held whole."""
    H = layer.outputs(X)
    surface = correct_surface(lambda L, fold: H, problem, nested=True)
    for choice in best_lambdas(surface, problem.counts, problem.lams):
        yield choice, ridge_from_outputs(H[:, : choice.n_hidden], problem.T, choice.lam)


def _blocked_readouts(layer: Layer, X: Any, problem: Problem) -> Iterator[tuple[Choice, Any]]:
    """The same in blocks of rows: the fold sums of one pass choose λ, their total gives β."""
    T, truth, folds, counts, lams = problem
    H = room_for_hidden(layer, len(X), HIDDEN_BYTES)
    sums = accumulate(layer, X, T, folds=folds, n_folds=problem.n_folds, hidden=H)
    for L in counts:
        part, held = first_nodes(sums, L), None if H is None else H[:, :L]
        found = choose_lambda(part, layer.first(L), X, truth, folds, lams, hidden=held)
        yield (
            Choice(L, found.lam, found.correct.sum(axis=0).max().item()),
            ridge_from_gram(*part.summed(), found.lam)[0],
        )


def pseudo_inverse_rows(
    model: Model, counts: Sequence[int], X: Any, y: Any, X_test: Any, y_test: Any, *, nested: bool, seed: int
) -> list[CurveRow]:
    """Every node count without a penalty; ``nested`` draws the nodes once, otherwise each count has its own draw."""
    task = curve_task(model, y, y_test)
    if nested and strategy_named(model.strategy).nested:
        member = clone(model).set_params(n_hidden=counts[-1], random_state=seed_of(seed, "nodes"))
        layer = _layer(member, X, task)
        R, QtT = factor_of(layer, X, task.T)
        return [
            CurveRow(point.n_hidden, None, task.gain(point.scores), point.rank)
            for point in pseudo_inverse_curve(R, QtT, len(X), layer.outputs(X_test), counts, model.cutoff)
        ]
    rows = []
    for L in counts:
        member = clone(model).set_params(n_hidden=L, random_state=seed_of(seed, "nodes", L)).fit(X, y)
        rows.append(CurveRow(L, None, task.gain_of(member, X_test), member.rank_))
    return rows


def _layer(model: Model, X: Any, task: CurveTask) -> Layer:
    """The layer that ``model`` draws from the training rows."""
    W, b = model.drawing()(X, task.labels, model.random_state)
    return Layer(W, b, precision=model.precision)
