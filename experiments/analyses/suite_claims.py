"""Claims that join no wide study, on its sets nevertheless: leads pooled over independent sources, exploratory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.bounds import Bounds
from celm.analysis.random_effects import Pooled
from celm.analysis.suite_leads import PARTS, Lead, Scores, SetLead, among, pooled_lead, scores_of, set_leads
from celm.analysis.summary import chosen_rows
from celm.base.names import CELMS
from celm.render.document import Block, Code, Document, Paragraph, Table, document
from celm.render.numbers import points
from experiments.analyses.sentences_judged import written_claims
from experiments.analyses.suite_judged import sets_of
from experiments.analysis import Analysis, Frames

SCORE = "accuracy"
# Claim -> what leads over what on the sets of the study.
LEADS = {
    "normalisation_helps_elm": (("normalized_elm",), ("elm",)),
    "constrained_weights_help_beyond_normalisation": (CELMS, ("normalized_elm",)),
    "elm_beats_linear_svm": (("elm",), ("linear_svm",)),
}
# Claim -> the models of which the best is held against the worst on every set.
RANGES = {"celms_differ_little_uci": CELMS}
# A share of cases has no margin in points: what is asked of the mean lead in its place.
ABOVE = Bounds(0.0, math.inf)
WORDS = {
    "normalisation_helps_elm": "normalized ELM − ELM",
    "constrained_weights_help_beyond_normalisation": "CELMs − normalized ELM",
    "celms_differ_little_uci": "best − worst of the five CELMs",
    "elm_beats_linear_svm": "ELM − linear SVM",
}
ABOUT = (
    "Exploratory: these claims join no wide study, so that their verdict beyond the paper's data is empty, and "
    "joining it now would edit what is registered. The wide study ran their models all the same. Leads in points "
    "with the interval of Hartung and Knapp over independent sources, then the prediction interval of one further "
    "source; the last column holds the first against the claim's own margin, which was written for the paper's "
    "data. The best of five models is above the worst by noise alone, so a range is too wide rather than too "
    "narrow; a share of cases is told as the mean lead, asked to be above zero, and by the sets on which it is."
)


class Part(NamedTuple):
    """A claim on some of the sets: pooled over sources, or why not, and on how many sets its lead is above zero."""

    claim: str
    sets: str
    n_sets: int
    above: int
    pooled: Pooled | None
    reason: str
    bounds: Bounds

    @property
    def verdict(self) -> str:
        """What the margin of the claim would say of the interval."""
        return self.bounds.verdict(self.pooled.low, self.pooled.high) if self.pooled else ""


def range_leads(scores: Scores, models: tuple[str, ...]) -> list[SetLead]:
    """On every set the best model by its mean over rounds minus the worst, in the order of the sets."""
    means = scores.table[list(models)].dropna().groupby(level="dataset").mean()
    pairs = means.agg(lambda row: (row.idxmax(), row.idxmin()), axis=1)
    found = {
        one.dataset: one
        for best, worst in dict.fromkeys(pairs)
        for one in set_leads(scores, Lead("range", (best,), (worst,)))
        if pairs[one.dataset] == (best, worst)
    }
    return [found[name] for name in scores.sets["dataset"] if name in found]


def find(frames: Frames) -> list[Part]:
    """Every claim on all sets, on fresh and on tried tables, and on images."""
    scores = scores_of(chosen_rows(frames["suite"]), sets_of("classification"), SCORE)
    asked = {claim.id: claim.region.bounds() for claim in written_claims()}
    asked["elm_beats_linear_svm"] = ABOVE
    leads = {name: set_leads(scores, Lead(name, *pair)) for name, pair in LEADS.items()}
    leads |= {name: range_leads(scores, models) for name, models in RANGES.items()}
    return [
        Part(name, part, len(mine), sum(one.rounds.mean() > 0 for one in mine), *pooled_lead(mine), asked[name])
        for name in WORDS
        for part, (kinds, tried) in PARTS.items()
        if (mine := among(leads[name], kinds, tried))
    ]


def _row(part: Part) -> list[Any]:
    about = [Code(part.claim), WORDS[part.claim], part.sets, f"{part.above} of {part.n_sets}"]
    if part.pooled is None:
        return [*about, part.reason, "", "", ""]
    one = part.pooled
    predicted = f"{100 * one.predicted_low:+.1f} to {100 * one.predicted_high:+.1f}"
    return [*about, points(one.effect, one.low, one.high), predicted, f"{one.sources}", part.verdict]


def _blocks(found: list[Part]) -> Iterator[Block]:
    yield Paragraph(ABOUT)
    header = ["claim", "lead", "sets", "above zero on", "pooled", "one further source", "sources", "at its margin"]
    yield Table(header, [_row(part) for part in found])


def told(found: list[Part]) -> Document:
    """What the claims would be on other data."""
    return document("Claims beyond the paper's data that join no wide study", _blocks(found))


def numbers(found: list[Part]) -> pd.DataFrame:
    """One row per claim and part of the sets."""
    rows = [
        {
            "claim": part.claim,
            "sets": part.sets,
            "n_sets": part.n_sets,
            "above": part.above,
            **(part.pooled._asdict() if part.pooled else {}),
            "verdict": part.verdict,
            "reason": part.reason,
        }
        for part in found
    ]
    table: pd.DataFrame = pd.DataFrame.from_records(rows)
    return table


SUITE_CLAIMS = Analysis(
    name="suite_claims",
    about="Claims that join no wide study on its sets: pooled leads over independent sources, exploratory",
    reads=("suite",),
    find=find,
    document=told,
    numbers=numbers,
    chapter="Wide study",
)
