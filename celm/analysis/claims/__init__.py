"""A paper's sentences as checks over tidy frames: what is measured, where it must lie, one verdict each."""

from celm.analysis.claims.judged import (
    Judged,
    claims_document,
    claims_table,
    entry_of,
    margin_first,
    reason_of,
    verdict_counts,
)
from celm.analysis.claims.judging import MEASURES, Claim, claim_of, claims_of, judge, quantity_of
from celm.analysis.claims.outcome import (
    Item,
    Measured,
    Outcome,
    Region,
    asked,
    outcome_of,
    with_interval,
    written,
)

__all__ = [
    "MEASURES",
    "Claim",
    "Item",
    "Judged",
    "Measured",
    "Outcome",
    "Region",
    "asked",
    "claim_of",
    "claims_document",
    "claims_of",
    "claims_table",
    "entry_of",
    "judge",
    "margin_first",
    "outcome_of",
    "quantity_of",
    "reason_of",
    "verdict_counts",
    "with_interval",
    "written",
]
