"""How probable are published numbers under a protocol? A multivariate t per data set with a common split effect."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from celm.analysis.intervals import PAPER_ROUNDS, PRINTED_STEP, published_error
from celm.analysis.protocols.panel import SetPanel

Array = npt.NDArray[np.float64]

# The paper does not say whether its models shared their splits: everything is computed under both assumptions.
CORRELATIONS = ("ours", "none")
_LARGEST_CORRELATION = 0.99


class Judged(NamedTuple):
    """What is known of some protocols on a data set: means and variances of a round (… × model), rounds behind them."""

    mean: Array
    variance: Array
    rounds: int


def judged(one: SetPanel) -> Judged:
    """Means and variances over all rounds, protocol × model."""
    return Judged(one.accuracy.mean(axis=1), one.accuracy.var(axis=1, ddof=1), one.accuracy.shape[1])


def split_correlation(accuracy: Array) -> Array:
    """The mean correlation between models over rounds, for every protocol (protocol × round × model -> protocol).

    Models of a round share their training and test rows: a hard split lowers all of them. One number for all pairs is
    the common split effect; it is stable where a whole correlation matrix of ten rounds would not be.
    """
    models = accuracy.shape[2]
    if models < 2:
        return np.zeros(len(accuracy))
    residuals = accuracy - accuracy.mean(axis=1, keepdims=True)
    length = np.sqrt((residuals**2).sum(axis=1, keepdims=True))
    z = np.divide(residuals, length, out=np.zeros_like(residuals), where=length > 0)
    # The squared length of the sum over models is the sum of all correlations, the diagonal among them.
    total = (z.sum(axis=2) ** 2).sum(axis=1)
    diagonal = (z**2).sum(axis=(1, 2))
    return np.clip((total - diagonal) / (models * (models - 1)), 0.0, _LARGEST_CORRELATION)


class Fit(NamedTuple):
    """Log-likelihood of published numbers, and twice what is lost against numbers that equal the means."""

    log_likelihood: Array
    deviance: Array


def predictive_fit(
    known: Judged, published: Array, correlation: npt.ArrayLike = 0.0, paper_rounds: int | None = PAPER_ROUNDS
) -> Fit:
    """The multivariate t of a published row of numbers, given our rounds.

    The covariance of (published − our mean) is (1/R + 1/paper_rounds)·s_i s_j·(ρ + (1 − ρ)[i = j]), plus the variance
    of printing three digits on the diagonal; R − 1 degrees of freedom. Leading axes broadcast.

    Parameters
    ----------
    known : Judged
    published : array of shape (…, n_models)
    correlation : float or array
        ρ of every protocol; 0 if models do not share their splits.
    """
    factor, nu = published_error(known.rounds, paper_rounds), known.rounds - 1
    rho = np.asarray(correlation, dtype=float)[..., None]
    scaled = factor * known.variance
    diagonal = (1.0 - rho) * scaled + PRINTED_STEP**2 / 12
    common = np.sqrt(rho * scaled)
    residual = published - known.mean
    # The inverse and the determinant of a diagonal plus one rank.
    inner = 1.0 + (common**2 / diagonal).sum(axis=-1)
    along = (residual * common / diagonal).sum(axis=-1)
    distance = (residual**2 / diagonal).sum(axis=-1) - along**2 / inner
    log_determinant = np.log(diagonal).sum(axis=-1) + np.log(inner)
    models = residual.shape[-1]
    height = special.gammaln((nu + models) / 2) - special.gammaln(nu / 2) - models / 2 * np.log(nu * np.pi)
    deviance = (nu + models) * np.log1p(distance / nu)
    return Fit(height - log_determinant / 2 - deviance / 2, deviance)


def set_fit(one: SetPanel, correlation: str = "ours", paper_rounds: int | None = PAPER_ROUNDS) -> Fit:
    """The fit of every protocol to the published numbers of one data set."""
    rho = split_correlation(one.accuracy) if correlation == "ours" else np.zeros(len(one.accuracy))
    return predictive_fit(judged(one), one.published, rho, paper_rounds)
