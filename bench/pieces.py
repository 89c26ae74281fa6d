"""The published table, task by task: all rows of a task come from one run, which replaces them when it was quiet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from bench.measure import Row
from celm.base.files import write_whole

TABLE, ORIGINS = "bench.csv", "provenance.json"
TEXTS = ("task", "library", "version", "dtype", "status")


def read_rows(folder: Path) -> list[Row]:
    """The rows of a table that was written before; none where there is none."""
    path = folder / TABLE
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(record) for record in csv.DictReader(file)]


def _row(record: dict[str, str]) -> Row:
    def value(name: str) -> Any:
        text = record.get(name, "")
        if name in TEXTS:
            return text
        return int(text) if name == "threads" else float(text) if text else None

    return Row(**{field.name: value(field.name) for field in fields(Row)})


def merged(known: Iterable[Row], fresh: Iterable[Row], order: Sequence[str]) -> list[Row]:
    """The rows of both, those of a task from the fresh ones where it is among them; tasks in their order."""
    fresh = list(fresh)
    renewed = {row.task for row in fresh}
    rows = [*(row for row in known if row.task not in renewed), *fresh]
    places = {name: place for place, name in enumerate(order)}
    return sorted(rows, key=lambda row: places.get(row.task, len(places)))


def write_origins(folder: Path, tasks: Iterable[str], origin: dict[str, Any]) -> None:
    """Note where the rows of these tasks come from: commit, processor, versions."""
    path = folder / ORIGINS
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    whole = {**known, **dict.fromkeys(tasks, origin)}
    write_whole(path, json.dumps(dict(sorted(whole.items())), indent=1) + "\n")
