"""Simulated papers: ten rounds of a known protocol, judged by rounds that they do not share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.analysis.intervals import PAPER_ROUNDS, PRINTED_STEP
from celm.analysis.protocols.likelihood import CORRELATIONS, Judged, predictive_fit, split_correlation
from celm.analysis.protocols.panel import Panel
from celm.base.threads import one_blas_thread
from celm.base.validation import check_choice

Array = npt.NDArray[np.float64]

# With fewer rounds than this many papers' worth, leaving a paper's rounds out leaves too few to judge by.
_LEAVE_OUT = 3
# Random papers are uniform within this much of a protocol's own means.
RANDOM_WITHIN = 0.03
# Papers computed at once: bounds the memory.
_BLOCK = 50


class Papers(NamedTuple):
    """Fits of every listed protocol to simulated papers: paper × protocol × data set."""

    log_likelihood: Array
    deviance: Array


class World(NamedTuple):
    """All rounds of a data set: means of protocols over them, residuals, their squares and the sums of these."""

    mean: Array
    residual: Array
    squared: Array
    total: Array

    @property
    def rounds(self) -> int:
        """How many there are."""
        return self.residual.shape[1]


def world_of(accuracy: Array) -> World:
    """The world of accuracies, protocol × round × model."""
    # About the mean of all rounds, which keeps the digits that a difference of large sums would lose.
    mean = accuracy.mean(axis=1)
    residual = accuracy - mean[:, None]
    squared = residual**2
    return World(mean, residual, squared, squared.sum(axis=1))


class Writer:
    """Writes papers under a listed protocol of a panel, and says how every protocol fits them.

    A paper is the mean of ten rounds, rounded to three digits; with correlation "none" every model has ten rounds of
    its own. With at least thirty rounds the ten are left out of what judges them; with fewer both are resampled.
    """

    def __init__(self, panel: Panel, correlation: str = "ours") -> None:
        check_choice(correlation, "correlation", CORRELATIONS, "Writer")
        self._shared = correlation == "ours"
        rounds = [one.accuracy for one in panel.sets]
        self._rhos = [split_correlation(one) if self._shared else np.zeros(len(one)) for one in rounds]
        self._worlds = [world_of(one) for one in rounds]

    def papers(
        self,
        truth: int,
        papers: int,
        rng: np.random.Generator,
        *,
        half: int | None = None,
        random_within: float | None = None,
    ) -> Papers:
        """Papers written under protocol number ``truth``, and how every protocol fits them.

        Parameters
        ----------
        half : 0 or 1, optional
            Draw the paper's rounds from one half of all rounds, so that another half can check what this one
            calibrated.
        random_within : float, optional
            Replace the paper by numbers uniform within this much of the protocol's means: chance.
        """
        sizes = [min(_BLOCK, papers - start) for start in range(0, papers, _BLOCK)]
        # Products of a tenth of a millisecond: beside another job, threads would mostly wait for each other.
        with one_blas_thread():
            blocks = [self._block(truth, size, rng, half, random_within) for size in sizes]
        return Papers(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))

    def _block(
        self, truth: int, papers: int, rng: np.random.Generator, half: int | None, random_within: float | None
    ) -> Papers:
        fits = []
        for world, rho in zip(self._worlds, self._rhos, strict=True):
            if world.rounds >= _LEAVE_OUT * PAPER_ROUNDS:
                known, paper = left_out(world, truth, papers, rng, shared=self._shared, half=half)
            else:
                known, paper = resampled(world, truth, papers, rng, shared=self._shared)
            if random_within is not None:
                centre = world.mean[truth]
                paper = centre + rng.uniform(-random_within, random_within, (papers, len(centre)))
            printed = np.round(paper / PRINTED_STEP) * PRINTED_STEP
            fits.append(predictive_fit(known, printed[:, None, :], rho))
        return Papers(*(np.stack([fit[place] for fit in fits], axis=2) for place in (0, 1)))


def left_out(
    world: World, truth: int, papers: int, rng: np.random.Generator, *, shared: bool, half: int | None = None
) -> tuple[Judged, Array]:
    """Ten rounds drawn without replacement make the paper, all others judge it.

    Returns means and variances (paper × protocol × model) of the rounds left, and the papers (paper × model).
    """
    rounds, models = world.rounds, world.mean.shape[1]
    pool = np.arange(rounds) if half is None else np.arange(half, rounds, 2)
    order = rng.random((papers, len(pool), 1 if shared else models)).argsort(axis=1)[:, :PAPER_ROUNDS]
    drawn = np.zeros((papers, rounds, order.shape[2]))
    np.put_along_axis(drawn, pool[order], 1.0, axis=1)
    sums, squares = _over_drawn(drawn, world.residual), _over_drawn(drawn, world.squared)
    left = rounds - PAPER_ROUNDS
    shift = -sums / left
    variance = np.maximum(world.total - squares - left * shift**2, 0.0) / (left - 1)
    return Judged(world.mean + shift, variance, left), world.mean[truth] + sums[:, truth] / PAPER_ROUNDS


def _over_drawn(drawn: Array, values: Array) -> Array:
    """Sums over the drawn rounds: paper × round × (one for all models, or model), protocol × round × model."""
    if drawn.shape[2] == 1:
        return np.tensordot(drawn[:, :, 0], values, axes=(1, 1))
    each = [drawn[:, :, m] @ values[:, :, m].T for m in range(values.shape[2])]
    return np.stack(each, axis=2)


def resampled(world: World, truth: int, papers: int, rng: np.random.Generator, *, shared: bool) -> tuple[Judged, Array]:
    """For few rounds: what judges and the paper are two independent resamples of the rounds.

    Residuals are stretched by √(R/(R − 1)), so that resampling has the variance that sampling would have.
    """
    rounds, models = world.rounds, world.mean.shape[1]
    stretched = world.mean[:, None] + world.residual * np.sqrt(rounds / (rounds - 1))
    ours = stretched[:, rng.integers(rounds, size=(papers, rounds))]
    places = rng.integers(rounds, size=(papers, PAPER_ROUNDS, 1 if shared else models))
    places = np.broadcast_to(places, (papers, PAPER_ROUNDS, models))
    theirs = stretched[truth][places, np.arange(models)]
    known = Judged(ours.mean(axis=2).swapaxes(0, 1), ours.var(axis=2, ddof=1).swapaxes(0, 1), rounds)
    return known, theirs.mean(axis=1)
