"""The local store: one file per finished cell, which carries its key and a digest of its content."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import cast

from celm.base.files import check_place, check_writable, content_digest, put_aside, read_json, write_whole
from celm.study.store.checks import document_fault
from celm.study.store.documents import Document

logger = logging.getLogger(__name__)


class LocalStore:
    """One JSON file per cell under ``folder/<experiment>/cells/<key>.json``, failures included.

    A file is written whole or not at all. One whose digest, key, place or values are not what they must be is set
    aside (renamed, with a warning): its cell counts as absent and is run again.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def write(self, document: Document) -> None:
        """Keep one cell's document; it replaces an earlier one of the same key."""
        path = self.folder / document["experiment"] / "cells" / f"{document['key']}.json"
        content = json.loads(json.dumps(document))
        signed = {**content, "digest": content_digest(content)}
        write_whole(path, json.dumps(signed, indent=1, sort_keys=True) + "\n")

    def check_writable(self, experiment: str, *, make: bool = True) -> None:
        """Raise an OSError where cells of an experiment could not be kept: known before the first one runs.

        A look that must not ``make`` a folder finds most of what would stand in the way.
        """
        (check_writable if make else check_place)(self.folder / experiment / "cells")

    def documents(self, experiment: str) -> dict[str, Document]:
        """Every cell of an experiment that can be believed, by its key; the others are set aside and reported."""
        found = {}
        for path in sorted((self.folder / experiment / "cells").glob("*.json")):
            try:
                document = _believed(path, experiment)
            except (OSError, ValueError) as error:
                logger.warning("%s was %s (%s): its cell will be run again", path, put_aside(path), error)
            else:
                found[document["key"]] = document
        return found

    def experiments(self) -> list[str]:
        """Names of the experiments with at least one cell."""
        return sorted({path.parent.parent.name for path in self.folder.glob("*/cells/*.json")})


def _believed(path: Path, experiment: str) -> Document:
    """The document in a file; a ValueError says why it cannot be believed."""
    document = read_json(path)
    if not isinstance(document, dict) or "digest" not in document:
        raise ValueError("it carries no digest of its content")
    if content_digest({name: value for name, value in document.items() if name != "digest"}) != document.pop("digest"):
        raise ValueError("its content is not what its digest says")
    if fault := document_fault(document):
        raise ValueError(fault)
    if document["key"] != path.stem:
        raise ValueError(f"it is the file of cell {document['key']}")
    if document["experiment"] != experiment:
        raise ValueError(f"it is a cell of {document['experiment']}")
    return cast(Document, document)
