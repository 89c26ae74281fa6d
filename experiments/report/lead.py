"""What the page leads with: the question, the answer in one paragraph, pooled effects, protocols, and the counts."""

from __future__ import annotations

from collections.abc import Iterator

from celm.analysis import words
from celm.analysis.cell_equivalence import DIFFERENT, EQUIVALENCE_VERDICTS, EQUIVALENT, RULE, equivalence_counts
from celm.analysis.claims import Claim, Judged, Outcome, reason_of, with_interval, written
from celm.analysis.verdicts import MARGIN, MARGIN_FIRST, MARGINS
from celm.base.names import dataset_label
from experiments.analyses.sentences import leading_claims
from experiments.report.chapters import picture, quiet
from experiments.report.conclusion import conclusion
from experiments.report.document_html import block_html
from experiments.report.gather import Report, Shown
from experiments.report.markup import Html, anchor_of, link, section, simple_table, tag
from experiments.report.signs import badge, counts_bar, legend

QUESTION = (
    "Two questions: can the paper's numbers be reproduced, and do its sentences hold? A number depends on scaling, "
    "selection and random splits, some of which the paper leaves open; a sentence compares methods under one protocol."
)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {word}" for word, n in counts.items() if n)


def headline_text(report: Report) -> str:
    """The answer in one paragraph, in numbers: cells and claims, and why they can differ."""
    return " ".join(filter(None, headline_parts(report)))


def headline_parts(report: Report) -> list[str]:
    """The conclusion, then what it rests on, line by line; an empty line where nothing can be said yet."""
    cells, claims = equivalence_counts(report.equivalences()), report.claim_counts()
    beyond = sum(outcome.beyond.effect is not None for _, outcome in report.claims)
    return [
        conclusion(
            (cells[EQUIVALENT], cells[DIFFERENT]),
            (claims[words.HOLDS], claims[words.FAILS]),
        ),
        f"Of the paper's {sum(cells.values())} accuracy numbers, held against ours by equivalence within the margin: "
        f"{_counted(cells)}. By the laxer rule of the tables below: {_counted(report.cell_counts())}.",
        _nearest_text(report),
        f"Of {len(report.claims)} claims in its text, on these data: {_counted(claims)}; {beyond} of them can be "
        "judged beyond these data.",
        _reconciled(cells, claims),
    ]


def _nearest_text(report: Report) -> str:
    found = report.under_nearest()
    if found is None:
        return "Which protocol the paper used is not known yet: whole protocols are not run."
    kind = "most probable protocol" if _fits(report) else "protocol that comes nearest, though none fits"
    return f"Under the {kind}, {found.protocol}: {_counted(found.counts())}."


def _fits(report: Report) -> bool:
    """Whether a listed protocol could have written the paper."""
    return report.protocols is not None and report.protocols.findings.identified["ours"].most_probable is not None


def _reconciled(cells: dict[str, int], claims: dict[str, int]) -> str:
    """How the two answers go together."""
    decided = claims[words.HOLDS] + claims[words.FAILS]
    if not decided or cells[words.NOT_RUN] == sum(cells.values()):
        return ""
    return (
        "Numbers can differ while claims hold: an unstated choice moves the numbers of all methods together, and a "
        "claim is about the difference between methods."
    )


def headline(report: Report) -> Html:
    """What came out, first."""
    bars = [
        counts_bar(equivalence_counts(report.equivalences()), f"{len(report.paper_cells())} accuracy numbers, default"),
        counts_bar(report.claim_counts(), f"{len(report.claims)} claims, on these data"),
    ]
    first, *rest = headline_parts(report)
    found = report.under_nearest()
    if found is not None:
        bars.insert(1, counts_bar(found.counts(), f"{len(found.cells)} of them under {found.protocol}"))
    return section(
        "verdict",
        "Does the paper hold up?",
        tag("p", {}, QUESTION),
        tag("p", {"class": "answer"}, first),
        tag("ul", {}, *(tag("li", {}, line) for line in rest if line)),
        effects_table(report.claims),
        *_protocols(report),
        tag("div", {"class": "counts"}, *bars),
        legend(dict.fromkeys((*EQUIVALENCE_VERDICTS, *words.CLAIM_VERDICTS))),
        quiet(_margins()),
        *map(_answer, report.shown),
    )


def _margins() -> str:
    others = ", ".join(f"{margin:.3f} on {dataset_label(name)}" for name, margin in MARGINS.items())
    return f"Numbers: {RULE}. The margin is {MARGIN:.3f} ({others}); {MARGIN_FIRST}."


def effects_table(claims: Judged) -> Html:
    """The pooled effects of the leading claims, on these data and beyond them."""
    known = {claim.id: (claim, outcome) for claim, outcome in claims}
    rows = [_effect(text, *known[name]) for name, text in leading_claims().items() if name in known]
    header = ["pooled effect", "on these data", "with its 95 % interval", "beyond them", "with its 95 % interval"]
    return simple_table("pooled effects on both levels", header, rows)


def _effect(text: str, claim: Claim, outcome: Outcome) -> list[str]:
    name = link(f"#claim-{claim.id}", text)
    pooled = outcome.pooled()
    here = "–" if pooled is None else with_interval(pooled, outcome.unit)
    further = outcome.beyond
    if further.effect is None:
        there, sign = reason_of(claim, further, outcome.unit) or "–", "–"
    else:
        low, high = (written(end, outcome.unit) for end in (further.low, further.high))
        there = f"{written(further.effect, outcome.unit)} ({low} to {high}), {further.sources} sources"
        sign = badge(str(further.verdict))
    return [name, badge(outcome.verdict), here, sign, there]


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
