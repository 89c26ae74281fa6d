"""Judged claims as plain data: counts, a table of one row per claim, and an entry of all that is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from celm.analysis.claims.judging import Claim, quantity_of
from celm.analysis.claims.outcome import Item, Outcome, asked, with_interval
from celm.analysis.levels import LevelVerdict
from celm.analysis.words import CLAIM_VERDICTS, counted

Judged = Sequence[tuple[Claim, Outcome]]

# Digits kept of a measured number: times and accuracies have fewer that mean something.
DIGITS = 6


def verdict_counts(judged: Judged) -> dict[str, int]:
    """How many claims have each verdict."""
    return counted((outcome.verdict for _, outcome in judged), CLAIM_VERDICTS)


def claims_table(judged: Judged) -> pd.DataFrame:
    """One row per claim."""
    return pd.DataFrame(
        {
            "id": claim.id,
            "section": claim.section,
            "says": claim.says,
            "where": claim.where,
            "verdict": outcome.verdict,
            "registered": outcome.on_these_data.registered,
            "margin_first": claim.margin_first,
            "effect": outcome.on_these_data.effect,
            "low": outcome.on_these_data.low,
            "high": outcome.on_these_data.high,
            "unit": outcome.unit,
            "beyond": outcome.beyond.verdict,
            "beyond_effect": outcome.beyond.effect,
            "beyond_low": outcome.beyond.low,
            "beyond_high": outcome.beyond.high,
            "at_least": claim.region.at_least,
            "at_most": claim.region.at_most,
            "reads": " ".join(claim.reads),
            "found": outcome.sentence,
        }
        for claim, outcome in judged
    )


def claims_document(judged: Judged) -> dict[str, Any]:
    """All that is known of every claim, for machines."""
    return {"total": len(judged), "counts": verdict_counts(judged), "claims": [entry_of(*pair) for pair in judged]}


def entry_of(claim: Claim, outcome: Outcome) -> dict[str, Any]:
    """All that is known of one claim."""
    return {
        "id": claim.id,
        "section": claim.section,
        "says": claim.says,
        "where": claim.where,
        "cited": claim.cited,
        "why": claim.why,
        "reads": list(claim.reads),
        "measure": type(claim.measure).__name__,
        "quantity": quantity_of(claim, outcome.unit),
        "at_least": claim.region.at_least,
        "at_most": claim.region.at_most,
        "asked": asked(claim.region, outcome.unit) if outcome.unit else "",
        "verdict": outcome.verdict,
        "registered": outcome.on_these_data.registered,
        "registered_why": outcome.registered_why,
        "margin_first": claim.margin_first,
        "effect": _rounded(outcome.on_these_data.effect),
        "low": _rounded(outcome.on_these_data.low),
        "high": _rounded(outcome.on_these_data.high),
        "unit": outcome.unit,
        "sentence": outcome.sentence,
        "on_these_data": _level(outcome.on_these_data),
        "beyond": _level(outcome.beyond),
        "numbers": [_number(item, holds, outcome.unit) for item, holds in outcome.numbers],
    }


def _number(item: Item, holds: bool | None, unit: str) -> dict[str, Any]:
    values = {name: _rounded(getattr(item, name)) for name in ("effect", "low", "high")}
    return {"label": item.label, **values, "text": with_interval(item, unit), "holds": holds}


def _level(found: LevelVerdict) -> dict[str, Any]:
    return {name: _rounded(value) if isinstance(value, float) else value for name, value in found.document().items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value else round(value, DIGITS)
