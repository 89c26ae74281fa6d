"""The published store: sorted CSV that a person can diff, bulk compressed beside it, and a manifest with digests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celm.base.files import content_digest, read_json, write_whole
from celm.study.store.checks import manifest_fault, records_fault
from celm.study.store.documents import OF_THE_CELL, Document, StoreError, cell_digest, in_place_order, rows_of
from celm.study.store.parts import ABOUT_DIGESTS, Part, read_part, written_part
from celm.study.store.row_text import SURFACES, compacted, from_text, restored, sorted_rows, to_text

# Raised when what stands in the files changes its meaning.
FORMAT = 2


class PublishedStore:
    """``folder/<experiment>.csv``, its manifest ``.json``, and bulk in ``.unchosen.csv.xz`` and ``.surfaces.csv.xz``.

    The CSV has the rows that tables, figures and claims read. Node counts that were tried and not chosen, and the
    surfaces of choices made over all rounds, are compressed beside it and read by the same functions. The manifest has
    what rows share, their provenance, a digest and the shape of every file, a digest of every cell and one of itself;
    all are checked whenever they are read, and a :class:`StoreError` names the file that is not what it should be.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def write(self, experiment: str, documents: Mapping[str, Document], about: Mapping[str, Any]) -> None:
        """Publish finished cells; ``about`` (title, planned cells, …) goes into the manifest."""
        finished = [doc for doc in documents.values() if doc["status"] == "ok"]
        for doc in finished:
            if fault := records_fault(doc["records"]):
                raise StoreError(f"{experiment}: cell {doc['key']} cannot be published: {fault}")
        origins: list[str] = sorted({json.dumps(doc["provenance"], sort_keys=True) for doc in finished})
        rows = sorted_rows(_published_rows(finished, origins))
        shared, columns = compacted(rows)
        manifest = {
            **about,
            "format": FORMAT,
            "experiment": experiment,
            "cells": len(finished),
            "rows": len(rows),
            **shared,
            "provenance": [json.loads(origin) for origin in origins],
            "files": {
                self._path(experiment, part.ending).name: written_part(self._path(experiment, part.ending), part)
                for part in _parts(rows, columns)
            },
            "cell_digests": {doc["key"]: cell_digest(doc) for doc in finished},
        }
        for path in self._unlisted(experiment, manifest["files"]):
            path.unlink()
        signed = {**manifest, "digest": content_digest(manifest)}
        write_whole(self._path(experiment, "json"), json.dumps(signed, indent=1, sort_keys=True) + "\n")

    def experiments(self) -> list[str]:
        """Names of the published experiments."""
        return sorted({path.stem for ending in ("csv", "json") for path in self.folder.glob(f"*.{ending}")})

    def manifest(self, experiment: str) -> dict[str, Any]:
        """The manifest of a published experiment, checked against its own digest."""
        path = self._path(experiment, "json")
        try:
            manifest = read_json(path)
        except FileNotFoundError as error:
            raise StoreError(f"{path}: the manifest of {experiment}.csv is missing") from error
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} cannot be read: {error}") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            found = manifest.get("format") if isinstance(manifest, dict) else None
            raise StoreError(f"{path} is of format {found}, this code reads format {FORMAT}")
        signed = {name: value for name, value in manifest.items() if name != "digest"}
        if content_digest(signed) != manifest.get("digest"):
            raise StoreError(f"{path}: its content is not what its digest says; {ABOUT_DIGESTS}")
        if fault := manifest_fault(manifest):
            raise StoreError(f"{path} {fault}; {ABOUT_DIGESTS}")
        if manifest["experiment"] != experiment:
            raise StoreError(f"{path} is the manifest of {manifest['experiment']}")
        return manifest

    def documents(self, experiment: str, *, chosen_alone: bool = False) -> dict[str, Document]:
        """The published cells of an experiment as documents, so that a run can go on from them.

        ``chosen_alone`` leaves out node counts that were tried but not chosen: all that a table of means needs.
        """
        if not any(self._path(experiment, ending).exists() for ending in ("csv", "json")):
            return {}
        manifest = self.manifest(experiment)
        try:
            rows = self._rows(experiment, manifest, with_unchosen=not chosen_alone)
            documents = documents_from_rows(experiment, rows, manifest)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise StoreError(f"{self._path(experiment, 'json')} does not describe its files: {error!r}") from error
        digests = manifest["cell_digests"]
        if documents.keys() != digests.keys() or len(documents) != manifest["cells"]:
            raise StoreError(f"{self._path(experiment, 'csv')} has {len(documents)} cells, its manifest {len(digests)}")
        if chosen_alone:
            return documents
        if len(rows) != manifest["rows"]:
            raise StoreError(f"{self._path(experiment, 'csv')}: {len(rows)} rows, by its manifest {manifest['rows']}")
        for key, document in documents.items():
            if cell_digest(document) != digests[key]:
                raise StoreError(f"{self._path(experiment, 'csv')}: cell {key} is not what its digest says")
        return documents

    def cell_seconds(self, experiment: str) -> dict[tuple[str, str], list[float]]:
        """Seconds of every published cell by data set and model, from the CSV alone: bulk stays packed."""
        if not self._path(experiment, "json").exists():
            return {}
        manifest = self.manifest(experiment)
        rows = {row["cell"]: restored(row, manifest) for row in self._part(experiment, manifest, "csv")}
        found: dict[tuple[str, str], list[float]] = {}
        for row in rows.values():
            found.setdefault((row["dataset"], row["model"]), []).append(row["seconds"])
        return found

    def unlisted(self) -> list[Path]:
        """Files in the folder that no manifest knows."""
        known = {self._path(name, "json").name for name in self.experiments()}
        known |= {file for name in self.experiments() for file in self.manifest(name)["files"]}
        return sorted(path for path in self.folder.iterdir() if path.name not in known)

    def _unlisted(self, experiment: str, files: Mapping[str, Any]) -> list[Path]:
        """Bulk of an earlier publication that this one has not."""
        return [path for path in self.folder.glob(f"{experiment}.*.csv.xz") if path.name not in files]

    def _path(self, experiment: str, ending: str) -> Path:
        return self.folder / f"{experiment}.{ending}"

    def _rows(self, experiment: str, manifest: Mapping[str, Any], with_unchosen: bool) -> list[Document]:
        """Rows of the CSV with their surfaces, and the unchosen ones where they are wanted."""
        rows = self._part(experiment, manifest, "csv")
        surfaces = self._part(experiment, manifest, "surfaces.csv.xz")
        if surfaces and [row["cell"] for row in surfaces] != [row["cell"] for row in rows]:
            raise StoreError(f"{self._path(experiment, 'surfaces.csv.xz')} has the surfaces of other cells")
        for row, surface in zip(rows, surfaces, strict=False):
            row.update(surface)
        return rows + (self._part(experiment, manifest, "unchosen.csv.xz") if with_unchosen else [])

    def _part(self, experiment: str, manifest: Mapping[str, Any], ending: str) -> list[Document]:
        path = self._path(experiment, ending)
        described = manifest["files"].get(path.name)
        return [] if described is None else read_part(path, described, from_text)


