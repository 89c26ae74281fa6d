"""The restricted Boltzmann machine: its CD-1 directions against a naive loop, and what its units learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit

from celm.models.baselines.rbm import cd1_gradients, train_rbm


def logistic(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-z))


def test_the_cd1_directions_are_the_formula_number_by_number():
    rng = np.random.default_rng(0)
    V, W, a, b = (rng.standard_normal(shape) for shape in ((5, 3), (3, 4), 3, 4))
    uniform = rng.random((5, 4))
    dW, da, db = np.zeros((3, 4)), np.zeros(3), np.zeros(4)
    for row in range(5):
        p = [logistic(sum(V[row, i] * W[i, j] for i in range(3)) + b[j]) for j in range(4)]
        h = [1.0 if uniform[row, j] < p[j] else 0.0 for j in range(4)]
        back = [sum(h[j] * W[i, j] for j in range(4)) + a[i] for i in range(3)]
        p_back = [logistic(sum(back[i] * W[i, j] for i in range(3)) + b[j]) for j in range(4)]
        for i in range(3):
            da[i] += (V[row, i] - back[i]) / 5
            for j in range(4):
                dW[i, j] += (V[row, i] * p[j] - back[i] * p_back[j]) / 5
        for j in range(4):
            db[j] += (p[j] - p_back[j]) / 5
    for ours, expected in zip(cd1_gradients(V, W, a, b, uniform), (dW, da, db), strict=True):
        np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.fixture(scope="module")
def factors() -> np.ndarray:
    """500 rows of 20 features that vary along three directions, with little noise."""
    rng = np.random.default_rng(1)
    return rng.standard_normal((500, 3)) @ rng.standard_normal((3, 20)) + 0.1 * rng.standard_normal((500, 20))


def share_inside(W: np.ndarray, X: np.ndarray) -> float:
    """The share of ‖W‖² that lies in the span of the three main directions of X."""
    directions = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2][:3]
    return float(np.linalg.norm(directions @ W) ** 2 / np.linalg.norm(W) ** 2)


def test_the_units_learn_the_directions_in_which_the_data_vary(factors):
    X = (factors - factors.mean(axis=0)) / factors.std(axis=0)
    W, b = train_rbm(X, 12, 20, np.random.default_rng(2))
    assert W.shape == (20, 12)
    assert share_inside(W, X) > 0.9 > 0.3 > share_inside(np.random.default_rng(2).standard_normal((20, 12)), X)
    assert expit(X @ W + b).std(axis=0).min() > 0.1


def test_units_do_not_depend_on_the_units_of_measurement(factors):
    scale, shift = np.logspace(-3, 3, 20), np.linspace(-5, 5, 20)
    W, b = train_rbm(factors, 6, 3, np.random.default_rng(3))
    W_scaled, b_scaled = train_rbm(factors * scale + shift, 6, 3, np.random.default_rng(3))
    np.testing.assert_allclose((factors * scale + shift) @ W_scaled + b_scaled, factors @ W + b, atol=1e-6)


def test_a_constant_feature_gets_no_weight(factors):
    X = factors.copy()
    X[:, 4] = 7.3
    W, b = train_rbm(X, 6, 3, np.random.default_rng(4))
    np.testing.assert_array_equal(W[4], 0.0)
    assert np.isfinite(W).all()
    assert np.isfinite(b).all()


def test_no_units_take_no_time_and_the_seed_decides(factors):
    W, b = train_rbm(factors, 0, 10**9, np.random.default_rng(0))
    assert (W.shape, b.shape) == ((20, 0), (0,))
    drawn = [train_rbm(factors, 5, 2, np.random.default_rng(seed))[0] for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert not np.allclose(drawn[0], drawn[2])
