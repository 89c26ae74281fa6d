"""Published records of the first format, one CSV without digests, as they were before records carried any."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from celm.study.store.documents import Document
from celm.study.store.published import documents_from_columns
from celm.study.store.row_text import from_text, ordered, restored


def is_earlier(folder: Path, experiment: str) -> bool:
    """Whether an experiment is published in the first format."""
    path = folder / f"{experiment}.json"
    return path.exists() and "format" not in json.loads(path.read_text(encoding="utf-8"))


def earlier_documents(folder: Path, experiment: str) -> tuple[dict[str, Document], dict[str, Any]]:
    """The cells of an experiment of the first format, and what its manifest says about them all."""
    manifest = json.loads((folder / f"{experiment}.json").read_text(encoding="utf-8"))
    text = (folder / f"{experiment}.csv").read_text(encoding="utf-8")
    columns = ordered(restored(from_text(text, next(csv.reader([text.partition("\n")[0]]))), manifest))
    if (n_rows := len(columns["cell"])) != manifest["rows"]:
        raise ValueError(f"{folder / experiment}.csv has {n_rows} rows, by its manifest {manifest['rows']}")
    about = {name: manifest[name] for name in ("title", "planned_cells") if name in manifest}
    return documents_from_columns(experiment, columns, manifest["provenance"]), about
