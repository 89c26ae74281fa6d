"""What a finished cell is on its way through the stores: a document of records, its rows, its order, its digest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from celm.base.files import content_digest

#: A record of a cell or a row of the published store: columns by their names, which docs/records.md explains.
Row = dict[str, Any]


class _Kept(TypedDict):
    """What every document has."""

    experiment: str
    key: str
    status: str
    seconds: float
    code: str | None
    shared: Row
    records: list[Row]
    provenance: dict[str, Any]


class Document(_Kept, total=False):
    """A cell that has run: what its records share, the records, where they come from; ``status`` is "ok" or "failed".

    Cells of this machine say what they are (``label``, ``identity``), failed ones why (``error``, ``traceback``).
    """

    label: str
    identity: dict[str, Any]
    error: str
    traceback: str


# What stands beside the records of a cell and is a column of each row when they are published.
OF_THE_CELL = ("seconds", "code")
# What tells the records of a cell apart: the node count, or the stage where all have one node count or none.
PLACE = ("n_hidden", "stage")


class StoreError(ValueError):
    """A file of the published store is not what its manifest says; the message names the file."""


def place(record: Row) -> tuple[Any, ...]:
    """What tells the records of a cell apart."""
    return tuple(map(record.get, PLACE))


def sortable(value: Any) -> tuple[int, Any]:
    """A key that orders numbers by value, words by letters, and puts missing values first."""
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, (int, float)) else (2, str(value))


def in_place_order(records: Iterable[Row]) -> list[Row]:
    """The records of a cell by node count and stage."""
    return sorted(records, key=lambda record: tuple(map(sortable, place(record))))


def rows_of(document: Document) -> list[Row]:
    """The records of a cell, each with what all of them share."""
    return [{**document["shared"], **record} for record in document["records"]]


def cell_digest(document: Document) -> str:
    """32 hexadecimal digits for all that is known of a cell: key, columns of every record, times, code, provenance.

    It is the same however the columns are stored: a column that a record lacks and one that says None are equal.
    """
    rows = in_place_order(rows_of(document))
    columns = {column: [row.get(column) for row in rows] for column in {name for row in rows for name in row}}
    shared = {
        column: values[0]
        for column, values in columns.items()
        if values[0] is not None and values.count(values[0]) == len(values)
    }
    rest = [column for column in columns if column not in shared]
    records = [{column: row[column] for column in rest if row.get(column) is not None} for row in rows]
    about = {name: document.get(name) for name in ("key", "provenance", *OF_THE_CELL)}
    return content_digest({**about, "shared": shared, "records": records})[:32]
