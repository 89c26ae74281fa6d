"""A claim of the paper and its verdict: checked parameters, the records it reads, one outcome."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol

import pandas as pd

from celm.analysis.claims.accuracy import CurvesAbove, Lead, Level, Range, ShareAbove, Winners
from celm.analysis.claims.changes import Change
from celm.analysis.claims.cost import ChangeRatio, Growth, LatencyRatio, NodeRatio, Ratio
from celm.analysis.claims.curve_claims import Fall, Resistance, Shrinkage, SpreadRatio
from celm.analysis.claims.outcome import Measured, Outcome, Region, not_run, outcome_of
from celm.analysis.claims.rounds import NoRecords, is_printed
from celm.analysis.levels import ItemRounds
from celm.analysis.random_effects import source_of
from celm.base.validation import check_choice


class Measure(Protocol):
    """What a claim compares: a pure function of the records, its parameters held by a frozen dataclass.

    QUANTITY: what it measures, in words.
    """

    QUANTITY: ClassVar[str]

    def measure(self, frame: pd.DataFrame) -> Measured:
        """Everything compared, with intervals."""


MEASURES: dict[str, Any] = {
    "level": Level,
    "lead": Lead,
    "curves_above": CurvesAbove,
    "share_above": ShareAbove,
    "winners": Winners,
    "range": Range,
    "change": Change,
    "fall": Fall,
    "spread_ratio": SpreadRatio,
    "shrinkage": Shrinkage,
    "resistance": Resistance,
    "ratio": Ratio,
    "growth": Growth,
    "change_ratio": ChangeRatio,
    "node_ratio": NodeRatio,
    "latency_ratio": LatencyRatio,
}


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper as a check: what is measured in which experiments, and where it must lie.

    says: the paper's own words. where: what they are checked on, if the words do not say it. cited: whether the paper
    takes the sentence from others. margin_first: whether its margin was committed before any of the records that it
    reads. joins: wider experiments whose data sets join it beyond these data, once they are there.
    """

    id: str
    section: str
    says: str
    why: str
    reads: tuple[str, ...]
    measure: Measure
    region: Region
    margin_first: bool = False
    where: str = ""
    cited: bool = False
    joins: tuple[str, ...] = ()


# Units in words, and columns that a measure may take in the place of accuracy.
UNITS = {
    "points": "percentage points",
    "accuracy": "share of test rows",
    "times": "times",
    "share": "per cent",
    "digits": "decimal digits",
}
COLUMNS = {
    "fit_seconds": "seconds to fit",
    "draw_seconds": "seconds to draw the layer",
    "train_seconds": "printed training seconds",
    "kl_divergence": "divergence that t-SNE is left with",
    "trustworthiness": "trustworthiness",
    "saturated": "share of saturated pre-activations",
    "condition_digits": "decimal digits of the condition number",
}


def quantity_of(claim: Claim, unit: str) -> str:
    """What a claim measures, with its unit: ``difference of test accuracies, in percentage points``."""
    column = getattr(claim.measure, "column", "accuracy")
    words = claim.measure.QUANTITY
    if column != "accuracy":
        words = words.replace("test accuracies", COLUMNS[column]).replace("test accuracy", COLUMNS[column])
        words = f"{words} of {COLUMNS[column]}" if words == "ratio" else words
    return f"{words}, in {UNITS[unit]}" if unit and UNITS[unit] not in words else words


OPTIONAL = {"at_least", "at_most", "where", "cited", "late", "joins"}
NEEDED = {"id", "section", "says", "why", "reads", "measure", "with"}
KEYS = NEEDED | OPTIONAL


