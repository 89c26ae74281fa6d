"""Weight strategies by name: those of the folder ``strategies`` and every direction × scale × bias of the causes study.

Any combination of the three factors has a name such as "gaussian/squared/midpoint"; some are models of the paper.
"""

from __future__ import annotations

from typing import Any

from celm.base.factors import FACTORIAL, FACTORS
from celm.base.validation import check_choice, quoted
from celm.models.elm.covariance import gaussian_directions
from celm.models.elm.directions import Draw, class_differences, class_sums, random_directions, samples
from celm.models.elm.strategies import STRATEGIES
from celm.models.elm.strategy import Strategy, as_strategy, by_recipe

__all__ = [
    "FACTORIAL",
    "STRATEGIES",
    "check_strategy",
    "strategy_named",
]

# How the directions of the causes study are drawn.
DRAWS: dict[str, Draw] = {
    "random": random_directions,
    "gaussian": gaussian_directions,
    "samples": samples,
    "class_sums": class_sums,
    "class_differences": class_differences,
}


def factorial_strategy(direction: str, scale: str, bias: str) -> Strategy:
    """One combination of the three factors.

    A difference counts by half, v = (x_c2 − x_c1)/2, the way from the midpoint to a sample: v/‖v‖² is CDELM's
    2(x_c2 − x_c1)/‖x_c2 − x_c1‖², and like x/‖x‖² it maps the sample it leads to to 1.
    """
    factors: dict[str, str | float] = {"samples": "sample_scale", "class_sums": "sum_scale"}
    factors["class_differences"] = {"none": 0.5, "l2": 1.0, "squared": 2.0}[scale]
    uses_classes = direction.startswith("class_")
    return by_recipe(DRAWS[direction], scale, factors.get(direction, 1.0), bias, uses_classes=uses_classes)


def check_strategy(given: Any, what: str, owner: str) -> None:
    """``given`` must be callable, a strategy of the folder, or a combination of direction, scale and bias."""
    if callable(given) and not isinstance(given, type):
        return
    parts = given.split("/") if isinstance(given, str) else []
    if len(parts) < 2:
        check_choice(given, what, STRATEGIES, owner)
        return
    if len(parts) != 3:
        raise ValueError(f"{owner}: {what} must be a model or DIRECTION/SCALE/BIAS; got {quoted(given)}.")
    for part, factor, allowed in zip(parts, FACTORS, FACTORS.values(), strict=True):
        check_choice(part, f"the {factor} in {what} {given!r}", allowed, owner)


def strategy_named(given: Any) -> Strategy:
    """The strategy of a name or callable that :func:`check_strategy` accepts."""
    if not isinstance(given, str):
        return as_strategy(given)
    return STRATEGIES[given] if given in STRATEGIES else factorial_strategy(*given.split("/"))
