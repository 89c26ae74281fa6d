"""Does a pooled lead hang on few sources? How its weight is shared out, and the same lead without such weights.

Random effects weigh a source by its precision. Where no spread between sources is found, one large set, or one on
which all models answer alike, can have most of the weight, and the interval is then about that set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from celm.analysis.intervals import mean_estimate
from celm.analysis.random_effects import FEWEST_SOURCES, pooled_effect
from celm.analysis.suite_leads import SetLead, source_effects


class Limits(NamedTuple):
    """An effect with its interval."""

    effect: float
    low: float
    high: float


class Weighed(NamedTuple):
    """How a pooled lead shares out its weight, and what it is otherwise.

    Attributes
    ----------
    heaviest, share : the source with most weight, and its share of all weight.
    effective : as many sources of equal weight would weigh the same, (Σw)²/Σw².
    alike : every source with the same weight, Student's t over sources.
    without : the pooled lead when the heaviest source is left out.
    """

    heaviest: str
    share: float
    effective: float
    alike: Limits
    without: Limits


def weighed(leads: Sequence[SetLead]) -> Weighed | None:
    """How the pooled lead over some sets hangs on its weights; None where one source fewer could not be pooled."""
    sources = source_effects(leads)
    if len(sources) <= FEWEST_SOURCES:
        return None
    effects, variances = (np.array([getattr(one, name) for one in sources]) for name in ("effect", "variance"))
    weights = 1.0 / (variances + pooled_effect(effects, variances).tau ** 2)
    first = int(weights.argmax())
    rest = pooled_effect(np.delete(effects, first), np.delete(variances, first))
    alike = mean_estimate(effects)
    return Weighed(
        heaviest=sources[first].source,
        share=float(weights[first] / weights.sum()),
        effective=float(weights.sum() ** 2 / (weights**2).sum()),
        alike=Limits(alike.mean, alike.low, alike.high),
        without=Limits(rest.effect, rest.low, rest.high),
    )
