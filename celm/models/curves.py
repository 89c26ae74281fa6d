"""Accuracy against hidden nodes: every node count of one fitted draw on the test rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from celm.models.elm import ELMClassifier, ELMClassifierCV
from celm.models.hidden import draw_layer, hidden_outputs
from celm.models.readout import correct_counts, pseudo_inverse_curve, ridge_curve
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
    codes_test = np.searchsorted(chosen.classes_, y_test)
    if not chosen.nests():
        fits = [chosen.estimator_at(L, lam).fit(X, y) for L, lam in candidates]
        return [
            CurveRow(L, lam, int(correct_counts(fit.scores(X_test), codes_test)), None)
            for (L, lam), fit in zip(candidates, fits, strict=True)
        ]
    counts = [L for L, _ in candidates]
    model = chosen.estimator_at(counts[-1], None)
    H, T, H_test = _hidden_pair(model, X, y, X_test)
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
    codes_test = np.searchsorted(np.unique(y), y_test)
    if nested and model.strategy not in NOT_NESTED:
        member = clone(model).set_params(n_hidden=counts[-1], random_state=seed_of(seed, "nodes"))
        H, T, H_test = _hidden_pair(member, X, y, X_test)
        return [
            CurveRow(point.n_hidden, None, int(correct_counts(point.scores, codes_test)), point.rank)
            for point in pseudo_inverse_curve(H, T, H_test, counts, model.cutoff)
        ]
    rows = []
    for L in counts:
        member = clone(model).set_params(n_hidden=L, random_state=seed_of(seed, "nodes", L)).fit(X, y)
        rows.append(CurveRow(L, None, int(correct_counts(member.scores(X_test), codes_test)), member.rank_))
    return rows


def _hidden_pair(model: ELMClassifier, X: Any, y: Any, X_test: Any) -> tuple[Any, Any, Any]:
    """H and T of the training rows and H of the test rows for the layer that ``model`` draws."""
    classes, codes = encode_labels(y, "accuracy curve")
    W, b = draw_layer(X, codes, model.strategy, model.n_hidden, model.random_state, model.weight_options())
    return hidden_outputs(X, W, b), model.target_matrix(codes, len(classes)), hidden_outputs(X_test, W, b)
