"""Measures of accuracy: how high, how far above another method, everywhere on a curve, in how many cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.claims.selection import (
    Picked,
    Place,
    Values,
    counts_of,
    datasets_of,
    is_printed,
    item_of,
    label_of,
    picked,
)
from celm.analysis.claims.selection import measured as all_measured
from celm.analysis.statistics import LEVEL, paired_t

AGAINST = ("each", "mean", "best")


@dataclass(frozen=True)
class Level:
    """The accuracy itself, per data set, model and node count."""

    models: list[str]
    counts: list[int]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and count."""
        found = picked(frame, self.models, counts=self.counts, per_count=len(self.counts) > 1)
        count = 0 if len(self.counts) > 1 else self.counts[0]
        return all_measured(
            {
                label_of(place.dataset, place.model, nodes=place.nodes or count): (values, found.shared[place.dataset])
                for place, values in found.columns.items()
            },
            "accuracy",
            is_printed(frame),
        )


@dataclass(frozen=True)
class Lead:
    """How far models lie above baselines, paired by round.

    against: "each" baseline, the "mean" of them, or the "best" by mean accuracy. part: "first" or "last" quarter of the
    node counts. pool: averages over "models" and "datasets" instead of an item for each.
    """

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
        groups: dict[str, list[tuple[Values, float]]] = {}
        for place, values in found.columns.items():
            if place.model not in self.models:
                continue
            for name, other in rivals(found, place, self.baselines, self.against).items():
                label = self._label(place, name)
                groups.setdefault(label, []).append((values - other, found.shared[place.dataset]))
        pooled = {
            label: (np.mean([values for values, _ in group], axis=0), max(shared for _, shared in group))
            for label, group in groups.items()
        }
        return all_measured(pooled, "points" if self.column == "accuracy" else "accuracy", is_printed(frame))

    def _label(self, place: Place, baseline: str) -> str:
        model = "CELMs" if "models" in self.pool else place.model
        label = label_of(place.dataset, model, baseline, place.nodes)
        return label.partition(": ")[2] if "datasets" in self.pool else label


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

    An item's effect is the smallest mean lead on the curve. Its interval goes from there, which is what a drawn curve
    shows, to the smallest upper limit of all counts, simultaneous by Bonferroni: below what is asked, the curves cross
    for certain. Overall: the mean lead.
    """

    models: list[str]
    baselines: list[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and baseline."""
        found = picked(frame, [*self.models, *self.baselines], per_count=True)
        items, leads = [], {}
        for dataset in datasets_of(frame):
            for model in self.models:
                counts = counts_of(frame, dataset, model)
                for baseline in self.baselines:
                    label = label_of(dataset, model, baseline)
                    gaps = [found.at(dataset, model, L) - found.at(dataset, baseline, L) for L in counts]
                    items.append(_smallest(label, gaps, counts, found.shared[dataset]))
                    leads[label] = np.mean(gaps, axis=0), found.shared[dataset]
        return Measured(items, all_measured(leads, "points").overall, "points")


def _smallest(label: str, gaps: list[Values], counts: list[int], shared: float) -> Item:
    """The smallest mean of some differences, and the smallest of their simultaneous upper limits."""
    # Two-sided at this level leaves (1 − LEVEL)/n above each limit.
    tests = [paired_t(values, shared, 1.0 - 2.0 * (1.0 - LEVEL) / len(gaps)) for values in gaps]
    means = [test.mean for test in tests]
    lowest = min(means)
    return Item(
        f"{label}, least at {counts[means.index(lowest)]} nodes", lowest, lowest, min(test.high for test in tests)
    )


@dataclass(frozen=True)
class ShareAbove:
    """In which share of cases a model's mean accuracy is above a baseline's.

    The interval goes from the share of cases that are surely above (corrected interval) to that of cases that are not
    surely below. per_dataset: an item for every data set.
    """

    models: list[str]
    baselines: list[str]
    against: str = "each"
    per_dataset: bool = False

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item for all cases, or one per data set."""
        found = picked(frame, [*self.models, *self.baselines])
        cases: dict[str, list[Item]] = {}
        for place, values in found.columns.items():
            if place.model in self.models:
                for other in rivals(found, place, self.baselines, self.against).values():
                    lead = item_of("", values - other, found.shared[place.dataset])
                    cases.setdefault(place.dataset, []).append(lead)
        everything = [lead for leads in cases.values() for lead in leads]
        overall = _share(f"{len(everything)} cases", everything)
        items = [_share(label_of(dataset, "CELMs above the best other"), leads) for dataset, leads in cases.items()]
        return Measured(items if self.per_dataset else [overall], overall, "share")


def _share(label: str, leads: list[Item]) -> Item:
    n = len(leads)
    above = sum(lead.effect > 0 for lead in leads)
    surely, not_below = sum(lead.low > 0 for lead in leads), sum(not lead.high < 0 for lead in leads)
    return Item(label, above / n, surely / n, not_below / n)


@dataclass(frozen=True)
class Winners:
    """How far the best of the methods called best lies above the best other one, per data set."""

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
            values[label_of(dataset, called, name)] = found.at(dataset, called) - rounds, found.shared[dataset]
        return all_measured(values, "points", is_printed(frame))


@dataclass(frozen=True)
class Range:
    """Best minus worst of some models by mean accuracy, per data set, with the interval of that pair's difference."""

    models: list[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set."""
        found = picked(frame, self.models)
        values = {}
        for dataset in datasets_of(frame):
            ordered = sorted(self.models, key=lambda name: float(found.at(dataset, name).mean()))
            gap = found.at(dataset, ordered[-1]) - found.at(dataset, ordered[0])
            values[label_of(dataset, ordered[-1], ordered[0])] = gap, found.shared[dataset]
        return all_measured(values, "points")


@dataclass(frozen=True)
class Change:
    """What a change of settings gains: accuracy in experiment ``after`` minus ``before``, paired by round.

    at_n_train: at the node count nearest to the number of training samples.
    """

    before: str
    after: str
    models: list[str]
    at_n_train: bool = False

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        old, new = (self._picked(frame[frame["experiment"] == name]) for name in (self.before, self.after))
        values = {}
        for place, rounds in new.columns.items():
            gain = rounds - old.at(*place)
            values[label_of(place.dataset, place.model)] = gain, new.shared[place.dataset]
        return all_measured(values, "points")

    def _picked(self, frame: pd.DataFrame) -> Picked:
        return picked(nearest_to_n_train(frame) if self.at_n_train else frame, self.models)


def nearest_to_n_train(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of every data set whose node count is nearest to its number of training samples."""
    distance = (frame["n_hidden"].astype(float) - frame["n_train"].astype(float)).abs()
    return frame[distance == distance.groupby(frame["dataset"]).transform("min")]
