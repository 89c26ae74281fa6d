"""Rounds of every protocol beside the published numbers: tidy frame -> one array per data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.base.validation import check_choice

Array = npt.NDArray[np.float64]

COLUMNS = ("protocol", "dataset", "model", "round", "accuracy")


class SetPanel(NamedTuple):
    """One data set: accuracies of protocol × round × model, and the published number of every model."""

    dataset: str
    models: tuple[str, ...]
    accuracy: Array
    published: Array


class Panel(NamedTuple):
    """All protocols of a table on the same data sets, models and rounds."""

    protocols: tuple[str, ...]
    sets: tuple[SetPanel, ...]

    @property
    def rounds(self) -> int:
        """Rounds per protocol."""
        return self.sets[0].accuracy.shape[1]

    @property
    def cells(self) -> int:
        """Published numbers."""
        return sum(len(one.models) for one in self.sets)

    def rounds_of(self, protocol: str) -> dict[tuple[str, str], Array]:
        """The rounds of one protocol by data set and model."""
        check_choice(protocol, "protocol", self.protocols, "Panel.rounds_of")
        place = self.protocols.index(protocol)
        return {
            (one.dataset, model): one.accuracy[place, :, number]
            for one in self.sets
            for number, model in enumerate(one.models)
        }

    def against(self, published: pd.DataFrame) -> Panel:
        """The same rounds held against other numbers (columns dataset, model, accuracy) of the same models."""
        values = published.set_index(["dataset", "model"])["accuracy"]
        numbers = [np.array([float(values[one.dataset, model]) for model in one.models]) for one in self.sets]
        return self._replace(
            sets=tuple(one._replace(published=row) for one, row in zip(self.sets, numbers, strict=True))
        )

    def without(self, protocol: str) -> Panel:
        """The panel with one protocol taken off the list."""
        check_choice(protocol, "protocol", self.protocols, "Panel.without")
        keep = [place for place, name in enumerate(self.protocols) if name != protocol]
        sets = tuple(one._replace(accuracy=one.accuracy[keep]) for one in self.sets)
        return Panel(tuple(self.protocols[place] for place in keep), sets)


def panel_of(frame: pd.DataFrame, published: pd.DataFrame) -> Panel:
    """The panel of a frame with the columns protocol, dataset, model, round and accuracy.

    Parameters
    ----------
    frame : one row per protocol, data set, model and round.
    published : columns dataset, model, accuracy
        Only models that were published on a data set are compared there.

    Raises
    ------
    ValueError
        Names the first protocol, data set and model without one row for each round.
    """
    for name in COLUMNS:
        check_choice(name, "column", [str(column) for column in frame.columns], "panel_of")
    protocols = tuple(str(name) for name in frame["protocol"].unique())
    rounds = sorted(int(number) for number in frame["round"].unique())
    values = published.set_index(["dataset", "model"])["accuracy"]
    sets = []
    for dataset in dict.fromkeys(str(name) for name in frame["dataset"]):
        rows = frame[frame["dataset"] == dataset]
        models = [str(name) for name in dict.fromkeys(rows["model"]) if (dataset, name) in values.index]
        if models:
            accuracy = _array(rows, dataset, protocols, models, rounds)
            numbers = np.array([float(values[dataset, model]) for model in models])
            sets.append(SetPanel(dataset, tuple(models), accuracy, numbers))
    if not sets:
        raise ValueError("panel_of: no model of the frame has a published number on its data set.")
    return Panel(protocols, tuple(sets))


def _array(
    rows: pd.DataFrame, dataset: str, protocols: Sequence[str], models: Sequence[str], rounds: Sequence[int]
) -> Array:
    """Protocol × round × model; every one must be there exactly once."""
    kept = rows[rows["model"].isin(models)]
    columns = pd.MultiIndex.from_product([protocols, rounds, models])
    index = pd.MultiIndex.from_arrays([kept["protocol"], kept["round"], kept["model"]])
    if index.has_duplicates:
        raise ValueError(f"panel_of: {dataset} has two rows for {index[index.duplicated()][0]}.")
    found = pd.Series(kept["accuracy"].to_numpy(float), index=index).reindex(columns)
    if found.isna().any():
        protocol, number, model = found.index[found.isna()][0]
        raise ValueError(f"panel_of: {protocol} has no round {number} of {model} on {dataset}.")
    return found.to_numpy(float).reshape(len(protocols), len(rounds), len(models))


def completed(frame: pd.DataFrame, base: str) -> pd.DataFrame:
    """The frame with models that a protocol leaves as they are taken from the protocol ``base``.

    A reading that changes the sums alone was run on the models of sums; the others are those of the default.
    """
    check_choice(base, "base", [str(name) for name in frame["protocol"].unique()], "completed")
    default = frame[frame["protocol"] == base]
    parts = []
    for name, rows in frame.groupby("protocol", sort=False):
        own = pd.MultiIndex.from_frame(rows[["dataset", "model"]])
        missing = ~pd.MultiIndex.from_frame(default[["dataset", "model"]]).isin(own)
        parts += [rows, default[missing].assign(protocol=name)]
    return pd.concat(parts, ignore_index=True)
