"""From what was measured to a verdict: an interval inside what a claim asks for, outside of it, or across its edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from celm.analysis.levels import ItemRounds, LevelVerdict
from celm.analysis.words import NOT_REPRODUCED, NOT_RUN, PARTLY, REPRODUCED, UNDECIDED, VACUOUS

# Printed numbers are sums of decimals: 0.728 − 0.647 must count as 0.081.
ROUNDING = 1e-9


class Item(NamedTuple):
    """One thing that was compared: its effect and the interval of that, not a number where there is none."""

    label: str
    effect: float
    low: float
    high: float


class Measured(NamedTuple):
    """All that a claim compares, the mean effect over it, and the unit: points, accuracy, times or share.

    vacuous: why nothing was compared after all, if so: a change that changed nothing in any round. rounds: the items by
    round, ratios as logarithms, for the verdicts on both levels; none of printed numbers and of what has no rounds.
    """

    items: list[Item]
    overall: Item
    unit: str
    vacuous: str = ""
    rounds: tuple[ItemRounds, ...] = ()


class Region(NamedTuple):
    """Where a claim says that an effect lies."""

    at_least: float | None = None
    at_most: float | None = None

    def holds(self, item: Item) -> bool | None:
        """Whether the whole interval lies inside (True), the whole of it outside (False), or neither (None)."""
        if math.isnan(item.low) or math.isnan(item.high):
            return None
        least = -math.inf if self.at_least is None else self.at_least - ROUNDING
        most = math.inf if self.at_most is None else self.at_most + ROUNDING
        if least <= item.low and item.high <= most:
            return True
        return False if item.high < least or item.low > most else None


class Outcome(NamedTuple):
    """The verdict on a claim and the numbers behind it: one row per compared thing, with whether it holds.

    on_these_data, beyond: the verdicts on both levels, see :mod:`celm.analysis.levels`.
    """

    verdict: str
    sentence: str
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = ""
    numbers: tuple[tuple[Item, bool | None], ...] = ()
    on_these_data: LevelVerdict | None = None
    beyond: LevelVerdict | None = None


def combined(held: int, failed: int, open_: int) -> str:
    """The verdict on many comparisons: all hold, none can hold, some hold, or nothing can be said yet."""
    if held and not failed and not open_:
        return REPRODUCED
    if held:
        return PARTLY
    return NOT_REPRODUCED if failed else UNDECIDED


def outcome_of(measured: Measured, region: Region) -> Outcome:
    """Judge every item, then the claim. A claim with one item is decided by it alone."""
    numbers = tuple((item, region.holds(item)) for item in measured.items)
    judged = [holds for _, holds in numbers]
    held, failed, open_ = judged.count(True), judged.count(False), judged.count(None)
    verdict = VACUOUS if measured.vacuous else combined(held, failed, open_)
    effect, low, high = (None if math.isnan(value) else value for value in measured.overall[1:])
    sentence = measured.vacuous or _sentence(measured, region, numbers, held, failed, open_)
    return Outcome(verdict, sentence, effect, low, high, measured.unit, numbers)


def not_run(sentence: str) -> Outcome:
    """The outcome of a claim whose records are missing."""
    nothing = LevelVerdict(NOT_RUN, reason=sentence)
    return Outcome(NOT_RUN, sentence, on_these_data=nothing, beyond=nothing)


_FORMATS: dict[str, Callable[[float], str]] = {
    "points": lambda value: f"{100 * value:+.1f}",
    "accuracy": lambda value: f"{value:.3f}",
    "times": lambda value: f"{value:.2f}",
    "share": lambda value: f"{100 * value:.0f} %",
}


def written(value: float | None, unit: str) -> str:
    """A number in its unit: +1.2 (points), 0.812, 2.30 (times), 83 %."""
    return "–" if value is None or math.isnan(value) else _FORMATS[unit](value)


def asked(region: Region, unit: str) -> str:
    """What a claim asks for, in words."""
    words = [
        f"{name} {written(value, unit)}"
        for name, value in (("at least", region.at_least), ("at most", region.at_most))
        if value is not None
    ]
    return " and ".join(words)


def with_interval(item: Item, unit: str) -> str:
    """``+1.2 points (+0.4 to +2.0)``."""
    name = {"points": " points", "times": " times"}.get(unit, "")
    if math.isnan(item.low):
        return f"{written(item.effect, unit)}{name}"
    return f"{written(item.effect, unit)}{name} ({written(item.low, unit)} to {written(item.high, unit)})"


def _sentence(
    measured: Measured,
    region: Region,
    numbers: Sequence[tuple[Item, bool | None]],
    held: int,
    failed: int,
    open_: int,
) -> str:
    unit = measured.unit
    wanted = asked(region, unit)
    if len(numbers) == 1:
        return f"{measured.items[0].label}: {with_interval(measured.items[0], unit)}; asked is {wanted}."
    text = f"{with_interval(measured.overall, unit)} on average; asked is {wanted}: holds in {held} of {len(numbers)}"
    text += f", fails in {failed}" + (f", open in {open_}." if open_ else ".")
    if failed or open_:
        worst = min(numbers, key=lambda pair: (pair[1] is not False, -_distance(pair[0], region)))[0]
        text += f" Farthest: {worst.label}, {with_interval(worst, unit)}."
    return text


def _distance(item: Item, region: Region) -> float:
    """How far an effect lies outside of what is asked; negative inside."""
    below = -math.inf if region.at_least is None else region.at_least - item.effect
    above = -math.inf if region.at_most is None else item.effect - region.at_most
    return max(below, above)
