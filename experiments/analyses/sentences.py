"""Does a paper hold up, sentence by sentence? Every claim of every paper judged from the records that it reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from omegaconf import OmegaConf

from celm.analysis.claims import (
    Claim,
    Judged,
    Outcome,
    claims_document,
    claims_of,
    claims_table,
    judge,
    verdict_counts,
)
from celm.analysis.random_effects import source_of
from celm.datasets.suite import suite_table
from celm.render.document import Block, Bold, Code, Document, Paragraph, Table, document
from experiments.analysis import Analysis, Frames
from experiments.config.entries import options
from experiments.config.study_names import Identity
from experiments.papers import papers
from experiments.registration.precedence import Registered
from experiments.registration.standing import status
from experiments.report.claim_cards import beyond_text, claims_section
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


@cache
def _contents() -> tuple[dict[str, Any], ...]:
    """What experiments/papers/PAPER/claims.yaml say, paper by paper."""
    files = [paper.claims for paper in papers().values() if paper.claims.exists()]
    return tuple(cast("dict[str, Any]", OmegaConf.to_container(OmegaConf.load(file))) for file in files)


@cache
def written_claims() -> tuple[Claim, ...]:
    """The claims of all papers."""
    return tuple(claim for one in _contents() for claim in claims_of(one["claims"], one.get("records_before", ())))


def gone_claims() -> Gone:
    """The claims that are no longer there, and why."""
    parts = [(one.get("merged", {}), one.get("withdrawn", {})) for one in _contents()]
    merged, withdrawn = ({name: text for part in parts for name, text in part[place].items()} for place in (0, 1))
    return Gone(merged, withdrawn)


def registered_text(claims: Judged) -> str:
    """How many margins were there before the records; the truth of it is the order of the commits."""
    late = sum(not claim.margin_first for claim, _ in claims)
    fixed = sum(outcome.on_these_data.registered for _, outcome in claims)
    return (
        f"No margin was changed after it was committed, but for {late} of the {len(claims)} claims the records, or a "
        "printed table, that they read were there before the margin: what they say is exploratory. Registered, with "
        f"claims, configurations and judging code fixed before the first record: {fixed}."
    )


def command_of(experiment: str) -> str:
    """The command that runs an experiment such as ``table1+raw_values`` or ``label_noise``."""
    return f"{run_command(experiment)}, then python -m experiments.publish records {experiment}"


def run_command(experiment: str) -> str:
    """The command alone, without the publication of what it made."""
    identity = Identity.parse(experiment)
    chosen = f"-m sweep={identity.name}" if identity.name in options("sweep") else f"experiment={identity.name}"
    names = ",".join(identity.readings)
    readings = [f"'reading=[{names}]'" if "," in names else f"reading={names}"] if names else []
    return " ".join(["python -m experiments.run", chosen, *readings])


def find(frames: Frames) -> list[tuple[Claim, Outcome]]:
    """Every claim with its outcome; one whose records are missing is not run."""
    known = {name: frame.assign(round=0, n_hidden=0) if "/" in name else frame for name, frame in frames.items()}
    return [(claim, _judged(claim, known)) for claim in written_claims()]


def _judged(claim: Claim, known: Frames) -> Outcome:
    """The outcome of a claim on its confirmatory records where they are all there, else on the exploratory ones."""
    again = confirmatory()
    commands = {name: command_of(name) for name in claim.reads}
    confirmed = {name: again.get(name, name) for name in claim.reads}
    if any(name not in known for name in confirmed.values()):
        confirmed = {name: name for name in claim.reads}
    frames = {name: known[source] for name, source in confirmed.items() if source in known}
    frames |= {name: known[name] for name in claim.joins if name in known}
    stands = registered_by(claim.id, confirmed.values())
    outcome = judge(claim, frames, commands, stands.answer is True, source_named)
    return outcome._replace(registered_why=stands.reason)


def source_named(dataset: str) -> str:
    """The independent source of a data set, as the table of the wide study groups them."""
    return next((row.group for row in suite_table() if row.name == dataset), source_of(dataset))


def registered_by(claim: str, experiments: Iterable[str]) -> Registered:
    """Whether all experiments that a claim is judged on were registered with it; the first that was not says why."""
    found = [status(name, claim=claim) for name in experiments if "/" not in name]
    missing = [one for one in found if one.answer is not True]
    if not found:
        return Registered(False, "printed numbers were there before any claim")
    return missing[0] if missing else found[0]


def leading_claims() -> dict[str, str]:
    """The claims whose pooled effects the page leads with, and what each is of."""
    return {name: text for one in _contents() for name, text in one.get("leading", {}).items()}


@cache
def confirmatory() -> dict[str, str]:
    """Experiment -> the one that repeats it in the confirmatory run."""
    return {name: again for one in _contents() for name, again in one.get("confirmatory", {}).items()}


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
        first = "yes" if claim.margin_first else ""
        says = f"{claim.says} [{claim.where}]" if claim.where else claim.says
        verdicts = Bold(outcome.verdict), beyond_text(outcome)
        rows.append([Code(claim.id), claim.section, says, *verdicts, first, outcome.sentence])
    header = ["", "section", "the paper says", "on these data", "beyond", "margin before records", "found"]
    rule = (RULE, registered_text(judged), " Margins and their reasons are in ", Code("experiments/papers"), ".")
    blocks: list[Block] = [Paragraph(f"{len(judged)} claims: {counts}."), Paragraph(rule), Table(header, rows)]
    return document("Does the paper hold up? Its sentences, one by one", [*blocks, Paragraph(_gone_text())])


def written_document(judged: list[tuple[Claim, Outcome]]) -> dict[str, str]:
    """results/claims.json: all that is known of every claim, for machines and for the gate."""
    return {"claims.json": json.dumps(claims_document(judged), indent=1, ensure_ascii=False) + "\n"}


def section(judged: list[tuple[Claim, Outcome]]) -> Html:
    """Every sentence and what became of it, by the paper's sections; each opens to its numbers."""
    commands = {name: run_command(name) for claim, _ in judged for name in claim.reads if "/" not in name}
    return claims_section(judged, commands, [RULE + registered_text(judged), _gone_text()])


CLAIMS = Analysis(
    name="claims",
    about="The paper's sentences, one by one",
    reads=tuple(
        dict.fromkeys(
            one
            for claim in written_claims()
            for name in (*claim.reads, *claim.joins)
            for one in (name, confirmatory().get(name, name))
        )
    ),
    needs=(),
    find=find,
    document=told,
    numbers=claims_table,
    files=written_document,
    section=section,
    chapter="Claims",
)
