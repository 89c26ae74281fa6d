"""Which one should I use? Advice that follows from the pooled leads of the wide studies, whatever they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from celm.analysis.words import OPEN
from celm.render.document import Block, Bold, Code, Document, Heading, Items, Line, Paragraph, document
from celm.render.numbers import missing, points
from experiments.analyses.suite_judged import Wide
from experiments.analyses.suite_words import LEAD_WORDS, answer_of
from experiments.analyses.wide_study import SUITE, SUITE_REGRESSION
from experiments.analysis import Analysis

# What a user would hardly notice, as the hypotheses of the wide study have it: half a point.
NOTICED = 0.005
# What can be put into an ELM, in the order in which one would try it, and what can be taken in its place.
STEPS = (
    "lead_scale",
    "lead_covariance",
    "lead_samples",
    "lead_celms_beyond_scale",
    "lead_labels_ciw",
    "lead_labels_sums",
)
RIVALS = {
    "lead_over_linear": "linear ridge",
    "lead_over_svm": "a linear SVM",
    "lead_over_kernel": "an RBF kernel",
    "lead_over_boosting": "gradient boosting",
}
DIRECTIONS = {"lead_covariance": "covariance", "lead_samples": "selm"}
# A kind of problem -> the study that has it, and which of its sets.
KINDS = {
    "A class, from a table": ("suite", "tables, fresh"),
    "A class, from images": ("suite", "images"),
    "A number, from a table": ("suite_regression", "tables, fresh"),
}
STUDIES = (SUITE[0], SUITE_REGRESSION[0])
Leads = Mapping[str, Mapping[str, Any]]


def leads_of(found: Wide, part: str) -> Leads:
    """The pooled leads of one part of the sets, by the score that decides."""
    pooled = found.pooled[(found.pooled["score"] == found.scores[0]) & (found.pooled["sets"] == part)]
    return {row["lead"]: row for row in pooled.to_dict(orient="records")}


def outcome(low: float, high: float) -> str:
    """What limits say of a lead; half a point is the least that is noticed."""
    if low > 0:
        return "gains" if low >= NOTICED else "gains, perhaps less than half a point"
    if high < 0:
        return "loses" if high <= -NOTICED else "loses, perhaps less than half a point"
    return "no difference of half a point either way" if max(-low, high) < NOTICED else OPEN


def _sure(row: Mapping[str, Any] | None) -> int:
    """1 if a lead is surely above zero, -1 if surely below, else 0."""
    if row is None or missing(row.get("low")):
        return 0
    return int(row["low"] > 0) - int(row["high"] < 0)


def lead_line(name: str, row: Mapping[str, Any]) -> Line:
    """A lead with its interval, on how many sets it is above and below zero, and what that says."""
    sets = f"better on {row['wins']:.0f} sets, worse on {row['losses']:.0f}"
    low, high = (float(row.get(edge, math.nan)) for edge in ("low", "high"))
    told = f"{LEAD_WORDS[name]}: {points(row['effect'], low, high)}, {sets}"
    return told if missing(low) else (f"{told}: ", Bold(outcome(low, high)))


def scale_advice(leads: Leads) -> Line:
    """Whether folds should choose the scale."""
    sure = _sure(leads.get("lead_scale"))
    if sure > 0:
        return "Let folds choose the scale of the weights (", Code("input_scales"), ")."
    if sure < 0:
        return "Leave the scale of the weights as it is drawn."
    return "Whether folds should choose the scale of the weights is open; it costs a pass over the rows for each scale."


def direction_advice(leads: Leads) -> Line:
    """Which directions: the one that surely gains most over random ones, if any does."""
    known = {name: leads[name] for name in DIRECTIONS if name in leads}
    gaining = [name for name, row in known.items() if _sure(row) > 0]
    if gaining:
        best = max(gaining, key=lambda name: known[name]["effect"])
        little = known[best]["high"] < NOTICED
        return (
            "Then take ",
            Code(f'strategy="{DIRECTIONS[best]}"'),
            ", which gains less than half a point." if little else ".",
        )
    small = [name for name, row in known.items() if not missing(row.get("high")) and row["high"] < NOTICED]
    if known and len(small) == len(known):
        return "Random directions do: those of the data gain less than half a point over them at the same scale."
    return "Whether directions of the data gain anything over random ones at the same scale is open."


def rival_advice(leads: Leads) -> Line:
    """Models of another kind that are surely better or worse than directions with the covariance at a chosen scale."""
    words = {
        sign: [RIVALS[name] for name in RIVALS if name in leads and _sure(leads[name]) == sign] for sign in (1, 0, -1)
    }
    told = [
        f"{text}: {', '.join(words[sign])}"
        for sign, text in ((-1, "surely better"), (0, "not surely better or worse"), (1, "surely worse"))
        if words[sign]
    ]
    return f"Against directions with the covariance at a chosen scale, other models are {'; '.join(told)}."


def advice(leads: Leads) -> list[Line]:
    """What to do, in three sentences."""
    return [scale_advice(leads), direction_advice(leads), rival_advice(leads)]


def _kind(title: str, found: Wide, part: str) -> Iterator[Block]:
    leads = leads_of(found, part)
    yield Heading(title)
    if not leads:
        yield Paragraph("No set of this kind has records.")
        return
    sources = max(int(row["n_sources"]) for row in leads.values())
    unit = {"accuracy": "accuracy", "r2": "R²"}[found.scores[0]]
    lead = f"Means over {sources} independent sources, too few to speak of others; points are hundredths of {unit}:"
    if any(not missing(row.get("low")) for row in leads.values()):
        yield Items(advice(leads), f"From {sources} independent sources ({part}):", numbered=True)
        lead = f"In points, hundredths of {unit}:"
    yield Items([lead_line(name, leads[name]) for name in (*STEPS, *RIVALS) if name in leads], lead)
    kinds = [one for one in found.hypotheses if part == "images" and one.hypothesis.kinds == ("image",)]
    if kinds:
        yield Items([answer_of(one) for one in kinds], "On these data alone, rounds taken as the sample:")


def told(found: Mapping[str, Wide]) -> Document:
    """Advice for every kind of problem, and the numbers that it follows from."""
    rule = (
        "Each sentence follows from a pooled lead and its 95 % interval: something gains if the whole interval lies "
        "above zero, and half a point is the least that is called a gain one would notice. Tables are those that no "
        "trial had seen."
    )
    blocks: list[Block] = [Paragraph(rule)]
    for title, (study, part) in KINDS.items():
        if study in found:
            blocks += _kind(title, found[study], part)
    return document("Which one should I use?", blocks)


WHICH = Analysis(
    name="which_one",
    about="Which one should I use? Advice as it follows from the wide studies",
    reads=tuple(name for study in STUDIES for name in study.reads),
    of=STUDIES,
    needs=(),
    find=dict[str, Wide],
    document=told,
    chapter="Wide study",
)
