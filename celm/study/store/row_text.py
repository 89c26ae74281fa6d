"""Published rows as text: sorted CSV without what all rows, those of a data set or of a model share."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from celm.study.store.documents import PLACE, Row, sortable

#: Rows by their columns, which are all of one length.
Columns = dict[str, list[Any]]

# A row's place in the published file: what it is of, then what was measured, then where it comes from.
SORT_COLUMNS = ("dataset", "model", "round", "n_hidden")
LAST_COLUMNS = ("cell", "provenance")
# What all rows of a data set or of a model share stands in the manifest.
GROUP_COLUMNS = ("dataset", "model")
# Held-out and test rows classified correctly for every λ (of one node count or of all), and without a penalty: read
# where a choice is made when rounds are read together.
SURFACES = ("cv_correct", "test_correct", "held_out", "tested", "plain")


def sorted_rows(rows: Sequence[Row]) -> list[Row]:
    """Rows by their place; cells of one place (a sweep has many) by their key, stages in order."""
    order = (*SORT_COLUMNS, "cell", "stage")
    return sorted(rows, key=lambda row: tuple(sortable(row.get(column)) for column in order))


_VARIES = object()


def _shared_value(rows: Sequence[Row], column: str) -> Any:
    """The value that ``column`` has in every row, or :data:`_VARIES`."""
    values = {json.dumps(row.get(column)) for row in rows}
    return json.loads(values.pop()) if len(values) == 1 else _VARIES


def _groups(rows: Sequence[Row], by: str) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(str(row.get(by)), []).append(row)
    return groups


def compacted(rows: Sequence[Row]) -> tuple[dict[str, Any], list[str]]:
    """What all rows, all rows of a data set and all rows of a model share; and the columns that are left."""
    columns = sorted({column for row in rows for column in row} - {*SORT_COLUMNS, *LAST_COLUMNS})
    found = {column: _shared_value(rows, column) for column in columns}
    shared: dict[str, Any] = {"constants": {column: value for column, value in found.items() if value is not _VARIES}}
    columns = [column for column in columns if found[column] is _VARIES]
    for by in GROUP_COLUMNS:
        groups = _groups(rows, by)
        values = {column: {name: _shared_value(group, column) for name, group in groups.items()} for column in columns}
        moved = [column for column in columns if _VARIES not in values[column].values()]
        shared[f"by_{by}"] = {name: {column: values[column][name] for column in moved} for name in groups}
        columns = [column for column in columns if column not in moved]
    return shared, [*SORT_COLUMNS, *columns, *LAST_COLUMNS]


def to_text(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Columns of rows as CSV, in their order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_written(row.get(column)) for column in columns] for row in rows)
    return out.getvalue()


def from_text(text: str, names: Sequence[str], wanted: Sequence[str] | None = None) -> Columns:
    """Columns from CSV, all or those wanted; a ValueError says where a line has more or fewer values than columns."""
    lines = csv.reader(io.StringIO(text))
    header = next(lines, [])
    if header != list(names):
        raise ValueError(f"its columns are {', '.join(header)}, by its manifest {', '.join(names)}")
    rows = list(lines)
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ValueError(f"line {number} has {len(row)} values for {len(header)} columns")
    by_column = zip(*rows, strict=True) if rows else [()] * len(header)
    read = names if wanted is None else wanted
    return {name: _parsed_all(values) for name, values in zip(names, by_column, strict=True) if name in read}


def restored(columns: Columns, manifest: Mapping[str, Any]) -> Columns:
    """Columns with what rows share, all or those of a group, put back."""
    found: Columns = {name: [value] * len(columns["cell"]) for name, value in manifest["constants"].items()}
    for by in GROUP_COLUMNS:
        groups = [manifest[f"by_{by}"].get(str(value), {}) for value in columns[by]]
        for name in dict.fromkeys(name for shared in manifest[f"by_{by}"].values() for name in shared):
            found[name] = [group.get(name) for group in groups]
    return {**found, **columns}


def ordered(columns: Columns) -> Columns:
    """Cell after cell as they first appear, the rows of a cell by their place in it."""
    ranks = {cell: rank for rank, cell in enumerate(dict.fromkeys(columns["cell"]))}
    within = [columns[name] for name in PLACE if name in columns]
    keys = [(ranks[cell], *map(sortable, place)) for cell, *place in zip(columns["cell"], *within, strict=True)]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return {name: [values[row] for row in order] for name, values in columns.items()}


def _written(value: Any) -> str:
    """A value as CSV text that :func:`_parsed` reads back unchanged; words stand bare."""
    return "" if value is None else _word(value) if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=65536)
def _word(text: str) -> str:
    """A word as it is; in quotes where it would be read as something else, such as a key made of digits alone."""
    return text if _parsed(text) == text else json.dumps(text)


def _parsed_all(texts: Sequence[str]) -> list[Any]:
    """The values that words of a column stand for, each word read once."""
    known = {text: _parsed(text) for text in dict.fromkeys(texts)}
    return [known[text] for text in texts]


def _parsed(text: str) -> Any:
    if text == "":
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
