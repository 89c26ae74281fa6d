"""Is a published number reached? Pure functions from summaries to one verdict per cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from celm.analysis.words import EXPLAINED, NOT_RUN, REPRODUCED, UNEXPLAINED
from celm.base.names import DATASETS, in_order

# How far from the paper still counts as reached, in accuracy. WDBC has 190 test rows, so that one row is half a point.
MARGIN = 0.010
MARGINS = {"wdbc": 0.015}
# What the git history shows of them: the margins at 11e71c0, the first records at b27c261, equivalence at a6fade3.
MARGIN_FIRST = (
    "it was committed an hour before the first records of Table I and not changed since, but trial runs may have been "
    "seen by then, and the rule of equivalence is younger than the records: none of this is registered"
)

# The paper prints three digits.
ROUNDING = 0.0005

KEYS = ["dataset", "model", "n_hidden"]
MEASURED = ["accuracy_mean", "ci_low", "ci_high", "rounds"]
# Of the reading beside a cell; reading_nodes is the node count it was run at where that is not the cell's own.
OF_READING = ["reading", "reading_mean", "reading_low", "reading_high", "reading_rounds", "reading_nodes"]
COLUMNS = [*KEYS, *MEASURED, "paper", "difference", "verdict", *OF_READING]


Row = dict[str, Any]
Rows = dict[tuple[str, str], list[Row]]


def contains(low: float, high: float, paper: float) -> bool:
    """Whether an interval holds the published value, which stands for all numbers that round to it.

    A single round has no interval, so it holds nothing.
    """
    return bool(low - ROUNDING <= paper <= high + ROUNDING)


def within_margin(dataset: str, difference: float) -> bool:
    """Whether a mean is as close to the paper as the margin of its data set asks."""
    return bool(abs(difference) <= MARGINS.get(dataset, MARGIN))


def reached(row: Mapping[str, Any], paper: float) -> bool:
    """Whether the default's interval holds the published value or its mean lies within the margin."""
    near = within_margin(row["dataset"], row["accuracy_mean"] - paper)
    return near or contains(row["ci_low"], row["ci_high"], paper)


def count_text(value: Any) -> str:
    """A node count as a table prints it: 7000.0 is "7000", a shape such as "700-700-1000" is itself, nothing is ""."""
    if isinstance(value, str):
        return value
    return "" if value is None or pd.isna(value) else f"{value:.10g}"


def published_cells(paper: pd.DataFrame) -> list[Row]:
    """Data set, model, node count and accuracy of every number of a published table, data set by data set.

    A count in words ("60 layers"), or a table that gives none, leaves the count empty: it is not compared.
    """
    counts = paper["n_hidden"].map(count_text) if "n_hidden" in paper else pd.Series("", index=paper.index)
    cells = [
        {"dataset": row["dataset"], "model": row["model"], "n_hidden": count, "paper": float(row["accuracy"])}
        for (_, row), count in zip(paper.iterrows(), counts.where(counts.str.fullmatch(r"[\d-]*"), ""), strict=True)
    ]
    sets = in_order(list({cell["dataset"] for cell in cells}), DATASETS)
    return sorted(cells, key=lambda cell: sets.index(cell["dataset"]))


def records(frame: pd.DataFrame) -> list[Row]:
    """The rows of a frame as dictionaries."""
    return [{str(column): value for column, value in row.items()} for row in frame.to_dict("records")]


def by_model(summary: pd.DataFrame) -> Rows:
    """The rows of a summary by data set and model, node counts as text."""
    found: Rows = {}
    for row in records(summary):
        row["n_hidden"] = count_text(row["n_hidden"])
        found.setdefault((row["dataset"], row["model"]), []).append(row)
    return found


def row_of(rows: Rows, cell: Mapping[str, Any]) -> Row | None:
    """The row of a published cell: that of its node count, or the first of its model if no count was published."""
    for row in _of_model(rows, cell):
        if cell["n_hidden"] in ("", row["n_hidden"]):
            return row
    return None


def _of_model(rows: Rows, cell: Mapping[str, Any]) -> list[Row]:
    return rows.get((cell["dataset"], cell["model"]), [])


def cell_verdicts(
    paper: pd.DataFrame, default: pd.DataFrame, readings: Mapping[str, pd.DataFrame], base: pd.DataFrame | None = None
) -> pd.DataFrame:
    """One row per published cell.

    reproduced: the default's interval holds the published value, or its mean lies within the margin.
    explained: neither, but the interval of a reading that was run holds it; the nearest such reading is named.
    unexplained: neither, and no reading does; the nearest one that was run is named beside it.
    not run: the default has no record of it.

    ``base`` is the default at the node counts of the readings, where those are not the table's (see :func:`reread`).
    """
    ours, plain = by_model(default), None if base is None else by_model(base)
    tables = {name: by_model(table) for name, table in readings.items()}
    return pd.DataFrame([_verdict(cell, ours, tables, plain) for cell in published_cells(paper)], columns=COLUMNS)


def _verdict(cell: Row, default: Rows, readings: Mapping[str, Rows], base: Rows | None) -> Row:
    ours = row_of(default, cell)
    if ours is None:
        return {**cell, "rounds": 0, "verdict": NOT_RUN}
    found = {**cell, **{name: ours[name] for name in MEASURED}, "difference": ours["accuracy_mean"] - cell["paper"]}
    if reached(found, cell["paper"]):
        return {**found, "verdict": REPRODUCED}
    candidates = {name: reread(cell, default, table, base) for name, table in readings.items()}
    return {**found, **_nearest({name: row for name, row in candidates.items() if row}, cell["paper"])}


def _nearest(candidates: Mapping[str, Row], paper: float) -> Row:
    """The verdict on a cell that is not reproduced, and the reading that explains it or comes nearest."""
    if not candidates:
        return {"verdict": UNEXPLAINED}
    holds = {name: contains(row["ci_low"], row["ci_high"], paper) for name, row in candidates.items()}
    name = min(candidates, key=lambda name: (not holds[name], abs(candidates[name]["accuracy_mean"] - paper)))
    values = [name, *(candidates[name][column] for column in [*MEASURED, "nodes"])]
    verdict = EXPLAINED if holds[name] else UNEXPLAINED
    return {"verdict": verdict, **dict(zip(OF_READING, values, strict=True))}


def reread(cell: Row, default: Rows, reading: Rows, base: Rows | None) -> Row | None:
    """What a reading says of a published cell, with the node count it was run at in ``nodes``; None if nothing.

    A reading that was run at another node count is carried to the cell's: the default there plus what the reading
    changes at its own count. Such a value is an estimate, so it has no interval and explains nothing.
    """
    direct, here = row_of(reading, cell), row_of(default, cell)
    if direct is not None:
        return {**direct, "nodes": ""}
    for row in _of_model(reading, cell) if here else []:
        for plain in (base, default):
            before = row_of(plain, {**cell, "n_hidden": row["n_hidden"]}) if plain else None
            if here and before:
                mean = here["accuracy_mean"] + row["accuracy_mean"] - before["accuracy_mean"]
                return {**row, "accuracy_mean": mean, "ci_low": np.nan, "ci_high": np.nan, "nodes": row["n_hidden"]}
    return None
