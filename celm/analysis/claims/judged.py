"""Judged claims as plain data: counts, a table of one row per claim, and an entry of all that is known of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from celm.analysis.claims.judging import Claim, quantity_of
from celm.analysis.claims.outcome import Item, Outcome, asked, with_interval
from celm.analysis.levels import TIMES, LevelVerdict
from celm.analysis.words import CLAIM_VERDICTS, counted

Judged = Sequence[tuple[Claim, Outcome]]

# Digits kept of a measured number: times and accuracies have fewer that mean something.
DIGITS = 6
# Ratios are not pooled beyond these data: a word of what is measured, and what a ratio of it is a fact of.
FACTS_OF = {
    "seconds": "one machine",
    "times": "one machine",
    "node counts": "the curves that it is read off",
    "t-SNE": "the maps of one data set",
}


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
            "margin_first": margin_first(claim, outcome),
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


def margin_first(claim: Claim, outcome: Outcome) -> bool:
    """Whether the margin of a claim is older than the records that it is judged on."""
    return claim.margin_first or outcome.on_these_data.registered


def reason_of(claim: Claim, level: LevelVerdict, unit: str) -> str:
    """Why there is no verdict, in the words of what a claim measures; those of a level are fixed by a registration."""
    if level.verdict is None and unit == TIMES and level.reason.startswith("a ratio of times or counts"):
        quantity = quantity_of(claim, "")
        where = next((place for word, place in FACTS_OF.items() if word in quantity), "these data")
        return f"a {quantity} is a fact of {where}"
    told = re.sub(r"\b1 independent sources\b", "1 independent source", level.reason)
    return re.sub(r"(\d+) are the fewest to speak of others", r"at least \1 are needed to speak of others", told)


def claims_document(judged: Judged, entry: Callable[[Claim, Outcome], dict[str, Any]] | None = None) -> dict[str, Any]:
    """All that is known of every claim, for machines; ``entry`` in the place of :func:`entry_of` may know more."""
    known = entry or entry_of
    return {"total": len(judged), "counts": verdict_counts(judged), "claims": [known(*pair) for pair in judged]}


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
        "margin_first": margin_first(claim, outcome),
        "effect": _rounded(outcome.on_these_data.effect),
        "low": _rounded(outcome.on_these_data.low),
        "high": _rounded(outcome.on_these_data.high),
        "unit": outcome.unit,
        "sentence": outcome.sentence,
        "on_these_data": _level(outcome.on_these_data),
        "beyond": _beyond(claim, outcome),
        "numbers": [_number(item, holds, outcome.unit) for item, holds in outcome.numbers],
    }


def _number(item: Item, holds: bool | None, unit: str) -> dict[str, Any]:
    values = {name: _rounded(getattr(item, name)) for name in ("effect", "low", "high")}
    return {"label": item.label, **values, "text": with_interval(item, unit), "holds": holds}


def _beyond(claim: Claim, outcome: Outcome) -> dict[str, Any]:
    """Beyond these data no source is decided by itself: in how many its estimate lies where the claim asks."""
    found = outcome.beyond
    told = {name: value for name, value in _level(found).items() if name not in ("holds", "fails", "open")}
    counts = (None, None) if found.effect is None else (found.holds, found.fails)
    estimates = dict(zip(("estimates_where_asked", "estimates_elsewhere"), counts, strict=True))
    return {**told, "reason": reason_of(claim, found, outcome.unit), **estimates}


def _level(found: LevelVerdict) -> dict[str, Any]:
    return {name: _rounded(value) if isinstance(value, float) else value for name, value in found.document().items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None or value != value else round(value, DIGITS)
