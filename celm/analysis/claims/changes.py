"""What a change of settings gains, and whether it changed anything at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from celm.analysis.claims.outcome import Measured
from celm.analysis.claims.rounds import Compared, Picked, label_of, picked
from celm.analysis.claims.rounds import measured as all_measured


@dataclass(frozen=True)
class Change:
    """What a change of settings gains: accuracy in experiment ``after`` minus ``before``, paired by round.

    at_n_train: at the node count nearest to the number of training samples. from_best: before the change at the best
    count below that one instead, by the mean over rounds.
    """

    QUANTITY: ClassVar[str] = "gain in test accuracy"
    before: str
    after: str
    models: list[str]
    at_n_train: bool = False
    from_best: bool = False

    def measure(self, frame: pd.DataFrame) -> Measured:
        """One item per data set and model."""
        first, then = (frame[frame["experiment"] == name] for name in (self.before, self.after))
        old, new = self._picked(best_below_n_train(first)) if self.from_best else self._at(first), self._at(then)
        values = {}
        for place, rounds in new.columns.items():
            gain = rounds - old.at(*place)
            values[label_of(place.dataset, place.model)] = new.on(place.dataset, gain)
        found = all_measured(values, "points")
        changed = any(one.rounds.any() for one in values.values())
        return found if changed else found._replace(vacuous=self._vacuous(values))

    def _vacuous(self, values: Mapping[str, Compared]) -> str:
        rounds = sum(len(one.rounds) for one in values.values())
        return (
            f"Vacuous: {self.after} gives the accuracies of {self.before} to the last digit in all {rounds} rounds, so "
            "the change never took effect and nothing could speak against the sentence."
        )

    def _at(self, frame: pd.DataFrame) -> Picked:
        return self._picked(nearest_to_n_train(frame) if self.at_n_train else frame)

    def _picked(self, frame: pd.DataFrame) -> Picked:
        return picked(frame, self.models)


def nearest_to_n_train(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of every data set whose node count is nearest to its number of training samples."""
    distance = (frame["n_hidden"].astype(float) - frame["n_train"].astype(float)).abs()
    return frame[distance == distance.groupby(frame["dataset"]).transform("min")]


def best_below_n_train(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of every data set and model at its best mean accuracy below as many nodes as training samples."""
    rows = frame[frame["n_hidden"].astype(float) < frame["n_train"].astype(float)]
    means = rows.groupby(["dataset", "model", "n_hidden"])["accuracy"].mean()
    best = {(dataset, model): count for dataset, model, count in means.sort_values(kind="stable").index}
    chosen = [best[pair] for pair in zip(rows["dataset"], rows["model"], strict=True)]
    kept: pd.DataFrame = rows[rows["n_hidden"] == chosen]
    return kept
