"""Are two methods different? Tests on paired rounds and on ranks over data sets: pure functions of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

LEVEL = 0.95


class Paired(NamedTuple):
    """A mean of paired differences, its confidence interval, and the p-value of "the mean is zero"."""

    mean: float
    low: float
    high: float
    p: float
    rounds: int


def overlap(rows: pd.DataFrame) -> float:
    """What the rounds of a data set share: n_test/n_train for random splits, 0 where ``official_split`` says so.

    ``rows`` are records of one data set: columns n_train, n_test and official_split.
    """
    if rows["official_split"].astype(bool).all():
        return 0.0
    return float(rows["n_test"].max()) / float(rows["n_train"].max())


def paired_t(differences: npt.ArrayLike, shared: float = 0.0, level: float = LEVEL) -> Paired:
    """Student's t on paired differences, one per round, with the variance of their mean as s²·(1/n + ``shared``).

    ``shared`` = n_test/n_train is the correction of Nadeau and Bengio (2003) for rounds whose training rows overlap;
    0 gives the plain test. A single round has no interval; equal differences have one of width zero.
    """
    values = np.asarray(differences, dtype=float)
    n = len(values)
    mean = float(values.mean())
    if n < 2:
        return Paired(mean, float("nan"), float("nan"), float("nan"), n)
    spread = float(values.std(ddof=1) * np.sqrt(1.0 / n + shared))
    if spread <= 1e-15 * max(1.0, abs(mean)):
        return Paired(mean, mean, mean, float(mean == 0.0), n)
    half = float(stats.t.ppf(0.5 + level / 2, n - 1)) * spread
    return Paired(mean, mean - half, mean + half, float(2 * stats.t.sf(abs(mean) / spread, n - 1)), n)


def wilcoxon_p(differences: npt.ArrayLike) -> float:
    """Two-sided p of the signed-rank test, exact also with ties; differences of zero are left out.

    The ranks' sum over positive differences is compared with its distribution over all 2ⁿ signs.
    """
    values = np.asarray(differences, dtype=float)
    values = values[values != 0.0]
    if not len(values):
        return 1.0
    # Average ranks are halves: doubled they are whole numbers, and sums can be counted.
    doubled = np.rint(2 * stats.rankdata(np.abs(values).round(12))).astype(int)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    observed = int(doubled[values > 0].sum())
    tail = min(ways[: observed + 1].sum(), ways[observed:].sum())
    return float(min(1.0, 2 * tail / ways.sum()))


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment: the smallest p times m, the next times m − 1, …, never falling, at most 1."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(len(p_values))
    largest = 0.0
    for place, index in enumerate(order):
        largest = max(largest, (len(p_values) - place) * p_values[index])
        adjusted[index] = min(1.0, largest)
    return [float(p) for p in adjusted]


class Friedman(NamedTuple):
    """Mean ranks (1 is best), Friedman's χ² with its p, Iman and Davenport's F with its p, Nemenyi's difference."""

    ranks: dict[str, float]
    chi2: float
    p_chi2: float
    F: float
    p_F: float
    critical_difference: float
    datasets: int


def friedman(accuracies: pd.DataFrame, level: float = LEVEL) -> Friedman:
    """Do methods (columns) differ over data sets (rows)? Higher is better; ties share their ranks (Demšar, 2006)."""
    n, k = accuracies.shape
    if n < 2 or k < 2:
        raise ValueError(f"friedman: needs at least two data sets and two methods; got {n} and {k}.")
    ranks = accuracies.rank(axis=1, ascending=False)
    mean_ranks = ranks.mean(axis=0)
    # With ties the variance of a row of ranks is smaller than (k² − 1)/12.
    variance = float(ranks.var(axis=1, ddof=0).mean())
    chi2 = 0.0 if variance == 0 else float(n * ((mean_ranks - (k + 1) / 2) ** 2).sum() / variance * (k - 1) / k)
    rest = n * (k - 1) - chi2
    F = float("inf") if rest <= 1e-12 else (n - 1) * chi2 / rest
    return Friedman(
        ranks={str(model): float(rank) for model, rank in mean_ranks.items()},
        chi2=chi2,
        p_chi2=float(stats.chi2.sf(chi2, k - 1)),
        F=F,
        p_F=float(stats.f.sf(F, k - 1, (k - 1) * (n - 1))),
        critical_difference=critical_difference(k, n, level),
        datasets=n,
    )


def critical_difference(methods: int, datasets: int, level: float = LEVEL) -> float:
    """Nemenyi's: mean ranks of two methods further apart than this differ."""
    q = float(stats.studentized_range.ppf(level, methods, np.inf)) / np.sqrt(2.0)
    return float(q * np.sqrt(methods * (methods + 1) / (6.0 * datasets)))


def cliques(ranks: dict[str, float], difference: float) -> list[tuple[str, ...]]:
    """The largest groups of methods whose mean ranks span less than ``difference``, best group first."""
    ordered = sorted(ranks, key=lambda model: ranks[model])
    found: list[tuple[str, ...]] = []
    for start, first in enumerate(ordered):
        group = tuple(model for model in ordered[start:] if ranks[model] - ranks[first] < difference)
        if len(group) > 1 and not any(set(group) <= set(other) for other in found):
            found.append(group)
    return found
