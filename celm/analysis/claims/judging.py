"""A claim of the paper and its verdict: checked parameters, the records it reads, one outcome."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

import pandas as pd

from celm.analysis.claims.accuracy import CurvesAbove, Lead, Level, Range, ShareAbove, Winners
from celm.analysis.claims.changes import Change
from celm.analysis.claims.cost import LatencyRatio, NodeRatio, Ratio
from celm.analysis.claims.curve_claims import Fall, Resistance, Shrinkage, SpreadRatio
from celm.analysis.claims.outcome import Measured, Outcome, Region, not_run, outcome_of
from celm.analysis.claims.rounds import NoRecords, all_printed, is_printed
from celm.analysis.levels import Bounds, LevelVerdict, beyond, on_items, on_these_data, vacuous
from celm.base.validation import check_choice


class Measure(Protocol):
    """What a claim compares: a pure function of the records, its parameters held by a frozen dataclass."""

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
    "node_ratio": NodeRatio,
    "latency_ratio": LatencyRatio,
}


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper as a check: what is measured in which experiments, and where it must lie.

    registered: whether its margin was committed before any of the records that it reads.
    """

    id: str
    section: str
    says: str
    why: str
    reads: tuple[str, ...]
    measure: Measure
    region: Region
    registered: bool = False


KEYS = {"id", "section", "says", "why", "reads", "measure", "with", "at_least", "at_most"}
NEEDED = KEYS - {"at_least", "at_most"}


def claim_of(entry: Mapping[str, Any], known: Collection[str] = ()) -> Claim:
    """A claim from its entry in the file of claims; a ValueError says what is wrong with which claim.

    ``known`` are the experiments whose records were there before the claim was. A printed table always was.
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
    registered = not any(name in known or is_printed(name) for name in entry["reads"])
    return Claim(id_, section, says, why, tuple(entry["reads"]), measure, region, registered)


def claims_of(entries: Sequence[Mapping[str, Any]], known: Collection[str] = ()) -> list[Claim]:
    """All claims of a file; their ids must differ."""
    claims = [claim_of(entry, known) for entry in entries]
    seen: set[str] = set()
    for claim in claims:
        if claim.id in seen:
            raise ValueError(f"claim {claim.id}: this id is there twice.")
        seen.add(claim.id)
    return claims


def levels_of(claim: Claim, frame: pd.DataFrame, found: Measured) -> tuple[LevelVerdict, LevelVerdict]:
    """The verdicts on both levels: on these data, whose rounds are independent given them, and beyond."""
    least, most = claim.region
    bounds = Bounds(-math.inf if least is None else least, math.inf if most is None else most)
    if found.vacuous:
        nothing = vacuous(found.vacuous, claim.registered)
        return nothing, nothing
    if found.rounds:
        here = on_these_data(found.rounds, bounds, found.unit, claim.registered)
        return here, beyond(found.rounds, bounds, found.unit, claim.registered)
    # A share or a spread has no value by round: it is measured again with plain intervals.
    plain = found if all_printed(frame) else claim.measure.measure(frame.assign(official_split=True))
    here = on_items(plain.overall[1:], [item[1:] for item in plain.items], bounds, claim.registered)
    return here, LevelVerdict(None, reason="it has no effect per data set to pool")


def judge(claim: Claim, frames: Mapping[str, pd.DataFrame], commands: Mapping[str, str]) -> Outcome:
    """The outcome of a claim from the frames of its experiments; an empty or missing frame means "not run".

    ``commands`` has, for every experiment, the command that runs it.
    """
    missing = [name for name in claim.reads if frames.get(name) is None or frames[name].empty]
    if missing:
        told = "; ".join(f"{name} (run: {commands.get(name, name)})" for name in missing)
        return not_run(f"Not all records of {told} are published.")
    frame = pd.concat([frames[name].assign(experiment=name) for name in claim.reads], ignore_index=True)
    try:
        found = claim.measure.measure(frame)
        here, further = levels_of(claim, frame, found)
        return outcome_of(found, claim.region)._replace(on_these_data=here, beyond=further)
    except NoRecords as lacking:
        told = "; ".join(f"{name} (run: {commands.get(name, name)})" for name in claim.reads)
        return not_run(f"The records lack something: {lacking}. They are those of {told}.")
