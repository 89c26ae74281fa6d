"""Is a published number the same as ours? Equivalence within a margin, and what picking readings finds by chance.

"Reproduced" by an interval means "not surely different". Equivalence is the other way round: surely within the margin,
with the error of our mean and that of the paper's ten rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.analysis.intervals import PAPER_ROUNDS, Equivalence, equivalence
from celm.analysis.table_cells import JudgedTable, TableCell, of_the_paper
from celm.analysis.verdicts import MARGIN, MARGINS, Row, by_model, contains, published_cells, reached, reread, row_of
from celm.analysis.words import NOT_RUN, OPEN, counted

Array = npt.NDArray[np.float64]
# Data set and model of a cell.
Pair = tuple[str, str]

# Of a number by equivalence: surely within the margin, surely beyond it; else open.
EQUIVALENT, DIFFERENT = "equivalent", "different"
EQUIVALENCE_VERDICTS = (EQUIVALENT, DIFFERENT, OPEN, NOT_RUN)
RULE = (
    "equivalent: two one-sided tests at 5 % say that ours and the published number differ by less than the margin, "
    "with our error and that of the paper's ten rounds (a cited number has none); different: by more; open: neither"
)
# Random numbers lie within this much of ours, at this many places.
WITHIN, PLACES = 0.03, 121


def margin_of(dataset: str) -> float:
    """How far from the paper still counts as the same, in accuracy."""
    return MARGINS.get(dataset, MARGIN)


def same(cell: TableCell, rounds: npt.ArrayLike) -> Equivalence | None:
    """Some rounds against the published number of a cell; None without rounds."""
    values = np.asarray(rounds, dtype=float)
    if not len(values):
        return None
    return equivalence(values, cell.paper, margin_of(cell.dataset), None if cell.cited else PAPER_ROUNDS)


def by_default(cell: TableCell) -> Equivalence | None:
    """Our default against the published number."""
    return same(cell, [one.accuracy for one in cell.rounds])


def equivalence_counts(found: Sequence[Equivalence | None]) -> dict[str, int]:
    """How many numbers are equivalent, different, open and not run."""
    return counted((NOT_RUN if one is None else one.verdict for one in found), EQUIVALENCE_VERDICTS)


class UnderProtocol(NamedTuple):
    """The published numbers that a protocol speaks of, held against its rounds."""

    protocol: str
    cells: dict[Pair, Equivalence]

    def counts(self) -> dict[str, int]:
        """How many are equivalent, different and open."""
        return equivalence_counts(list(self.cells.values()))


def under_protocol(cells: Sequence[TableCell], protocol: str, rounds: Mapping[Pair, Array]) -> UnderProtocol:
    """Every cell that a protocol has rounds of."""
    found = {}
    for cell in of_the_paper(cells):
        pair = cell.dataset, cell.model
        judged = same(cell, rounds[pair]) if pair in rounds else None
        if judged is not None:
            found[pair] = judged
    return UnderProtocol(protocol, found)


def chance_explained(table: JudgedTable) -> float:
    """The share of random numbers, within ±3 points of ours, that would be called reproduced or explained.

    Over all published cells that were run; not a number where none was.
    """
    default, base = by_model(table.summary), None if table.base is None else by_model(table.base)
    readings = {name: by_model(summary) for name, summary in table.readings.items()}
    shares = []
    for cell in published_cells(table.paper):
        ours = row_of(default, cell)
        if ours is not None:
            spans = [reread(cell, default, rows, base) for rows in readings.values()]
            shares.append(_found_by_chance(ours, [row for row in spans if row is not None]))
    return float(np.mean(shares)) if shares else float("nan")


def _found_by_chance(ours: Row, readings: Sequence[Mapping[str, Any]]) -> float:
    places = ours["accuracy_mean"] + np.linspace(-WITHIN, WITHIN, PLACES)
    hits = [
        reached(ours, value) or any(contains(row["ci_low"], row["ci_high"], value) for row in readings)
        for value in map(float, places)
    ]
    return float(np.mean(hits))
