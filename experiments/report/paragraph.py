"""The answer in one paragraph: numbers, the same numbers under two protocols, sentences, and how these go together."""

from __future__ import annotations

from collections import Counter

from celm.analysis import words
from celm.analysis.cell_equivalence import DIFFERENT, EQUIVALENT, equivalence_counts
from experiments.analyses.sentences_marks import held_text
from experiments.papers.celm.analyses.protocols import TABLE as PROTOCOL_TABLE
from experiments.report.conclusion import conclusion
from experiments.report.gaps import gaps_of, gaps_text
from experiments.report.gather import Report


def headline_text(report: Report) -> str:
    """The answer in one paragraph, in numbers: cells and claims, and why they can differ."""
    return " ".join(headline_parts(report))


def headline_parts(report: Report) -> list[str]:
    """The conclusion, then what it rests on, sentence by sentence; what cannot be said yet is left out."""
    cells, claims = equivalence_counts(report.equivalences()), report.claim_counts()
    numbers, sentences = (cells[EQUIVALENT], cells[DIFFERENT]), (claims[words.HOLDS], claims[words.FAILS])
    parts = [
        conclusion(numbers, sentences),
        f"Of the paper's {sum(cells.values())} accuracy numbers, held against ours by equivalence within the margin: "
        f"{counted(cells)}{_rounds_text(report)}. By the laxer rule of the tables below: "
        f"{counted(report.cell_counts())}.",
        alike_text(report),
        _claims_text(report),
        _reconciled(report) if sum(sentences) and cells[words.NOT_RUN] < sum(cells.values()) else "",
    ]
    return [part for part in parts if part]


def counted(counts: dict[str, int]) -> str:
    """``40 equivalent, 13 different``."""
    return ", ".join(f"{n} {word}" for word, n in counts.items() if n)


def _rounds_text(report: Report) -> str:
    """In how many rounds the default was run: the usual number, and whether all numbers have as many."""
    rounds = Counter(len(cell.rounds) for cell in report.paper_cells() if cell.rounds)
    if not rounds:
        return ""
    (usual, _), *others = rounds.most_common()
    return f" (default, {'mostly ' if others else ''}{usual} rounds)"


def alike_text(report: Report) -> str:
    """The default and the protocol that comes nearest on the same numbers, in the same rounds."""
    default, nearest = report.under_default(), report.under_nearest()
    if nearest is None or report.protocols is None:
        return "Which protocol the paper used is not known yet: whole protocols are not run."
    kind = "the most probable protocol" if report.fits() else "the one that comes nearest, though none fits"
    told = [] if default is None else [f"our default, {default.protocol}: {counted(default.counts())}"]
    told.append(f"{kind}, {nearest.protocol}: {counted(nearest.counts())}")
    return (
        f"Like with like, on the same {len(nearest.cells)} numbers of {PROTOCOL_TABLE.short} in the same "
        f"{report.protocols.rounds} rounds: {'; '.join(told)}."
    )


def _claims_text(report: Report) -> str:
    further = [outcome.beyond for _, outcome in report.claims if outcome.beyond.effect is not None]
    held = f"{text}; " if (text := held_text(report.claims)) else ""
    fixed = sum(level.registered for level in further)
    registered = f", {fixed or 'none'} of them registered" if further else ""
    return (
        f"Of {len(report.claims)} claims in its text, on these data: {counted(report.claim_counts())}; {held}"
        f"{len(further)} can be judged beyond these data{registered}."
    )


def _reconciled(report: Report) -> str:
    """How the two answers go together."""
    why = "Numbers can differ while claims hold, because a claim compares methods under one protocol."
    if report.protocols is None:
        return why
    fits = report.protocols.findings.fits
    return f"{why} {gaps_text(gaps_of([(fit.name, fit.gap) for fit in fits], fits[0].paper_gap))}"
