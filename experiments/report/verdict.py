"""The verdict as a file for programs: counts, and a list of every cell and every claim."""

from __future__ import annotations

import json
import math
from typing import Any

from celm.analysis.claims import entry_of
from celm.analysis.table_cells import TableCell
from celm.analysis.words import NOT_RUN
from experiments.report.gather import Report, Shown

# Digits that are kept of a mean or an interval.
DIGITS = 6


def verdict(report: Report) -> dict[str, Any]:
    """``{"cells": {"total": …, "run": …, "reproduced": …, "list": […]}, "claims": …}``, then what analyses judge."""
    cells, claims = report.paper_cells(), report.claims
    return {
        "cells": {**_counts(report.cell_counts()), "list": [_cell(cell) for cell in cells]},
        "claims": {**_counts(report.claim_counts()), "list": [entry_of(*pair) for pair in claims]},
        **{one.analysis.name: _of_analysis(one) for one in report.shown if one.analysis.judged is not None},
    }


def _of_analysis(shown: Shown) -> dict[str, Any]:
    """What an analysis judges; that it is not run where its records are missing."""
    if shown.analysis.judged is None or shown.findings is None:
        return {"verdict": NOT_RUN, "reason": shown.lacks}
    return dict(shown.analysis.judged(shown.findings))


def _counts(counts: dict[str, int]) -> dict[str, int]:
    total = sum(counts.values())
    run = total - counts["not run"]
    return {"total": total, "run": run, **{word.replace(" ", "_"): n for word, n in counts.items()}}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DIGITS)


def _interval(low: float, high: float) -> list[float | None] | None:
    return None if math.isnan(low) else [_known(low), _known(high)]


def _cell(cell: TableCell) -> dict[str, Any]:
    reading = None
    if cell.reading:
        interval = _interval(cell.reading_low, cell.reading_high)
        reading = {"name": cell.reading, "mean": _known(cell.reading_mean), "interval": interval}
    return {
        "table": cell.table,
        "dataset": cell.dataset,
        "model": cell.model,
        "n_hidden": cell.n_hidden or None,
        "paper": cell.paper,
        "ours": _known(cell.ours),
        "interval": _interval(cell.low, cell.high),
        "rounds": [one.accuracy for one in cell.rounds],
        "verdict": cell.verdict,
        "reading": reading,
    }


def to_json(report: Report) -> str:
    """The verdict as text."""
    return json.dumps(verdict(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
