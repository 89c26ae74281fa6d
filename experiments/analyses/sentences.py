"""Does a paper hold up, sentence by sentence? Every claim of every paper judged from the records that it reads."""

from __future__ import annotations

import json
from functools import cache
from itertools import groupby
from typing import Any

from omegaconf import OmegaConf

from celm.analysis.claims import (
    Claim,
    Judged,
    Outcome,
    asked,
    claims_document,
    claims_of,
    claims_table,
    judge,
    verdict_counts,
)
from celm.analysis.claims.outcome import Item, with_interval
from celm.render.document import Block, Bold, Code, Document, Paragraph, Table, document
from experiments.analysis import Analysis, Frames
from experiments.config.entries import options
from experiments.config.study_names import Identity
from experiments.papers import papers
from experiments.report.markup import Html, fold_with, join, simple_table, tag
from experiments.report.signs import badge

# Whether a comparison of a claim holds.
HOLDS = {True: "✓ holds", False: "✗ fails", None: "? open"}
RULE = (
    "Intervals are at 95 %: paired by round, corrected for overlapping training rows where splits are random. A "
    "comparison holds when its whole interval lies where the claim asks, fails when the whole of it lies outside, "
    "and is open otherwise. Reproduced: all comparisons hold. Partly: some do. Not reproduced: none does, and one "
    "or more fail. Undecided: all are open. Vacuous: what the sentence speaks of changed nothing. "
)


@cache
def written_claims() -> tuple[Claim, ...]:
    """The claims of experiments/papers/PAPER/claims.yaml, paper by paper."""
    found: list[Claim] = []
    for paper in papers().values():
        if paper.claims.exists():
            content: Any = OmegaConf.to_container(OmegaConf.load(paper.claims))
            found += claims_of(content["claims"], content.get("records_before", ()))
    return tuple(found)


def registered_text(claims: Judged | list[tuple[Claim, Outcome]]) -> str:
    """How many margins were there before the records; the truth of it is the order of the commits."""
    late = sum(not claim.registered for claim, _ in claims)
    return (
        f"No margin was changed after it was committed, but for {late} of the {len(claims)} claims the records, or a "
        "printed table, that they read were there before the margin: what they say is exploratory."
    )


def command_of(experiment: str) -> str:
    """The command that runs an experiment such as ``table1+raw_values`` or ``label_noise``."""
    identity = Identity.parse(experiment)
    chosen = f"-m sweep={identity.name}" if identity.name in options("sweep") else f"experiment={identity.name}"
    names = ",".join(identity.readings)
    readings = [f"'reading=[{names}]'" if "," in names else f"reading={names}"] if names else []
    words = ["python -m experiments.run", chosen, *readings]
    return " ".join(words) + f", then python -m experiments.publish records {experiment}"


def find(frames: Frames) -> list[tuple[Claim, Outcome]]:
    """Every claim with its outcome; one whose records are missing is not run."""
    known = {name: frame.assign(round=0, n_hidden=0) if "/" in name else frame for name, frame in frames.items()}
    claims = written_claims()
    commands = {name: command_of(name) for claim in claims for name in claim.reads}
    return [(claim, judge(claim, known, commands)) for claim in claims]


def told(judged: list[tuple[Claim, Outcome]]) -> Document:
    """The verdicts as a table, counts first."""
    counts = ", ".join(f"{n} {verdict}" for verdict, n in verdict_counts(judged).items())
    rows = []
    for claim, outcome in judged:
        first = "yes" if claim.registered else ""
        rows.append([Code(claim.id), claim.section, claim.says, Bold(outcome.verdict), first, outcome.sentence])
    header = ["", "section", "the paper says", "verdict", "margin before records", "found"]
    rule = (RULE, registered_text(judged), " Margins and their reasons are in ", Code("experiments/papers"), ".")
    blocks: list[Block] = [Paragraph(f"{len(judged)} claims: {counts}."), Paragraph(rule), Table(header, rows)]
    return document("Does the paper hold up? Its sentences, one by one", blocks)


def written_document(judged: list[tuple[Claim, Outcome]]) -> dict[str, str]:
    """results/claims.json: all that is known of every claim, for machines and for the gate."""
    return {"claims.json": json.dumps(claims_document(judged), indent=1, ensure_ascii=False) + "\n"}


def section(judged: list[tuple[Claim, Outcome]]) -> Html:
    """Every sentence and what became of it, by the paper's sections; each opens to its numbers."""
    parts = [tag("p", {}, RULE + registered_text(judged))]
    for name, group in groupby(judged, key=lambda pair: pair[0].section):
        parts += [tag("h3", {}, name if name == "Abstract" else f"§{name}"), *(_claim(*pair) for pair in group)]
    return join(parts)


def _found(claim: Claim, outcome: Outcome) -> Html | str:
    """The mean effect with its interval beside what was asked; nothing where nothing was run."""
    if outcome.effect is None:
        return ""
    low, high = (float("nan") if end is None else end for end in (outcome.low, outcome.high))
    effect = with_interval(Item(claim.id, outcome.effect, low, high), outcome.unit)
    return tag("small", {"class": "found"}, f"{effect}; asked {asked(claim.region, outcome.unit)}")


def _claim(claim: Claim, outcome: Outcome) -> Html:
    wanted = asked(claim.region, outcome.unit) if outcome.unit else ""
    head = join([badge(outcome.verdict), " ", tag("q", {}, claim.says), " ", _found(claim, outcome)])
    first, then = ("margin", "records") if claim.registered else ("records", "margin")
    when = f"Committed first: the {first}, then the {then}."
    rows = [tag("p", {}, outcome.sentence), tag("p", {"class": "quiet"}, f"Asked: {wanted}. {claim.why} {when}")]
    if len(outcome.numbers) > 1:
        found = [[item.label, with_interval(item, outcome.unit), HOLDS[holds]] for item, holds in outcome.numbers]
        rows.append(simple_table(f"{claim.id}: the numbers", ["comparison", "found (95 %)", "holds"], found))
    return fold_with({"class": "claim", "id": f"claim-{claim.id}"}, head, *rows)


CLAIMS = Analysis(
    name="claims",
    about="The paper's sentences, one by one",
    reads=tuple(dict.fromkeys(name for claim in written_claims() for name in claim.reads)),
    needs=(),
    find=find,
    document=told,
    numbers=claims_table,
    files=written_document,
    section=section,
    chapter="Claims",
)
