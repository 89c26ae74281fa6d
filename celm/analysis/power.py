"""Would a design decide a claim? Power by simulation, from the spread that exploratory rounds had."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from celm.analysis.bounds import Bounds
from celm.analysis.intervals import pooled_per_round, simultaneous
from celm.analysis.levels import TIMES, ItemRounds
from celm.analysis.statistics import LEVEL
from celm.analysis.words import FAILS, HOLDS
from celm.base.seeds import generator

Array = npt.NDArray[np.float64]

# How far inside or outside of its edge a one-sided claim must be decided: the study's margin of one point, a tenth of
# a ratio, a tenth of the cases.
STEPS = {"points": 0.01, "accuracy": 0.01, "share": 0.1, TIMES: math.log(1.1)}
WANTED = 0.9
DRAWS = 2000
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
    studies = [residuals[rng.integers(n, size=rounds)] for _ in range(draws)]
    decide = _decided_by_t if pooled.shape[1] == 1 else _decided_by_band
    return Power(
        holds=decide(studies, inside + shape, bounds, HOLDS),
        fails=decide(studies, outside + shape, bounds, FAILS),
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


def _decided_by_t(studies: Sequence[Array], truth: Array, bounds: Bounds, wanted: str) -> float:
    values = np.stack(studies)[:, :, 0] + truth
    n = values.shape[1]
    means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / math.sqrt(n)
    half = float(special.stdtrit(n - 1, 0.5 + LEVEL / 2)) * errors
    found = [bounds.verdict(low, high) for low, high in zip(means - half, means + half, strict=True)]
    return found.count(wanted) / len(found)


# A band is itself a simulation: fewer studies and fewer resamples keep the curve's power within seconds.
_BANDS, _RESAMPLES = 200, 400


def _decided_by_band(studies: Sequence[Array], truth: Array, bounds: Bounds, wanted: str) -> float:
    bands = [simultaneous(study + truth, draws=_RESAMPLES).smallest() for study in studies[:_BANDS]]
    return sum(bounds.verdict(low, high) == wanted for _, low, high in bands) / len(bands)


def lacking_power(powers: Mapping[str, Power], wanted: float = WANTED) -> list[str]:
    """The claims that the design does not decide often enough, the weakest first: named before the run."""
    return sorted((name for name, power in powers.items() if power.least < wanted), key=lambda name: powers[name].least)


def to_markdown(powers: Mapping[str, Power], rounds: int, wanted: float = WANTED) -> str:
    """Every claim with its power, the weakest first."""
    lacking = lacking_power(powers, wanted)
    share = 100 * (1 - len(lacking) / len(powers)) if powers else 0.0
    lines = [
        f"# Power of {rounds} rounds",
        "",
        f"{len(powers) - len(lacking)} of {len(powers)} claims ({share:.0f} %) have a power of {wanted:g} or more: the "
        "chance of 'holds' when the truth lies a step inside of the claim's edge, and of 'fails' when it lies a step "
        "outside, whichever is smaller. Below it: " + (", ".join(f"`{name}`" for name in lacking) or "none") + ".",
        "",
        "| claim | step | spread of a round | holds, if inside | fails, if outside |",
        "|---|---|---|---|---|",
    ]
    for name in sorted(powers, key=lambda name: powers[name].least):
        one = powers[name]
        lines.append(f"| `{name}` | {one.step:.4f} | {one.deviation:.4f} | {one.holds:.3f} | {one.fails:.3f} |")
    return "\n".join(lines) + "\n"
