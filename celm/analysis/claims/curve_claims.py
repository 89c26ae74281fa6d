"""Measures of the shape of curves: where they fall, how rounds spread, how leads shrink, what noise takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
from scipy import stats

from celm.analysis.claims.changes import nearest_to_n_train
from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.claims.rounds import NoRecords, Values, counts_of, datasets_of, label_of, picked
from celm.analysis.claims.rounds import measured as all_measured
from celm.analysis.statistics import LEVEL


@dataclass(frozen=True)
class Fall:
    """How much accuracy falls from one node count to later ones, per data set and model.

    start: a node count, or "best" (of the mean curve, before as many nodes as training samples).
    to: "beyond" (the mean of all later counts) or "n_train" (the count nearest to the training samples).
    """

    QUANTITY: ClassVar[str] = "loss of test accuracy"
    models: list[str]
    start: int | str
    to: str

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        found = picked(frame, self.models, per_count=True)
        values = {}
        for dataset in datasets_of(frame):
            for model in self.models:
                counts = counts_of(frame, dataset, model)
                curve = {L: found.at(dataset, model, L) for L in counts}
                start, later = self._ends(frame[frame["dataset"] == dataset], curve)
                fall = curve[start] - np.mean([curve[L] for L in later], axis=0)
                label = label_of(dataset, model) + f", {start} to {'beyond' if len(later) > 1 else later[0]}"
                values[label] = found.on(dataset, fall)
        return all_measured(values, "points")

    def _ends(self, rows: pd.DataFrame, curve: dict[int, Values]) -> tuple[int, list[int]]:
        at_n_train = int(nearest_to_n_train(rows)["n_hidden"].iloc[0])
        if self.start == "best":
            start = max((L for L in curve if L < at_n_train), key=lambda L: float(curve[L].mean()))
        else:
            start = int(self.start)
        later = [at_n_train] if self.to == "n_train" else [L for L in curve if L > start]
        if start not in curve or not later:
            raise NoRecords(f"no curve from {start} nodes on")
        return start, later


@dataclass(frozen=True)
class SpreadRatio:
    """Standard deviation over rounds at ``late`` node counts over that at ``early`` ones, per data set and model.

    Variances are averaged over counts. The interval is that of a ratio of two variances with rounds − 1 degrees of
    freedom each: the counts of a round depend on one another.
    """

    QUANTITY: ClassVar[str] = "ratio of standard deviations over rounds"
    models: list[str]
    early: list[int]
    late: list[int]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        found = picked(frame, self.models, counts=[*self.early, *self.late], per_count=True)
        items = []
        for dataset in datasets_of(frame):
            for model in self.models:
                early, late = (
                    float(np.mean([found.at(dataset, model, L).var(ddof=1) for L in counts]))
                    for counts in (self.early, self.late)
                )
                n = len(found.at(dataset, model, self.early[0]))
                items.append(_ratio_item(label_of(dataset, model), late, early, n - 1))
        middle = [float(np.mean([item[place] for item in items])) for place in (1, 2, 3)]
        return Measured(items, Item("mean", *middle), "times")


def _ratio_item(label: str, late: float, early: float, freedom: int) -> Item:
    if early == 0:
        raise NoRecords(f"no spread at the first node counts: {label}")
    edge = float(stats.f.ppf(0.5 + LEVEL / 2, freedom, freedom))
    ratio = late / early
    return Item(label, float(np.sqrt(ratio)), float(np.sqrt(ratio / edge)), float(np.sqrt(ratio * edge)))


@dataclass(frozen=True)
class Shrinkage:
    """The models' mean lead over the last quarter of the node counts minus ``keep`` times that over the first.

    At zero, ``keep`` of the lead is left; below, less of it.
    """

    QUANTITY: ClassVar[str] = "change of a difference of test accuracies"
    models: list[str]
    baselines: list[str]
    keep: float

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and baseline."""
        first, last = (picked(frame, [*self.models, *self.baselines], part=part) for part in ("first", "last"))
        values = {}
        for dataset in datasets_of(frame):
            for baseline in self.baselines:
                leads = [
                    np.mean([part.at(dataset, model) - part.at(dataset, baseline) for model in self.models], axis=0)
                    for part in (first, last)
                ]
                words = f" from {100 * leads[0].mean():+.1f} to {100 * leads[1].mean():+.1f} points"
                ahead = self.models[0] if len(self.models) == 1 else "CELMs"
                label = label_of(dataset, ahead, baseline) + words
                values[label] = first.on(dataset, leads[1] - self.keep * leads[0])
        return all_measured(values, "points")


@dataclass(frozen=True)
class Resistance:
    """How much less accuracy models lose to noise than baselines do: from no noise to the most, paired by round.

    noise: the column with the share of noisy training samples; missing means none.
    """

    QUANTITY: ClassVar[str] = "difference of losses of test accuracy"
    models: list[str]
    baselines: list[str]
    noise: str

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and baseline."""
        if self.noise not in frame:
            raise NoRecords(f"no column {self.noise}")
        shares = frame[self.noise].astype(float).fillna(0.0)
        most = float(shares.max())
        if not (shares == 0).any() or most == 0:
            raise NoRecords(f"no records both with and without {self.noise}")
        names = [*self.models, *self.baselines]
        clean, noisy = (picked(frame[shares == share], names) for share in (0.0, most))
        loss = {place: clean.columns[place] - noisy.at(*place) for place in clean.columns}
        values = {}
        for place, lost in loss.items():
            if place.model in self.models:
                for baseline in self.baselines:
                    spared = loss[place._replace(model=baseline)] - lost
                    values[label_of(place.dataset, place.model, baseline)] = clean.on(place.dataset, spared)
        return all_measured(values, "points")
