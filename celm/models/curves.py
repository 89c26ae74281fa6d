"""Accuracy against hidden nodes: every node count of one fitted draw on the test rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from celm.models.elm import ELMClassifier
from celm.models.elm_cv import ELMClassifierCV
from celm.models.hidden import draw_layer, hidden_outputs
from celm.models.readout import correct_counts, pseudo_inverse_curve, ridge_curve
from celm.models.solve import factor_of
from celm.models.weights import NOT_NESTED
from celm.seeds import seed_of
from celm.validation import encode_labels


class CurveRow(NamedTuple):
    """One node count: λ (None without a penalty), test rows classified correctly, numerical rank (None with λ)."""

    n_hidden: int
    lam: float | None
    correct: int
    rank: int | None


def ridge_curve_rows(chosen: ELMClassifierCV, X: Any, y: Any, X_test: Any, y_test: Any) -> list[CurveRow]:
    """Every node count of a fitted :class:`ELMClassifierCV` with that count's own best λ, fitted on all of X, y."""
    candidates = [(choice.n_hidden, choice.lam) for choice in chosen.lambdas_by_count_]
    codes_test = _codes_among(chosen.classes_, y_test)
    if not chosen.nests():
        fits = [chosen.estimator_at(L, lam).fit(X, y) for L, lam in candidates]
        return [
            CurveRow(L, lam, int(correct_counts(fit.scores(X_test), codes_test)), None)
            for (L, lam), fit in zip(candidates, fits, strict=True)
        ]
    counts = [L for L, _ in candidates]
    model = chosen.estimator_at(counts[-1], None)
    W, b, T = _layer(model, X, y)
    H, H_test = hidden_outputs(X, W, b), hidden_outputs(X_test, W, b)
    G, moment = H.T @ H, H.T @ T
    correct = {}
    for lam in sorted({lam for _, lam in candidates}):
        for L, scores in ridge_curve(G, moment, H_test, counts, lam):
            if (L, lam) in candidates:
                correct[L] = int(correct_counts(scores, codes_test))
    return [CurveRow(L, lam, correct[L], None) for L, lam in candidates]


def pseudo_inverse_rows(
    model: ELMClassifier, counts: Sequence[int], X: Any, y: Any, X_test: Any, y_test: Any, *, nested: bool, seed: int
) -> list[CurveRow]:
    """Every node count without a penalty; ``nested`` draws the nodes once, otherwise each count has its own draw."""
    codes_test = _codes_among(np.unique(y), y_test)
    if nested and model.strategy not in NOT_NESTED:
        member = clone(model).set_params(n_hidden=counts[-1], random_state=seed_of(seed, "nodes"))
        W, b, T = _layer(member, X, y)
        R, QtT = factor_of(X, T, W, b)
        return [
            CurveRow(point.n_hidden, None, int(correct_counts(point.scores, codes_test)), point.rank)
            for point in pseudo_inverse_curve(R, QtT, len(X), hidden_outputs(X_test, W, b), counts, model.cutoff)
        ]
    rows = []
    for L in counts:
        member = clone(model).set_params(n_hidden=L, random_state=seed_of(seed, "nodes", L)).fit(X, y)
        rows.append(CurveRow(L, None, int(correct_counts(member.scores(X_test), codes_test)), member.rank_))
    return rows


def _codes_among(classes: Any, y: Any) -> Any:
    """Codes of test labels; −1, which no prediction equals, for a class without training rows."""
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    return np.where(classes[codes] == y, codes, -1)


def _layer(model: ELMClassifier, X: Any, y: Any) -> tuple[Any, Any, Any]:
    """W (n × L) and b (L) of the layer that ``model`` draws from the training rows, and their targets T (N × k)."""
    classes, codes = encode_labels(y, "accuracy curve")
    W, b = draw_layer(X, codes, model.strategy, model.n_hidden, model.random_state, model.weight_options())
    return W, b, model.target_matrix(codes, len(classes))
