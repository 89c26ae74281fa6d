"""What is told beside the verdict on a claim: fitted choices, unlike comparisons, records that were exchanged."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.claims import Claim, Judged, Outcome, claims_table, entry_of
from celm.analysis.claims.rounds import is_printed
from celm.analysis.words import HOLDS
from experiments.analyses.sentences_judged import confirmatory, contents
from experiments.config.origins import calibrated

CALIBRATED = "calibrated"
# Where the models of claims about times are timed under equal conditions.
TIMED_ALIKE = "results/tables/equal_times.md"


class Moved(NamedTuple):
    """What a claim read at first, the commit that changed it, and what was known by then."""

    read: str
    commit: str
    known: str


class Marks(NamedTuple):
    """All that is told of a claim beside its verdict.

    Attributes
    ----------
    calibrated : tuple of str
        What of the experiments that decided was chosen by looking at the published results.
    not_comparable : str
        Why what is compared is not alike, if it is not.
    moved : Moved or None
        What the claim read before.
    counts : tuple of int
        The node counts at which alone it was judged, where its words name none of them.
    """

    calibrated: tuple[str, ...] = ()
    not_comparable: str = ""
    moved: Moved | None = None
    counts: tuple[int, ...] = ()

    def short(self) -> str:
        """In a few words beside the verdict, nothing where there is nothing to tell."""
        where = [f"at L = {' and '.join(map(str, self.counts))}"] if self.counts else []
        alike = [f"not comparable: {self.not_comparable}"] if self.not_comparable else []
        return "; ".join([*where, *([CALIBRATED] if self.calibrated else []), *alike])

    def lines(self) -> list[str]:
        """The same in sentences."""
        told = []
        if self.counts:
            told.append(
                f"Judged at L = {' and '.join(map(str, self.counts))} alone: of other node counts it says nothing."
            )
        if self.calibrated:
            start = "Calibrated, so weak evidence, and none for what was looked at; chosen by the published results: "
            told.append(f"{start}{'; '.join(self.calibrated)}.")
        if self.not_comparable:
            told.append(
                f"Not comparable: {self.not_comparable}. The ratio tells little; {TIMED_ALIKE} times both alike."
            )
        return told


@cache
def moved_claims() -> dict[str, Moved]:
    """Claims whose records were exchanged for others, by their ids."""
    return {name: Moved(**entry) for one in contents() for name, entry in one.get("moved", {}).items()}


@cache
def not_comparable() -> dict[str, str]:
    """Claims that compare what is not alike, by their ids, and why it is not."""
    return {name: str(why) for one in contents() for name, why in one.get("not_comparable", {}).items()}


def judged_on(claim: Claim, outcome: Outcome) -> dict[str, str]:
    """What a claim reads -> the experiment whose records decided: if they are registered, the one that repeats it."""
    again = confirmatory() if outcome.on_these_data.registered else {}
    return {name: again.get(name, name) for name in claim.reads}


def _unnamed(claim: Claim) -> tuple[int, ...]:
    """The node counts at which a claim is judged, if it names none of them itself."""
    counts = tuple(getattr(claim.measure, "counts", None) or ())
    named = {int(number) for number in re.findall(r"\d+", f"{claim.says} {claim.where}")}
    return () if named & {*counts} else counts


def marks_of(claim: Claim, outcome: Outcome) -> Marks:
    """What is told beside the verdict on a claim."""
    run = [name for name in judged_on(claim, outcome).values() if not is_printed(name)]
    fitted = dict.fromkeys(words for name in run for words in calibrated(name))
    return Marks(tuple(fitted), not_comparable().get(claim.id, ""), moved_claims().get(claim.id), _unnamed(claim))


def with_marks(verdict: str, marks: Marks) -> str:
    """``holds (calibrated)``."""
    return f"{verdict} ({marks.short()})" if marks.short() else verdict


def marked_entry(claim: Claim, outcome: Outcome) -> dict[str, Any]:
    """All that is known of one claim, its marks with it."""
    marks = marks_of(claim, outcome)
    moved = None if marks.moved is None else marks.moved._asdict()
    fitted = {"calibrated": bool(marks.calibrated), "calibrated_by": list(marks.calibrated)}
    told = {"marks": marks.short(), **fitted, "judged_at": list(marks.counts)}
    return {**entry_of(claim, outcome), **told, "not_comparable": marks.not_comparable or None, "moved": moved}


def marked_table(judged: Judged) -> pd.DataFrame:
    """One row per claim, its marks with it."""
    marks = [marks_of(claim, outcome) for claim, outcome in judged]
    alike = [one.not_comparable for one in marks]
    fitted = [bool(one.calibrated) for one in marks]
    table: pd.DataFrame = claims_table(judged).assign(calibrated=fitted, not_comparable=alike)
    return table


def held_on(judged: Judged) -> dict[str, int]:
    """Of the claims that hold: how many rest on calibrated defaults, and how many compare what is not alike."""
    held = [marks_of(claim, outcome) for claim, outcome in judged if outcome.verdict == HOLDS]
    return {
        "holds_calibrated": sum(bool(marks.calibrated) for marks in held),
        "holds_not_comparable": sum(bool(marks.not_comparable) for marks in held),
    }


def held_text(judged: Judged) -> str:
    """The same as the end of a sentence about those that hold; empty where none of them has a mark."""
    found = held_on(judged)
    words = {
        "holds_calibrated": "rest on calibrated defaults",
        "holds_not_comparable": "compare times at unequal node counts",
    }
    told = [f"{found[name]} {text}" for name, text in words.items() if found[name]]
    return f"of those that hold {' and '.join(told)}" if told else ""
