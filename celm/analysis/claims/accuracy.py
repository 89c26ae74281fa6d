"""Measures of accuracy: how high, how far above another method, everywhere on a curve, in how many cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.claims.rounds import (
    Compared,
    Picked,
    Place,
    Values,
    all_printed,
    counts_of,
    datasets_of,
    label_of,
    picked,
    rounds_of,
)
from celm.analysis.claims.rounds import measured as all_measured
from celm.analysis.intervals import level_of_each, mean_estimate, simultaneous
from celm.analysis.levels import FEWEST_OF_BAND

AGAINST = ("each", "mean", "best", "own")


# The units of columns other than accuracy.
UNITS = {"saturated": "share", "condition_digits": "digits"}


@dataclass(frozen=True)
class Level:
    """The accuracy itself, or another column, per data set, model and node count."""

    QUANTITY: ClassVar[str] = "test accuracy"
    models: list[str]
    counts: list[int]
    column: str = "accuracy"

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and count."""
        several = len(self.counts) > 1
        found = picked(frame, self.models, column=self.column, counts=self.counts, per_count=several)
        count = 0 if several else self.counts[0]
        values = {
            label_of(place.dataset, place.model, nodes=place.nodes or count): found.on(place.dataset, rounds)
            for place, rounds in found.columns.items()
        }
        return all_measured(values, UNITS.get(self.column, "accuracy"), all_printed(frame))


@dataclass(frozen=True)
class Lead:
    """How far models lie above baselines, paired by round.

    against: "each" baseline, the "mean" of them, the "best" by mean accuracy, or its "own", the one at its place in the
    list. part: "first" or "last" quarter of the node counts. pool: averages over "models" and "datasets" instead of an
    item for each.
    """

    QUANTITY: ClassVar[str] = "difference of test accuracies"
    models: list[str]
    baselines: list[str]
    against: str = "each"
    column: str = "accuracy"
    datasets: list[str] | None = None
    counts: list[int] | None = None
    part: str | None = None
    per_count: bool = False
    pool: tuple[str, ...] = ()

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and baseline (and count)."""
        found = picked(
            frame,
            [*self.models, *self.baselines],
            column=self.column,
            datasets=self.datasets,
            counts=self.counts,
            part=self.part,
            per_count=self.per_count,
        )
        groups: dict[str, list[Compared]] = {}
        for place, values in found.columns.items():
            if place.model not in self.models:
                continue
            for name, other in rivals(found, place, self._baselines(place.model), self.against).items():
                label = self._label(place, name)
                groups.setdefault(label, []).append(found.on(place.dataset, values - other))
        pooled = {label: _together(group) for label, group in groups.items()}
        return all_measured(pooled, "points" if self.column == "accuracy" else "accuracy", all_printed(frame))

    def _baselines(self, model: str) -> list[str]:
        return [self.baselines[self.models.index(model)]] if self.against == "own" else self.baselines

    def _label(self, place: Place, baseline: str) -> str:
        model = "CELMs" if "models" in self.pool else place.model
        label = label_of(place.dataset, model, baseline, place.nodes)
        return label.partition(": ")[2] if "datasets" in self.pool else label


def _together(group: list[Compared]) -> Compared:
    """The mean of several comparisons by round; of several data sets it is on all of them."""
    datasets = " and ".join(dict.fromkeys(one.dataset for one in group))
    return Compared(np.mean([one.rounds for one in group], axis=0), max(one.shared for one in group), datasets)


def rivals(found: Picked, place: Place, baselines: list[str], against: str) -> dict[str, Values]:
    """What a model is held against on its data set: rounds by the name of the rival."""
    each = {name: found.at(place.dataset, name, place.nodes) for name in baselines if name != place.model}
    if against == "mean":
        return {"the mean of " + " and ".join(name.upper() for name in each): np.mean(list(each.values()), axis=0)}
    if against == "best":
        best = max(each, key=lambda name: float(each[name].mean()))
        return {best: each[best]}
    return each


@dataclass(frozen=True)
class CurvesAbove:
    """Is a curve above another one at every node count?

    An item's effect is the smallest mean lead on the curve. Its interval goes from the smallest lower to the smallest
    upper limit of all counts, simultaneous over them: above what is asked, the whole curve is; below it, the curves
    cross for certain.
    """

    QUANTITY: ClassVar[str] = "smallest difference of test accuracies along the curve"
    models: list[str]
    baselines: list[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and baseline."""
        found = picked(frame, [*self.models, *self.baselines], per_count=True)
        items, curves = [], {}
        for dataset in datasets_of(frame):
            for model in self.models:
                counts = counts_of(frame, dataset, model)
                for baseline in self.baselines:
                    label = label_of(dataset, model, baseline)
                    gaps = [found.at(dataset, model, L) - found.at(dataset, baseline, L) for L in counts]
                    items.append(_smallest(label, np.array(gaps).T, counts))
                    curves[label] = found.on(dataset, np.array(gaps).T)
        return Measured(items, items[0], "points", rounds=rounds_of(curves))


