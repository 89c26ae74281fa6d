"""Which records a measure compares: tidy frame -> one column of rounds per data set, model and node count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.claims.outcome import Item, Measured
from celm.analysis.intervals import mean_estimate
from celm.analysis.levels import ItemRounds
from celm.analysis.statistics import overlap
from celm.analysis.summary import chosen_rows
from celm.base.names import DATASETS, dataset_label, in_order, short_label

# The part of a curve that is called its beginning and its end.
QUARTER = 0.25

Values = npt.NDArray[np.float64]


class NoRecords(Exception):
    """Records that a claim needs are not in its experiments."""


class Place(NamedTuple):
    """A column of a table of rounds; ``nodes`` is 0 where node counts are averaged or there is only one."""

    dataset: str
    model: str
    nodes: int = 0


class Compared(NamedTuple):
    """One thing that a claim compares: its value by round, what the rounds share, and the data set they are of."""

    rounds: Values
    shared: float
    dataset: str


class Picked(NamedTuple):
    """Values by round (all of the same rounds) and what the rounds of each data set share."""

    columns: dict[Place, Values]
    shared: dict[str, float]

    def on(self, dataset: str, rounds: Values) -> Compared:
        """Something computed from the rounds of a data set."""
        return Compared(rounds, self.shared[dataset], dataset)

    def at(self, dataset: str, model: str, nodes: int = 0) -> Values:
        """The rounds of a model; one that has no node counts answers for every count."""
        found = self.columns.get(Place(dataset, model, nodes))
        return self.columns[Place(dataset, model)] if found is None else found


def datasets_of(frame: pd.DataFrame, only: Sequence[str] | None = None) -> list[str]:
    """The data sets of a frame in the paper's order; every one of ``only`` must be there."""
    present = in_order(list(frame["dataset"].unique()), DATASETS)
    missing = [name for name in only or () if name not in present]
    if missing or not present:
        raise NoRecords(f"no records on {', '.join(missing) or 'any data set'}")
    return [name for name in present if only is None or name in only]


def counts_of(frame: pd.DataFrame, dataset: str, model: str) -> list[int]:
    """The node counts of a model's curve, ascending."""
    rows = frame.loc[(frame["dataset"] == dataset) & (frame["model"] == model), "n_hidden"]
    return sorted(int(count) for count in rows.unique())


def part_of(counts: Sequence[int], part: str, share: float = QUARTER) -> list[int]:
    """The "first" or "last" quarter of some node counts, at least one."""
    n = max(1, round(share * len(counts)))
    return list(counts[:n] if part == "first" else counts[-n:])


