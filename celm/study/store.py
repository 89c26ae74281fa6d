"""Where results live: a local store of one file per finished cell, and the published store compacted from it.

A cell's file is written whole or not at all, under a key made of what determines its numbers. The published store
holds one sorted CSV per experiment plus a manifest with what its rows share and where they come from.
"""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from celm.base.files import write_whole

logger = logging.getLogger(__name__)

Document = dict[str, Any]

# A row's place in the published file: what it is of, then what was measured, then where it comes from.
SORT_COLUMNS = ("dataset", "model", "round", "n_hidden")
LAST_COLUMNS = ("cell", "provenance")
# What all rows of a data set or of a model share stands in the manifest.
GROUP_COLUMNS = ("dataset", "model")


class LocalStore:
    """One JSON file per cell under ``folder/<experiment>/cells/<key>.json``, failures included."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def write(self, document: Document) -> None:
        """Keep one cell's document; it replaces an earlier one of the same key."""
        path = self.folder / document["experiment"] / "cells" / f"{document['key']}.json"
        write_whole(path, json.dumps(document, indent=1, sort_keys=True) + "\n")

    def documents(self, experiment: str) -> dict[str, Document]:
        """Every readable cell of an experiment by its key; an unreadable file is reported and counts as absent."""
        found = {}
        for path in sorted((self.folder / experiment / "cells").glob("*.json")):
            try:
                document = json.loads(path.read_text(encoding="utf-8"))
                found[document["key"]] = document
            except (OSError, ValueError, KeyError, TypeError) as error:
                logger.warning("%s cannot be read (%s): its cell will be run again", path, error)
        return found

    def experiments(self) -> list[str]:
        """Names of the experiments with at least one cell."""
        return sorted({path.parent.parent.name for path in self.folder.glob("*/cells/*.json")})


class PublishedStore:
    """``folder/<experiment>.csv`` and ``.json``: sorted rows, and a manifest of constants and provenance."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def write(self, experiment: str, documents: Mapping[str, Document], about: Mapping[str, Any]) -> None:
        """Publish finished cells as one file; ``about`` (title, planned cells, …) goes into the manifest."""
        finished = [doc for doc in documents.values() if doc["status"] == "ok"]
        origins: list[str] = sorted({json.dumps(doc["provenance"], sort_keys=True) for doc in finished})
        places = {origin: place for place, origin in enumerate(origins)}
        rows = []
        for doc in finished:
            origin = places[json.dumps(doc["provenance"], sort_keys=True)]
            common = {**doc["shared"], "seconds": doc["seconds"], "cell": doc["key"], "provenance": origin}
            rows += [{**common, **record} for record in doc["records"]]
        rows.sort(key=lambda row: tuple(_sortable(row.get(column)) for column in SORT_COLUMNS))
        shared, text = _compact(rows)
        manifest = {
            **about,
            "experiment": experiment,
            "cells": len(finished),
            "rows": len(rows),
            **shared,
            "provenance": [json.loads(origin) for origin in origins],
        }
        write_whole(self.folder / f"{experiment}.csv", text)
        write_whole(self.folder / f"{experiment}.json", json.dumps(manifest, indent=1, sort_keys=True) + "\n")

    def experiments(self) -> list[str]:
        """Names of the published experiments."""
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    def manifest(self, experiment: str) -> dict[str, Any]:
        """The manifest of a published experiment."""
        return dict(json.loads((self.folder / f"{experiment}.json").read_text(encoding="utf-8")))

    def documents(self, experiment: str, *, chosen_alone: bool = False) -> dict[str, Document]:
        """The published cells of an experiment as documents, so that a run can go on from them.

        ``chosen_alone`` leaves out node counts that were tried but not chosen: all that a table of means needs.
        """
        path = self.folder / f"{experiment}.csv"
        if not path.exists():
            return {}
        manifest = self.manifest(experiment)
        with path.open(encoding="utf-8", newline="") as file:
            written = [row for row in csv.DictReader(file) if not chosen_alone or row.get("chosen") != "false"]
        rows = [_restored(_parsed(row), manifest) for row in written]
        documents: dict[str, Document] = {}
        for row in rows:
            key, origin = row.pop("cell"), row.pop("provenance")
            fresh = {
                "experiment": experiment,
                "key": key,
                "status": "ok",
                "seconds": row.pop("seconds"),
                "shared": {},
                "records": [],
                "provenance": manifest["provenance"][origin],
            }
            documents.setdefault(key, fresh)["records"].append(row)
        return documents


def _sortable(value: Any) -> tuple[int, Any]:
    """A key that orders numbers by value, words by letters, and puts missing values first."""
    if value is None:
        return (0, 0)
    return (1, value) if isinstance(value, (int, float)) else (2, str(value))


_VARIES = object()


def _shared_value(rows: list[Document], column: str) -> Any:
    """The value that ``column`` has in every row, or :data:`_VARIES`."""
    values = {json.dumps(row.get(column)) for row in rows}
    return json.loads(values.pop()) if len(values) == 1 else _VARIES


def _groups(rows: list[Document], by: str) -> dict[str, list[Document]]:
    groups: dict[str, list[Document]] = {}
    for row in rows:
        groups.setdefault(str(row.get(by)), []).append(row)
    return groups


def _compact(rows: list[Document]) -> tuple[dict[str, Any], str]:
    """What all rows, all rows of a data set and all rows of a model share, and the rest as CSV text."""
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
    varying = [*SORT_COLUMNS, *columns, *LAST_COLUMNS]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(varying)
    writer.writerows([_written(row.get(column)) for column in varying] for row in rows)
    return shared, out.getvalue()


def _restored(row: Document, manifest: Mapping[str, Any]) -> Document:
    """A row with what it shares with the others put back."""
    groups = [manifest[f"by_{by}"].get(str(row[by]), {}) for by in GROUP_COLUMNS]
    return {**manifest["constants"], **groups[0], **groups[1], **row}


def _written(value: Any) -> str:
    """A value as CSV text that :func:`_parsed` reads back unchanged; words stand bare."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _parsed(row: Mapping[str, str]) -> Document:
    return {column: _parsed_value(text) for column, text in row.items()}


