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
# Rows of a product, few enough that threads end together, and outputs that a core keeps at hand.
BLOCK_ROWS, AT_HAND = 1000, 2**16


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
    """XW, the sigmoid, HᵀH and HᵀT, every thread on rows of its own; one Cholesky; no draw, no checks, no choice."""

    package = "numpy"

    def __init__(self, task: dict[str, Any], dtype: str) -> None:
        super().__init__(task, dtype)
        from threadpoolctl import ThreadpoolController

        self.threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        self.pool = ThreadPoolExecutor(self.threads)
        self.pools = ThreadpoolController()
        self.activate = quickest_sigmoid()
        self.W: Any = None

    def prepare(self, X: Any) -> None:
        self.W = np.random.default_rng(0).uniform(-1, 1, (X.shape[1], self.nodes))

    def _shares(self, X: Any) -> list[slice]:
        """Rows for every thread: all for one where threads would cost more than they bring."""
        shares = self.threads if len(X) * self.nodes > WORTH_SHARING else 1
        edges = np.linspace(0, len(X), shares + 1).astype(int)
        return [slice(a, b) for a, b in pairwise(edges)]

    def _outputs(self, X: Any) -> Any:
        """H of some rows, activated while a core has the numbers at hand."""
        H = np.empty((len(X), self.nodes))
        for block in _cut(len(X), BLOCK_ROWS):
            outputs = np.matmul(X[block], self.W, out=H[block])
            for piece in _cut(len(outputs), max(1, AT_HAND // self.nodes)):
                self.activate(outputs[piece])
        return H

    def fit(self, X: Any, y: Any) -> Any:
        from scipy.linalg import cho_factor, cho_solve

        T = y[:, None] if y.dtype.kind == "f" else 2 * one_hot(y) - 1

        def sums(rows: slice) -> tuple[Any, Any]:
            H = self._outputs(X[rows])
            return H.T @ H, H.T @ T[rows]

        with self.pools.limit(limits=1, user_api="blas"):
            (gram, moment), *others = self.pool.map(sums, self._shares(X))
        for more, further in others:
            gram += more
            moment += further
        gram.flat[:: len(gram) + 1] += 1 / LAM
        factor = cho_factor(gram.T, lower=True, overwrite_a=True, check_finite=False)
        return cho_solve(factor, moment, check_finite=False)

    def predict(self, model: Any, X: Any) -> Any:
        def scores_of(rows: slice) -> Any:
            return self._outputs(X[rows]) @ model

        if len(self._shares(X)) == 1:
            Z = X @ self.W
            self.activate(Z)
            scores = Z @ model
        else:
            with self.pools.limit(limits=1, user_api="blas"):
                scores = np.concatenate(list(self.pool.map(scores_of, _cut(len(X), BLOCK_ROWS))))
        return scores[:, 0] if scores.shape[1] == 1 else scores.argmax(axis=1)


def _cut(rows: int, most: int) -> list[slice]:
    """Near-equal parts of at most so many rows."""
    edges = np.linspace(0, rows, -(-rows // most) + 1).astype(int)
    return [slice(a, b) for a, b in pairwise(edges)]
