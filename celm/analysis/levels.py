"""Two verdicts on a claim: on these data, and beyond them. The pooled effect decides, then items are counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.analysis.bounds import ROUNDING, Bounds
from celm.analysis.intervals import (
    Band,
    Estimate,
    holm_decisions,
    level_of_each,
    mean_estimate,
    pooled_per_round,
    simultaneous,
)
from celm.analysis.random_effects import beyond_sources, by_source, resampled_variance, source_of
from celm.analysis.words import FAILS, HOLDS, NOT_RUN, OPEN, VACUOUS

Array = npt.NDArray[np.float64]

# The unit of ratios: they are judged on logarithms, and what they tell of seconds is of one machine.
TIMES = "times"
# What a verdict on one item says of it.
_DECIDED = {HOLDS: True, FAILS: False, OPEN: None}
# Rounds below which a curve has no simultaneous limits.
FEWEST_OF_BAND = 3


class ItemRounds(NamedTuple):
    """One thing that a claim compares: its effect in every round.

    Attributes
    ----------
    label, dataset : str
    rounds : array of shape (n_rounds,), or (n_rounds, n_counts) for a curve, whose smallest value is meant
        Ratios as logarithms.
    shared : float
        n_test/n_train where rounds split the same rows anew, 0 where the split is official or data are drawn afresh.
    """

    label: str
    dataset: str
    rounds: Array
    shared: float


@dataclass(frozen=True)
class LevelVerdict:
    """The verdict on one level, with the pooled effect and in how many items it holds, fails or is open.

    ``verdict`` is None where nothing can be said; ``reason`` then says why, as it does for vacuous and not run.
    ``decisions``: whether each item holds (True), fails (False) or is open (None).
    """

    verdict: str | None
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    registered: bool = False
    reason: str = ""
    holds: int = 0
    fails: int = 0
    open: int = 0
    predicted_low: float | None = None
    predicted_high: float | None = None
    sources: int = 0
    decisions: tuple[bool | None, ...] = ()

    def document(self) -> dict[str, Any]:
        """Plain data for verdict.json; what became of each item is told with the items."""
        return {name: value for name, value in asdict(self).items() if name != "decisions"}


def not_run(reason: str) -> LevelVerdict:
    """The verdict of a claim whose records are missing."""
    return LevelVerdict(NOT_RUN, reason=reason)


def vacuous(reason: str, registered: bool = False) -> LevelVerdict:
    """The verdict of a claim on a change that changed nothing: no record could have spoken against it."""
    return LevelVerdict(VACUOUS, registered=registered, reason=reason)


def on_these_data(
    items: Sequence[ItemRounds], bounds: Bounds, unit: str = "points", registered: bool = False
) -> LevelVerdict:
    """Does the claim hold on the data sets that were run? Rounds are independent given them.

    The pooled effect is the mean over items in every round, with the plain t interval over rounds; a claim on curves
    pools the smallest leads by their simultaneous limits instead. Items are decided with Holm's correction.
    """
    if not items:
        return not_run("nothing was compared")
    inner, back = _scales(unit)
    region = bounds.on(inner)
    curves = any(item.rounds.ndim == 2 for item in items)
    if curves and min(len(item.rounds) for item in items) < FEWEST_OF_BAND:
        nothing = (None,) * len(items)
        reason = "fewer than three rounds have no band"
        return LevelVerdict(OPEN, registered=registered, reason=reason, open=len(items), decisions=nothing)
    effect, low, high = _smallest_of(items) if curves else _pooled(items)
    decisions = _curve_decisions(items, region) if curves else _decisions(items, region)
    told = [None if math.isnan(value) else back(value) for value in (effect, low, high)]
    return LevelVerdict(
        region.verdict(low, high),
        effect=told[0],
        low=told[1],
        high=told[2],
        registered=registered,
        holds=decisions.count(True),
        fails=decisions.count(False),
        open=decisions.count(None),
        decisions=tuple(decisions),
    )


def on_items(
    pooled: Sequence[float],
    items: Sequence[Sequence[float]],
    bounds: Bounds,
    registered: bool = False,
    exact: bool = False,
) -> LevelVerdict:
    """The verdict on effects (effect, low, high) that have an interval and no rounds: shares, printed numbers.

    ``exact``: printed numbers have no error, so that a sentence about all of them fails with the first that does.
    """
    effect, low, high = (None if math.isnan(value) else value for value in pooled)
    verdicts = [bounds.verdict(item[1], item[2]) for item in items]
    whole = FAILS if exact and FAILS in verdicts else bounds.verdict(*pooled[1:])
    return LevelVerdict(
        whole,
        effect,
        low,
        high,
        registered,
        holds=verdicts.count(HOLDS),
        fails=verdicts.count(FAILS),
        open=verdicts.count(OPEN),
        decisions=tuple(_DECIDED[verdict] for verdict in verdicts),
    )


def _scales(unit: str) -> tuple[Callable[[float], float], Callable[[float], float]]:
    """From the unit of a claim to the scale it is averaged on, and back."""
    return (math.log, math.exp) if unit == TIMES else (float, float)


def _pooled(items: Sequence[ItemRounds]) -> tuple[float, float, float]:
    estimate = mean_estimate(pooled_per_round({f"{place}": item.rounds for place, item in enumerate(items)}))
    return estimate.mean, estimate.low, estimate.high


def _decisions(items: Sequence[ItemRounds], region: Bounds) -> list[bool | None]:
    estimates: list[Estimate] = [mean_estimate(item.rounds) for item in items]
    return holm_decisions(estimates, region.at_least - ROUNDING, region.at_most + ROUNDING)


def _smallest_of(items: Sequence[ItemRounds]) -> tuple[float, float, float]:
    """The smallest lead of the mean curve over items, with the limits of its band.

    Data sets with different node counts cannot be averaged point by point: then the mean of the smallest leads of
    their mean curves, with limits that hold for all of them at once.
    """
    groups: dict[str, list[Array]] = {}
    for item in items:
        groups.setdefault(item.dataset, []).append(_as_curve(item))
    curves: list[Array] = [np.mean(group, axis=0) for group in groups.values()]
    if len({curve.shape for curve in curves}) == 1:
        return simultaneous(np.mean(curves, axis=0)).smallest()
    each = np.array([simultaneous(curve, level_of_each(len(curves))).smallest() for curve in curves])
    mean, low, high = (float(value) for value in each.mean(axis=0))
    return mean, low, high


def _as_curve(item: ItemRounds) -> Array:
    return item.rounds if item.rounds.ndim == 2 else item.rounds[:, None]


def _curve_decisions(items: Sequence[ItemRounds], region: Bounds) -> list[bool | None]:
    """Every curve by its own band, Bonferroni's share of the error for each."""
    bands: list[Band] = [simultaneous(_as_curve(item), level_of_each(len(items))) for item in items]
    return [_DECIDED[region.verdict(*band.smallest()[1:])] for band in bands]


