"""Squared-hinge linear SVMs along an ascending path of C: all classes and folds as columns of one problem.

Column j minimises over w (d) and b, with f = Xw + b and n_j the number of its nonzero targets,

    ½‖w‖² + (C/n_j) Σ_i max(0, 1 − y_ij f_i)²,      y_ij ∈ {−1, 0, +1},

where target 0 leaves the row out (it belongs to the fold that is held out). The intercept is not penalised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.magnitude import CUBED, LEAST, SQUARED, check_squares
from celm.base.threads import one_blas_thread
from celm.base.validation import check_number
from celm.models.baselines.svm_newton import CholeskyStep, ConjugateGradientStep, NewtonStep, Problems

Array = npt.NDArray[np.float64]

CHOLESKY_LIMIT = 4e9  # N·d·min(N, d) up to which exact steps beat conjugate gradients
SHARED_LIMIT = 5e7  # m·d² from which all problems share a preconditioner: one for each would take longer to build
COLD_START_LIMIT = 1e6  # C·mean‖x‖² up to which a start at zero is as good as a path
ROUNDING = 8.0 * float(np.finfo(np.float64).eps)


def check_penalty(C: Any, name: str, owner: str) -> None:
    """C must be a number whose products with squares of rows, and their inverses, are inside the range."""
    check_number(C, name, owner, LEAST, SQUARED)


@dataclass(frozen=True)
class SVMSolution:
    """The optimum of every column at one value of C."""

    C: float | Array
    coef: Array  # m × d
    intercept: Array  # m
    scores: Array  # m × N: f on every row, the held-out ones included
    n_iter: npt.NDArray[np.intp]  # Newton steps, m
    converged: npt.NDArray[np.bool_]  # m


def svm_path(
    X: Array, targets: Array, Cs: Sequence[float | Array], *, tol: float = 1e-4, max_iter: int = 200
) -> Iterator[SVMSolution]:
    """Yield the optimum for each C (a number, or one per column), each started from the one before.

    ``X`` is N × d, ``targets`` m × N. A column has converged when its gradient in w is below ``tol``·‖w‖ and the
    one in b below ``tol`` times the sum of the absolute values of its terms. As the minimum over b is 1-strongly
    convex in w, the objective is then within a share of about tol² of the optimum. Both bounds leave room for
    rounding, and a column also ends when the decrease that its next step promises is below the rounding of the
    objective. Ascending values are fastest; a large first value is approached by decades. Steps are exact up to
    ``CHOLESKY_LIMIT``, by conjugate gradients above. Memory: one centred copy of X and arrays of m × N.
    """
    check_squares(X, "linear SVM", CUBED)  # a step is of the size of three entries where columns are equal
    mean = X.mean(axis=0)
    X = X - mean
    newton_step = _newton_step(X, len(targets))
    coef, intercept = np.zeros((len(targets), X.shape[1])), np.zeros(len(targets))
    scores = np.zeros(targets.shape)
    mean_square_norm = float(np.vdot(X, X)) / len(X)
    approach = _approach(Cs[0], mean_square_norm)
    for number, C in enumerate([*approach, *Cs]):
        weight = C / _row_counts(targets)
        # Thin products in turn with small factorisations: several BLAS threads would mostly wait for each other.
        with one_blas_thread():
            state = _Descent(X, np.sqrt(mean_square_norm), targets, weight, (coef, intercept, scores))
            state.run(newton_step, tol, max_iter)
            coef, intercept = state.coef, state.intercept
            scores = coef @ X.T + intercept[:, None]
        if number >= len(approach):
            yield SVMSolution(C, coef, intercept - coef @ mean, scores, state.n_iter, state.converged)


def _newton_step(X: Array, n_columns: int) -> NewtonStep:
    """Exact steps for small problems, conjugate gradients for large ones, with what memory they may take."""
    if X.size * min(X.shape) <= CHOLESKY_LIMIT:
        return CholeskyStep(X)
    return ConjugateGradientStep(X, shared=n_columns * X.shape[1] ** 2 >= SHARED_LIMIT)


def _approach(C: float | Array, mean_square_norm: float) -> list[float | Array]:
    """Smaller values, ascending by decades, from which Newton's method reaches a large ``C`` in fewer steps."""
    values: list[float | Array] = []
    while np.max(C) * mean_square_norm > COLD_START_LIMIT:
        C = C / 10.0
        values.append(C)
    return values[::-1]


_Point = tuple[Array, Array, Array]  # coef (m × d), intercept (m), scores (m × N)


