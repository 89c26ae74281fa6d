"""Would a design decide a claim? Power by simulation, from the spread that exploratory rounds had."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from celm.analysis.bounds import Bounds
from celm.analysis.intervals import level_of_each, pooled_per_round, simultaneous
from celm.analysis.levels import TIMES, ItemRounds
from celm.analysis.statistics import LEVEL
from celm.analysis.words import FAILS, HOLDS
from celm.base.seeds import generator

Array = npt.NDArray[np.float64]

# How far inside or outside of its edge a one-sided claim must be decided: the study's margin of one point, a tenth of
# a ratio, a tenth of the cases, half a decimal digit.
STEPS = {"points": 0.01, "accuracy": 0.01, "share": 0.1, "digits": 0.5, TIMES: math.log(1.1)}
WANTED = 0.9
DRAWS = 2000
# Studies behind the power of a share, each of many cases.
_STUDIES = 100
SEED = 2015


class Power(NamedTuple):
    """Chance of "holds" when the truth lies a step inside, and of "fails" when it lies a step outside.

    step: the distance from the edge, on the scale of the rounds. deviation: standard deviation of a round.
    """

    holds: float
    fails: float
    step: float
    deviation: float

    @property
    def least(self) -> float:
        """The smaller of the two: the power of the design."""
        return min(self.holds, self.fails)


def step_of(bounds: Bounds, unit: str) -> float:
    """Half the width of a two-sided claim, so that the truth lies in its middle; else the step of its unit."""
    if math.isinf(bounds.at_least) or math.isinf(bounds.at_most):
        return STEPS[unit]
    return (bounds.at_most - bounds.at_least) / 2


def truths(bounds: Bounds, unit: str) -> tuple[float, float]:
    """A true effect one step inside of a claim's edge, and one a step outside of it."""
    step = step_of(bounds, unit)
    if math.isinf(bounds.at_least):
        return bounds.at_most - step, bounds.at_most + step
    return bounds.at_least + step, bounds.at_least - step


def design_power(
    items: Sequence[ItemRounds],
    bounds: Bounds,
    unit: str = "points",
    rounds: int = 100,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Power:
    """The power of ``rounds`` rounds to decide the pooled effect of a claim.

    The residuals of exploratory rounds (stretched by √(n/(n − 1)), resampled with replacement) are added to a true
    effect one step inside, then one step outside of what the claim asks; each simulated study is judged as the real
    one will be. For curves the pooled lead at every count is shifted so that the smallest lies there.

    Parameters
    ----------
    items : the exploratory rounds of everything the claim compares, see :class:`celm.analysis.levels.ItemRounds`.
    bounds : on the scale of the rounds; of a ratio's logarithm with unit "times".
    """
    pooled = _pooled(items)
    n = len(pooled)
    if n < 3:
        raise ValueError(f"design_power: needs three exploratory rounds or more to know their spread; got {n}.")
    residuals = (pooled - pooled.mean(axis=0)) * math.sqrt(n / (n - 1))
    shape = pooled.mean(axis=0) - pooled.mean(axis=0).min()
    inside, outside = truths(bounds, unit)
    rng = generator(seed, "power", n, rounds)
    limits, studies = (_t_limits, draws) if pooled.shape[1] == 1 else (_band_limits, min(draws, _BANDS))
    low, high = limits(shape + residuals[rng.integers(n, size=(studies, rounds))])
    return Power(
        holds=_decided(low + inside, high + inside, bounds, HOLDS),
        fails=_decided(low + outside, high + outside, bounds, FAILS),
        step=step_of(bounds, unit),
        deviation=float(pooled.std(axis=0, ddof=1).max()),
    )


def _pooled(items: Sequence[ItemRounds]) -> Array:
    """The mean over items in every round, a column per node count; curves over different counts are averaged."""
    columns = {item.rounds.shape[1:] for item in items}
    if len(columns) == 1 and columns != {()}:
        return np.mean([item.rounds for item in items], axis=0)
    flat = {f"{place}": item.rounds.reshape(len(item.rounds), -1).mean(axis=1) for place, item in enumerate(items)}
    return pooled_per_round(flat)[:, None]


def _decided(low: Array, high: Array, bounds: Bounds, wanted: str) -> float:
    """The share of studies whose interval gives this verdict."""
    found = [bounds.verdict(*ends) for ends in zip(low.tolist(), high.tolist(), strict=True)]
    return found.count(wanted) / len(found)


def _t_limits(studies: Array) -> tuple[Array, Array]:
    """Of studies × rounds × one column, Student's limits of every study's mean."""
    values, n = studies[:, :, 0], studies.shape[1]
    means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / math.sqrt(n)
    half = float(special.stdtrit(n - 1, 0.5 + LEVEL / 2)) * errors
    return means - half, means + half


def share_power(
    cases: Sequence[Array], bounds: Bounds, rounds: int = 100, draws: int = _STUDIES, seed: int = SEED
) -> Power:
    """The power of ``rounds`` rounds to decide in which share of cases a lead is above zero.

    A tenth of the cases more (or fewer) than asked lead by one point, the others trail by as much; residuals are those
    of the exploratory rounds. Judged as the real study: from the cases surely above to those not surely below, by
    intervals that hold together.
    """
    n = len(cases)
    spread = [(one - one.mean()) * math.sqrt(len(one) / max(len(one) - 1, 1)) for one in cases]
    share, step = bounds.at_least, STEPS["share"]
    rng = generator(seed, "share power", n, rounds)
    found = {}
    for word, above in ((HOLDS, math.ceil(n * (share + step))), (FAILS, math.floor(n * (share - step)))):
        truth = np.where(np.arange(n) < above, STEPS["points"], -STEPS["points"])
        studies = [_share_limits(spread, truth, rounds, rng) for _ in range(draws)]
        found[word] = sum(bounds.verdict(low, high) == word for low, high in studies) / draws
    deviation = float(np.mean([one.std(ddof=1) for one in cases]))
    return Power(found[HOLDS], found[FAILS], step, deviation)


def _share_limits(spread: Sequence[Array], truth: Array, rounds: int, rng: np.random.Generator) -> tuple[float, float]:
    values = np.stack([one[rng.integers(len(one), size=rounds)] for one in spread]) + truth[:, None]
    quantile = float(special.stdtrit(rounds - 1, 0.5 + level_of_each(len(spread)) / 2))
    half = quantile * values.std(axis=1, ddof=1) / math.sqrt(rounds)
    means = values.mean(axis=1)
    return float((means - half > 0).mean()), float((means + half >= 0).mean())


# A band is itself a simulation: fewer studies and fewer resamples keep the curve's power within seconds.
_BANDS, _RESAMPLES = 200, 400


def _band_limits(studies: Array) -> tuple[Array, Array]:
    """Of studies × rounds × counts, the limits of the smallest true value that every study's band implies."""
    smallest = np.array([simultaneous(study, draws=_RESAMPLES).smallest() for study in studies])
    return smallest[:, 1], smallest[:, 2]


def lacking_power(powers: Mapping[str, Power], wanted: float = WANTED) -> list[str]:
    """The claims that the design does not decide often enough, the weakest first: named before the run."""
    return sorted((name for name, power in powers.items() if power.least < wanted), key=lambda name: powers[name].least)