def beyond(
    items: Sequence[ItemRounds],
    bounds: Bounds,
    unit: str = "points",
    registered: bool = False,
    source: Callable[[str], str] = source_of,
) -> LevelVerdict:
    """Does the claim hold on data like these? Random effects over independent sources.

    Items of a data set are averaged in every round; the variance of that mean counts what rounds share. None with a
    reason for times, which are of one machine, and below five sources.
    """
    if unit == TIMES:
        return LevelVerdict(None, reason="a ratio of times or counts is a fact of one machine or one curve")
    groups: dict[str, list[ItemRounds]] = {}
    for item in items:
        groups.setdefault(item.dataset, []).append(item)
    effects = {}
    for dataset, members in groups.items():
        means = {f"{place}": _as_curve(item).mean(axis=1) for place, item in enumerate(members)}
        rounds = pooled_per_round(means)
        if len(rounds) < 2:
            return LevelVerdict(None, reason=f"{dataset} has a single round: its error is not known")
        effects[dataset] = float(rounds.mean()), resampled_variance(rounds, max(item.shared for item in members))
    sources = by_source(effects, source)
    pooled, reason = beyond_sources(sources)
    if pooled is None:
        return LevelVerdict(None, reason=reason, sources=len(sources))
    return LevelVerdict(
        bounds.verdict(pooled.low, pooled.high),
        pooled.effect,
        pooled.low,
        pooled.high,
        registered,
        holds=sum(bounds.verdict(one.effect, one.effect) == HOLDS for one in sources),
        fails=sum(bounds.verdict(one.effect, one.effect) == FAILS for one in sources),
        predicted_low=pooled.predicted_low,
        predicted_high=pooled.predicted_high,
        sources=pooled.sources,
    )
