"""What of a user's table can be read, but is hardly meant so: each doubt is one sentence, and the run goes on."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from celm.datasets.columns import Column, Handling, Table, typed

# Rows from which on a pattern is no accident.
ENOUGH = 10


def doubts(columns: Mapping[str, Column], table: Table, handling: Handling) -> Iterator[str]:
    """Row numbers or the label among the features, numbers taken as levels, labels that are hardly ones."""
    labels = columns[table.target]
    features = [name for name in columns if name != table.target]
    for name in features if len(labels) >= ENOUGH else ():
        if _counts_rows(columns[name], handling):
            yield f"column {name!r} counts the rows; {typed('drop', name)} leaves it out"
        elif all(handling.is_gap(value) for value in columns[name]):
            yield f"column {name!r} holds nothing but gaps; {typed('drop', name)} leaves it out"
        elif len(set(columns[name])) == 1:
            yield f"column {name!r} is the same in every row; {typed('drop', name)} leaves it out"
        elif _merges(columns[name]):
            yield f"column {name!r} has longer numbers than a float holds: some that differ become one"
        elif len(set(columns[name])) == len(table.classes) == len({*zip(columns[name], labels, strict=True)}):
            yield f"column {name!r} says the label in other words; {typed('drop', name)} leaves it out"
    for name in (features[place] for place in table.nominal):
        levels = sorted({value for value in columns[name] if not handling.is_gap(value)})
        odd = [level for level in levels if handling.number(level) is None]
        if 2 * len(odd) < len(levels):
            yield f"column {name!r} has one column per level, {len(levels)} of them: {odd[0][:40]!r} is no number"
        elif len(levels) == len(labels) >= ENOUGH:
            yield f"column {name!r} has another level in every row; {typed('drop', name)} leaves it out"
    for one, other in _alike(table.classes, handling):
        show = repr if one.casefold() == other.casefold() else ascii  # which tells apart what looks the same
        yield f"labels {show(one[:40])} and {show(other[:40])} are two classes"
    alone = [label for label, count in Counter(labels).items() if count == 1]
    if alone and len(labels) >= ENOUGH:
        yield f"label {alone[0][:40]!r} stands in one row: it is learnt or asked, never both"


def _counts_rows(column: Column, handling: Handling) -> bool:
    """Whether each number of a column is one more, or one less, than that before it, as row numbers are."""
    if handling.number(column[0]) is None or handling.number(column[1]) is None:
        return False
    numbers = [handling.number(value) for value in column]
    steps = {None if a is None or b is None else b - a for a, b in pairwise(numbers)}
    return steps in ({1.0}, {-1.0})


def _merges(column: Column) -> bool:
    """Whether whole numbers that are written otherwise become one float, as long keys of records do."""
    if not any(len(value) > 15 for value in column):
        return False
    whole = {int(value) for value in column if value.lstrip("-").isdecimal() and len(value) < 4000}
    return len({float(number) for number in whole if abs(number) < 10**300}) < len(whole)


def _alike(classes: tuple[str, ...], handling: Handling) -> Iterator[tuple[str, str]]:
    """Pairs of labels that say one number, or one word: in large and small letters, or in marks that look the same."""
    seen: dict[object, str] = {}
    for label in classes:
        number = handling.number(label)
        meaning = _as_seen(label) if number is None else number
        if meaning in seen:
            yield seen[meaning], label
        seen.setdefault(meaning, label)


def _as_seen(label: str) -> str:
    """A label without what the eye passes over: size of letters, marks of no width, two ways to write one letter."""
    whole = unicodedata.normalize("NFKC", label).casefold()
    return "".join(mark for mark in whole if unicodedata.category(mark) != "Cf")
