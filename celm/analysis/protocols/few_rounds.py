"""Protocols of a table with one data set and a fixed split, in few rounds: spreads of the default, a shared draw.

Rounds differ by the hidden layer alone there, so models do not share a split effect. What all models of a table may
share is a draw of image features: ours is one, the paper's another, and a value that the paper cites has its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from celm.analysis.intervals import PRINTED_STEP
from celm.analysis.protocols.identification import PAPERS, SEED, Trial, Written, cutoffs_of, identified, tried
from celm.analysis.protocols.likelihood import CORRELATIONS
from celm.analysis.protocols.measures import (
    Beside,
    ProtocolFindings,
    chance_within,
    distances_of,
    protocol_fits,
)
from celm.analysis.protocols.simulation import RANDOM_WITHIN, Papers

Array = npt.NDArray[np.float64]


class FewRounds(NamedTuple):
    """All protocols of a table on one data set.

    Attributes
    ----------
    dataset : str
    protocols, models : tuples of str
    mean : array (protocol, model)
        Our accuracies.
    our_share : array (protocol, model)
        The variance of our mean as a share of a round's: 1/R after R rounds.
    paper_share : array (model,)
        The same of the published numbers; 0 for a value that is cited as it stands.
    spread : array (model,)
        Standard deviation of a round, from the default protocol.
    df : int
        Degrees of freedom of the spreads.
    published : array (model,)
    cited : array of bool (model,)
        Values from other works, each with features of its own.
    draw : float
        Standard deviation of an accuracy over draws of the features; 0 where features are not drawn.
    """

    dataset: str
    protocols: tuple[str, ...]
    models: tuple[str, ...]
    mean: Array
    our_share: Array
    paper_share: Array
    spread: Array
    df: int
    published: Array
    cited: npt.NDArray[np.bool_]
    draw: float


def merged_alike(table: FewRounds) -> FewRounds:
    """Protocols whose numbers are the same in every column as one, ``sum_pooling or plain_zscore``: it is one."""
    same: dict[bytes, list[int]] = {}
    for place, mean in enumerate(table.mean):
        same.setdefault(mean.tobytes() + table.our_share[place].tobytes(), []).append(place)
    first = [places[0] for places in same.values()]
    return table._replace(
        protocols=tuple(" or ".join(table.protocols[place] for place in places) for places in same.values()),
        mean=table.mean[first],
        our_share=table.our_share[first],
    )


def covariances(table: FewRounds, correlation: str = "ours") -> Array:
    """Of (published − our mean), protocol × model × model; with "none" every number has a draw of its own."""
    own = table.spread**2 * (table.our_share + table.paper_share) + PRINTED_STEP**2 / 12
    ran = (~table.cited).astype(float)
    shared = np.ones((len(ran), len(ran))) + np.outer(ran, ran) + np.diag(1.0 - ran)
    if correlation == "none":
        shared = np.diag(np.diag(shared))
    return own[:, :, None] * np.eye(len(ran)) + table.draw**2 * shared


def fits(table: FewRounds, residual: Array, correlation: str = "ours") -> Papers:
    """The multivariate t of residuals (paper × protocol × model), as papers on one data set."""
    factor = np.linalg.cholesky(covariances(table, correlation))
    solved = np.stack([np.linalg.solve(L, residual[:, p].T).T for p, L in enumerate(factor)], axis=1)
    distance = (solved**2).sum(axis=2)
    models, nu = len(table.models), table.df
    height = special.gammaln((nu + models) / 2) - special.gammaln(nu / 2) - models / 2 * np.log(nu * np.pi)
    deviance = (nu + models) * np.log1p(distance / nu)
    log_determinant = 2 * np.log(np.diagonal(factor, axis1=1, axis2=2)).sum(axis=1)
    return Papers((height - log_determinant / 2 - deviance / 2)[..., None], deviance[..., None])


def simulated(table: FewRounds, correlation: str = "ours") -> Written:
    """Papers that a protocol would write, beside means of ours that vary as ours do."""

    def written(truth: int, papers: int, rng: np.random.Generator, random: bool) -> Papers:
        # What is known of the spreads is what so many degrees of freedom tell.
        spread = table.spread * np.sqrt(table.df / rng.chisquare(table.df, (papers, 1, 1)))
        noise = rng.standard_normal((papers, *table.mean.shape))
        ours = table.mean + spread * np.sqrt(table.our_share) * noise
        theirs = table.mean[truth] + spread[:, 0] * np.sqrt(table.paper_share) * rng.standard_normal(ours[:, 0].shape)
        one, other, own = _draws(table, papers, rng, correlation)
        theirs = theirs + table.draw * np.where(table.cited, own, other)
        if random:
            theirs = table.mean[truth] + rng.uniform(-RANDOM_WITHIN, RANDOM_WITHIN, theirs.shape)
        printed = np.round(theirs / PRINTED_STEP) * PRINTED_STEP
        return fits(table, printed[:, None] - ours - table.draw * one[:, None], correlation)

    return written


def _draws(table: FewRounds, papers: int, rng: np.random.Generator, correlation: str) -> tuple[Array, Array, Array]:
    """Draws of features: ours and the paper's, one for all models or one each; and those of cited values."""
    width = 1 if correlation == "ours" else len(table.models)
    ours, theirs = (np.broadcast_to(rng.standard_normal((papers, width)), (papers, len(table.models))) for _ in "ab")
    return ours, theirs, rng.standard_normal((papers, len(table.models)))


def findings_of(table: FewRounds, papers: int = PAPERS, seed: int = SEED) -> tuple[ProtocolFindings, dict[str, Trial]]:
    """Every protocol measured, those that could have written the table, and trials of the method."""
    found, cutoffs, trials = {}, {}, {}
    for correlation in CORRELATIONS:
        written, role = simulated(table, correlation), f"{table.dataset} {correlation}"
        cutoffs[correlation] = cutoffs_of(table.protocols, written, papers, seed, role)
        paper = fits(table, (table.published - table.mean)[None], correlation)
        found[correlation] = identified(table.protocols, [table.dataset], paper, cutoffs[correlation])
        trials[correlation] = tried(table.protocols, written, cutoffs[correlation], papers, seed, role)
    widths = half_widths(table)
    inside = (np.abs(table.mean - table.published) <= widths).sum(axis=1)
    away = distances_of([(table.mean, table.published, table.models)])
    beside = Beside(away, inside, chance_within(widths, seed=seed), len(table.models))
    fitted = protocol_fits(table.protocols, [table.dataset], found, beside)
    return ProtocolFindings(fitted, found, cutoffs), trials


def half_widths(table: FewRounds, level: float = 0.95) -> Array:
    """Half of the prediction interval of every number, protocol × model."""
    variance = np.diagonal(covariances(table), axis1=1, axis2=2)
    return float(stats.t.ppf(0.5 + level / 2, table.df)) * np.sqrt(variance)
