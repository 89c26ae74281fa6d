"""Intervals and decisions on rounds of one study: pooled means, Holm inside a claim, whole curves, equivalence.

Everything here answers "on these data": given the data set, rounds are independent draws, so the plain t is right.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from celm.analysis.statistics import LEVEL, holm
from celm.base.seeds import generator

Array = npt.NDArray[np.float64]

# The paper's means are over ten rounds and printed with three digits.
PAPER_ROUNDS = 10
PRINTED_STEP = 0.001
# Resamples behind a simultaneous interval, and their seed.
DRAWS = 4000
SEED = 2015
# A standard error below this share of the mean is rounding: all rounds are equal.
_EQUAL = 1e-15


class Estimate(NamedTuple):
    """A mean with its interval, and what is needed to test it: standard error and degrees of freedom."""

    mean: float
    low: float
    high: float
    error: float
    df: int


def mean_estimate(values: npt.ArrayLike, level: float = LEVEL) -> Estimate:
    """Student's t on independent rounds.

    Parameters
    ----------
    values : array of shape (n_rounds,)
    level : float
        Confidence of the two-sided interval.

    Returns
    -------
    Estimate
        A single round has no interval; equal rounds have one of width zero.

    Examples
    --------
    >>> mean_estimate([0.01, 0.02, 0.03]).mean
    0.02
    """
    rounds = np.asarray(values, dtype=float)
    mean, n = float(rounds.mean()), len(rounds)
    if n < 2:
        return Estimate(mean, math.nan, math.nan, math.nan, 0)
    error = float(rounds.std(ddof=1) / np.sqrt(n))
    if error <= _EQUAL * max(1.0, abs(mean)):
        return Estimate(mean, mean, mean, 0.0, n - 1)
    half = float(special.stdtrit(n - 1, 0.5 + level / 2)) * error
    return Estimate(mean, mean - half, mean + half, error, n - 1)


def pooled_per_round(items: Mapping[str, npt.ArrayLike]) -> Array:
    """The mean over all items of a claim in every round: what the pooled effect is the mean of.

    Items of a data set share their splits; averaging inside a round first keeps that dependence out of the interval.
    All items must have the same number of rounds.
    """
    lengths = {name: len(np.asarray(values)) for name, values in items.items()}
    if not lengths or len(set(lengths.values())) > 1:
        raise ValueError(f"pooled_per_round: every item needs the same rounds; got {lengths or 'no items'}.")
    return np.mean([np.asarray(values, dtype=float) for values in items.values()], axis=0)


def _tail(distance: float, estimate: Estimate) -> float:
    """One-sided p of an estimate that lies ``distance`` beyond an edge: small when it surely does."""
    if math.isnan(estimate.error):
        return 1.0
    if estimate.error == 0.0:
        return 0.0 if distance >= 0 else 1.0
    return float(special.stdtr(estimate.df, -distance / estimate.error))


def region_p(estimate: Estimate, least: float = -math.inf, most: float = math.inf) -> tuple[float, float]:
    """One-sided p-values of "lies inside [least, most]" and of "lies outside of it".

    Inside is an intersection of two one-sided tests, so its p is the larger one; outside is either of two.
    """
    inside = max(_tail(estimate.mean - least, estimate), _tail(most - estimate.mean, estimate))
    outside = min(_tail(least - estimate.mean, estimate), _tail(estimate.mean - most, estimate))
    return inside, outside


def holm_decisions(
    estimates: Sequence[Estimate], least: float = -math.inf, most: float = math.inf, level: float = LEVEL
) -> list[bool | None]:
    """Whether each item lies inside a region (True), outside (False), or neither can be said (None).

    Holm's step-down over the items keeps the chance of any false True or False at ``1 − level``; with one item this
    is the two-sided interval. An item with equal rounds exactly on the edge lies inside.

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6.
    Shaffer, J. P. (1980). Control of directional errors with stagewise multiple test procedures. Annals of
    Statistics 8.
    """
    pairs = [region_p(estimate, least, most) for estimate in estimates]
    adjusted = holm([min(1.0, 2 * min(pair)) for pair in pairs])
    return [
        (inside <= outside) if p <= 1 - level + 1e-12 else None
        for (inside, outside), p in zip(pairs, adjusted, strict=True)
    ]


class Band(NamedTuple):
    """Means of several columns with simultaneous limits: all of them hold at once with the stated confidence."""

    mean: Array
    low: Array
    high: Array
    quantile: float

    def smallest(self) -> tuple[float, float, float]:
        """The smallest mean, and the interval of the smallest true value that the band implies."""
        return float(self.mean.min()), float(self.low.min()), float(self.high.min())


def simultaneous(rounds: npt.ArrayLike, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> Band:
    """Simultaneous intervals of the column means of rounds × columns, such as leads at every node count.

    The half-width is one multiple of each column's standard error: the quantile of the largest studentised deviation
    over columns when the rounds' residuals get random signs (the same sign for all columns of a round, which keeps
    their correlation). Never below the quantile of a single column's t.

    References
    ----------
    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple hypothesis testing. Journal
    of the American Statistical Association 100.
    """
    table = np.asarray(rounds, dtype=float)
    n = len(table)
    if table.ndim != 2 or n < 3:
        raise ValueError(f"simultaneous: needs rounds × columns with three rounds or more; got shape {table.shape}.")
    mean = table.mean(axis=0)
    residuals = table - mean
    error = residuals.std(axis=0, ddof=1) / np.sqrt(n)
    varies = error > _EQUAL * np.maximum(1.0, np.abs(mean))
    quantile = float(special.stdtrit(n - 1, 0.5 + level / 2))
    if varies.any():
        largest = _largest_deviations(residuals[:, varies], draws, seed)
        quantile = max(quantile, float(np.quantile(largest, level)))
    half = np.where(varies, quantile * error, 0.0)
    return Band(mean, mean - half, mean + half, quantile)


@functools.lru_cache(maxsize=4)
def _signs(draws: int, n: int, seed: int) -> Array:
    """Random signs, draws × n: drawn once for all curves of a study."""
    drawn: Array = generator(seed, "simultaneous", n).integers(0, 2, size=(draws, n)).astype(np.float64)
    return 2.0 * drawn - 1.0


def _largest_deviations(residuals: Array, draws: int, seed: int) -> Array:
    """The largest |t| over columns for random signs of the rounds, ``draws`` times."""
    n = len(residuals)
    means = _signs(draws, n, seed) @ residuals / n
    # Signs do not change squares, so the spread of a signed column follows from its mean.
    squares = (residuals**2).sum(axis=0) / n
    variance = np.maximum((squares - means**2) * n / (n - 1), np.finfo(float).tiny)
    # Residuals about their own mean are shorter than true deviations by this factor in expectation.
    return np.max(np.abs(means) / np.sqrt(variance / n), axis=1) * np.sqrt(n / (n - 1))


def level_of_each(n: int, level: float = LEVEL) -> float:
    """Bonferroni: the confidence of each of ``n`` intervals at which all of them hold together."""
    return 1.0 - (1.0 - level) / n


class Equivalence(NamedTuple):
    """Our mean against a published one: difference, its 90 % interval, p of "within the margin", and what follows.

    verdict: "equivalent" (surely within the margin), "different" (surely beyond it) or "open".
    """

    difference: float
    low: float
    high: float
    p: float
    verdict: str


def published_error(n: int, paper_rounds: int | None = PAPER_ROUNDS) -> float:
    """The variance of (our mean of ``n`` rounds − a published mean), in units of one round's variance."""
    return 1.0 / n + (0.0 if paper_rounds is None else 1.0 / paper_rounds)


