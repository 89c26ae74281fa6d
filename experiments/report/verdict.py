"""The verdict as a file for programs: counts, and a list of every cell and every claim."""

from __future__ import annotations

import json
import math
from typing import Any

from celm.analysis.cell_equivalence import RULE, UnderProtocol, equivalence_counts, margin_of
from celm.analysis.intervals import Equivalence
from celm.analysis.table_cells import TableCell
from celm.analysis.verdicts import MARGIN, MARGINS
from celm.analysis.words import EXPLAINED, NOT_RUN
from celm.render.document import plain
from experiments.analyses.sentences_marks import held_on, marked_entry
from experiments.papers.celm.analyses.protocols import TABLE as PROTOCOL_TABLE
from experiments.report.effects import beyond_entry
from experiments.report.gather import Report, Shown

# Digits that are kept of a mean or an interval.
DIGITS = 6


def verdict(report: Report) -> dict[str, Any]:
    """``{"cells": {"total": …, "list": […]}, "claims": …, "protocols": …}``, then what analyses judge and say."""
    cells, claims = report.paper_cells(), report.claims
    same = report.equivalences()
    listed = [{**_cell(cell), "equivalence": _same(cell, one)} for cell, one in zip(cells, same, strict=True)]
    return {
        "cells": {**_counts(report.cell_counts()), **_by_equivalence(report), "list": listed},
        "claims": {
            **_counts(report.claim_counts()),
            **held_on(claims),
            "list": [beyond_entry(claim, marked_entry(claim, outcome), report.wide()) for claim, outcome in claims],
        },
        **_protocols(report),
        **{one.analysis.name: _of_analysis(one) for one in report.shown if one.analysis.judged is not None},
        "answers": answers(report),
    }


def answers(report: Report) -> dict[str, list[str]]:
    """What every analysis says in short, under its name: a line and the list below it, as plain text."""
    told = {
        one.analysis.name: one.analysis.answer(one.findings)
        for one in report.shown
        if one.analysis.answer is not None and one.findings is not None
    }
    return {name: [line for line in map(plain, (said.lead, *said.lines)) if line] for name, said in told.items()}


def _of_analysis(shown: Shown) -> dict[str, Any]:
    """What an analysis judges; that it is not run where its records are missing."""
    if shown.analysis.judged is None or shown.findings is None:
        return {"verdict": NOT_RUN, "reason": shown.lacks}
    return dict(shown.analysis.judged(shown.findings))


def _by_equivalence(report: Report) -> dict[str, Any]:
    """Counts by equivalence under the default and under the protocol that comes nearest, and the rates of chance."""
    margins = {"default": MARGIN, **MARGINS}
    counts: dict[str, Any] = {
        "equivalence_rule": RULE,
        "margins": margins,
        "default": _counts(equivalence_counts(report.equivalences())),
        "most_probable": None,
        "nearest": None,
        "common_cells": None,
    }
    found = report.under_nearest()
    if found is None or report.protocols is None:
        counts["reason"] = f"protocols are not run yet: {report.protocols_lack}"
    else:
        kind = "most_probable" if report.fits() else "nearest"
        counts[kind] = {"protocol": found.protocol, **_counts(found.counts())}
        counts["common_cells"] = _common(report, {"default": report.under_default(), kind: found})
    rates = {name: _known(rate) for name, rate in report.chance_rates().items()}
    return {**counts, "exploratory": {"picks": EXPLAINED, "chance_rates": rates}}


def _common(report: Report, under: dict[str, UnderProtocol | None]) -> dict[str, Any]:
    """The numbers that every protocol was run for, held against protocols in the same rounds."""
    known = {kind: found for kind, found in under.items() if found is not None}
    return {
        "table": PROTOCOL_TABLE.name,
        "rounds": None if report.protocols is None else report.protocols.rounds,
        **{kind: {"protocol": found.protocol, **_counts(found.counts())} for kind, found in known.items()},
    }


def _protocols(report: Report) -> dict[str, Any]:
    """What the protocols of Table I say; nothing, with the reason, while they are not run."""
    if report.protocols is not None:
        return report.protocols.document()
    nothing: dict[str, Any] = {"protocols": [], "most_probable": None, "nearest": None, "indistinguishable": []}
    return {**nothing, "protocols_reason": f"not run yet: {report.protocols_lack}"}


def _same(cell: TableCell, found: Equivalence | None) -> dict[str, Any] | None:
    if found is None:
        return None
    numbers = {name: _known(getattr(found, name)) for name in ("difference", "low", "high", "p")}
    return {"verdict": found.verdict, "margin": margin_of(cell.dataset), **numbers}


def _counts(counts: dict[str, int]) -> dict[str, int]:
    total = sum(counts.values())
    run = total - counts[NOT_RUN]
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
        # Whole, as the page has it: a mean that is rounded twice can end on another third digit.
        "ours": None if math.isnan(cell.ours) else cell.ours,
        "interval": _interval(cell.low, cell.high),
        "rounds": [one.accuracy for one in cell.rounds],
        "verdict": cell.verdict,
        "reading": reading,
    }


def to_json(report: Report) -> str:
    """The verdict as text."""
    return json.dumps(verdict(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