def _by_count(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Rounds × node counts of one model on one data set; a model without node counts has the one column 0."""
    if rows[column].isna().any():
        raise NoRecords(f"no {column} in the records of {rows['model'].iloc[0]} on {rows['dataset'].iloc[0]}")
    counts = rows["n_hidden"] if rows["n_hidden"].nunique() > 1 else rows["n_hidden"].map(lambda _: 0)
    rounds, row = np.unique(rows["round"].to_numpy(int), return_inverse=True)
    nodes, place = np.unique(counts.to_numpy(int), return_inverse=True)
    values = np.full((len(rounds), len(nodes)), np.nan)
    values[row, place] = rows[column].to_numpy(float)
    return pd.DataFrame(values, index=rounds, columns=nodes)


def _of_model(
    rows: pd.DataFrame, column: str, counts: Sequence[int] | None, part: str | None, per_count: bool
) -> pd.DataFrame:
    """Rounds of one model on one data set by node count, or under 0 where these are averaged."""
    table = _by_count(rows, column)
    present = [int(count) for count in table.columns]
    if present == [0]:
        return table
    if part is not None:
        counts = part_of(present, part)
    missing = set(counts or ()) - set(present)
    if missing:
        raise NoRecords(f"no records with {sorted(missing)} nodes of {rows['model'].iloc[0]}")
    table = table if counts is None else table[list(dict.fromkeys(counts))]
    return table if per_count else table.mean(axis=1).to_frame(0)


def picked(
    frame: pd.DataFrame,
    models: Iterable[str],
    *,
    column: str = "accuracy",
    datasets: Sequence[str] | None = None,
    counts: Sequence[int] | None = None,
    part: str | None = None,
    per_count: bool = False,
) -> Picked:
    """``column`` by round of every data set and model.

    A model that chose a node count stands with that one. Otherwise node counts (all, the listed ones, or the first or
    last quarter of them) are averaged, or kept apart with ``per_count``. Only rounds that all models have are kept:
    differences are paired by round.
    """
    if column not in frame:
        raise NoRecords(f"no column {column}")
    names = datasets_of(frame, datasets)
    kept = dict.fromkeys(["dataset", "model", "round", "n_hidden", "chosen", column])
    groups = dict(iter(chosen_rows(frame[[name for name in kept if name in frame]]).groupby(["dataset", "model"])))
    found: dict[Place, pd.Series] = {}
    for dataset in names:
        for model in dict.fromkeys(models):
            if (dataset, model) not in groups:
                raise NoRecords(f"no records of {model} on {dataset}")
            table = _of_model(groups[dataset, model], column, counts, part, per_count)
            found |= {Place(dataset, model, int(nodes)): table[nodes] for nodes in table.columns}
    shared = {dataset: _shared(frame[frame["dataset"] == dataset]) for dataset in names}
    return Picked(_of_common_rounds(found, shared), shared)


def _of_common_rounds(found: Mapping[Place, pd.Series], shared: Mapping[str, float]) -> dict[Place, Values]:
    """Values in the rounds that all have. One that was run once on an official split is the same in each of them."""
    found = {place: series.dropna() for place, series in found.items()}
    several = [set(series.index) for series in found.values() if len(series) > 1]
    common = sorted(set.intersection(*several)) if several else sorted(next(iter(found.values())).index)
    values = {}
    for place, series in found.items():
        if len(series) == 1 and shared[place.dataset] == 0 and common:
            values[place] = np.full(len(common), float(series.iloc[0]))
        elif common and set(common) <= set(series.index):
            values[place] = series[common].to_numpy(float)
        else:
            raise NoRecords(f"{place.model} was not run in the rounds of the other models on {place.dataset}")
    return values


def is_printed(name: str) -> bool:
    """Whether a name is that of a printed table, ``PAPER/TABLE``, and not of an experiment."""
    return "/" in name


def all_printed(frame: pd.DataFrame) -> bool:
    """Whether a frame holds printed tables alone, whose numbers have no rounds and are taken as they stand."""
    return bool(frame["experiment"].map(is_printed).all())


def _shared(rows: pd.DataFrame) -> float:
    return 0.0 if all_printed(rows) else overlap(rows)


def item_of(label: str, values: Values, printed: bool = False) -> Item:
    """The mean over rounds with its plain interval, given the data set; of a printed number, itself."""
    found = mean_estimate(values)
    return Item(label, found.mean, *((found.mean,) * 2 if printed else (found.low, found.high)))


def measured(values: Mapping[str, Compared], unit: str, printed: bool = False) -> Measured:
    """Items by label, and the mean over all of them round by round."""
    items = [item_of(label, one.rounds, printed) for label, one in values.items()]
    overall = item_of("mean", np.mean([one.rounds for one in values.values()], axis=0), printed)
    return Measured(items, overall, unit, rounds=() if printed else rounds_of(values), exact=printed)


def rounds_of(values: Mapping[str, Compared]) -> tuple[ItemRounds, ...]:
    """What the two levels of a verdict are made from."""
    return tuple(ItemRounds(label, one.dataset, one.rounds, one.shared) for label, one in values.items())


def label_of(dataset: str, first: str, second: str = "", nodes: int = 0, sign: str = "−") -> str:
    """``MDD-kar: SELM − ELM, 100 nodes``."""
    text = f"{dataset_label(dataset)}: {short_label(first)}"
    text += f" {sign} {short_label(second)}" if second else ""
    return f"{text}, {nodes} nodes" if nodes else text
