"""Published rows as text: sorted CSV without what all rows, those of a data set or of a model share."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from celm.study.store.documents import Document, sortable

# A row's place in the published file: what it is of, then what was measured, then where it comes from.
SORT_COLUMNS = ("dataset", "model", "round", "n_hidden")
LAST_COLUMNS = ("cell", "provenance")
# What all rows of a data set or of a model share stands in the manifest.
GROUP_COLUMNS = ("dataset", "model")
# Held-out and test rows classified correctly for every λ (of one node count or of all), and without a penalty: read
# where a choice is made when rounds are read together.
SURFACES = ("cv_correct", "test_correct", "held_out", "tested", "plain")


def sorted_rows(rows: Sequence[Document]) -> list[Document]:
    """Rows by their place; cells of one place (a sweep has many) by their key, stages in order."""
    order = (*SORT_COLUMNS, "cell", "stage")
    return sorted(rows, key=lambda row: tuple(sortable(row.get(column)) for column in order))


_VARIES = object()


def _shared_value(rows: Sequence[Document], column: str) -> Any:
    """The value that ``column`` has in every row, or :data:`_VARIES`."""
    values = {json.dumps(row.get(column)) for row in rows}
    return json.loads(values.pop()) if len(values) == 1 else _VARIES


def _groups(rows: Sequence[Document], by: str) -> dict[str, list[Document]]:
    groups: dict[str, list[Document]] = {}
    for row in rows:
        groups.setdefault(str(row.get(by)), []).append(row)
    return groups


def compacted(rows: Sequence[Document]) -> tuple[dict[str, Any], list[str]]:
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


def to_text(rows: Sequence[Document], columns: Sequence[str]) -> str:
    """Columns of rows as CSV, in their order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_written(row.get(column)) for column in columns] for row in rows)
    return out.getvalue()


def from_text(text: str, columns: Collection[str]) -> list[Document]:
    """Rows from CSV; a ValueError says where a line has more or fewer values than there are columns."""
    lines = csv.reader(io.StringIO(text))
    header = next(lines, [])
    if header != list(columns):
        raise ValueError(f"its columns are {', '.join(header)}, by its manifest {', '.join(columns)}")
    known: dict[str, Any] = {}
    rows = []
    for number, line in enumerate(lines, start=2):
        if len(line) != len(header):
            raise ValueError(f"line {number} has {len(line)} values for {len(header)} columns")
        for value in line:
            if value not in known:
                known[value] = _parsed(value)
        rows.append({column: known[value] for column, value in zip(header, line, strict=True)})
    return rows


def restored(row: Document, manifest: Mapping[str, Any]) -> Document:
    """A row with what it shares with the others put back."""
    groups = [manifest[f"by_{by}"].get(str(row[by]), {}) for by in GROUP_COLUMNS]
    return {**manifest["constants"], **groups[0], **groups[1], **row}


def _written(value: Any) -> str:
    """A value as CSV text that :func:`_parsed` reads back unchanged; words stand bare."""
    return "" if value is None else _word(value) if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=65536)
def _word(text: str) -> str:
    """A word as it is; in quotes where it would be read as something else, such as a key made of digits alone."""
    return text if _parsed(text) == text else json.dumps(text)


def _parsed(text: str) -> Any:
    if text == "":
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text
