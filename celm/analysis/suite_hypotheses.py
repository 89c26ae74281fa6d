"""Hypotheses on leads over many sets: parts judged by limits of intervals, on fresh sets and beside them on others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from celm.analysis.statistics import paired_t
from celm.analysis.suite_leads import Lead, Scores, SetLead, among, pooled_lead, scores_of, set_leads, source_rounds
from celm.analysis.words import FAILS, HOLDS, NOT_RUN, OPEN
from celm.base.validation import check_choice

# Over which sample a hypothesis is judged: sources of data, or rounds on the data that are there.
BEYOND, THESE_DATA = "beyond", "these data"
LEVELS = (BEYOND, THESE_DATA)


@dataclass(frozen=True)
class Part:
    """A lead and where it must lie."""

    name: str
    lead: Lead
    at_least: float = -math.inf
    at_most: float = math.inf

    def verdict(self, low: float, high: float) -> str:
        """Holds if a whole interval lies inside, fails if the whole of it lies outside, open otherwise."""
        if math.isnan(low) or math.isnan(high):
            return OPEN
        if self.at_least <= low and high <= self.at_most:
            return HOLDS
        return FAILS if high < self.at_least or low > self.at_most else OPEN


@dataclass(frozen=True)
class Hypothesis:
    """What is said, of which sets, by which score and on which level; see experiments/papers/celm/hypotheses.yaml."""

    id: str
    reads: tuple[str, ...]
    says: str
    why: str
    score: str
    kinds: tuple[str, ...]
    fresh: bool
    level: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class PartVerdict:
    """What became of a part: the lead with its intervals, and on how many sets it holds, fails or is open by itself.

    ``exploratory`` is the same on sets that trials had seen, where the hypothesis is tested on fresh ones.
    """

    name: str
    verdict: str
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    predicted_low: float | None = None
    predicted_high: float | None = None
    sets: int = 0
    sources: int = 0
    holds: int = 0
    fails: int = 0
    open: int = 0
    reason: str = ""
    exploratory: PartVerdict | None = None


@dataclass(frozen=True)
class HypothesisVerdict:
    """A hypothesis and what became of it."""

    hypothesis: Hypothesis
    verdict: str
    parts: tuple[PartVerdict, ...] = field(default_factory=tuple)

    def document(self) -> dict[str, Any]:
        """Plain data for verdict.json."""
        one = self.hypothesis
        about = {"id": one.id, "says": one.says, "score": one.score, "level": one.level, "fresh_sets": one.fresh}
        margins = [{"of": p.lead.of, "over": p.lead.over, **_margins(p)} for p in one.parts]
        parts = [{**asdict(found), **margin} for found, margin in zip(self.parts, margins, strict=True)]
        return {**about, "verdict": self.verdict, "parts": parts}


def _margins(part: Part) -> dict[str, float]:
    edges = {"at_least": part.at_least, "at_most": part.at_most}
    return {name: value for name, value in edges.items() if math.isfinite(value)}


def hypothesis_of(entry: Mapping[str, Any]) -> Hypothesis:
    """A hypothesis from its entry; a ValueError names the key that is wrong."""
    owner = f"hypothesis {entry.get('id')}"
    check_choice(entry["level"], "level", LEVELS, owner)
    parts = []
    for one in entry["parts"]:
        edges = {name: float(one[name]) for name in ("at_least", "at_most") if name in one}
        if not edges:
            raise ValueError(f"{owner}: the part {one['name']!r} must have at_least or at_most.")
        parts.append(Part(one["name"], Lead(entry["id"], tuple(one["of"]), tuple(one["over"])), **edges))
    lists = {name: tuple(entry[name]) for name in ("reads", "kinds")}
    return Hypothesis(**{**entry, **lists, "parts": tuple(parts)})


def judge_hypothesis(hypothesis: Hypothesis, frame: pd.DataFrame, sets: pd.DataFrame) -> HypothesisVerdict:
    """What records say of a hypothesis.

    All parts must hold, each by its own 95 % interval: an intersection needs no correction for their number.
    """
    scores = scores_of(frame, sets, hypothesis.score)
    parts = tuple(_judged_part(hypothesis, part, scores) for part in hypothesis.parts)
    return HypothesisVerdict(hypothesis, together([part.verdict for part in parts]), parts)


def together(verdicts: Sequence[str]) -> str:
    """The verdict on several parts of which all are claimed."""
    if FAILS in verdicts:
        return FAILS
    if NOT_RUN in verdicts:
        return NOT_RUN
    return OPEN if OPEN in verdicts else HOLDS


def _judged_part(hypothesis: Hypothesis, part: Part, scores: Scores) -> PartVerdict:
    every = among(set_leads(scores, part.lead), hypothesis.kinds)
    if not hypothesis.fresh:
        return judge_part(part, every, hypothesis.level)
    seen = among(every, (), tried=True)
    beside = judge_part(part, seen, hypothesis.level) if seen else None
    found = judge_part(part, among(every, (), tried=False), hypothesis.level)
    return replace(found, exploratory=beside)


def judge_part(part: Part, leads: Sequence[SetLead], level: str) -> PartVerdict:
    """A part on some sets, on one level; open where there are too few sources to pool."""
    if not leads:
        return PartVerdict(part.name, NOT_RUN, reason="no set of its kind has records")
    alone = [part.verdict(one.estimate.low, one.estimate.high) for one in leads]
    counts: dict[str, Any] = {"sets": len(leads), "sources": len({one.source for one in leads})}
    counts |= {word: alone.count(word) for word in (HOLDS, FAILS, OPEN)}
    if level == THESE_DATA:
        mean = paired_t(np.asarray(source_rounds(leads)).mean(axis=0))
        return PartVerdict(part.name, part.verdict(mean.low, mean.high), mean.mean, mean.low, mean.high, **counts)
    pooled, reason = pooled_lead(leads)
    if pooled is None:
        return PartVerdict(part.name, OPEN, reason=reason, **counts)
    return PartVerdict(
        part.name,
        part.verdict(pooled.low, pooled.high),
        pooled.effect,
        pooled.low,
        pooled.high,
        pooled.predicted_low,
        pooled.predicted_high,
        **counts,
    )
