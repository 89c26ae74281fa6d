"""The published store: sorted CSV that a person can diff, bulk compressed beside it, and a manifest with digests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from celm.base.files import content_digest, read_json, write_whole
from celm.study.store.checks import manifest_fault, records_fault
from celm.study.store.documents import OF_THE_CELL, Document, Row, StoreError, cell_digest, rows_of
from celm.study.store.parts import ABOUT_DIGESTS, Part, read_part, written_part
from celm.study.store.row_text import SURFACES, Columns, compacted, ordered, restored, sorted_rows, to_text

# Raised when what stands in the files changes its meaning.
FORMAT = 2


class Taken(NamedTuple):
    """What the cells of one data set and model took: the seconds of each, and the largest of their node counts."""

    seconds: list[float]
    nodes: int


class PublishedStore:
    """``folder/<experiment>.csv``, its manifest ``.json``, and bulk in ``.unchosen.csv.xz`` and ``.surfaces.csv.xz``.

    The CSV has the rows that tables, figures and claims read. Node counts that were tried and not chosen, and the
    surfaces of choices made over all rounds, are compressed beside it and read by the same functions. The manifest has
    what rows share, their provenance, a digest and the shape of every file, a digest of every cell and one of itself;
    files are checked whenever they are read, cells where they become documents, and a :class:`StoreError` names the
    file that is not what it should be.
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

        ``chosen_alone`` leaves out node counts that were tried but not chosen: all that a table of means needs. Files
        are checked against their digests, and cells against theirs where all of their rows are read.
        """
        if not self._is_there(experiment):
            return {}
        manifest = self.manifest(experiment)
        columns = self._checked(experiment, manifest, with_unchosen=not chosen_alone)
        with self._naming(experiment):
            documents = documents_from_columns(experiment, columns, manifest["provenance"])
        for key, document in documents.items() if not chosen_alone else ():
            if cell_digest(document) != manifest["cell_digests"][key]:
                raise StoreError(f"{self._path(experiment, 'csv')}: cell {key} is not what its digest says")
        return documents

    def columns(self, experiment: str, *, chosen_alone: bool = False, bulk: bool = True) -> Columns:
        """The published rows by columns, cell after cell, those of a cell in their order; none where there are none.

        Files are checked against their digests, single cells are not: it takes a fraction of the time of documents.
        Without ``bulk`` only the CSV is read: neither unchosen rows nor surfaces.
        """
        if not self._is_there(experiment):
            return {}
        return self._checked(experiment, self.manifest(experiment), bulk and not chosen_alone, bulk)

    def _is_there(self, experiment: str) -> bool:
        return any(self._path(experiment, ending).exists() for ending in ("csv", "json"))

    def _checked(self, experiment: str, manifest: Mapping[str, Any], with_unchosen: bool, bulk: bool = True) -> Columns:
        """Columns with the cells, and where all rows are wanted the rows, that the manifest names."""
        with self._naming(experiment):
            columns = ordered(restored(self._read(experiment, manifest, with_unchosen, bulk), manifest))
        path, digests, cells = self._path(experiment, "csv"), manifest["cell_digests"], set(columns["cell"])
        if cells != digests.keys() or len(cells) != manifest["cells"]:
            raise StoreError(f"{path} has {len(cells)} cells, its manifest {len(digests)}")
        if with_unchosen and len(columns["cell"]) != manifest["rows"]:
            raise StoreError(f"{path}: {len(columns['cell'])} rows, by its manifest {manifest['rows']}")
        return columns

    def cell_seconds(self, experiment: str) -> dict[tuple[str, str], Taken]:
        """What published cells took by data set and model, from a few columns of the CSV alone."""
        if not self._is_there(experiment):
            return {}
        manifest, wanted = self.manifest(experiment), ("dataset", "model", "cell", "n_hidden", "seconds")
        with self._naming(experiment):
            columns = restored(self._part(experiment, manifest, "csv", wanted), manifest)
            rows = list(zip(*(columns[name] for name in wanted), strict=True))
        cells: dict[tuple[str, str], dict[str, float]] = {}
        nodes: dict[tuple[str, str], int] = {}
        for dataset, model, cell, n_hidden, seconds in rows:
            cells.setdefault((dataset, model), {})[cell] = seconds
            nodes[dataset, model] = max(nodes.get((dataset, model), 0), n_hidden if isinstance(n_hidden, int) else 0)
        return {place: Taken(list(seconds.values()), nodes[place]) for place, seconds in cells.items()}

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

    def _read(self, experiment: str, manifest: Mapping[str, Any], with_unchosen: bool, bulk: bool) -> Columns:
        """Columns of the CSV with their surfaces, and below them the unchosen rows where they are wanted."""
        read = self._part(experiment, manifest, "csv")
        surfaces = self._part(experiment, manifest, "surfaces.csv.xz") if bulk else {}
        if surfaces and surfaces["cell"] != read["cell"]:
            raise StoreError(f"{self._path(experiment, 'surfaces.csv.xz')} has the surfaces of other cells")
        read.update(surfaces)
        unchosen = self._part(experiment, manifest, "unchosen.csv.xz") if with_unchosen else {}
        if unchosen and unchosen.keys() != read.keys():
            raise StoreError(f"{self._path(experiment, 'unchosen.csv.xz')} has other columns than {experiment}.csv")
        return {name: values + unchosen.get(name, []) for name, values in read.items()}

    def _part(
        self, experiment: str, manifest: Mapping[str, Any], ending: str, wanted: Sequence[str] | None = None
    ) -> Columns:
        path = self._path(experiment, ending)
        described = manifest["files"].get(path.name)
        return {} if described is None else read_part(path, described, wanted)

    @contextmanager
    def _naming(self, experiment: str) -> Iterator[None]:
        """A manifest of the right form that says something else than its files is told in words."""
        try:
            yield
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise StoreError(f"{self._path(experiment, 'json')} does not describe its files: {error!r}") from error


def _parts(rows: list[Row], columns: list[str]) -> list[Part]:
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


def _published_rows(documents: list[Document], origins: list[str]) -> list[Row]:
    """One row per record: what its cell shares, what it measured, and where it comes from."""
    places = {origin: place for place, origin in enumerate(origins)}
    rows = []
    for doc in documents:
        cell = {name: value for name in OF_THE_CELL if (value := doc.get(name)) is not None}
        origin = places[json.dumps(doc["provenance"], sort_keys=True)]
        rows += [{**row, **cell, "cell": doc["key"], "provenance": origin} for row in rows_of(doc)]
    return rows


def documents_from_columns(experiment: str, columns: Columns, origins: Sequence[Any]) -> dict[str, Document]:
    """Published rows as the documents of their cells."""
    documents: dict[str, Document] = {}
    for values in zip(*columns.values(), strict=True):
        record = dict(zip(columns, values, strict=True))
        key, origin = record.pop("cell"), record.pop("provenance")
        if origin not in range(len(origins)):
            raise StoreError(f"{experiment}.csv: cell {key} has provenance {origin}, not one of {experiment}.json")
        cell = {name: record.pop(name, None) for name in OF_THE_CELL}
        fresh: Document = {
            "experiment": experiment,
            "key": key,
            "status": "ok",
            "seconds": cell["seconds"],
            "code": cell["code"],
            "shared": {},
            "records": [],
            "provenance": origins[origin],
        }
        documents.setdefault(key, fresh)["records"].append(record)
    return documents
