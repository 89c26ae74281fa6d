"""The hypotheses of the wide studies under other weights of sources: exploratory, beside the registered verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from celm.analysis.source_weights import Limits, Weighed, weighed
from celm.analysis.suite_hypotheses import BEYOND, Hypothesis, Part
from celm.analysis.suite_leads import among
from celm.base.names import dataset_label
from celm.render.document import Block, Heading, Line, Paragraph, Table
from experiments.analyses.suite_judged import Wide

ABOUT = (
    "Registered is the pooled lead, which weighs a source by its precision; sets on which all models answer alike are "
    "very precise. Written after the records, so exploratory: as many sources of equal weight as would weigh the same, "
    "the lead with all sources weighed alike (Student's t over them), and the pooled lead without the heaviest."
)


class Reweighed(NamedTuple):
    """A part of a hypothesis, and how its lead hangs on the weights of sources."""

    hypothesis: Hypothesis
    part: Part
    found: Weighed

    def verdict(self, limits: Limits) -> str:
        """What the part's rule would say of these limits."""
        return self.part.verdict(limits.low, limits.high)


def sources_of(found: Wide) -> int:
    """How many independent sources have records; ranks are over those that have all models."""
    return int(found.sets.loc[found.sets["dataset"].isin(found.means["dataset"]), "source"].nunique())


def reweighed(found: Wide) -> list[Reweighed]:
    """Every part that is judged over sources, on the sets that it is judged on."""
    known = {(lead.of, lead.over): found.by_set[lead.id] for lead in found.leads}
    rows = []
    for one in (verdict.hypothesis for verdict in found.hypotheses):
        for part in one.parts if one.level == BEYOND else ():
            leads = among(known.get((part.lead.of, part.lead.over), []), one.kinds, False if one.fresh else None)
            told = weighed(leads)
            if told is not None:
                rows.append(Reweighed(one, part, told))
    return rows


def _text(limits: Limits) -> str:
    effect, low, high = (f"{100 * value:+.2f}" for value in limits)
    return f"{effect} ({low} to {high})"


def weights_told(found: Wide) -> Iterator[Block]:
    """Nothing where no lead is pooled over sources."""
    rows: list[list[Line]] = [
        [
            one.hypothesis.says,
            one.part.name,
            f"{dataset_label(one.found.heaviest)}, {100 * one.found.share:.0f} %",
            f"{one.found.effective:.1f}",
            _text(one.found.alike),
            one.verdict(one.found.alike),
            _text(one.found.without),
            one.verdict(one.found.without),
        ]
        for one in reweighed(found)
    ]
    if rows:
        yield Heading("Do the verdicts hang on the weights of sources?")
        yield Paragraph(ABOUT)
        header = ["hypothesis", "lead of", "heaviest source", "as many as", "all alike", "", "without the heaviest", ""]
        yield Table(header, rows)


def weights_document(found: Wide) -> list[dict[str, Any]]:
    """Plain data for verdict.json."""
    return [
        {
            "hypothesis": one.hypothesis.id,
            "part": one.part.name,
            "heaviest": one.found.heaviest,
            "share": one.found.share,
            "effective": one.found.effective,
            "alike": {**one.found.alike._asdict(), "verdict": one.verdict(one.found.alike)},
            "without": {**one.found.without._asdict(), "verdict": one.verdict(one.found.without)},
        }
        for one in reweighed(found)
    ]
