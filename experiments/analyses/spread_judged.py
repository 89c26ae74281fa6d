"""Directions at equal spreads of pre-activations: curves, models at their own spread, hypotheses; nothing on looks."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from celm.analysis.spread_curves import best_spreads, spread_curves, spread_marks
from celm.analysis.suite_hypotheses import HypothesisVerdict, judge_hypothesis
from experiments.analyses.suite_judged import sets_of, written
from experiments.analysis import Frames, NotComplete

SWEEPS = ("causes_spread", "causes_spread_mnist", "causes_spread_cifar10")
OWN = tuple(f"{name}_own" for name in SWEEPS)


class Spread(NamedTuple):
    """Curves of directions, the best spread of each, models at theirs, and hypotheses at one node count."""

    curves: pd.DataFrame
    best: pd.DataFrame
    marks: pd.DataFrame
    hypotheses: list[HypothesisVerdict]


def find(frames: Frames) -> Spread:
    """All data sets that are complete, of which there must be curves and models at their own spread."""
    swept = [frames[name] for name in SWEEPS if name in frames]
    own = [frames[name] for name in OWN if name in frames]
    if not swept or not own:
        raise NotComplete(f"causes_spread: needs one of {', '.join(SWEEPS)} and one of {', '.join(OWN)}")
    rows = pd.concat(own, ignore_index=True)
    curves, sets = spread_curves(pd.concat(swept, ignore_index=True)), sets_of("classification")
    return Spread(
        curves=curves,
        best=best_spreads(curves),
        marks=spread_marks(rows),
        hypotheses=[judge_hypothesis(one, rows, sets) for one in written()[0] if OWN[0] in one.reads],
    )
