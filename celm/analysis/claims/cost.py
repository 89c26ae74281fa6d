"""Measures of cost: ratios of times, how many nodes match how many, and what that means for prediction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from celm.analysis.claims.accuracy import rivals
from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.claims.rounds import (
    Compared,
    NoRecords,
    Values,
    all_printed,
    counts_of,
    datasets_of,
    label_of,
    picked,
)
from celm.analysis.claims.rounds import measured as all_measured


def _of_logs(logs: dict[str, Compared], printed: bool = False) -> Measured:
    """Ratios from their logarithms by round: geometric means with intervals."""
    found = all_measured(logs, "times", printed)

    def back(item: Item) -> Item:
        return Item(item.label, *(float(np.exp(value)) for value in item[1:]))

    return found._replace(items=[back(item) for item in found.items], overall=back(found.overall))


@dataclass(frozen=True)
class Ratio:
    """A positive column (seconds, divergence) of models over that of baselines: geometric mean over rounds."""

    QUANTITY: ClassVar[str] = "ratio"
    column: str
    models: list[str]
    baselines: list[str]
    counts: list[int] | None = None
    per_count: bool = False

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and baseline (and count)."""
        names = [*self.models, *self.baselines]
        found = picked(frame, names, column=self.column, counts=self.counts, per_count=self.per_count)
        logs = {}
        for place, values in found.columns.items():
            if place.model in self.models:
                for name, other in rivals(found, place, self.baselines, "each").items():
                    label = label_of(place.dataset, place.model, name, place.nodes, sign="/")
                    # Rounds repeat the measurement of a time; no test rows are shared.
                    logs[label] = Compared(np.log(values) - np.log(other), 0.0, place.dataset)
        return _of_logs(logs, all_printed(frame))


@dataclass(frozen=True)
class Growth:
    """A positive column of a model at ``to`` nodes over its own at ``start`` nodes: geometric mean over rounds."""

    QUANTITY: ClassVar[str] = "ratio"
    column: str
    models: list[str]
    start: int
    to: int

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        found = picked(frame, self.models, column=self.column, counts=[self.start, self.to], per_count=True)
        logs = {}
        for dataset in datasets_of(frame):
            for model in self.models:
                more, less = (np.log(found.at(dataset, model, L)) for L in (self.to, self.start))
                label = label_of(dataset, model) + f", {self.to} over {self.start} nodes"
                logs[label] = Compared(more - less, 0.0, dataset)
        return _of_logs(logs)


@dataclass(frozen=True)
class ChangeRatio:
    """A positive column in experiment ``after`` over that in ``before``, by model and node count."""

    QUANTITY: ClassVar[str] = "ratio"
    column: str
    before: str
    after: str
    models: list[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set, model and node count."""
        old, new = (
            picked(frame[frame["experiment"] == name], self.models, column=self.column, per_count=True)
            for name in (self.before, self.after)
        )
        return _of_logs(
            {
                label_of(place.dataset, place.model, nodes=place.nodes): Compared(
                    np.log(values) - np.log(old.at(*place)), 0.0, place.dataset
                )
                for place, values in new.columns.items()
            }
        )


def matching_nodes(curve: Values, counts: list[int], accuracy: float) -> float:
    """The node count, between those of a curve, at which its best so far reaches ``accuracy``; else the last."""
    best = np.maximum.accumulate(curve)
    if accuracy <= best[0]:
        return float(counts[0])
    place = int(np.searchsorted(best, accuracy))
    if place == len(best):
        return float(counts[-1])
    part = (accuracy - best[place - 1]) / (best[place] - best[place - 1])
    return float(counts[place - 1] + part * (counts[place] - counts[place - 1]))


@dataclass(frozen=True)
class NodeRatio:
    """How many nodes of ``baseline`` match one of a model, at ``share`` of the largest node count.

    Round by round, on the baseline's best accuracy so far. A round in which it never gets there counts with the
    largest node count, so the ratio is then a lower limit.
    """

    QUANTITY: ClassVar[str] = "ratio of node counts"
    models: list[str]
    baseline: str
    share: float

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        logs = {}
        for (dataset, model, L), (nodes, last, shared) in self.matches(frame).items():
            never = int((nodes >= last).sum())
            words = f" (never in {never} of {len(nodes)} rounds)" if never else ""
            label = label_of(dataset, self.baseline) + f" nodes for {L} of {model.upper()}{words}"
            logs[label] = Compared(np.log(nodes / L), shared, dataset)
        return _of_logs(logs)

    def matches(self, frame: pd.DataFrame) -> dict[tuple[str, str, int], tuple[Values, int, float]]:
        """By data set, model and its count: the baseline's matching nodes by round, its largest count, the overlap."""
        found = picked(frame, [*self.models, self.baseline], per_count=True)
        matches = {}
        for dataset in datasets_of(frame):
            counts = counts_of(frame, dataset, self.baseline)
            curves = np.array([found.at(dataset, self.baseline, L) for L in counts])
            for model in self.models:
                own = counts_of(frame, dataset, model)
                L = min(own, key=lambda count: abs(count - self.share * own[-1]))
                reached = found.at(dataset, model, L)
                nodes = [matching_nodes(curves[:, r], counts, float(reached[r])) for r in range(len(reached))]
                matches[dataset, model, L] = np.array(nodes), counts[-1], found.shared[dataset]
        return matches


@dataclass(frozen=True)
class LatencyRatio:
    """Prediction time of the baseline that matches a model, over the model's own.

    Matching nodes as in :class:`NodeRatio`; seconds are read off a line through the measured predict_seconds of the
    models against their node counts.
    """

    QUANTITY: ClassVar[str] = "ratio of prediction times"
    models: list[str]
    baseline: str
    share: float

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        timed = frame["predict_seconds"].notna() if "predict_seconds" in frame else pd.Series(False, index=frame.index)
        if not timed.any() or timed.all():
            raise NoRecords("needs records with predict_seconds beside those of the curves")
        ratio = NodeRatio(self.models, self.baseline, self.share)
        logs = {}
        for (dataset, model, L), (nodes, _, shared) in ratio.matches(frame[~timed]).items():
            own, other = (_line(frame[timed], dataset, name) for name in (model, self.baseline))
            label = label_of(dataset, self.baseline) + f" of {nodes.mean():.0f} nodes over {model.upper()} of {L}"
            slower = np.log(np.polyval(other, nodes)) - np.log(np.polyval(own, L))
            logs[label] = Compared(slower, shared, dataset)
        return _of_logs(logs)


def _line(frame: pd.DataFrame, dataset: str, model: str) -> Values:
    rows = frame[(frame["dataset"] == dataset) & (frame["model"] == model)]
    if rows["n_hidden"].nunique() < 2:
        raise NoRecords(f"no prediction times of {model} on {dataset} at two node counts")
    return np.polyfit(rows["n_hidden"].to_numpy(float), rows["predict_seconds"].to_numpy(float), 1)
