"""Nested node counts on one factorisation equal a fresh solve of the first L nodes."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from celm.linalg.layer import Layer
from celm.linalg.readout import (
    CUTOFFS,
    full_rank_count,
    orthogonal_factor,
    pseudo_inverse_curve,
    pseudo_inverse_solve,
    ridge_curve,
    spectral_ridge,
)

LAMS = tuple(10.0**e for e in range(-8, 9, 2))
RNG = np.random.default_rng(0)
T = RNG.normal(size=(60, 3))


def spiral_outputs(strategy_scale, n_hidden=150, n_rows=500):
    """Sigmoid outputs of two spiral arms on random nodes, numerically rank-deficient, and targets ±1."""
    rng = np.random.default_rng(1)
    t, y = rng.random(n_rows), rng.integers(0, 2, n_rows)
    angle, radius = 6 * np.pi * t + np.pi * y, 0.08 + 0.92 * t
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    W, b = strategy_scale * rng.uniform(-1, 1, (2, n_hidden)), rng.random(n_hidden)
    return Layer(W, b).outputs(X), np.where(y[:, None] == [0, 1], 1.0, -1.0)


def curve(H, T, H_eval, counts, cutoff="matlab"):
    return pseudo_inverse_curve(*orthogonal_factor(H, T), len(H), H_eval, counts, cutoff)


def assert_curve_is_fresh_solves(H, T, H_eval, counts, cutoff, tolerance):
    points = 0
    for point, L in zip(curve(H, T, H_eval, counts, cutoff), counts, strict=True):
        beta, rank = pseudo_inverse_solve(H[:, :L], T, cutoff)
        assert (point.n_hidden, point.rank) == (L, rank)
        assert_allclose(point.scores, H_eval[:, :L] @ beta, atol=tolerance)
        points += 1
    assert points == len(counts)


@pytest.mark.parametrize("cutoff", CUTOFFS)
@pytest.mark.parametrize("n_hidden", [20, 60, 90])
def test_full_rank_and_more_nodes_than_rows(cutoff, n_hidden):
    H, H_eval = RNG.normal(size=(60, n_hidden)), RNG.normal(size=(25, n_hidden))
    counts = [L for L in (1, 4, 5, 19, 20, 45, 70, 90) if L <= n_hidden]
    assert_curve_is_fresh_solves(H, T, H_eval, counts, cutoff, 1e-7)


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_rank_deficient_sigmoid_nodes_under_matlab_s_cutoff(scale):
    H, signs = spiral_outputs(scale)
    counts = [1, 3, 10, 20, 40, 60, 100, 150]
    assert_curve_is_fresh_solves(H[:350], signs[:350], H[350:], counts, "matlab", 5e-3)
    points = list(curve(H[:350], signs[:350], H[350:], counts))
    assert points[-1].rank < 100
    assert all(earlier.rank <= later.rank + 3 for earlier, later in pairwise(points))


def test_an_exactly_repeated_node_changes_no_score():
    H = RNG.normal(size=(60, 12))
    H[:, 7] = H[:, 2]
    scores = {p.n_hidden: (p.scores.copy(), p.rank) for p in curve(H, T, H, [7, 8, 12])}
    assert [scores[L][1] for L in (7, 8, 12)] == [7, 7, 11]
    assert_allclose(scores[8][0], scores[7][0], atol=1e-10)
    assert_allclose(scores[12][0], H @ np.linalg.pinv(H) @ T, atol=1e-10)


def test_a_node_that_never_fires_does_not_stop_the_curve_without_cutoff():
    H = RNG.normal(size=(60, 10))
    H[:, 4] = 0.0
    for point in curve(H, T, H, [2, 4, 5, 10], "none"):
        kept = np.delete(H, 4, axis=1)[:, : point.n_hidden - (point.n_hidden > 4)]
        assert_allclose(point.scores, kept @ np.linalg.pinv(kept) @ T, atol=1e-9)


@pytest.mark.parametrize("n_independent", [0, 1, 6, 7, 12])
def test_full_rank_count_finds_the_last_independent_prefix(n_independent):
    R = np.triu(RNG.normal(size=(12, 12))) + 5 * np.eye(12)
    if n_independent < 12:
        R[:, n_independent] = R[:, :n_independent] @ np.ones(n_independent)
    for counts in ([1, 2, 5, 6, 7, 12], [3, 12], [12]):
        expected = max((L for L in counts if L <= n_independent), default=0)
        assert full_rank_count(R, 40, counts, "matlab") == expected


@pytest.mark.parametrize("lam", LAMS)
def test_ridge_curve_equals_naive_solves(lam):
    H, H_eval = RNG.random((60, 25)), RNG.random((20, 25))
    counts = [1, 2, 7, 8, 20, 25]
    L_seen = []
    for L, scores in ridge_curve(H.T @ H, H.T @ T, H_eval, counts, lam):
        h = H[:, :L]
        beta = np.linalg.solve(np.eye(L) / lam + h.T @ h, h.T @ T)
        assert_allclose(scores, H_eval[:, :L] @ beta, rtol=1e-6, atol=1e-8)
        L_seen.append(L)
    assert L_seen == counts


def test_ridge_curve_falls_back_to_eigenvalues_when_cholesky_fails():
    """One negative eigenvalue, larger than the penalty, as rounding leaves them."""
    H, H_eval = RNG.random((60, 6)), RNG.random((20, 6))
    G = H.T @ H
    values, vectors = np.linalg.eigh(G)
    G -= (values[0] + 1e-9) * np.outer(vectors[:, 0], vectors[:, 0])
    curve = {L: scores.copy() for L, scores in ridge_curve(G, H.T @ T, H_eval, [3, 6], 1e12)}
    for L in (3, 6):
        assert_allclose(curve[L], H_eval[:, :L] @ spectral_ridge(G[:L, :L], (H.T @ T)[:L], 1e12))
