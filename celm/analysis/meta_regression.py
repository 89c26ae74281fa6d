"""On which problems is an effect large? Effects of sources against traits of their data, with Knapp-Hartung errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats

from celm.analysis.random_effects import TAU2, weighted_fit
from celm.analysis.statistics import LEVEL, holm
from celm.base.validation import check_choice

Array = npt.NDArray[np.float64]


class Coefficient(NamedTuple):
    """What the effect gains per unit of a moderator, with its interval, p, and Holm's p over all moderators."""

    name: str
    value: float
    low: float
    high: float
    p: float
    p_holm: float


class MetaRegression(NamedTuple):
    """The intercept (first) and the moderators, what spread between sources is left, and how much they explain.

    explained: 1 − τ²(with moderators)/τ²(without), not below zero; not a number where there was no spread to explain.
    """

    coefficients: tuple[Coefficient, ...]
    tau: float
    explained: float
    sources: int


def meta_regression(
    effects: npt.ArrayLike,
    variances: npt.ArrayLike,
    moderators: Mapping[str, npt.ArrayLike],
    tau2: str = "reml",
    level: float = LEVEL,
) -> MetaRegression:
    """Random-effects regression of effects on moderators.

    Weighted least squares with w = 1/(v + τ²); the covariance (XᵀWX)⁻¹ is scaled by the weighted residual mean square
    and tested with k − p degrees of freedom.

    Parameters
    ----------
    effects, variances : arrays of shape (n_sources,)
    moderators : mapping from name to array of shape (n_sources,)
        Used as they are; see :func:`standardised` for effects per standard deviation.
    tau2 : {"reml", "paule_mandel", "dersimonian_laird"}
    level : float

    References
    ----------
    Knapp, G. and Hartung, J. (2003). Improved tests for a random effects meta-regression with a single covariate.
    Statistics in Medicine 22.
    """
    y, v = np.asarray(effects, dtype=float), np.asarray(variances, dtype=float)
    check_choice(tau2, "tau2", TAU2, "meta_regression")
    X = np.column_stack([np.ones(len(y)), *(np.asarray(values, dtype=float) for values in moderators.values())])
    df = len(y) - X.shape[1]
    if df < 2 or np.linalg.matrix_rank(X) < X.shape[1]:
        raise ValueError(
            f"meta_regression: {len(moderators)} moderators need at least {len(moderators) + 3} sources and must not "
            f"be combinations of one another; got {len(y)} sources and {', '.join(moderators)}."
        )
    left, before = TAU2[tau2](y, v, X), TAU2[tau2](y, v)
    beta, inverse, q = weighted_fit(y, 1.0 / (v + left), X)
    errors = np.sqrt(q / df * np.diag(inverse))
    half = float(stats.t.ppf(0.5 + level / 2, df)) * errors
    ps = [float(2 * stats.t.sf(abs(b) / e, df)) for b, e in zip(beta, errors, strict=True)]
    adjusted = [ps[0], *holm(ps[1:])]
    rows = zip(["intercept", *moderators], beta, beta - half, beta + half, ps, adjusted, strict=True)
    found = tuple(Coefficient(str(name), *(float(value) for value in values)) for name, *values in rows)
    explained = max(0.0, 1.0 - left / before) if before > 0 else math.nan
    return MetaRegression(found, math.sqrt(left), explained, len(y))


def standardised(moderators: pd.DataFrame) -> dict[str, Array]:
    """Every moderator with mean 0 and variance 1 over the sources; one that does not vary is left out."""
    found = {}
    for name in moderators.columns:
        values = moderators[name].to_numpy(float)
        spread = float(values.std(ddof=1))
        if spread > 0:
            found[str(name)] = (values - values.mean()) / spread
    return found
