"""Does a verdict hang on our first seed? Claims on exploratory and on confirmatory records, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from celm.analysis.claims import Claim, Outcome
from celm.analysis.claims.outcome import asked, with_interval
from celm.analysis.words import CLAIM_VERDICTS, NOT_RUN, OPEN
from celm.render.document import Block, Bold, Code, Document, Items, Line, Paragraph, Table, document
from experiments.analyses.sentences import CLAIMS
from experiments.analyses.sentences_judged import confirmatory, find, written_claims
from experiments.analysis import Analysis, Frames, NotComplete

WHAT = (
    "The confirmatory run repeats experiments with a master seed of its own, under claims, margins, configurations and "
    "judging code that were committed before its first record. It says whether a verdict hangs on our first seed and "
    "on what was chosen after its records were seen, on the same data; of other data it says nothing. A claim is "
    "here as soon as all that it reads is repeated."
)

# What can become of a verdict.
KEPT, DECIDED = "keep their verdict", "were open before and are decided now"
REOPENED, REVERSED = "were decided before and are open now", "are reversed"
NEW = "were not run on the first seed"


class Twice(NamedTuple):
    """A claim, what the first seed said, what the new one says."""

    claim: Claim
    first: Outcome
    again: Outcome

    @property
    def same(self) -> bool:
        """Whether both verdicts are one."""
        return self.first.verdict == self.again.verdict


def is_repeated(claim: Claim, frames: Frames) -> bool:
    """Whether the confirmatory run has all that a claim reads."""
    again = {name: confirmatory().get(name, name) for name in claim.reads}
    return any(name != other for name, other in again.items()) and all(name in frames for name in again.values())


def find_twice(given: Mapping[str, Any]) -> list[Twice]:
    """Every repeated claim with both outcomes; the second is that of :data:`CLAIMS`, which prefers the new records."""
    repeated = [claim for claim in written_claims() if is_repeated(claim, given)]
    if not repeated:
        raise NotComplete("confirmation: needs all cells of what a claim reads, repeated in the confirmatory run")
    # Without the other records, claims that are not repeated cost nothing.
    first = {name: given[name] for claim in repeated for name in claim.reads if name in given}
    again = {claim.id: outcome for claim, outcome in given[CLAIMS.name]}
    return [Twice(claim, before, again[claim.id]) for claim, before in find(first) if claim in repeated]


def _change(one: Twice) -> str:
    """What became of a verdict: a new one in the place of "open", or of none, contradicts nothing."""
    if one.same or one.first.verdict == NOT_RUN:
        return KEPT if one.same else NEW
    return DECIDED if one.first.verdict == OPEN else REOPENED if one.again.verdict == OPEN else REVERSED


def counts(found: Sequence[Twice]) -> str:
    """How many verdicts stayed, open ones among them, and how many changed to what; the table below has which."""
    told = []
    for change in (KEPT, DECIDED, REOPENED, REVERSED, NEW):
        now = Counter(one.again.verdict for one in found if _change(one) == change)
        if change == NEW and not now:
            continue
        to_what = ", ".join(f"{verdict} {now[verdict]}" for verdict in CLAIM_VERDICTS if now[verdict])
        told.append(f"{now.total() or 'none'} {change}" + (f" ({to_what})" if to_what else ""))
    return f"{_how_many(len(found))}: {', '.join(told)}."


def _how_many(repeated: int) -> str:
    """Claims that are repeated, of those that the run sets out to repeat."""
    claims = written_claims()
    planned = sum(any(name in confirmatory() for name in claim.reads) for claim in claims)
    if repeated < planned:
        return f"{repeated} of {planned} claims are repeated so far"
    others = f"; the other {len(claims) - planned} read what has no second seed" if len(claims) > planned else ""
    return f"All {planned} claims that the run set out to repeat are repeated{others}"


def counted(found: Sequence[Twice]) -> dict[str, int]:
    """The same for programs: repeated, of these the same, and of all open on the new seed."""
    now = [one.again.verdict for one in found]
    return {"repeated": len(found), "same": sum(one.same for one in found), "open_now": now.count(OPEN)}


def _measured(outcome: Outcome) -> str:
    pooled = outcome.pooled()
    return outcome.verdict if pooled is None else f"{outcome.verdict}: {with_interval(pooled, outcome.unit)}"


def told(found: Sequence[Twice]) -> Document:
    """Counts first, then every claim."""
    rows: list[Sequence[Line]] = [
        [
            Code(one.claim.id),
            asked(one.claim.region, one.again.unit),
            _measured(one.first),
            _measured(one.again) if one.same else Bold(_measured(one.again)),
            "yes" if one.again.on_these_data.registered else f"no: {one.again.registered_why}",
        ]
        for one in found
    ]
    header = ["claim", "asked", "first seed", "new seed", "registered"]
    blocks: list[Block] = [Paragraph(counts(found)), Paragraph(WHAT), Table(header, rows)]
    return document("Do the verdicts hang on our seed?", blocks)


def numbers(found: Sequence[Twice]) -> pd.DataFrame:
    """Verdict, effect and limits of both."""
    rows = []
    for one in found:
        row: dict[str, Any] = {"claim": one.claim.id, "unit": one.again.unit}
        for name, outcome in (("first", one.first), ("again", one.again)):
            level = outcome.on_these_data
            row |= {f"{name}_{key}": getattr(level, key) for key in ("verdict", "effect", "low", "high", "registered")}
        rows.append(row)
    table: pd.DataFrame = pd.DataFrame(rows)
    return table


CONFIRMATION = Analysis(
    name="confirmation",
    about="Do the verdicts hang on our seed? Claims on the first seed and on that of the confirmatory run",
    reads=tuple(
        dict.fromkeys((*(name for claim in written_claims() for name in claim.reads), *confirmatory().values()))
    ),
    needs=(),
    of=(CLAIMS,),
    find=find_twice,
    document=told,
    numbers=numbers,
    answer=lambda found: Items([counts(found)], "With a new master seed, registered before its first record:"),
    judged=counted,
    chapter="Claims",
)
