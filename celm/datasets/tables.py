"""Text tables of the suite: lines become fields, fields become arrays; pure functions that know no file.

Columns are counted from 1, as a person reads them. Nominal columns become one column of zeros and ones per level
(one for two levels), numbers stay numbers, rows with a gap are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.datasets.dataset import Arrays, SourceError

Fields = list[list[str]]

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": None}
MISSING = frozenset({"", "?", "<null>", "NA", "NaN"})
#: A table with more rows gives this many, evenly spaced from its first to its last.
MAX_ROWS = 20_000


class Layout(NamedTuple):
    """How the fields of a line are told apart: ``comma``, ``space header``, ``semicolon header decimal-comma``."""

    separator: str | None
    header: bool
    decimal_comma: bool

    @classmethod
    def of(cls, text: str) -> Layout:
        """The layout that a cell of the table of sets describes."""
        separator, *rest = text.split()
        unknown = set(rest) - {"header", "decimal-comma"}
        if separator not in SEPARATORS or unknown:
            raise ValueError(f"layout {text!r}: a separator of {', '.join(SEPARATORS)}, then header, decimal-comma")
        return cls(SEPARATORS[separator], "header" in rest, "decimal-comma" in rest)


class Columns(NamedTuple):
    """What the columns of a table mean, by their numbers counted from 1; ``target`` 0 is the last one."""

    target: int
    nominal: tuple[int, ...]
    drop: tuple[int, ...]


def numbers(text: str) -> tuple[int, ...]:
    """Column numbers from ``1 3-5``: (1, 3, 4, 5)."""
    found: list[int] = []
    for part in text.split():
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if match is None:
            raise ValueError(f"column numbers are written as 1 3-5; got {text!r}")
        first, last = int(match[1]), int(match[2] or match[1])
        found.extend(range(first, last + 1))
    return tuple(found)


def fields_of(content: bytes, layout: Layout) -> Fields:
    """The fields of every line of data; blank lines and KEEL's declarations and comments (@, %, #) are passed over."""
    text = content.decode("utf-8-sig", errors="replace")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("@", "%", "#"))]
    rows = [[field.strip(" \t\"'") for field in line.split(layout.separator)] for line in lines[layout.header :]]
    if not rows:
        raise SourceError("holds no rows")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise SourceError(f"has {len(row)} fields in row {number}, {len(rows[0])} in its first")
    return [[field.replace(",", ".") for field in row] for row in rows] if layout.decimal_comma else rows


def read_table(rows: Fields, columns: Columns, classes: Sequence[str]) -> Arrays:
    """X (N × n float64) and y of a table: codes into ``classes`` (uint8), or numbers (float64) when there are none."""
    width = len(rows[0])
    target = columns.target or width
    kept = [number for number in range(1, width + 1) if number not in columns.drop and number != target]
    if not kept or max((target, *columns.nominal, *columns.drop)) > width:
        raise SourceError(f"has {width} columns, too few for the column numbers of the suite's table")
    whole = [row for row in rows if not MISSING.intersection(row[number - 1] for number in (*kept, target))]
    whole = evenly(whole, MAX_ROWS)
    levels = [[row[number - 1] for row in whole] for number in kept]
    parts = [
        indicators(values) if number in columns.nominal else as_numbers(values, number)[:, None]
        for number, values in zip(kept, levels, strict=True)
    ]
    answers = [row[target - 1] for row in whole]
    y = codes_of(answers, classes) if classes else as_numbers(answers, target)
    return Arrays(np.ascontiguousarray(np.hstack(parts)), y)


def evenly(rows: Fields, at_most: int) -> Fields:
    """At most that many rows, evenly spaced, the first among them."""
    if len(rows) <= at_most:
        return rows
    return [rows[i * len(rows) // at_most] for i in range(at_most)]


def as_numbers(values: Iterable[str], column: int) -> npt.NDArray[np.float64]:
    """The column as float64; a value that is no finite number is an error naming it."""
    try:
        found = np.array([float(value) for value in values])
    except ValueError as error:
        raise SourceError(f"holds a value that is not a number in column {column}: {error}") from error
    if not np.isfinite(found).all():
        raise SourceError(f"holds values that are not finite in column {column}")
    return found


def indicators(values: Sequence[str]) -> npt.NDArray[np.float64]:
    """One column of zeros and ones per level in sorted order; two levels need one column, a single one none."""
    levels, codes = np.unique(np.array(values), return_inverse=True)
    return np.eye(len(levels))[codes][:, 1:] if len(levels) <= 2 else np.eye(len(levels))[codes]


def codes_of(labels: Sequence[str], classes: Sequence[str]) -> npt.NDArray[np.uint8]:
    """The place of every label in ``classes``; a label that is not there is an error naming it."""
    places = {name: code for code, name in enumerate(classes)}
    unknown = sorted(set(labels) - places.keys())
    if unknown:
        raise SourceError(f"holds the label {unknown[0]!r}, known are {', '.join(classes)}")
    return np.array([places[label] for label in labels], dtype=np.uint8)
