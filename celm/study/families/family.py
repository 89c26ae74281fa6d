"""What every family shares: the shape of its entry in the registry, λ grids, clocks and accuracies."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from celm.base.identity import named
from celm.study.cells import Cell, Record, Split
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

Settings = dict[str, Any]


class Family(NamedTuple):
    """What the runner needs to know of a family; ``algorithm`` rises when a change of code changes its numbers.

    choose: what a study with ``selection.every_round=false`` has done in the first round alone: a dict of plain values
    with ``selection_seconds``, or a list of them, which every round then finds in ``split.kept``. None: the family
    chooses nothing, or always in every round.
    options: a dataclass of its own readings, which every study then has as a section of the family's name; None where
    :class:`~celm.study.study_config.StudyConfig` has them. See :func:`own_settings`.
    """

    algorithm: int
    settings: Callable[[StudyConfig], Settings]
    check: Callable[[ModelConfig, Settings], None]
    run: Callable[[Cell, Split], list[Record]]
    has_curve: bool
    choose: Callable[[Cell, Split], Any] | None = None
    options: type | None = None


def own_settings(name: str, options: type) -> Callable[[StudyConfig], Settings]:
    """The settings of a family that brings its options: those of its section that are away from their default."""
    return lambda study: named(getattr(study, name, None) or options())


def kept_settings(study: StudyConfig) -> Settings:
    """``every_round`` where a choice is kept from the first round; a choice in every round is not named."""
    return {} if study.selection.every_round else {"every_round": False}


def fold_settings(study: StudyConfig) -> Settings:
    """The folds and the λ grid of a choice by cross-validation."""
    folds = {"n_folds": study.selection.n_folds, "exponents": list(study.selection.exponents)}
    return {**folds, **kept_settings(study)}


def lams(settings: Settings) -> tuple[float, ...]:
    """The λ grid of a cell."""
    return SelectionConfig(exponents=settings["exponents"]).lams()


def seconds_since(started: float) -> float:
    """Wall seconds, to the microsecond."""
    return rounded(time.perf_counter() - started)


def rounded(seconds: float) -> float:
    """Seconds as they are recorded."""
    return round(seconds, 6)


def test_accuracy(fitted: Any, split: Split) -> float:
    """Share of test rows classified correctly."""
    return float(np.mean(fitted.predict(split.X_test) == split.y_test))
