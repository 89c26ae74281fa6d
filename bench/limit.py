"""What no arrangement can avoid: the bare products, the activation and the Cholesky on the same sizes and threads."""

from __future__ import annotations

import os
import timeit
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from adapters import LAM, Adapter, one_hot

WORTH_SHARING = 100_000


def _by_exp(Z: Any) -> None:
    np.negative(Z, out=Z)
    np.exp(Z, out=Z)
    Z += 1.0
    np.reciprocal(Z, out=Z)


def _by_expit(Z: Any) -> None:
    from scipy.special import expit

    expit(Z, out=Z)


def quickest_sigmoid() -> Callable[[Any], None]:
    """The sigmoid in place by numpy's exp or by scipy's expit: which is quicker hangs on the processor."""
    Z = np.linspace(-4.0, 4.0, WORTH_SHARING)
    return min((_by_exp, _by_expit), key=lambda g: min(timeit.repeat(lambda: g(Z), number=5, repeat=5)))


class Limit(Adapter):
    """XW, the sigmoid, HᵀH and HᵀT by row parts on all threads, one Cholesky; no draw, no checks, no choice."""

    package = "numpy"

    def __init__(self, task: dict[str, Any], dtype: str) -> None:
        super().__init__(task, dtype)
        from threadpoolctl import ThreadpoolController

        self.threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        self.pool = ThreadPoolExecutor(self.threads)
        self.pools = ThreadpoolController()
        self.H: Any = None
        self.activate = quickest_sigmoid()

    def _outputs(self, X: Any, W: Any) -> list[Any]:
        if self.H is None or self.H.shape != (len(X), W.shape[1]):
            self.H = np.empty((len(X), W.shape[1]))
        edges = np.linspace(0, len(X), self._shares(len(X)) + 1).astype(int)
        parts = [slice(a, b) for a, b in pairwise(edges)]

        def outputs(part: slice) -> Any:
            H = np.matmul(X[part], W, out=self.H[part])
            self.activate(H)
            return H

        return list(self.pool.map(outputs, parts))

    def _outputs_alone(self, X: Any, W: Any) -> Any:
        Z = X @ W
        self.activate(Z)
        return Z

    def _shares(self, rows: int) -> int:
        """Parts of the rows: one where threads would cost more than they bring."""
        return self.threads if rows * self.nodes > WORTH_SHARING else 1

    def _weights(self, features: int) -> Any:
        return np.random.default_rng(0).uniform(-1, 1, (features, self.nodes)) / np.sqrt(features)

    def fit(self, X: Any, y: Any) -> Any:
        from scipy.linalg import cho_factor, cho_solve

        W, T = self._weights(X.shape[1]), y[:, None] if y.dtype.kind == "f" else 2 * one_hot(y) - 1
        with self.pools.limit(limits=1, user_api="blas"):
            parts = self._outputs(X, W)
            grams = list(self.pool.map(lambda H: H.T @ H, parts))
            moments = list(self.pool.map(lambda H, t: H.T @ t, parts, np.array_split(T, len(parts))))
        gram = sum(grams[1:], grams[0])
        gram.flat[:: len(gram) + 1] += 1 / LAM
        factor = cho_factor(gram.T, lower=True, overwrite_a=True, check_finite=False)
        return W, cho_solve(factor, sum(moments[1:], moments[0]), check_finite=False)

    def predict(self, model: Any, X: Any) -> Any:
        W, beta = model
        if self._shares(len(X)) == 1:
            scores = self._outputs_alone(X, W) @ beta
            return scores[:, 0] if scores.shape[1] == 1 else scores.argmax(axis=1)
        with self.pools.limit(limits=1, user_api="blas"):
            parts = self._outputs(X, W)
            scores = np.concatenate(list(self.pool.map(lambda H: H @ beta, parts)))
        return scores[:, 0] if scores.shape[1] == 1 else scores.argmax(axis=1)