def claim_of(entry: Mapping[str, Any], known: Collection[str] = ()) -> Claim:
    """A claim from its entry in the file of claims; a ValueError says what is wrong with which claim.

    ``known`` are the experiments whose records were there before any claim was; a claim that came later still says
    ``late``. A printed table was always there.
    """
    owner = f"claim {entry.get('id', '(without id)')}"
    for key in sorted(NEEDED - entry.keys()):
        raise ValueError(f"{owner}: {key} is missing.")
    for key in sorted(entry.keys() - KEYS):
        check_choice(key, "key", sorted(KEYS), owner)
    check_choice(entry["measure"], "measure", MEASURES, owner)
    kind = MEASURES[entry["measure"]]
    names = [field.name for field in fields(kind)]
    for key in entry["with"]:
        check_choice(key, f"parameter of {entry['measure']}", names, owner)
    region = Region(entry.get("at_least"), entry.get("at_most"))
    if region == Region():
        raise ValueError(f"{owner}: needs at_least or at_most, the margin that decides it.")
    try:
        measure = kind(**entry["with"])
    except TypeError as error:
        raise ValueError(f"{owner}: {entry['measure']} {str(error).partition('() ')[2]}.") from error
    id_, section, says, why = (str(entry[key]).strip() for key in ("id", "section", "says", "why"))
    before = any(name in known or is_printed(name) for name in entry["reads"])
    first = not (before or entry.get("late", False))
    where, cited = str(entry.get("where", "")).strip(), bool(entry.get("cited", False))
    joins = tuple(entry.get("joins", ()))
    return Claim(id_, section, says, why, tuple(entry["reads"]), measure, region, first, where, cited, joins)


def claims_of(entries: Sequence[Mapping[str, Any]], known: Collection[str] = ()) -> list[Claim]:
    """All claims of a file; their ids must differ."""
    claims = [claim_of(entry, known) for entry in entries]
    seen: set[str] = set()
    for claim in claims:
        if claim.id in seen:
            raise ValueError(f"claim {claim.id}: this id is there twice.")
        seen.add(claim.id)
    return claims


def minutes_of(frame: pd.DataFrame) -> float:
    """How long all cells of an experiment took one after the other; not a number where records do not say it."""
    if "seconds" not in frame or "cell" not in frame:
        return float("nan")
    return float(frame.drop_duplicates("cell")["seconds"].sum()) / 60


def _joining(claim: Claim, frames: Mapping[str, pd.DataFrame], measured: Measured) -> tuple[ItemRounds, ...]:
    """The same comparisons on data sets that only the wider experiments have, with all models that the claim names."""
    known = {item.dataset for item in measured.rounds}
    items: list[ItemRounds] = []
    for name in claim.joins:
        frame = frames.get(name, pd.DataFrame())
        for dataset, rows in frame.groupby("dataset", sort=False) if len(frame) else ():
            if dataset not in known:
                with suppress(NoRecords):
                    items += claim.measure.measure(rows.assign(experiment=name)).rounds
    return tuple(items)


def judge(
    claim: Claim,
    frames: Mapping[str, pd.DataFrame],
    commands: Mapping[str, str],
    registered: bool = False,
    source: Callable[[str], str] = source_of,
) -> Outcome:
    """The outcome of a claim from the frames of its experiments; an empty or missing frame means "not run".

    ``commands`` has, for every experiment, the command that runs it. ``registered``: whether the records were made
    under a registration that fixed the claim before the first of them. ``source``: data set -> the independent source
    that it belongs to.
    """
    missing = [name for name in claim.reads if frames.get(name) is None or frames[name].empty]
    if missing:
        told = "; ".join(f"{name} (run: {commands.get(name, name)})" for name in missing)
        return not_run(f"Not all records of {told} are published.")
    frame = pd.concat([frames[name].assign(experiment=name) for name in claim.reads], ignore_index=True)
    minutes = {name: minutes_of(frames[name]) for name in claim.reads}
    try:
        measured = claim.measure.measure(frame)
        found = outcome_of(measured, claim.region, registered, _joining(claim, frames, measured), source)
        return found._replace(minutes=minutes)
    except NoRecords as lacking:
        told = "; ".join(f"{name} (run: {commands.get(name, name)})" for name in claim.reads)
        return not_run(f"The records lack something: {lacking}. They are those of {told}.")
