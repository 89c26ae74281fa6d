"""Scores in the layout of a paper's table: a line per model, a column per data set, best of a set in bold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from celm.analysis.summary import score_of
from celm.base.names import MODELS, dataset_label, in_order, model_label
from celm.render.document import Bold, Document, Line, Paragraph, Table, document
from celm.render.numbers import half_width, missing

WORDS = {"accuracy": "test accuracy", "r2": "R² of the test rows"}
HOW_TO_READ = (
    "Mean {score} ± half of the 95 % interval of that mean over rounds; in brackets the paper's value and the "
    "difference (ours − paper). Best of a data set in bold."
)


def best_flags(summary: pd.DataFrame) -> pd.Series:
    """Whether a row has the highest mean of its data set, to the three digits that are printed."""
    shown = summary[f"{score_of(summary)}_mean"].round(3)
    return shown == shown.groupby(summary["dataset"]).transform("max")


def accuracy_table(summary: pd.DataFrame, *, brief: bool = False) -> Table:
    """The table of a summary (:func:`celm.analysis.summary.summarise`); ``brief`` leaves out intervals.

    A cell reads ``0.962 ± 0.004 (0.958, +0.004)``: ours, then the paper's value and the difference.
    """
    cells = [_cell(row, best, brief) for (_, row), best in zip(summary.iterrows(), best_flags(summary), strict=True)]
    labels = _column_labels(summary)
    places = dict(zip(labels, _places(summary), strict=True))
    columns = sorted(places, key=lambda label: places[label])
    at = dict(zip(zip(summary["model"], labels, strict=True), cells, strict=True))
    models = in_order(list(summary["model"].unique()), MODELS)
    rows = [[model_label(model), *(at.get((model, column), "–") for column in columns)] for model in models]
    return Table(["", *columns], rows)


def accuracy_document(summary: pd.DataFrame, title: str, notes: Sequence[str] = ()) -> Document:
    """The table under its title, with a sentence on how to read it."""
    how = HOW_TO_READ.format(score=WORDS[score_of(summary)])
    return document(title, [Paragraph(how), *map(Paragraph, notes), accuracy_table(summary)])


def _cell(row: pd.Series, best: bool, brief: bool) -> Line:
    ours_mean = row[f"{score_of(row.index)}_mean"]
    mean = f"{ours_mean:.3f}" if brief else half_width(ours_mean, row["ci_high"])
    ours = Bold(mean) if best else f"{mean} " if brief else mean
    if missing(row["paper"]):
        return (ours,)
    return ours, f" ({row['paper']:.3f}, {row['difference']:+.3f})"


def _places(summary: pd.DataFrame) -> list[tuple[int, float, str]]:
    """Where the column of every row stands: data sets as they come, node counts by size, several layers after them."""
    sets = list(dict.fromkeys(summary["dataset"]))
    counts = pd.to_numeric(summary["n_hidden"], errors="coerce").fillna(np.inf)
    rows = zip(summary["dataset"], counts, summary["n_hidden"], strict=True)
    return [(sets.index(name), float(count), str(text) if np.isinf(count) else "") for name, count, text in rows]


def _column_labels(summary: pd.DataFrame) -> list[str]:
    """The data set of every row, with its node count where a model has several rows for one data set."""
    names = [dataset_label(name) for name in summary["dataset"]]
    if not summary.duplicated(["dataset", "model"]).any():
        return names
    return [f"{name}, {_nodes(count)}" for name, count in zip(names, summary["n_hidden"], strict=True)]


def _nodes(count: float | str | None) -> str:
    """``200 nodes``, also of floats and their texts, which a column has because one of its models has no nodes."""
    number = pd.to_numeric(count, errors="coerce") if isinstance(count, str) else count
    if number is not None and not missing(number):
        return f"{number:.0f} nodes"
    return f"{count} nodes" if isinstance(count, str) and count != "nan" else "no nodes"
