"""Two versions of the same cells, column by column: every column that a table, a figure or a claim can read."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from celm.study.store.documents import Document, Row, place, rows_of

# Times are the only thing that a rerun on the same machine may change, with how often they could be taken and what else
# the machine did; threads are how it was run.
NOT_COMPARED = {"threads", "fit_repeats", "predict_repeats", "load", "others_busy"}


class Difference(NamedTuple):
    """A record that is not the same in both versions, and the columns that tell them apart.

    ``key`` is that of the cell; ``theirs`` is empty for a record that the other version lacks.
    """

    key: str
    ours: Row
    theirs: Row
    columns: tuple[str, ...]

    def told(self) -> str:
        """``accuracy 0.95 and 0.96, lam 1.0 and 10.0``: ours and theirs."""
        pairs = [(column, self.ours.get(column), self.theirs.get(column)) for column in self.columns]
        return ", ".join(f"{column} {_short(ours)} and {_short(theirs)}" for column, ours, theirs in pairs)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:37]}…"


def _is_time(column: str) -> bool:
    return column.endswith("seconds")


def _unequal(ours: Row, theirs: Row, shared: Collection[str]) -> tuple[str, ...]:
    """The columns that two records do not agree on.

    What the records of a cell share are its settings: the key stands for those, so one that only a newer version names
    is no difference.
    """
    if not ours or not theirs:
        return ("accuracy",)
    columns = {column for column in (*ours, *theirs) if not _is_time(column)} - NOT_COMPARED
    named = {column for column in columns if column not in shared or None not in (ours.get(column), theirs.get(column))}
    return tuple(sorted(column for column in named if not _same(ours.get(column), theirs.get(column))))


def _same(first: Any, second: Any) -> bool:
    """Whether two values are equal to the last digit once written."""
    return bool(first == second) or json.dumps(first) == json.dumps(second)


def differing(first: Mapping[str, Document], second: Mapping[str, Document]) -> list[Difference]:
    """Records of cells present in both that are not equal to the last digit, in any column but the times.

    A record that only one of the two has differs in its accuracy.
    """
    found = []
    for key in sorted(first.keys() & second.keys()):
        shared = {*first[key]["shared"], *second[key]["shared"]}
        ours = {place(row): row for row in rows_of(first[key])}
        theirs = {place(row): row for row in rows_of(second[key])}
        for where in {**ours, **theirs}:
            mine, other = ours.get(where, {}), theirs.get(where, {})
            if columns := _unequal(mine, other, shared):
                found.append(Difference(key, {**_named(mine or other), **mine}, other, columns))
    return found


def _named(row: Row) -> Row:
    """What a record is called, for one that only the other version has."""
    return {column: row.get(column) for column in ("dataset", "model", "round", "n_hidden", "stage")}
