"""Beyond these data: effects of independent sources pooled, with intervals of their mean and of a further source."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import optimize, stats

from celm.analysis.statistics import LEVEL, Friedman, friedman
from celm.base.validation import check_choice

Array = npt.NDArray[np.float64]

# Below this many independent sources nothing is said about further ones.
FEWEST_SOURCES = 5

# Views of one collection of objects are one source; a data set that is not listed is a source of its own.
SOURCES = {f"mdd_{view}": "mdd" for view in ("fac", "fou", "kar", "pix", "zer")}


def source_of(dataset: str) -> str:
    """The independent source a data set belongs to: the five MDD views show the same two thousand digits."""
    return SOURCES.get(dataset, dataset)


class SourceEffect(NamedTuple):
    """The effect on one independent source with its variance, and the data sets it was measured on."""

    source: str
    effect: float
    variance: float
    datasets: tuple[str, ...]


def by_source(
    effects: Mapping[str, tuple[float, float]], source: Callable[[str], str] = source_of
) -> list[SourceEffect]:
    """Effects (value, variance) of data sets as effects of sources.

    Data sets of one source count as fully correlated: the standard deviation of their mean is the mean of theirs,
    the largest it can be.

    Examples
    --------
    >>> [one.source for one in by_source({"mdd_kar": (0.03, 1e-4), "mdd_pix": (0.02, 1e-4), "wdbc": (0.0, 1e-4)})]
    ['mdd', 'wdbc']
    """
    groups: dict[str, list[str]] = {}
    for dataset in effects:
        groups.setdefault(source(dataset), []).append(dataset)
    return [
        SourceEffect(
            name,
            float(np.mean([effects[dataset][0] for dataset in members])),
            float(np.mean([math.sqrt(effects[dataset][1]) for dataset in members])) ** 2,
            tuple(members),
        )
        for name, members in groups.items()
    ]


def resampled_variance(values: npt.ArrayLike, shared: float) -> float:
    """The variance of a mean over rounds as an estimate for the source the rows came from: s²·(1/n + shared).

    ``shared`` = n_test/n_train: rounds of one data set reuse its rows, and more rounds do not make more rows (Nadeau
    and Bengio, 2003).
    """
    rounds = np.asarray(values, dtype=float)
    if len(rounds) < 2:
        raise ValueError(f"resampled_variance: needs two rounds or more; got {len(rounds)}.")
    return float(rounds.var(ddof=1)) * (1.0 / len(rounds) + shared)


# How far τ² may lie above the spread of the effects before the search for it stops.
_SEARCHED = 100.0


def _design(n: int, X: Array | None) -> Array:
    return np.ones((n, 1)) if X is None else X


def weighted_fit(y: Array, weights: Array, X: Array) -> tuple[Array, Array, float]:
    """Weighted least squares: coefficients, (XᵀWX)⁻¹, and the weighted sum of squared residuals."""
    information = X.T @ (weights[:, None] * X)
    inverse = np.linalg.inv(information)
    beta = inverse @ (X.T @ (weights * y))
    return beta, inverse, float(weights @ (y - X @ beta) ** 2)


def tau2_dersimonian_laird(y: Array, v: Array, X: Array | None = None) -> float:
    """τ² by moments: (Q − (k − p)) / (tr W − tr((XᵀWX)⁻¹XᵀW²X)), not below zero."""
    X = _design(len(y), X)
    w = 1.0 / v
    _, inverse, q = weighted_fit(y, w, X)
    scale = w.sum() - np.trace(inverse @ (X.T @ (w[:, None] ** 2 * X)))
    return max(0.0, (q - (len(y) - X.shape[1])) / float(scale))


def tau2_paule_mandel(y: Array, v: Array, X: Array | None = None) -> float:
    """τ² at which the weighted residuals are as large as expected: Q(τ²) = k − p; zero if they already are smaller."""
    X = _design(len(y), X)
    wanted = len(y) - X.shape[1]

    def excess(tau2: float) -> float:
        return weighted_fit(y, 1.0 / (v + tau2), X)[2] - wanted

    if excess(0.0) <= 0.0:
        return 0.0
    top = float(np.var(y) + v.max())
    while excess(top) > 0.0:
        top *= 2.0
    return float(optimize.brentq(excess, 0.0, top, xtol=1e-14 * top, rtol=1e-12))


def tau2_reml(y: Array, v: Array, X: Array | None = None) -> float:
    """τ² by restricted maximum likelihood, the default: searched on [0, a hundred times the spread of the effects]."""
    X = _design(len(y), X)

    def deviance(tau2: float) -> float:
        w = 1.0 / (v + tau2)
        _, inverse, q = weighted_fit(y, w, X)
        return float(-np.log(w).sum() - np.linalg.slogdet(inverse)[1] + q)

    top = _SEARCHED * float(np.var(y) + v.max())
    # The likelihood may have its maximum at zero, where a bounded search does not look.
    grid = np.concatenate([[0.0], np.geomspace(1e-6 * top, top, 60)])
    best = int(np.argmin([deviance(tau2) for tau2 in grid]))
    if best == 0 and deviance(1e-3 * grid[1]) > deviance(0.0):
        return 0.0
    edges = (float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)]))
    found = optimize.minimize_scalar(deviance, bounds=edges, method="bounded", options={"xatol": 1e-10 * edges[1]})
    return float(found.x)


TAU2: dict[str, Callable[..., float]] = {
    "dersimonian_laird": tau2_dersimonian_laird,
    "paule_mandel": tau2_paule_mandel,
    "reml": tau2_reml,
}


class Pooled(NamedTuple):
    """Mean effect over sources with Hartung and Knapp's interval, where a further source lies, and the heterogeneity.

    Attributes
    ----------
    effect, low, high, p : float
        The mean over sources, its interval, and the two-sided p of "it is zero".
    predicted_low, predicted_high : float
        Where the effect on one further source lies.
    tau : float
        Standard deviation of true effects between sources.
    i2 : float
        Share of the spread that is not sampling error, τ²/(τ² + typical variance).
    sources : int
    """

    effect: float
    low: float
    high: float
    p: float
    predicted_low: float
    predicted_high: float
    tau: float
    i2: float
    sources: int


def pooled_effect(effects: npt.ArrayLike, variances: npt.ArrayLike, tau2: str = "reml", level: float = LEVEL) -> Pooled:
    """Random effects over independent sources.

    With weights w = 1/(v + τ²) the mean μ = Σwy/Σw has Hartung and Knapp's variance Σw(y − μ)²/((k − 1)Σw) and
    k − 1 degrees of freedom; a further source lies within t_{k−2}·√(τ² + that variance) of μ. With few sources and
    sampling errors as large as τ, τ² is often estimated as zero and that last interval is then too short.

    Parameters
    ----------
    effects, variances : arrays of shape (n_sources,)
        At least three sources with positive variances.
    tau2 : {"reml", "paule_mandel", "dersimonian_laird"}
    level : float

    References
    ----------
    Hartung, J. and Knapp, G. (2001). A refined method for the meta-analysis of controlled clinical trials with binary
    outcome. Statistics in Medicine 20.
    Higgins, J. P. T., Thompson, S. G. and Spiegelhalter, D. J. (2009). A re-evaluation of random-effects
    meta-analysis. Journal of the Royal Statistical Society A 172.

    See Also
    --------
    beyond_sources : the same with the refusal below five sources.
    """
    y, v = np.asarray(effects, dtype=float), np.asarray(variances, dtype=float)
    check_choice(tau2, "tau2", TAU2, "pooled_effect")
    if len(y) < 3 or y.shape != v.shape or not (v > 0).all():
        raise ValueError(
            f"pooled_effect: needs three sources or more with a positive variance each; got {len(y)} effects, "
            f"variances {v.tolist()}."
        )
    between = TAU2[tau2](y, v)
    w, k = 1.0 / (v + between), len(y)
    beta, inverse, q = weighted_fit(y, w, _design(k, None))
    mean, error = float(beta[0]), math.sqrt(q / (k - 1) * float(inverse[0, 0]))
    half = float(stats.t.ppf(0.5 + level / 2, k - 1)) * error
    reach = float(stats.t.ppf(0.5 + level / 2, k - 2)) * math.sqrt(between + error**2)
    typical = (k - 1) * float((1 / v).sum()) / float((1 / v).sum() ** 2 - (1 / v**2).sum())
    p = float(2 * stats.t.sf(abs(mean) / error, k - 1)) if error > 0 else float(mean == 0)
    i2 = between / (between + typical)
    return Pooled(mean, mean - half, mean + half, p, mean - reach, mean + reach, math.sqrt(between), i2, k)


def beyond_sources(
    effects: Sequence[SourceEffect], fewest: int = FEWEST_SOURCES, tau2: str = "reml", level: float = LEVEL
) -> tuple[Pooled | None, str]:
    """The pooled effect, or None and the reason why nothing is said about further data."""
    names = ", ".join(one.source for one in effects)
    if len(effects) < fewest:
        return None, f"{len(effects)} independent sources ({names}); {fewest} are the fewest to speak of others"
    exact = [one.source for one in effects if one.variance <= 0]
    if exact:
        return None, f"no spread over the rounds of {', '.join(exact)}: their error is not known"
    return pooled_effect([one.effect for one in effects], [one.variance for one in effects], tau2, level), ""


def independent_ranks(
    accuracies: pd.DataFrame, source: Callable[[str], str] = source_of, level: float = LEVEL
) -> Friedman:
    """Friedman's test with Nemenyi's critical difference over independent sources.

    ``accuracies`` has a row per data set and a column per method; rows of one source are averaged first, so that a
    collection with five views has one vote and not five.
    """
    together = accuracies.groupby([source(str(dataset)) for dataset in accuracies.index], sort=False).mean()
    return friedman(together, level)
