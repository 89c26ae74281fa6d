"""Judged claims as tables and as a document: CSV, Markdown, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from celm.analysis.claims.judging import Claim
from celm.analysis.claims.outcome import VERDICTS, Item, Outcome, asked, with_interval

Judged = Sequence[tuple[Claim, Outcome]]

# Digits kept of a measured number: times and accuracies have fewer that mean something.
DIGITS = 6


def verdict_counts(judged: Judged) -> dict[str, int]:
    """How many claims have each verdict."""
    verdicts = [outcome.verdict for _, outcome in judged]
    return {verdict: verdicts.count(verdict) for verdict in VERDICTS}


def to_csv(judged: Judged) -> str:
    """One row per claim."""
    rows = [
        {
            "id": claim.id,
            "section": claim.section,
            "says": claim.says,
            "verdict": outcome.verdict,
            "effect": outcome.effect,
            "low": outcome.low,
            "high": outcome.high,
            "unit": outcome.unit,
            "at_least": claim.region.at_least,
            "at_most": claim.region.at_most,
            "reads": " ".join(claim.reads),
            "found": outcome.sentence,
        }
        for claim, outcome in judged
    ]
    return pd.DataFrame(rows).to_csv(index=False, float_format="%.6g", lineterminator="\n")


def to_markdown(judged: Judged) -> str:
    """The verdicts as a Markdown table, counts first."""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items())
    lines = [
        "# Does the paper hold up? Its sentences, one by one",
        "",
        f"{len(judged)} claims: {counts}.",
        "",
        "Intervals are at 95 %: paired by round, corrected for overlapping training rows where splits are random. A "
        "comparison holds when its whole interval lies where the claim asks, fails when the whole of it lies outside, "
        "and is open otherwise. Reproduced: all comparisons hold. Partly: some do. Not reproduced: none does, and one "
        "or more fail. Undecided: all are open. The margins and their reasons are in `experiments/claims.yaml`.",
        "",
        "| | section | the paper says | verdict | found |",
        "|---|---|---|---|---|",
        *(
            f"| `{claim.id}` | {claim.section} | {claim.says} | **{outcome.verdict}** | {outcome.sentence} |"
            for claim, outcome in judged
        ),
    ]
    return "\n".join(lines) + "\n"


def claims_document(judged: Judged) -> dict[str, Any]:
    """All that is known of every claim, for machines."""
    return {"total": len(judged), "counts": verdict_counts(judged), "claims": [_entry(*pair) for pair in judged]}


def _entry(claim: Claim, outcome: Outcome) -> dict[str, Any]:
    return {
        "id": claim.id,
        "section": claim.section,
        "says": claim.says,
        "why": claim.why,
        "reads": list(claim.reads),
        "measure": type(claim.measure).__name__,
        "at_least": claim.region.at_least,
        "at_most": claim.region.at_most,
        "asked": asked(claim.region, outcome.unit) if outcome.unit else "",
        "verdict": outcome.verdict,
        "effect": _rounded(outcome.effect),
        "low": _rounded(outcome.low),
        "high": _rounded(outcome.high),
        "unit": outcome.unit,
        "sentence": outcome.sentence,
        "numbers": [_number(item, holds, outcome.unit) for item, holds in outcome.numbers],
    }


def _number(item: Item, holds: bool | None, unit: str) -> dict[str, Any]:
    values = {name: _rounded(getattr(item, name)) for name in ("effect", "low", "high")}
    return {"label": item.label, **values, "text": with_interval(item, unit), "holds": holds}


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value else round(value, DIGITS)
