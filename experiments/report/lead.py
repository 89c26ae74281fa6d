"""What the page leads with: the question, the answer in one paragraph, pooled effects, protocols, and the counts."""

from __future__ import annotations

from collections.abc import Iterator

from celm.analysis import words
from celm.analysis.cell_equivalence import EQUIVALENCE_VERDICTS, RULE, equivalence_counts
from celm.analysis.verdicts import MARGIN, MARGIN_FIRST, MARGINS
from celm.base.names import dataset_label
from experiments.report.chapters import picture, quiet
from experiments.report.document_html import block_html
from experiments.report.effects import effects_table
from experiments.report.gather import Report, Shown
from experiments.report.markup import Html, anchor_of, link, section, tag
from experiments.report.paragraph import headline_parts
from experiments.report.signs import counts_bar, legend

# The chapter of the page with what else was found, below numbers and sentences.
FURTHER = "Also found"
QUESTION = (
    "Two questions: can the paper's numbers be reproduced, and do its sentences hold? A number depends on scaling, "
    "selection and random splits, some of which the paper leaves open; a sentence compares methods under one protocol."
)


def headline(report: Report) -> Html:
    """What came out, first: one paragraph, effects on both levels, protocols, then numbers and sentences counted."""
    first, *rest = headline_parts(report)
    return section(
        "verdict",
        "Does the paper hold up?",
        tag("p", {"class": "answer"}, tag("strong", {}, first), *(f" {part}" for part in rest)),
        effects_table(report),
        *_protocols(report),
        tag("div", {"class": "counts"}, *_bars(report)),
        legend(dict.fromkeys((*EQUIVALENCE_VERDICTS, *words.CLAIM_VERDICTS))),
        quiet(f"{QUESTION} {_margins()}"),
    )


def _bars(report: Report) -> Iterator[Html]:
    """All numbers under the default; those that protocols share, under the default and the nearest; sentences."""
    yield counts_bar(
        equivalence_counts(report.equivalences()), f"{len(report.paper_cells())} accuracy numbers, default"
    )
    for kind, found in (("default", report.under_default()), ("nearest", report.under_nearest())):
        if found is not None and report.protocols is not None:
            name = f"{len(found.cells)} of them, {report.protocols.rounds} rounds, {kind}: {found.protocol}"
            yield counts_bar(found.counts(), name)
    yield counts_bar(report.claim_counts(), f"{len(report.claims)} claims, on these data")


def findings(report: Report) -> Html:
    """What analyses say in short beside the answer."""
    about = quiet("What else the records say, each in short; its own chapter has the whole.")
    return section(anchor_of(FURTHER), FURTHER, about, *map(_answer, report.shown))


def _margins() -> str:
    others = ", ".join(f"{margin:.3f} on {dataset_label(name)}" for name, margin in MARGINS.items())
    return f"Numbers: {RULE}. The margin is {MARGIN:.3f} ({others}); {MARGIN_FIRST}."


def _protocols(report: Report) -> Iterator[Html]:
    """The picture of all protocols; of the readings in their place while protocols are not run."""
    yield tag("h3", {}, "Which protocol did the paper use?")
    if report.protocols is None:
        yield quiet(f"Not run yet. {report.protocols_lack}. Exploratory, in ten rounds, single readings instead:")
    name = "protocols" if report.protocols is not None else "protocol_readings"
    if name in report.pictures:
        caption = "Bias against RMS of all cells, ours − paper; shaded: where random numbers within ±3 points lie."
        yield picture(name, caption, report)


def _answer(shown: Shown) -> Html:
    """What an analysis says in short."""
    one = shown.analysis
    if one.answer is None or shown.findings is None:
        return Html()
    more = tag("p", {}, link(f"#{anchor_of(one.chapter)}", "More of this"))
    return tag("div", {"class": "finding"}, tag("h3", {}, one.about), block_html(one.answer(shown.findings)), more)