def equivalence(
    values: npt.ArrayLike,
    published: float,
    margin: float,
    paper_rounds: int | None = PAPER_ROUNDS,
    level: float = LEVEL,
) -> Equivalence:
    """Two one-sided tests (TOST) of |our mean − published| < margin with both errors.

    The paper prints no spread, so ours stands for it: the difference has variance s²(1/n + 1/paper_rounds) plus that
    of printing three digits. ``paper_rounds`` None: a cited number, taken as exact.

    References
    ----------
    Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach. Journal of
    Pharmacokinetics and Biopharmaceutics 15.
    """
    rounds = np.asarray(values, dtype=float)
    n = len(rounds)
    difference = float(rounds.mean()) - published
    if n < 2:
        return Equivalence(difference, math.nan, math.nan, math.nan, "open")
    variance = float(rounds.var(ddof=1)) * published_error(n, paper_rounds) + PRINTED_STEP**2 / 12
    estimate = Estimate(difference, difference, difference, math.sqrt(variance), n - 1)
    inside, outside = region_p(estimate, -margin, margin)
    half = float(special.stdtrit(n - 1, level)) * estimate.error
    verdict = "equivalent" if inside <= 1 - level else "different" if outside <= 1 - level else "open"
    return Equivalence(difference, difference - half, difference + half, inside, verdict)


def prediction_interval(
    values: npt.ArrayLike, paper_rounds: int | None = PAPER_ROUNDS, level: float = LEVEL
) -> tuple[float, float]:
    """Where a mean over m = ``paper_rounds`` further rounds of the same protocol lies: mean ± t·s·√(1/n + 1/m)."""
    rounds = np.asarray(values, dtype=float)
    n = len(rounds)
    mean = float(rounds.mean())
    if n < 2:
        return math.nan, math.nan
    spread = float(rounds.std(ddof=1)) * math.sqrt(published_error(n, paper_rounds))
    half = float(special.stdtrit(n - 1, 0.5 + level / 2)) * spread
    return mean - half, mean + half
