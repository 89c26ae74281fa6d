"""Claims with their standing beyond these data: registered there only if the sets that join were, with the claim."""

from __future__ import annotations

from dataclasses import replace

from celm.analysis.claims import Claim, Outcome
from experiments.analyses.sentences_judged import find, registered_by
from experiments.analysis import Frames


def find_claims(frames: Frames) -> list[tuple[Claim, Outcome]]:
    """Every claim with its outcome; beyond these data it is registered only if the sets that join are, with it."""
    return [(claim, _joined(claim, outcome)) for claim, outcome in find(frames)]


def _joined(claim: Claim, outcome: Outcome) -> Outcome:
    if not (claim.joins and outcome.beyond.registered):
        return outcome
    stands = registered_by(claim.id, claim.joins)
    if stands.answer is True:
        return outcome
    why = f"the sets that join ({', '.join(claim.joins)}) are not registered with this claim: {stands.reason}"
    return outcome._replace(beyond=replace(outcome.beyond, registered=False, reason=why))
