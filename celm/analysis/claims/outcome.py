"""From what was measured to a verdict: an interval inside what a claim asks for, outside of it, or across its edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from celm.analysis import levels
from celm.analysis.bounds import Bounds
from celm.analysis.levels import ItemRounds, LevelVerdict
from celm.analysis.random_effects import source_of
from celm.analysis.words import NOT_RUN


class Item(NamedTuple):
    """One thing that was compared: its effect and the interval of that, not a number where there is none."""

    label: str
    effect: float
    low: float
    high: float


class Measured(NamedTuple):
    """All that a claim compares, the mean effect over it, and the unit: points, accuracy, times, share or digits.

    vacuous: why nothing was compared after all, if so: a change that changed nothing in any round. rounds: the items by
    round, ratios as logarithms, which both verdicts are made from; none of printed numbers and of what has no rounds,
    whose ``overall`` decides. exact: whether these are printed numbers, without an error.
    """

    items: list[Item]
    overall: Item
    unit: str
    vacuous: str = ""
    rounds: tuple[ItemRounds, ...] = ()
    exact: bool = False


class Region(NamedTuple):
    """Where a claim says that an effect lies; None where it names no edge."""

    at_least: float | None = None
    at_most: float | None = None

    def bounds(self) -> Bounds:
        """The same with infinite edges."""
        least = -math.inf if self.at_least is None else self.at_least
        return Bounds(least, math.inf if self.at_most is None else self.at_most)


class Outcome(NamedTuple):
    """The verdicts on a claim and the numbers behind them: one row per compared thing, with whether it holds.

    on_these_data, beyond: see :mod:`celm.analysis.levels`. minutes: experiment -> how long its cells took together.
    registered_why: why the records count as registered, or why not.
    """

    sentence: str
    on_these_data: LevelVerdict
    beyond: LevelVerdict
    unit: str = ""
    numbers: tuple[tuple[Item, bool | None], ...] = ()
    minutes: Mapping[str, float] = {}
    registered_why: str = ""

    @property
    def verdict(self) -> str:
        """The verdict on these data."""
        return str(self.on_these_data.verdict)

    def pooled(self) -> Item | None:
        """The pooled effect with its interval; None where nothing was measured."""
        here = self.on_these_data
        if here.effect is None:
            return None
        low, high = (math.nan if end is None else end for end in (here.low, here.high))
        return Item("pooled", here.effect, low, high)


def outcome_of(
    measured: Measured,
    region: Region,
    registered: bool = False,
    joining: Sequence[ItemRounds] = (),
    source: Callable[[str], str] = source_of,
) -> Outcome:
    """Judge the pooled effect on these data and beyond them, then count the items.

    ``joining``: the same comparison on further data sets, which speak beyond these data alone. ``source``: data set ->
    the independent source that it belongs to.
    """
    bounds, unit = region.bounds(), measured.unit
    if measured.vacuous:
        nothing = levels.vacuous(measured.vacuous, registered)
        return Outcome(measured.vacuous, nothing, nothing, unit, tuple((item, None) for item in measured.items))
    if measured.rounds:
        here = levels.on_these_data(measured.rounds, bounds, unit, registered)
        further = levels.beyond([*measured.rounds, *joining], bounds, unit, registered, source)
    else:
        items = [item[1:] for item in measured.items]
        here = levels.on_items(measured.overall[1:], items, bounds, registered, measured.exact)
        further = LevelVerdict(None, reason="it has no effect per data set to pool")
    numbers = tuple(zip(measured.items, here.decisions, strict=True))
    found = Outcome("", here, further, unit, numbers)
    return found._replace(sentence=_sentence(found, region))


def not_run(sentence: str) -> Outcome:
    """The outcome of a claim whose records are missing."""
    nothing = LevelVerdict(NOT_RUN, reason=sentence)
    return Outcome(sentence, nothing, nothing)


_FORMATS: dict[str, Callable[[float], str]] = {
    "points": lambda value: f"{100 * value:+.1f}",
    "accuracy": lambda value: f"{value:.3f}",
    "times": lambda value: f"{value:.2f}",
    "share": lambda value: f"{100 * value:.0f} %",
    "digits": lambda value: f"{value:.1f}",
}


def written(value: float | None, unit: str) -> str:
    """A number in its unit: +1.2 (points), 0.812, 2.30 (times), 83 %, 8.1 (decimal digits)."""
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
    name = {"points": " points", "times": " times", "digits": " digits"}.get(unit, "")
    if math.isnan(item.low):
        return f"{written(item.effect, unit)}{name}"
    return f"{written(item.effect, unit)}{name} ({written(item.low, unit)} to {written(item.high, unit)})"


def _sentence(found: Outcome, region: Region) -> str:
    unit, here, numbers = found.unit, found.on_these_data, found.numbers
    pooled, wanted = found.pooled(), asked(region, found.unit)
    if pooled is None or len(numbers) == 1:
        item = numbers[0][0]
        return f"{item.label}: {with_interval(item, unit)}; asked is {wanted}."
    text = f"{with_interval(pooled, unit)} pooled; asked is {wanted}: holds in {here.holds} of {len(numbers)}"
    text += f", fails in {here.fails}" + (f", open in {here.open}." if here.open else ".")
    if here.fails or here.open:
        worst = min(numbers, key=lambda pair: (pair[1] is not False, -_distance(pair[0], region)))[0]
        text += f" Farthest: {worst.label}, {with_interval(worst, unit)}."
    return text


def _distance(item: Item, region: Region) -> float:
    """How far an effect lies outside of what is asked; negative inside."""
    below = -math.inf if region.at_least is None else region.at_least - item.effect
    above = -math.inf if region.at_most is None else item.effect - region.at_most
    return max(below, above)