class _Descent:
    """Newton's method with an exact line search on all columns that have not converged yet."""

    def __init__(self, X: Array, row_norm: float, targets: Array, weight: Array, start: _Point) -> None:
        self.X, self.targets, self.weight = X, targets, weight
        coef, intercept, scores = start
        self._row_norm = row_norm
        self.coef, self.intercept = coef.copy(), intercept.copy()
        self.slack = np.abs(targets) - targets * scores
        self.n_iter = np.zeros(len(targets), dtype=np.intp)
        self.converged = np.zeros(len(targets), dtype=np.bool_)
        self._gradient_rounding = ROUNDING * 2.0 * weight * _row_counts(targets)

    def run(self, newton_step: NewtonStep, tol: float, max_iter: int) -> None:
        """Descend until every column has converged or has taken ``max_iter`` steps."""
        live = np.arange(len(self.targets))
        for _ in range(max_iter + 1):
            gradient, gradient0, done = self._gradient(live, tol)
            self.converged[live[done]] = True
            live, gradient, gradient0 = live[~done], gradient[~done], gradient0[~done]
            if not len(live) or self.n_iter[live[0]] == max_iter:
                return
            problems = Problems(live, self.slack[live] > 0, self.weight[live], gradient, gradient0)
            step, step0 = newton_step(problems)
            decrement = -_dot(gradient, step) - gradient0 * step0
            rounding = ROUNDING * self._objective(live)
            self.converged[live[np.abs(decrement) <= rounding]] = True
            downhill = decrement > rounding
            live = live[downhill]
            self._move(live, step[downhill], step0[downhill])

    def _objective(self, live: npt.NDArray[np.intp]) -> Array:
        hinge = np.maximum(self.slack[live], 0.0)
        return 0.5 * _dot(self.coef[live], self.coef[live]) + self.weight[live] * _dot(hinge, hinge)

    def _gradient(self, live: npt.NDArray[np.intp], tol: float) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
        """The gradients in w and b, and which columns count as converged."""
        residual = np.maximum(self.slack[live], 0.0) * self.targets[live]
        pull = 2.0 * self.weight[live]
        gradient = self.coef[live] - pull[:, None] * (residual @ self.X)
        gradient0 = -pull * residual.sum(axis=1)
        rounding = self._gradient_rounding[live]
        size = np.sqrt(_dot(self.coef[live], self.coef[live]))
        flat = np.sqrt(_dot(gradient, gradient)) <= tol * size + rounding * self._row_norm
        flat0 = np.abs(gradient0) <= tol * pull * np.abs(residual).sum(axis=1) + rounding
        return gradient, gradient0, flat & flat0

    def _move(self, live: npt.NDArray[np.intp], step: Array, step0: Array) -> None:
        slope = -self.targets[live] * (step @ self.X.T + step0[:, None])
        length = exact_line_search(
            self.slack[live], slope, _dot(self.coef[live], step), _dot(step, step), self.weight[live]
        )
        self.coef[live] += length[:, None] * step
        self.intercept[live] += length * step0
        self.slack[live] += length[:, None] * slope
        self.n_iter[live] += 1


def exact_line_search(
    slack: Array, slope: Array, inner: Array, square: Array, weight: Array, precision: float = 1e-3
) -> Array:
    """The t > 0 (m) that minimises ½‖w + t·s‖² + c Σ_i max(0, slack_i + t·slope_i)² for every row.

    ``slack`` and ``slope`` are m × N, ``inner`` = w·s, ``square`` = s·s. The derivative is piecewise linear and
    increasing: Newton's method from t = 1, kept inside a bracket, until it is below ``precision`` times its
    value at 0.
    """
    length, low, high = np.ones(len(slack)), np.zeros(len(slack)), np.full(len(slack), np.inf)
    goal = precision * np.abs(inner + 2.0 * weight * _dot(np.maximum(slack, 0.0), slope))
    rows = np.arange(len(slack))
    for _ in range(100):
        hinge = slack[rows] + length[rows, None] * slope[rows]
        active_slope = slope[rows] * (hinge > 0)
        first = inner[rows] + length[rows] * square[rows] + 2.0 * weight[rows] * _dot(hinge, active_slope)
        wide = np.abs(first) > goal[rows]
        if not wide.any():
            break
        second = square[rows] + 2.0 * weight[rows] * _dot(active_slope, active_slope)
        rows, first, second = rows[wide], first[wide], second[wide]
        t = length[rows]
        low[rows], high[rows] = np.where(first < 0, t, low[rows]), np.where(first > 0, t, high[rows])
        newton = t - first / second
        middle = np.where(np.isinf(high[rows]), 2.0 * t, 0.5 * (low[rows] + high[rows]))
        length[rows] = np.where((newton > low[rows]) & (newton < high[rows]), newton, middle)
    return length


def _row_counts(targets: Array) -> Array:
    """The number of rows that each column is trained on (m)."""
    return np.count_nonzero(targets, axis=1).astype(np.float64)


def _dot(left: Array, right: Array) -> Array:
    """Row by row."""
    return np.einsum("ij,ij->i", left, right)