def _smallest(label: str, gaps: Values, counts: list[int]) -> Item:
    """The smallest mean of some differences (round × count), and the smallest of their simultaneous limits."""
    means = gaps.mean(axis=0)
    label = f"{label}, least at {counts[int(means.argmin())]} nodes"
    if len(gaps) < FEWEST_OF_BAND:
        return Item(label, float(means.min()), math.nan, math.nan)
    return Item(label, *simultaneous(gaps).smallest())


@dataclass(frozen=True)
class ShareAbove:
    """In which share of cases a model's mean accuracy is above a baseline's.

    The interval is one of confidence for the share of cases whose true mean is above: from those that are surely above
    to those that are not surely below, by intervals of all cases of an item that hold together (Bonferroni).
    per_dataset: an item for every data set. where_run: a baseline is left out on the data sets it was not run on.
    """

    QUANTITY: ClassVar[str] = "share of comparisons that are won"
    models: list[str]
    baselines: list[str]
    against: str = "each"
    per_dataset: bool = False
    where_run: bool = False

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item for all cases, or one per data set."""
        cases = self.cases(frame)
        everything = [lead for leads in cases.values() for lead in leads]
        overall = _share(f"{len(everything)} cases", everything)
        items = [_share(label_of(dataset, "CELMs above the best other"), leads) for dataset, leads in cases.items()]
        return Measured(items if self.per_dataset else [overall], overall, "share")

    def cases(self, frame: pd.DataFrame) -> dict[str, list[Values]]:
        """The leads of every case by round, for each data set."""
        return {dataset: self._leads(frame[frame["dataset"] == dataset]) for dataset in datasets_of(frame)}

    def _leads(self, rows: pd.DataFrame) -> list[Values]:
        """The leads of every case of one data set by round."""
        run = [name for name in self.baselines if not self.where_run or (rows["model"] == name).any()]
        found = picked(rows, [*self.models, *run])
        mine = {place: values for place, values in found.columns.items() if place.model in self.models}
        return [
            values - other
            for place, values in mine.items()
            for other in rivals(found, place, run, self.against).values()
        ]


def _share(label: str, leads: list[Values]) -> Item:
    n = len(leads)
    tests = [mean_estimate(values, level_of_each(n)) for values in leads]
    above = sum(test.mean > 0 for test in tests)
    surely, not_below = sum(test.low > 0 for test in tests), sum(not test.high < 0 for test in tests)
    return Item(label, above / n, surely / n, not_below / n)


@dataclass(frozen=True)
class Winners:
    """How far the best of the methods called best lies above the best other one, per data set."""

    QUANTITY: ClassVar[str] = "difference of test accuracies"
    winners: dict[str, list[str]]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set."""
        values = {}
        for dataset, names in self.winners.items():
            rows = frame[frame["dataset"] == dataset]
            found = picked(rows, dict.fromkeys([*names, *rows["model"]]))
            called = max(names, key=lambda name: float(found.at(dataset, name).mean()))
            others = [place.model for place in found.columns if place.model not in names]
            rival = rivals(found, Place(dataset, called), others, "best")
            (name, rounds) = next(iter(rival.items()))
            values[label_of(dataset, called, name)] = found.on(dataset, found.at(dataset, called) - rounds)
        return all_measured(values, "points", all_printed(frame))


@dataclass(frozen=True)
class Range:
    """Best minus worst of some models by mean accuracy, per data set, with the interval of that pair's difference."""

    QUANTITY: ClassVar[str] = "best minus worst test accuracy"
    models: list[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set."""
        found = picked(frame, self.models)
        values = {}
        for dataset in datasets_of(frame):
            ordered = sorted(self.models, key=lambda name: float(found.at(dataset, name).mean()))
            gap = found.at(dataset, ordered[-1]) - found.at(dataset, ordered[0])
            values[label_of(dataset, ordered[-1], ordered[0])] = found.on(dataset, gap)
        return all_measured(values, "points")