def _parts(rows: list[Document], columns: list[str]) -> list[Part]:
    """The files that rows are divided over: what is read, what was not chosen, and the surfaces of what is read."""
    read = [row for row in rows if row.get("chosen") is not False]
    unchosen = [row for row in rows if row.get("chosen") is False]
    surfaces = [column for column in columns if column in SURFACES]
    plain = [column for column in columns if column not in SURFACES]
    parts = [Part("csv", to_text(read, plain), len(read), plain)]
    if surfaces:
        parts.append(Part("surfaces.csv.xz", to_text(read, ["cell", *surfaces]), len(read), ["cell", *surfaces]))
    if unchosen:
        parts.append(Part("unchosen.csv.xz", to_text(unchosen, columns), len(unchosen), columns))
    return parts


def _published_rows(documents: list[Document], origins: list[str]) -> list[Document]:
    """One row per record: what its cell shares, what it measured, and where it comes from."""
    places = {origin: place for place, origin in enumerate(origins)}
    rows = []
    for doc in documents:
        cell = {name: doc[name] for name in OF_THE_CELL if doc.get(name) is not None}
        origin = places[json.dumps(doc["provenance"], sort_keys=True)]
        rows += [{**row, **cell, "cell": doc["key"], "provenance": origin} for row in rows_of(doc)]
    return rows


def documents_from_rows(experiment: str, rows: list[Document], manifest: Mapping[str, Any]) -> dict[str, Document]:
    """Published rows as the documents of their cells."""
    documents: dict[str, Document] = {}
    for row in rows:
        whole = restored(row, manifest)
        key, origin = whole.pop("cell"), whole.pop("provenance")
        if origin not in range(len(manifest["provenance"])):
            raise StoreError(f"{experiment}.csv: cell {key} has provenance {origin}, not one of {experiment}.json")
        cell = {name: whole.pop(name, None) for name in OF_THE_CELL}
        fresh: Document = {
            "experiment": experiment,
            "key": key,
            "status": "ok",
            **cell,
            "shared": {},
            "records": [],
            "provenance": manifest["provenance"][origin],
        }
        documents.setdefault(key, fresh)["records"].append(whole)
    for document in documents.values():
        document["records"] = in_place_order(document["records"])
    return documents
