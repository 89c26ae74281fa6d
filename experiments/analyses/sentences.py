"""Does a paper hold up, sentence by sentence? The verdicts as a table, a section of the page, a document."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import NamedTuple

from celm.analysis.claims import Claim, Judged, Outcome, claims_document, margin_first, verdict_counts
from celm.analysis.claims.rounds import is_printed
from celm.render.document import Block, Bold, Code, Document, Paragraph, Table, document
from experiments.analyses.sentences_judged import confirmatory, contents, read_by, run_command, written_claims
from experiments.analyses.sentences_marks import (
    held_text,
    judged_on,
    marked_entry,
    marked_table,
    marks_of,
    moved_claims,
    with_marks,
)
from experiments.analyses.sentences_standing import find_claims
from experiments.analysis import Analysis
from experiments.report.claim_cards import Run, Told, beyond_text, claims_section
from experiments.report.markup import Html

RULE = (
    "Every claim has two verdicts, each on the effect pooled over all that it compares. On these data: rounds are "
    "independent given the data sets, so the interval is Student's at 95 % over the rounds, items averaged inside a "
    "round first; of whole curves the smallest lead, by limits that hold at all node counts together. Beyond these "
    "data: random effects over independent sources, the five MDD views being one; nothing is said below five sources "
    "or of times. Holds: the whole interval lies where the claim asks. Fails: the whole of it lies outside. Open: it "
    "crosses the edge. Vacuous: what the sentence speaks of changed nothing. Printed numbers have no error: one that "
    "fails is enough. Items are decided with Holm's correction, so one whose own interval lies inside can still be "
    "open. "
)


class Gone(NamedTuple):
    """Claims of earlier versions: merged ones with the one that tells it now, withdrawn ones with the reason."""

    merged: Mapping[str, str] = {}
    withdrawn: Mapping[str, str] = {}


def gone_claims() -> Gone:
    """The claims that are no longer there, and why."""
    parts = [(one.get("merged", {}), one.get("withdrawn", {})) for one in contents()]
    merged, withdrawn = ({name: text for part in parts for name, text in part[place].items()} for place in (0, 1))
    return Gone(merged, withdrawn)


def leading_claims() -> dict[str, str]:
    """The claims whose pooled effects the page leads with, and what each is of."""
    return {name: text for one in contents() for name, text in one.get("leading", {}).items()}


def registered_text(claims: Judged) -> str:
    """How many margins were there before the records; the truth of it is the order of the commits."""
    fixed = sum(outcome.on_these_data.registered for _, outcome in claims)
    late = sum(not margin_first(claim, outcome) for claim, outcome in claims)
    return (
        f"No margin was changed after it was committed. {fixed} of the {len(claims)} claims are judged on registered "
        "records: claims, configurations and judging code were fixed before the first of them, on data that were "
        f"known. Of the others {late} read records, or a printed table, that were there before the margin: what they "
        "say is exploratory." + _moved_text(claims)
    )


def _moved_text(claims: Judged) -> str:
    """How many claims read other records at first."""
    moved = [moved_claims()[claim.id] for claim, _ in claims if claim.id in moved_claims()]
    known = ", ".join(dict.fromkeys(one.known for one in moved))
    return f" {len(moved)} read other records at first; that was changed when {known} were known." if moved else ""


def _gone_text() -> str:
    gone = gone_claims()
    merged = "; ".join(f"{old} into {new}" for old, new in gone.merged.items())
    withdrawn = "; ".join(f"{name} ({reason})" for name, reason in gone.withdrawn.items())
    return f"Merged, since they told the same: {merged}. Withdrawn, since they misread the paper: {withdrawn}."


def told(judged: list[tuple[Claim, Outcome]]) -> Document:
    """The verdicts as a table, counts first."""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items())
    rows = []
    for claim, outcome in judged:
        marks, first = marks_of(claim, outcome), "yes" if margin_first(claim, outcome) else ""
        if marks.moved is not None:
            first += f", but {marks.moved.read} was read before"
        says = f"{claim.says} [{claim.where}]" if claim.where else claim.says
        verdicts = Bold(with_marks(outcome.verdict, marks)), beyond_text(claim, outcome)
        rows.append([Code(claim.id), claim.section, says, *verdicts, first, outcome.sentence])
    header = ["", "section", "the paper says", "on these data", "beyond", "margin before records", "found"]
    rule = (RULE, registered_text(judged), " Margins and their reasons are in ", Code("experiments/papers"), ".")
    held = f"; {words}" if (words := held_text(judged)) else ""
    blocks: list[Block] = [Paragraph(f"{len(judged)} claims: {counts}{held}."), Paragraph(rule), Table(header, rows)]
    return document("Does the paper hold up? Its sentences, one by one", [*blocks, Paragraph(_gone_text())])


def written_document(judged: list[tuple[Claim, Outcome]]) -> dict[str, str]:
    """results/claims.json: all that is known of every claim, for machines and for the gate."""
    return {"claims.json": json.dumps(claims_document(judged, marked_entry), indent=1, ensure_ascii=False) + "\n"}


def section(judged: list[tuple[Claim, Outcome]]) -> Html:
    """Every sentence and what became of it, by the paper's sections; each opens to its numbers."""
    held = f" {words[0].upper()}{words[1:]}." if (words := held_text(judged)) else ""
    remarks = [RULE + registered_text(judged) + held, _gone_text()]
    return claims_section([_told(claim, outcome) for claim, outcome in judged], remarks)


def _told(claim: Claim, outcome: Outcome) -> Told:
    """A claim as its card tells it: with the runs that its verdict comes from."""
    runs = [
        Run(experiment, "" if is_printed(experiment) else run_command(experiment), outcome.minutes.get(name, math.nan))
        for name, experiment in judged_on(claim, outcome).items()
    ]
    return Told(claim, outcome, margin_first(claim, outcome), runs, marks_of(claim, outcome))


READ = read_by(written_claims())
CLAIMS = Analysis(
    name="claims",
    about="The paper's sentences, one by one",
    reads=tuple(dict.fromkeys(one for name in READ for one in (name, confirmatory().get(name, name)))),
    needs=(),
    find=find_claims,
    document=told,
    numbers=marked_table,
    files=written_document,
    section=section,
    chapter="Claims",
)
