"""Accuracy against hidden nodes: tidy frame -> mean and interval at every node count of every curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from celm.analysis.statistics import LEVEL
from celm.base.names import DATASETS, MODELS, in_order, setting_label

CURVE_COLUMNS = ["model", "n_hidden", "accuracy_mean", "accuracy_std", "ci_low", "ci_high", "rank_mean", "rounds"]


class Panel(NamedTuple):
    """One plot of a page: its title, its curves as :func:`curve_data` makes them, and what runs along its axis."""

    title: str
    curves: pd.DataFrame
    along: str = "Hidden nodes"


def has_curves(frame: pd.DataFrame) -> bool:
    """Whether any cell has more than one node count."""
    return not frame.empty and not _curve_rows(frame).empty


def _curve_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of cells with more than one node count: a model that chose one and kept that has no curve."""
    return frame[frame.groupby("cell")["n_hidden"].transform("nunique") > 1]


def curve_data(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per model and node count: mean over rounds, its 95 % interval, standard deviation (ddof 1), mean rank.

    A single round has neither deviation nor interval, and the rank is not a number where none was recorded. Rounds are
    added up in their order, so that the last digit does not depend on the order of the records.
    """
    rows = _curve_rows(frame).sort_values("round", kind="stable")
    if "rank" not in rows:
        rows = rows.assign(rank=float("nan"))
    rows = rows.assign(rank=rows["rank"].astype(float))
    curves = rows.groupby(["model", "n_hidden"], as_index=False).agg(
        accuracy_mean=("accuracy", "mean"),
        accuracy_std=("accuracy", "std"),
        rank_mean=("rank", "mean"),
        rounds=("round", "nunique"),
    )
    freedom = np.maximum(curves["rounds"] - 1, 1)
    half = stats.t.ppf(0.5 + LEVEL / 2, freedom) * curves["accuracy_std"] / np.sqrt(curves["rounds"])
    curves = curves.assign(ci_low=curves["accuracy_mean"] - half, ci_high=curves["accuracy_mean"] + half)
    places = {name: place for place, name in enumerate(models_of([curves]))}
    curves = curves.assign(place=curves["model"].map(places)).sort_values(["place", "n_hidden"], ignore_index=True)
    return curves[CURVE_COLUMNS]


def curves_along(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """As :func:`curve_data` with the numbers of ``column`` in place of node counts, whichever cells they come from."""
    return curve_data(frame.assign(n_hidden=frame[column].astype(int), cell="all"))


def panels(frame: pd.DataFrame, settings: Sequence[str] = ()) -> list[Panel]:
    """One panel per data set and combination of the columns ``settings``, in the paper's order, then by value."""
    found = []
    for dataset in in_order(list(frame["dataset"].unique()), DATASETS):
        of_set = frame[frame["dataset"] == dataset]
        groups = of_set.groupby(list(settings), dropna=False) if settings else [((), of_set)]
        for values, group in groups:
            label = setting_label(dataset, dict(zip(settings, values, strict=True)))
            found.append(Panel(label, curve_data(group)))
    return found


def panel_numbers(shown: Sequence[Panel]) -> pd.DataFrame:
    """The plotted numbers of a page: the rows of every panel under its title."""
    return pd.concat([panel.curves.assign(panel=panel.title) for panel in shown], ignore_index=True)[
        ["panel", *CURVE_COLUMNS]
    ]


def models_of(curves: Sequence[pd.DataFrame]) -> list[str]:
    """The models of some curves in the paper's order."""
    return in_order(list({model for data in curves for model in data["model"]}), MODELS)
