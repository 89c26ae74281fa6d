"""Hidden units from a restricted Boltzmann machine with Gaussian inputs, learned by contrastive divergence (CD-1)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

Array = npt.NDArray[np.float64]

LEARNING_RATE = 0.01
MOMENTUM = 0.9
BATCH_ROWS = 100
INITIAL_SPREAD = 0.01


def cd1_gradients(V: Array, W: Array, a: Array, b: Array, uniform: Array) -> tuple[Array, Array, Array]:
    """The CD-1 directions of W (n × L), a (n) and b (L) on the rows V (N × n), means over the rows.

    Hidden units are on with probability p = σ(VW + b) and sampled with ``uniform`` (N × L); inputs have unit
    variance, and their reconstruction is its mean V' = hWᵀ + a. With p' = σ(V'W + b) the directions are
    (Vᵀp − V'ᵀp')/N, mean(V − V') and mean(p − p').
    """
    p = expit(V @ W + b)
    V_back = (uniform < p) @ W.T + a
    p_back = expit(V_back @ W + b)
    return (V.T @ p - V_back.T @ p_back) / len(V), (V - V_back).mean(axis=0), (p - p_back).mean(axis=0)


def train_rbm(X: Array, n_units: int, n_epochs: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """W (n × L) and b (L) of hidden units σ(xW + b) learned from the rows of X (N × n).

    The machine learns from z-scored features, which unit variances ask for, in shuffled batches with momentum; the
    scaling is folded into W and b, so that they take x as it is. A constant feature gets no weight.
    """
    if not n_units:
        return np.zeros((X.shape[1], 0)), np.zeros(0)
    mean, spread = X.mean(axis=0), X.std(axis=0)
    inverse = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 1e-12 * (1.0 + np.abs(mean)))
    W = INITIAL_SPREAD * rng.standard_normal((X.shape[1], n_units))
    a, b = np.zeros(X.shape[1]), np.zeros(n_units)
    speeds = (np.zeros_like(W), np.zeros_like(a), np.zeros_like(b))
    n_batches = max(1, len(X) // BATCH_ROWS)
    for _ in range(n_epochs):
        for rows in np.array_split(rng.permutation(len(X)), n_batches):
            V = (X[rows] - mean) * inverse
            directions = cd1_gradients(V, W, a, b, rng.random((len(rows), n_units)))
            for part, speed, direction in zip((W, a, b), speeds, directions, strict=True):
                speed *= MOMENTUM
                speed += LEARNING_RATE * direction
                part += speed
    W = W * inverse[:, None]
    return W, b - mean @ W
