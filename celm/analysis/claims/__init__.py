"""The paper's sentences as checks over tidy frames: reproduced, partly, not reproduced, undecided or not run."""

from celm.analysis.claims.judging import MEASURES, Claim, claim_of, claims_of, judge
from celm.analysis.claims.outcome import (
    VERDICTS,
    Item,
    Measured,
    Outcome,
    Region,
    asked,
    outcome_of,
    with_interval,
    written,
)
from celm.analysis.claims.texts import claims_document, to_csv, to_markdown

__all__ = [
    "MEASURES",
    "VERDICTS",
    "Claim",
    "Item",
    "Measured",
    "Outcome",
    "Region",
    "asked",
    "claim_of",
    "claims_document",
    "claims_of",
    "judge",
    "outcome_of",
    "to_csv",
    "to_markdown",
    "with_interval",
    "written",
]
