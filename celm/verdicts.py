"""Is a published number reached? Pure functions from summaries (see :mod:`celm.tables`) to one verdict per cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from celm.style import dataset_label, model_label

# How far from the paper still counts as reached, in accuracy: stated before any outcome was seen. WDBC has 190 test
# rows, so that one row is half a point.
MARGIN = 0.010
MARGINS = {"wdbc": 0.015}

# The paper prints three digits.
ROUNDING = 0.0005

KEYS = ["dataset", "model"]
COLUMNS = [*KEYS, "accuracy_mean", "ci_low", "ci_high", "paper", "difference", "verdict", "reading", "reading_mean",
           "reading_low", "reading_high"]  # fmt: skip


def contains(low: float, high: float, paper: float) -> bool:
    """Whether an interval holds the published value, which stands for all numbers that round to it."""
    return bool(low - ROUNDING <= paper <= high + ROUNDING)


def within_margin(dataset: str, difference: float) -> bool:
    """Whether a mean is as close to the paper as the margin of its data set asks."""
    return bool(abs(difference) <= MARGINS.get(dataset, MARGIN))


def cell_verdicts(default: pd.DataFrame, readings: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row per published cell.

    reproduced: the default's interval holds the published value, or its mean lies within the margin.
    explained: neither, but the interval of a reading that was run holds it; the nearest such reading is named.
    unexplained: neither, and no reading does; the nearest one that was run is named beside it.
    """
    rows = [_verdict(row, readings) for _, row in default[default["paper"].notna()].iterrows()]
    return pd.DataFrame(rows, columns=COLUMNS)


def _verdict(row: pd.Series, readings: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    found = {column: row[column] for column in COLUMNS if column in row}
    if contains(row["ci_low"], row["ci_high"], row["paper"]) or within_margin(row["dataset"], row["difference"]):
        return {**found, "verdict": "reproduced"}
    candidates = [
        {"reading": name, "reading_mean": r["accuracy_mean"], "reading_low": r["ci_low"], "reading_high": r["ci_high"]}
        for name, summary in readings.items()
        for _, r in summary[(summary[KEYS] == row[KEYS].tolist()).all(axis=1)].iterrows()
    ]
    if not candidates:
        return {**found, "verdict": "unexplained"}
    paper = float(row["paper"])
    nearest = min(candidates, key=lambda c: (not contains(c["reading_low"], c["reading_high"], paper),
                                             abs(c["reading_mean"] - paper)))  # fmt: skip
    explained = contains(nearest["reading_low"], nearest["reading_high"], paper)
    return {**found, **nearest, "verdict": "explained" if explained else "unexplained"}


def to_markdown(verdicts: pd.DataFrame, title: str) -> str:
    """The verdicts as a Markdown table, counts first."""
    counts = verdicts["verdict"].value_counts()
    head = ", ".join(f"{counts.get(word, 0)} {word}" for word in ("reproduced", "explained", "unexplained"))
    margins = ", ".join([f"{MARGIN:.3f}", *(f"{dataset_label(name)} {margin:.3f}" for name, margin in MARGINS.items())])
    lines = [
        f"# {title}",
        "",
        f"{len(verdicts)} published cells: {head}.",
        f"Reproduced: the 95 % interval over rounds holds the published value, or the mean is within {margins} of it.",
        "Explained: the interval of the named reading, run in as many rounds, holds it.",
        "Unexplained: neither; the nearest reading that was run stands beside it.",
        "",
        "| data set | model | paper | ours | 95 % interval | verdict | reading | its value | its interval |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for _, row in verdicts.iterrows():
        reading = row["reading"] if isinstance(row["reading"], str) else ""
        theirs = (
            ["", ""] if not reading else [f"{row['reading_mean']:.3f}", _span(row["reading_low"], row["reading_high"])]
        )
        ours = [f"{row['paper']:.3f}", f"{row['accuracy_mean']:.3f}", _span(row["ci_low"], row["ci_high"])]
        cells = [dataset_label(row["dataset"]), model_label(row["model"]), *ours, row["verdict"], reading, *theirs]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _span(low: float, high: float) -> str:
    return "–" if np.isnan(low) else f"{low:.3f} to {high:.3f}"
