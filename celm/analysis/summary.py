"""Means of cells: tidy frame -> one row per cell with its interval and the paper's number beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.statistics import paired_t
from celm.base.names import DATASETS, MODELS, in_order

# What a study of classes and a study of numbers measure on their test rows.
SCORES = ("accuracy", "r2")


def score_of(columns: Iterable[Any]) -> str:
    """The score that records (``r2``) or their means (``r2_mean``) are of."""
    return "r2" if {"r2", "r2_mean"} & set(columns) else "accuracy"


def columns_of(score: str) -> list[str]:
    """The columns of a summary, in their order."""
    means = [f"{score}_mean", f"{score}_std", "ci_low", "ci_high", "paper", "difference", "rounds"]
    times = ["fit_seconds", "selection_seconds", "paper_seconds", "threads", "lam_at_edge"]
    return ["dataset", "model", "n_hidden", *means, *times]


def chosen_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """The row that stands for each cell: the chosen node count, or every row where nothing was chosen."""
    if "chosen" not in frame:
        return frame
    return frame[frame["chosen"].isin([True]) | frame["chosen"].isna()]


def counts_stand_alone(frame: pd.DataFrame) -> bool:
    """Whether node counts are rows of their own: none or several were chosen in a cell, or a shape stands for them."""
    if "chosen" not in frame:
        return not frame.empty
    several = chosen_rows(frame).groupby("cell").size().gt(1).any() if "cell" in frame else False
    return bool(several or frame["n_hidden"].map(lambda count: isinstance(count, str)).any())


def interval(values: pd.Series) -> tuple[float, float]:
    """95 % confidence interval of the mean over rounds (Student's t); not a number for a single round."""
    mean = paired_t(values)
    return mean.low, mean.high


def summarise(frame: pd.DataFrame, paper: pd.DataFrame | None = None, by: tuple[str, ...] = ()) -> pd.DataFrame:
    """One row per data set × model (× ``by``): mean, spread and interval of the score, times, the paper's value.

    ``paper`` has the columns dataset, model, accuracy (and those of ``by``), and train_seconds where it has times.
    A column ``stage`` says how many stages a model has, where any has stages.
    """
    if frame.empty:
        return pd.DataFrame(columns=columns_of(SCORES[0]))
    score = score_of(frame)
    staged = ["stage"] if "stage" in frame else []
    keys = ["dataset", "model", *by]
    rows = []
    for values, group in chosen_rows(frame).groupby(keys, sort=False, dropna=False):
        low, high = interval(group[score])
        rows.append(
            {
                **dict(zip(keys, values, strict=True)),
                f"{score}_mean": group[score].mean(),
                f"{score}_std": group[score].std(ddof=1) if len(group) > 1 else np.nan,
                "ci_low": low,
                "ci_high": high,
                "rounds": group["round"].nunique(),
                "n_hidden": group["n_hidden"].median() if "n_hidden" not in by else values[-1],
                "fit_seconds": _mean(group, "fit_seconds"),
                "selection_seconds": _mean(group, "selection_seconds"),
                "threads": group["threads"].max() if "threads" in group else np.nan,
                "lam_at_edge": group["lam_at_edge"].eq(True).mean() if "lam_at_edge" in group else np.nan,
                **{column: group[column].max() for column in staged},
            }
        )
    return _ordered(_beside_paper(pd.DataFrame(rows), paper, keys), by, staged)


def _mean(group: pd.DataFrame, column: str) -> float:
    return float(group[column].mean()) if column in group else float("nan")


def _beside_paper(summary: pd.DataFrame, paper: pd.DataFrame | None, keys: list[str]) -> pd.DataFrame:
    if paper is None:
        return summary.assign(paper=np.nan, paper_seconds=np.nan, difference=np.nan)
    theirs = paper.rename(columns={"accuracy": "paper", "train_seconds": "paper_seconds"})
    theirs = theirs.reindex(columns=[*keys, "paper", "paper_seconds"])
    joined = summary.merge(theirs, on=keys, how="left")
    return joined.assign(difference=joined[f"{score_of(joined)}_mean"] - joined["paper"])


def _ordered(summary: pd.DataFrame, by: tuple[str, ...], staged: list[str]) -> pd.DataFrame:
    models = in_order(list(summary["model"].unique()), MODELS)
    sets = in_order(list(summary["dataset"].unique()), DATASETS)
    places = {"model": models.index, "dataset": sets.index}

    def place(column: pd.Series) -> pd.Series:
        find: Callable[[str], int] | None = places.get(str(column.name))
        return column if find is None else column.map(find)

    columns = columns_of(score_of(summary))
    extra = [column for column in by if column not in columns]
    return summary.sort_values(["dataset", "model", *by], key=place, ignore_index=True)[columns + staged + extra]


def table_summary(frame: pd.DataFrame, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    """One row per cell of a study's table; every node count has a row where none is chosen, or where several are.

    A choice that cells left open is made here, over all rounds (:func:`chosen_for_all_rounds`).
    """
    frame = chosen_for_all_rounds(frame)
    by = ("n_hidden",) if counts_stand_alone(frame) else ()
    if by and ("chosen" in frame or paper is not None):
        frame = frame.assign(n_hidden=frame["n_hidden"].map(str))
    return summarise(frame, paper, by=by)


def to_csv(table: pd.DataFrame) -> str:
    """Any table of findings with six significant digits."""
    return table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
