"""Newton steps of the squared-hinge SVM for many problems at once: Cholesky factors or conjugate gradients.

A step (s, s₀) of one problem solves, with ridge r = 1/(2c) and c = C/n,

    r·s + X_Aᵀ(X_A s + s₀1) = −r·g,      1ᵀ(X_A s + s₀1) = −r·g₀,

where X_A are the active rows (y·f < 1) of the centred X (N × d), g and g₀ the gradient in the weights and in
the intercept. The intercept carries no penalty, hence no ridge.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy.linalg import lapack

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]

DUAL_SHARE = 0.8  # with fewer active rows than this share of d, the a × a system is cheaper than the d × d one
SAMPLE_ROWS = 25  # rows per feature that estimate the Hessian well enough to precondition with
FORCING = 0.05  # conjugate gradients stop at this share of the gradient


class Problems(NamedTuple):
    """The unsolved problems: one row each."""

    column: Index  # which column of the whole task this is (m)
    active: Mask  # m × N
    weight: Array  # c = C/n (m)
    gradient: Array  # m × d
    gradient0: Array  # m


class NewtonStep(Protocol):
    """What the path asks of a solver."""

    def __call__(self, problems: Problems) -> tuple[Array, Array]:
        """The steps of all problems: weights (m × d) and intercepts (m)."""
        ...


class PrimalFactor:
    """The d × d Cholesky factor of a step, the intercept eliminated: ``gram`` = X_AᵀX_A, ``total`` = X_Aᵀ1 (d)."""

    def __init__(self, gram: Array, total: Array, n_active: float, ridge: float) -> None:
        self._factor, _ = _damped_cholesky(gram - np.outer(total, total / n_active), ridge)
        self._total, self._n_active = total, n_active

    def solve(self, rhs: Array, rhs0: Array) -> tuple[Array, Array]:
        """The steps (q × d and q) for q right-hand sides."""
        step = _solve(self._factor, rhs - np.outer(rhs0 / self._n_active, self._total))
        return step, (rhs0 - step @ self._total) / self._n_active


def dual_step(X_active: Array, ridge: float, rhs: Array, rhs0: Array) -> tuple[Array, Array]:
    """The same step by the a × a matrix X_A X_Aᵀ + r·I (Woodbury); its unknown is the change of the scores."""
    factor, ridge = _damped_cholesky(X_active @ X_active.T, ridge)
    solved = _solve(factor, np.vstack([rhs @ X_active.T, np.ones(len(X_active))]))
    particular, ones = solved[:-1], solved[-1]
    shift = (rhs0 - particular.sum(axis=1)) / ones.sum()
    change = particular + shift[:, None] * ones
    return (rhs - change @ X_active) / ridge, shift / ridge


def _damped_cholesky(matrix: Array, ridge: float) -> tuple[Array, float]:
    """The factor of ``matrix`` + ridge·I for the first of ridge, 100·ridge, … that has one in working precision.

    A larger ridge is a damped step, still downhill: the line search finds its length.
    """
    while True:
        ridged = matrix.copy()
        ridged.flat[:: len(matrix) + 1] += ridge
        factor, info = lapack.dpotrf(ridged.T, lower=1, clean=0, overwrite_a=1)
        if info == 0:
            return np.asarray(factor), ridge
        ridge *= 100.0


def _solve(factor: Array, rhs: Array) -> Array:
    """One solution per row of ``rhs``."""
    solved, _ = lapack.dpotrs(factor, rhs.T, lower=1)
    return np.asarray(solved.T)


Factors = list[tuple[list[int], PrimalFactor]]


class ActiveGrams:
    """X_AᵀX_A of many columns, each updated by the rows that entered or left A since its last use."""

    def __init__(self, X: Array) -> None:
        self._X = X
        self._last: dict[int, tuple[Mask, Array]] = {}

    def __call__(self, columns: Index, active: Mask) -> Array:
        """The matrix (d × d) of ``columns``, which all have the same active rows."""
        before, gram = self._last.get(int(columns[0]), (np.zeros_like(active), np.zeros((self._X.shape[1],) * 2)))
        changed = before ^ active
        if changed.sum() >= active.sum():
            gram = self._of(active)
        else:
            gram = gram + self._of(changed & active)
            gram -= self._of(changed & before)
        self._last.update((int(column), (active.copy(), gram)) for column in columns)
        return gram

    def _of(self, rows: Mask) -> Array:
        chosen = self._X[np.flatnonzero(rows)]
        return chosen.T @ chosen


def _alike(problems: Problems) -> list[list[int]]:
    """The problems grouped by active set and weight: all classes of a fold while C is small."""
    groups: dict[tuple[bytes, float], list[int]] = {}
    for row, active in enumerate(problems.active):
        groups.setdefault((active.tobytes(), float(problems.weight[row])), []).append(row)
    return list(groups.values())


class CholeskyStep:
    """Exact steps, one factor per distinct active set: a × a when few rows are active, else d × d.

    Memory: d² numbers per column.
    """

    def __init__(self, X: Array) -> None:
        self._X = X
        self._grams = ActiveGrams(X)

    def __call__(self, problems: Problems) -> tuple[Array, Array]:
        """The steps of all problems: weights (m × d) and intercepts (m)."""
        totals = problems.active.astype(np.float64) @ self._X
        step, step0 = np.empty_like(problems.gradient), np.empty_like(problems.gradient0)
        for rows in _alike(problems):
            ridge = 0.5 / problems.weight[rows[0]]
            rhs, rhs0 = -ridge * problems.gradient[rows], -ridge * problems.gradient0[rows]
            step[rows], step0[rows] = self._solve(problems, rows, totals[rows[0]], ridge, rhs, rhs0)
        return step, step0

    def _solve(
        self, problems: Problems, rows: list[int], total: Array, ridge: float, rhs: Array, rhs0: Array
    ) -> tuple[Array, Array]:
        """The steps of problems with the same active rows, which add up to ``total``."""
        active = problems.active[rows[0]]
        n_active = int(np.count_nonzero(active))
        if not n_active:
            return rhs / ridge, np.zeros(len(rows))
        if n_active <= DUAL_SHARE * self._X.shape[1]:
            return dual_step(self._X[np.flatnonzero(active)], ridge, rhs, rhs0)
        gram = self._grams(problems.column[rows], active)
        return PrimalFactor(gram, total, n_active, ridge).solve(rhs, rhs0)


class ConjugateGradientStep:
    """Inexact steps by conjugate gradients on all problems at once, two products with X per iteration.

    Preconditioned by the factor of the same system on evenly spaced rows, scaled up to all active rows. With
    ``shared`` all problems have one factor, as if the active rows of each were drawn at random: more iterations, but
    d² numbers in all instead of d² per problem.
    """

    def __init__(self, X: Array, *, shared: bool = False) -> None:
        self._X = X
        self._every = max(1, len(X) // (SAMPLE_ROWS * X.shape[1]))
        self._sample = np.ascontiguousarray(X[:: self._every])
        self._grams = ActiveGrams(self._sample)
        self._shared_gram = self._sample.T @ self._sample / len(self._sample) if shared else None

    def __call__(self, problems: Problems) -> tuple[Array, Array]:
        """The steps of all problems: weights (m × d) and intercepts (m)."""
        factors = self._factors(problems)
        step, step0 = np.zeros_like(problems.gradient), np.zeros_like(problems.gradient0)
        residual, residual0 = -problems.gradient, -problems.gradient0
        direction, direction0 = _precondition(factors, residual, residual0)
        energy = start = _dot(residual, direction) + residual0 * direction0
        for _ in range(4 * self._X.shape[1]):
            unsolved = energy > FORCING**2 * start
            if not unsolved.any():
                break
            product, product0 = self._hessian(problems, direction, direction0)
            length = np.divide(
                energy, _dot(direction, product) + direction0 * product0, out=np.zeros_like(energy), where=unsolved
            )
            step, step0 = step + length[:, None] * direction, step0 + length * direction0
            residual, residual0 = residual - length[:, None] * product, residual0 - length * product0
            turned, turned0 = _precondition(factors, residual, residual0)
            last, energy = energy, _dot(residual, turned) + residual0 * turned0
            turn = np.divide(energy, last, out=np.zeros_like(energy), where=unsolved)
            direction, direction0 = turned + turn[:, None] * direction, turned0 + turn * direction0
        return step, step0

    def _factors(self, problems: Problems) -> Factors:
        """The preconditioner of each group of problems that have the same active rows, or one for all."""
        if self._shared_gram is not None:
            n_active = max(1.0, np.count_nonzero(problems.active) / len(problems.active))
            ridge = 0.5 / float(problems.weight.mean())
            # The rows of X are centred: those drawn at random add up to about nothing.
            factor = PrimalFactor(n_active * self._shared_gram, np.zeros(self._X.shape[1]), n_active, ridge)
            return [(list(range(len(problems.active))), factor)]
        factors = []
        for rows in _alike(problems):
            n_active = max(1, int(np.count_nonzero(problems.active[rows[0]])))
            active = np.ascontiguousarray(problems.active[rows[0], :: self._every])
            share = n_active / max(1, int(np.count_nonzero(active)))
            gram = share * self._grams(problems.column[rows], active)
            ridge = 0.5 / problems.weight[rows[0]]
            factors.append((rows, PrimalFactor(gram, share * (active @ self._sample), n_active, ridge)))
        return factors

    def _hessian(self, problems: Problems, direction: Array, direction0: Array) -> tuple[Array, Array]:
        """(D + 2c [X 1]ᵀA[X 1])·direction."""
        change = direction @ self._X.T + direction0[:, None]
        change *= problems.active
        pull = 2.0 * problems.weight
        return direction + pull[:, None] * (change @ self._X), pull * change.sum(axis=1)


def _precondition(factors: Factors, residual: Array, residual0: Array) -> tuple[Array, Array]:
    turned, turned0 = np.empty_like(residual), np.empty_like(residual0)
    for rows, factor in factors:
        turned[rows], turned0[rows] = factor.solve(residual[rows], residual0[rows])
    return turned, turned0


def _dot(left: Array, right: Array) -> Array:
    """Row by row."""
    return np.einsum("ij,ij->i", left, right)
