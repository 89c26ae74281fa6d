"""Simulated papers: ten rounds of a known protocol, judged by rounds that they do not share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.analysis.intervals import PAPER_ROUNDS, PRINTED_STEP
from celm.analysis.protocols.likelihood import CORRELATIONS, Judged, predictive_fit, split_correlation
from celm.analysis.protocols.panel import Panel
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


def simulated_papers(
    panel: Panel,
    truth: int,
    papers: int,
    rng: np.random.Generator,
    *,
    correlation: str = "ours",
    half: int | None = None,
    random_within: float | None = None,
) -> Papers:
    """Papers written under protocol number ``truth``, and how every protocol fits them.

    A paper is the mean of ten rounds, rounded to three digits; with correlation "none" every model has ten rounds of
    its own. With at least thirty rounds the ten are left out of what judges them; with fewer both are resampled.

    Parameters
    ----------
    half : 0 or 1, optional
        Draw the paper's rounds from one half of all rounds, so that another half can check what this one calibrated.
    random_within : float, optional
        Replace the paper by numbers uniform within this much of the protocol's means: chance.
    """
    check_choice(correlation, "correlation", CORRELATIONS, "simulated_papers")
    shared = correlation == "ours"
    rhos = [split_correlation(one.accuracy) if shared else np.zeros(len(one.accuracy)) for one in panel.sets]
    blocks = [
        _block(panel, truth, min(_BLOCK, papers - start), rng, rhos, shared, half, random_within)
        for start in range(0, papers, _BLOCK)
    ]
    return Papers(*(np.concatenate(parts) for parts in zip(*blocks, strict=True)))


def _block(
    panel: Panel,
    truth: int,
    papers: int,
    rng: np.random.Generator,
    rhos: Sequence[Array],
    shared: bool,
    half: int | None,
    random_within: float | None,
) -> Papers:
    fits = []
    for one, rho in zip(panel.sets, rhos, strict=True):
        if one.accuracy.shape[1] >= _LEAVE_OUT * PAPER_ROUNDS:
            known, paper = left_out(one.accuracy, truth, papers, rng, shared=shared, half=half)
        else:
            known, paper = resampled(one.accuracy, truth, papers, rng, shared=shared)
        if random_within is not None:
            centre = one.accuracy[truth].mean(axis=0)
            paper = centre + rng.uniform(-random_within, random_within, (papers, len(centre)))
        printed = np.round(paper / PRINTED_STEP) * PRINTED_STEP
        fits.append(predictive_fit(known, printed[:, None, :], rho))
    return Papers(
        np.stack([fit.log_likelihood for fit in fits], axis=2), np.stack([fit.deviance for fit in fits], axis=2)
    )


def left_out(
    accuracy: Array, truth: int, papers: int, rng: np.random.Generator, *, shared: bool, half: int | None = None
) -> tuple[Judged, Array]:
    """Ten rounds drawn without replacement make the paper, all others judge it.

    Returns means and variances (paper × protocol × model) of the rounds left, and the papers (paper × model).
    """
    _, rounds, models = accuracy.shape
    pool = np.arange(rounds) if half is None else np.arange(half, rounds, 2)
    order = rng.random((papers, len(pool), 1 if shared else models)).argsort(axis=1)[:, :PAPER_ROUNDS]
    drawn = np.zeros((papers, rounds, order.shape[2]))
    np.put_along_axis(drawn, pool[order], 1.0, axis=1)
    # About the mean of all rounds, which keeps the digits that a difference of large sums would lose.
    centre = accuracy.mean(axis=1)
    residual = accuracy - centre[:, None]
    sums, squares = _over_drawn(drawn, residual), _over_drawn(drawn, residual**2)
    left = rounds - PAPER_ROUNDS
    shift = -sums / left
    variance = np.maximum((residual**2).sum(axis=1) - squares - left * shift**2, 0.0) / (left - 1)
    return Judged(centre + shift, variance, left), centre[truth] + sums[:, truth] / PAPER_ROUNDS


def _over_drawn(drawn: Array, values: Array) -> Array:
    """Sums over the drawn rounds: paper × round × (one for all models, or model), protocol × round × model."""
    if drawn.shape[2] == 1:
        return np.tensordot(drawn[:, :, 0], values, axes=(1, 1))
    each = [drawn[:, :, m] @ values[:, :, m].T for m in range(values.shape[2])]
    return np.stack(each, axis=2)


def resampled(
    accuracy: Array, truth: int, papers: int, rng: np.random.Generator, *, shared: bool
) -> tuple[Judged, Array]:
    """For few rounds: what judges and the paper are two independent resamples of the rounds.

    Residuals are stretched by √(R/(R − 1)), so that resampling has the variance that sampling would have.
    """
    _, rounds, models = accuracy.shape
    mean = accuracy.mean(axis=1, keepdims=True)
    world = mean + (accuracy - mean) * np.sqrt(rounds / (rounds - 1))
    ours = world[:, rng.integers(rounds, size=(papers, rounds))]
    places = rng.integers(rounds, size=(papers, PAPER_ROUNDS, 1 if shared else models))
    places = np.broadcast_to(places, (papers, PAPER_ROUNDS, models))
    theirs = world[truth][places, np.arange(models)]
    known = Judged(ours.mean(axis=2).swapaxes(0, 1), ours.var(axis=2, ddof=1).swapaxes(0, 1), rounds)
    return known, theirs.mean(axis=1)
