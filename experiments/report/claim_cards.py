"""The page's chapter of claims: a card for every sentence, by the paper's sections, each open to its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from celm.analysis.claims import Claim, Outcome, asked, quantity_of, reason_of, with_interval, written
from celm.analysis.claims.rounds import is_printed
from celm.analysis.words import CLAIM_VERDICTS
from experiments.analyses.sentences_marks import Marks
from experiments.report.markup import Html, command, fold_with, join, simple_table, tag
from experiments.report.signs import DECIDED, badge, legend


class Run(NamedTuple):
    """An experiment that decided a claim: its command (none of a printed table) and its minutes on one core."""

    experiment: str
    command: str
    minutes: float


class Told(NamedTuple):
    """A claim, its outcome, whether its margin is older than what decided, the runs, and what is told beside."""

    claim: Claim
    outcome: Outcome
    margin_first: bool
    runs: Sequence[Run]
    marks: Marks = Marks()


def claims_section(claims: Sequence[Told], remarks: Sequence[str]) -> Html:
    """All claims, by the paper's sections."""
    parts = [tag("p", {}, remarks[0]), legend(CLAIM_VERDICTS)]
    for name, group in groupby(claims, key=lambda told: told.claim.section):
        parts.append(tag("h3", {}, name if name == "Abstract" else f"§{name}"))
        parts += map(card, group)
    return join([*parts, *(tag("p", {"class": "quiet"}, text) for text in remarks[1:])])


def beyond_text(claim: Claim, outcome: Outcome) -> str:
    """The verdict beyond these data with what it rests on, or why there is none."""
    further = outcome.beyond
    if further.verdict is None:
        return f"– ({reason_of(claim, further, outcome.unit)})"
    exploratory = further.effect is not None and not further.registered
    return f"{further.verdict} (exploratory)" if exploratory else further.verdict


def _found(claim: Claim, outcome: Outcome) -> Html | str:
    """The pooled effect with its interval beside what was asked; nothing where nothing was run."""
    pooled, unit = outcome.pooled(), outcome.unit
    if pooled is None:
        return ""
    wanted = asked(claim.region, unit)
    words = f"{with_interval(pooled, unit)}; the claim asks for {wanted}"
    if all(map(is_printed, claim.reads)):
        # Printed numbers have no error, so their mean does not decide: one that fails is enough.
        mean = with_interval(pooled._replace(low=math.nan), unit)
        failed = sum(holds is False for _, holds in outcome.numbers)
        words = f"{mean} in the mean; the claim asks for {wanted} of each, {failed} of {len(outcome.numbers)} fail"
    return tag("small", {"class": "found"}, f"{quantity_of(claim, '')}: {words}")


def _further(claim: Claim, outcome: Outcome) -> str:
    further, unit = outcome.beyond, outcome.unit
    if further.effect is None:
        why = reason_of(claim, further, unit)
        return f"Beyond these data: nothing can be said, {why}." if further.verdict is None else ""
    low, high, ahead, behind = (
        written(end, unit) for end in (further.low, further.high, further.predicted_low, further.predicted_high)
    )
    known = f" Exploratory: {further.reason}." if further.reason else ""
    return (
        f"Beyond these data: {further.verdict}, {written(further.effect, unit)} ({low} to {high}) over "
        f"{further.sources} sources; a further source lies within {ahead} to {behind}. By its estimate alone, which "
        f"decides nothing, {further.holds} sources lie where the claim asks and {further.fails} do not.{known}"
    )


def _moved(marks: Marks) -> str:
    """That the records were exchanged for others, where they were."""
    if marks.moved is None:
        return ""
    read, commit, known = marks.moved
    return f", but it read {read} at first, and that was changed (commit {commit}) when {known} were known"


def minutes_text(minutes: float) -> str:
    """How long a run takes on one core, in words.

    Examples
    --------
    >>> minutes_text(0.4), minutes_text(12.3), minutes_text(190.0)
    ('under a minute on one core', 'about 12 minutes on one core', 'about 3.2 hours on one core')
    """
    if math.isnan(minutes):
        return "time not known"
    if minutes < 1:
        return "under a minute on one core"
    return f"about {minutes:.0f} minutes on one core" if minutes < 90 else f"about {minutes / 60:.1f} hours on one core"


def card(told: Told) -> Html:
    """One claim: verdict, words and effect; opened, its reason, comparisons and commands."""
    claim, outcome = told.claim, told.outcome
    where = [" ", tag("span", {"class": "quiet"}, f"({claim.where})")] if claim.where else []
    beside = [" ", tag("strong", {}, words)] if (words := told.marks.short()) else []
    head = join([badge(outcome.verdict), *beside, " ", tag("q", {}, claim.says), *where, " ", _found(claim, outcome)])
    first, then = ("margin", "records") if told.margin_first else ("records", "margin")
    wanted = f"Asked: {asked(claim.region, outcome.unit)}. " if outcome.unit else ""
    lines = [
        f"Measured: {quantity_of(claim, outcome.unit)}. {wanted}{claim.why}",
        _further(claim, outcome),
        *told.marks.lines(),
        f"Committed first: the {first}, then the {then}{_moved(told.marks)}; {outcome.registered_why}."
        + (" The paper cites this sentence." if claim.cited else ""),
    ]
    parts = [tag("p", {}, outcome.sentence), *(tag("p", {"class": "quiet"}, line) for line in lines if line)]
    if len(outcome.numbers) > 1:
        rows = [[item.label, with_interval(item, outcome.unit), DECIDED[holds]] for item, holds in outcome.numbers]
        parts.append(simple_table(f"{claim.id}: the numbers", ["comparison", "found (95 %)", "holds"], rows))
    for run in told.runs:
        if run.command:
            about = f"{run.experiment}: {minutes_text(run.minutes)}"
            parts += [tag("p", {"class": "what quiet"}, about), command(run.command)]
        else:
            parts.append(tag("p", {"class": "quiet"}, f"{run.experiment}: a printed table, nothing to run."))
    return fold_with({"class": "claim", "id": f"claim-{claim.id}"}, head, *parts)
