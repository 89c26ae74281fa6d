"""What of a user's table can be read, but is hardly meant so: each doubt is one sentence, and the run goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celm.datasets.columns import Column, Handling, Table, typed


def doubts(columns: Mapping[str, Column], table: Table, handling: Handling) -> Iterator[str]:
    """Row numbers among the features, numbers taken as levels, labels that differ in their writing alone."""
    features = [name for name in columns if name != table.target]
    for name in features:
        if _counts_rows(columns[name]):
            yield f"column {name!r} counts the rows; {typed('drop', name)} leaves it out"
    for name in (features[place] for place in table.nominal):
        levels = sorted({value for value in columns[name] if not handling.is_gap(value)})
        odd = [level for level in levels if handling.number(level) is None]
        if 2 * len(odd) < len(levels):
            yield f"column {name!r} has one column per level, {len(levels)} of them: {odd[0][:40]!r} is no number"
    for one, other in _alike(table.classes, handling):
        yield f"labels {one[:40]!r} and {other[:40]!r} are two classes"


def _counts_rows(column: Column) -> bool:
    """Whether a column says 0, 1, 2 … or 1, 2, 3 …, as row numbers do."""
    return len(column) > 9 and any(column == [str(n + first) for n in range(len(column))] for first in (0, 1))


def _alike(classes: tuple[str, ...], handling: Handling) -> Iterator[tuple[str, str]]:
    """Pairs of labels that say one number, or one word in large and small letters."""
    seen: dict[object, str] = {}
    for label in classes:
        number = handling.number(label)
        meaning = label.casefold() if number is None else number
        if meaning in seen:
            yield seen[meaning], label
        seen.setdefault(meaning, label)
