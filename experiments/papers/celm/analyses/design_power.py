"""Would the planned rounds decide every claim? The power of the confirmatory design, before it is run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pandas as pd

from celm.analysis.claims import Claim
from celm.analysis.claims.accuracy import ShareAbove
from celm.analysis.claims.outcome import Measured
from celm.analysis.claims.rounds import NoRecords
from celm.analysis.levels import TIMES
from celm.analysis.power import WANTED, Power, design_power, lacking_power, share_power
from celm.render.document import Block, Code, Document, Paragraph, Table, document
from experiments.analyses.sentences_judged import confirmatory, read_by, written_claims
from experiments.analysis import Analysis, Frames
from experiments.config.studies import composed_study
from experiments.registration.entries import registration_of

HOW_TO_READ = (
    "Power: the chance of 'holds' when the truth lies a step inside of the claim's edge, and of 'fails' when it lies a "
    "step outside, whichever is smaller. A step is half the width of a two-sided claim, else one point of accuracy, a "
    "tenth of a ratio, half a decimal digit; of a share a tenth of the cases, a point above or below each. Spread: "
    "standard deviation of a round of the pooled effect, in the exploratory records (ratios as logarithms)."
)

# What the simulation leaves out, by kind of claim. Powers were committed before the run and are not computed otherwise.
IN_WORDS = {
    "share": "Shares, too high: each case is simulated one point above or below zero. Where many true leads lie near "
    "zero, a share stays open in any number of rounds, and a power of 1.000 says nothing of that: ",
    "averaged": "Curves, too high: curves over different node counts are averaged before they are simulated, while the "
    "verdict takes the smallest lead on each, which is less certain: ",
    "not repeated": "Not in the confirmatory run: these read an experiment that it leaves out, and their rounds are "
    "those of the exploratory records: ",
}


class Planned(NamedTuple):
    """The power of every claim that can be simulated, its rounds, why the others cannot; kinds: see IN_WORDS."""

    powers: dict[str, Power]
    rounds: dict[str, int]
    without: dict[str, str]
    kinds: dict[str, list[str]]


@cache
def planned_rounds(experiment: str) -> int:
    """How many rounds the confirmatory run of an experiment has; of one that it does not repeat, its own."""
    name = confirmatory().get(experiment, experiment)
    registration = registration_of(name)
    return registration.experiments[name].rounds if registration else composed_study(name).config.rounds


def find(frames: Frames) -> Planned:
    """The power at its margin of every claim that has exploratory rounds."""
    found = Planned({}, {}, {}, {kind: [] for kind in IN_WORDS})
    for claim in written_claims():
        if any("/" in name for name in claim.reads):
            continue
        missing = [name for name in claim.reads if name not in frames]
        if missing:
            found.without[claim.id] = f"no exploratory records of {', '.join(missing)}"
            continue
        frame = pd.concat([frames[name].assign(experiment=name) for name in claim.reads], ignore_index=True)
        _add(found, claim, frame)
    return found


def _add(found: Planned, claim: Claim, frame: pd.DataFrame) -> None:
    try:
        measured: Measured = claim.measure.measure(frame)
    except NoRecords as lacking:
        found.without[claim.id] = str(lacking)
        return
    if measured.vacuous:
        found.without[claim.id] = "vacuous: no rounds can decide it"
        return
    rounds = min(planned_rounds(name) for name in claim.reads)
    power = _power(claim, measured, frame, rounds)
    if power is None:
        found.without[claim.id] = "a ratio of spreads has no value by round"
        return
    found.rounds[claim.id], found.powers[claim.id] = rounds, power
    for kind in kinds_of(claim, measured):
        found.kinds[kind].append(claim.id)


def kinds_of(claim: Claim, measured: Measured) -> Iterator[str]:
    """What the simulation of a claim leaves out."""
    if isinstance(claim.measure, ShareAbove):
        yield "share"
    if len({item.rounds.shape[1:] for item in measured.rounds}) > 1:
        yield "averaged"
    if any(name not in confirmatory() for name in claim.reads):
        yield "not repeated"


def _power(claim: Claim, measured: Measured, frame: pd.DataFrame, rounds: int) -> Power | None:
    bounds = claim.region.bounds()
    if isinstance(claim.measure, ShareAbove):
        return share_power([one for cases in claim.measure.cases(frame).values() for one in cases], bounds, rounds)
    if not measured.rounds:
        return None
    inner = bounds.on(math.log) if measured.unit == TIMES else bounds
    return design_power(measured.rounds, inner, measured.unit, rounds)


def numbers(found: Planned) -> pd.DataFrame:
    """One row per claim, the weakest first."""
    rows = [
        {"claim": name, "rounds": found.rounds[name], **power._asdict(), "power": power.least}
        for name, power in sorted(found.powers.items(), key=lambda pair: pair[1].least)
    ]
    unknown = [{"claim": name, "reason": reason} for name, reason in found.without.items()]
    table: pd.DataFrame = pd.DataFrame.from_records([*rows, *unknown])
    return table


def _blocks(found: Planned) -> Iterator[Block]:
    total, lacking = len(found.powers), lacking_power(found.powers)
    enough = total - len(lacking)
    share = f" ({100 * enough / total:.0f} %)" if total else ""
    yield Paragraph(
        f"{enough} of the {total} claims that can be simulated{share} have a power of {WANTED:g} or more in the rounds "
        "of the confirmatory run. Printed tables are not counted: they have no error."
    )
    yield Paragraph(("Named before the run, below it: ", *_named(lacking_power(found.powers)), "."))
    told = "; ".join(f"{name} ({reason})" for name, reason in found.without.items())
    yield Paragraph(f"Not known before the run: {told or 'none'}.")
    yield Paragraph(HOW_TO_READ)
    rows = [
        [Code(name), f"{found.rounds[name]}", *(f"{value:.4f}" for value in (power.step, power.deviation)),
         f"{power.holds:.3f}", f"{power.fails:.3f}"]
        for name, power in sorted(found.powers.items(), key=lambda pair: pair[1].least)
    ]  # fmt: skip
    yield Table(["claim", "rounds", "step", "spread", "holds, if inside", "fails, if outside"], rows)
    for kind, names in found.kinds.items():
        if names:
            yield Paragraph((IN_WORDS[kind], *_named(names), "."))


def _named(names: list[str]) -> list[str]:
    return [part for name in names for part in (", ", Code(name))][1:] or ["none"]


def told(found: Planned) -> Document:
    """How many claims the design decides, the others by name, then all of them."""
    return document("Would the planned rounds decide every claim?", _blocks(found))


POWER = Analysis(
    name="power",
    about="Power of the planned rounds: how often the confirmatory run would decide each claim at its margin",
    reads=read_by(written_claims()),
    needs=(),
    find=find,
    document=told,
    numbers=numbers,
    chapter="Statistics",
)
