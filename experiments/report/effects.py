"""The pooled effects of the leading claims on both levels, and the registered results beside those that are not."""

from __future__ import annotations

from typing import Any

from celm.analysis.claims import Claim, Outcome, reason_of, with_interval, written
from celm.analysis.claims.judged import DIGITS
from celm.analysis.levels import LevelVerdict
from celm.analysis.suite_hypotheses import HypothesisVerdict, PartVerdict
from experiments.analyses.sentences import leading_claims
from experiments.analyses.sentences_marks import marks_of
from experiments.analyses.suite_judged import Wide
from experiments.analyses.suite_words import found_text, registered
from experiments.report.gather import Report
from experiments.report.markup import Html, join, link, simple_table, tag
from experiments.report.signs import badge

EXPLORATORY = "exploratory"
# What is told of a registered result.
TOLD = ("verdict", "effect", "low", "high", "sets", "sources")


def effects_table(report: Report) -> Html:
    """The pooled effects of the leading claims, on these data and beyond them, then what is registered of these."""
    known = {claim.id: (claim, outcome) for claim, outcome in report.claims}
    leading = {name: (text, *known[name]) for name, text in leading_claims().items() if name in known}
    rows = [_effect(*one) for one in leading.values()]
    header = ["pooled effect", "on these data", "with its 95 % interval", "beyond them", "with its 95 % interval"]
    beside = [line for one in leading.values() for line in _registered(*one, report.wide())]
    return join([simple_table("pooled effects on both levels", header, rows), *beside])


def _standing(level: LevelVerdict) -> str:
    """That a verdict on an effect is exploratory; nothing of one that is registered."""
    return "" if level.registered or level.effect is None else f" {EXPLORATORY}"


def _effect(text: str, claim: Claim, outcome: Outcome) -> list[str]:
    name = link(f"#claim-{claim.id}", text)
    pooled, marks = outcome.pooled(), marks_of(claim, outcome).short()
    here = "–" if pooled is None else with_interval(pooled, outcome.unit)
    first = join([badge(outcome.verdict), _standing(outcome.on_these_data), f" ({marks})" if marks else ""])
    further = outcome.beyond
    if further.effect is None:
        return [name, first, here, "–", reason_of(claim, further, outcome.unit) or "–"]
    low, high = (written(end, outcome.unit) for end in (further.low, further.high))
    there = f"{written(further.effect, outcome.unit)} ({low} to {high}), {further.sources} sources"
    if further.predicted_low is not None and further.predicted_high is not None:
        ends = [written(end, outcome.unit) for end in (further.predicted_low, further.predicted_high)]
        there += f"; a further source lies within {' to '.join(ends)}"
    return [name, first, here, join([badge(str(further.verdict)), _standing(further)]), there]


def registered_results(claim: Claim, wide: Wide | None) -> list[tuple[HypothesisVerdict, PartVerdict]]:
    """The registered hypotheses on fresh sets that compare what a claim compares, with the part that does."""
    wanted = _compared(claim)
    if wide is None or wanted is None:
        return []
    return [
        (one, found)
        for one in wide.hypotheses
        for part, found in zip(one.hypothesis.parts, one.parts, strict=True)
        if one.hypothesis.fresh
        and ({*part.lead.of}, {*part.lead.over}) == wanted
        and registered(wide.study, one.hypothesis.id)["registered"] is True
    ]


def _compared(claim: Claim) -> tuple[set[str], set[str]] | None:
    """The models of a claim and those that they are held against; None of a claim that compares otherwise."""
    models, others = (getattr(claim.measure, name, None) for name in ("models", "baselines"))
    return ({*models}, {*others}) if claim.joins and models and others else None


def _registered(text: str, claim: Claim, outcome: Outcome, wide: Wide | None) -> list[Html]:
    """One line for every registered result beside an exploratory one."""
    if outcome.beyond.effect is None or outcome.beyond.registered:
        return []
    return [
        tag(
            "p",
            {},
            f"{text} beyond these data is {EXPLORATORY} above. Registered, on {found.sets} sets new to all trials: ",
            badge(found.verdict),
            f" {found_text(found)} points (",
            link("#wide-study", one.hypothesis.id),
            ").",
        )
        for one, found in registered_results(claim, wide)
    ]


def clear_counts(claim: Claim, wide: Wide | None) -> dict[str, Any] | None:
    """On how many sets of the wide study the interval of a claim's lead lies above or below zero; None if unknown."""
    wanted = _compared(claim)
    leads = [] if wide is None else [lead for lead in wide.leads if ({*lead.of}, {*lead.over}) == wanted]
    if wide is None or not leads:
        return None
    pooled = wide.pooled
    rows = pooled[(pooled["lead"] == leads[0].id) & (pooled["score"] == wide.scores[0]) & (pooled["sets"] == "all")]
    if rows.empty:
        return None
    row = rows.iloc[0]
    return {
        "lead": leads[0].id,
        "sets": int(row["n_sets"]),
        "above": int(row["clear_wins"]),
        "below": int(row["clear_losses"]),
    }


def _rounded(value: Any) -> Any:
    return round(value, DIGITS) if isinstance(value, float) else value


def beyond_entry(claim: Claim, entry: dict[str, Any], wide: Wide | None) -> dict[str, Any]:
    """An entry of verdict.json with what the wide study says beside it: intervals of sets, registered results."""
    if entry["beyond"]["effect"] is None:
        return entry
    results = [
        {"hypothesis": one.hypothesis.id, **{name: _rounded(getattr(found, name)) for name in TOLD}}
        for one, found in registered_results(claim, wide)
    ]
    return {
        **entry,
        "beyond": {**entry["beyond"], "by_interval": clear_counts(claim, wide), "registered_results": results},
    }