def _parsed_value(text: str) -> Any:
    if text == "":
        return None
    try:
        return json.loads(text)
    except ValueError:
        return text


def load_frame(documents: Iterable[Document]) -> pd.DataFrame:
    """One tidy row per cell and node count, failed cells left out."""
    rows = [
        {
            **doc["shared"],
            **record,
            "experiment": doc["experiment"],
            "cell": doc["key"],
            "seconds": doc["seconds"],
        }
        for doc in documents
        if doc["status"] == "ok"
        for record in doc["records"]
    ]
    return pd.DataFrame(rows)


def merged(
    published: Mapping[str, Document], local: Mapping[str, Document], keys: Collection[str]
) -> dict[str, Document]:
    """Finished cells of a plan (``keys``): the published one where there is one, else the local one.

    A published cell is not replaced by a rerun with the same accuracies: its times would only churn the file.
    """
    chosen = {}
    for key in keys:
        for doc in (published.get(key), local.get(key)):
            if doc is not None and doc["status"] == "ok":
                chosen[key] = doc
                break
    return chosen


def _place(record: Document) -> tuple[Any, Any]:
    """What tells the records of a cell apart: the node count, or the stage where all have one node count or none."""
    return record.get("n_hidden"), record.get("stage")


def differing(first: Mapping[str, Document], second: Mapping[str, Document]) -> list[tuple[Document, Document]]:
    """Pairs of records of cells present in both whose accuracies are not equal to the last digit."""
    pairs = []
    for key in sorted(first.keys() & second.keys()):
        theirs = {_place(record): record for record in second[key]["records"]}
        for record in first[key]["records"]:
            other = theirs.get(_place(record), {"accuracy": None})
            if record["accuracy"] != other["accuracy"]:
                pairs.append(({**first[key]["shared"], **record}, other))
    return pairs
