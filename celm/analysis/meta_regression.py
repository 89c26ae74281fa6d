"""On which problems is an effect large? Effects of sources against traits of their data, with Knapp-Hartung errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import stats
from sklearn.neighbors import NearestNeighbors

from celm.analysis.random_effects import TAU2, weighted_fit
from celm.analysis.statistics import LEVEL, holm
from celm.base.validation import check_choice

Array = npt.NDArray[np.float64]

# Components whose share of the variance describes how flat a data set lies in its space.
COMPONENTS = 3
# Rows on which the overlap of classes is measured: enough for two digits, and quick on the largest set.
OVERLAP_ROWS = 3000


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


class DataTraits(NamedTuple):
    """What a data set is like: the moderators of the wide study."""

    log10_rows: float
    log10_features: float
    classes: float
    variance_share: float
    overlap: float


def data_traits(X: npt.ArrayLike, y: npt.ArrayLike, seed: int = 0) -> DataTraits:
    """The traits of a data set from its rows, features scaled to variance 1.

    Parameters
    ----------
    X : array of shape (n_rows, n_features)
    y : array of shape (n_rows,)
    seed : int
        Of the rows drawn for the overlap where there are many.
    """
    Z, labels = np.asarray(X, dtype=float), np.asarray(y)
    spread = Z.std(axis=0)
    Z = (Z[:, spread > 0] - Z[:, spread > 0].mean(axis=0)) / spread[spread > 0]
    if not Z.size:
        raise ValueError(f"data_traits: no feature varies over the {len(labels)} rows.")
    return DataTraits(
        math.log10(len(labels)),
        math.log10(np.shape(X)[1]),
        float(len(np.unique(labels))),
        variance_share(Z),
        class_overlap(Z, labels, seed),
    )


def variance_share(Z: Array, components: int = COMPONENTS) -> float:
    """The share of the variance of the columns of ``Z`` that lies in its first principal components."""
    centred = Z - Z.mean(axis=0)
    small = centred.T @ centred if Z.shape[1] <= Z.shape[0] else centred @ centred.T
    roots = np.linalg.eigvalsh(small)[::-1]
    return float(roots[:components].sum() / roots.sum())


def class_overlap(Z: Array, labels: npt.NDArray[np.generic], seed: int = 0, rows: int = OVERLAP_ROWS) -> float:
    """The share of rows whose nearest other row has another class (the measure N3).

    References
    ----------
    Ho, T. K. and Basu, M. (2002). Complexity measures of supervised classification problems. IEEE Transactions on
    Pattern Analysis and Machine Intelligence 24.
    """
    if len(Z) > rows:
        drawn = np.random.default_rng(seed).choice(len(Z), rows, replace=False)
        Z, labels = Z[drawn], labels[drawn]
    nearest = NearestNeighbors(n_neighbors=1).fit(Z).kneighbors(return_distance=False)[:, 0]
    return float(np.mean(labels[nearest] != labels))
