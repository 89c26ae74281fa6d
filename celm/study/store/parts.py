"""One file of a published experiment: the same bytes from the same rows, and its digest checked when it is read."""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from celm.base.files import read_regular, write_whole
from celm.study.store.documents import StoreError
from celm.study.store.row_text import Columns, from_text

# xz keeps no time and no name: the same text gives the same bytes.
PRESET = 6 | lzma.PRESET_EXTREME
ABOUT_DIGESTS = "restore it from git, or publish its experiment anew"


class Part(NamedTuple):
    """Rows of an experiment that share a file: its ending, its text, and the shape of that."""

    ending: str
    text: str
    rows: int
    columns: list[str]


def _is_compressed(path: Path) -> bool:
    return path.suffix == ".xz"


def written_part(path: Path, part: Part) -> dict[str, Any]:
    """Write a part to its file; returns the file's digest and shape for the manifest.

    A compressed file that holds the text already stays as it is: another version of xz may pack it otherwise.
    """
    content = part.text.encode()
    if _is_compressed(path):
        content = _kept(path, content) or lzma.compress(content, check=lzma.CHECK_CRC64, preset=PRESET)
    write_whole(path, content)
    digest = hashlib.sha256(content).hexdigest()
    return {"sha256": digest, "rows": part.rows, "columns": part.columns}


def _kept(path: Path, text: bytes) -> bytes | None:
    """The bytes at ``path`` where they unpack to ``text``."""
    try:
        there = path.read_bytes()
        return there if lzma.decompress(there) == text else None
    except (OSError, lzma.LZMAError):
        return None


def read_part(path: Path, described: Mapping[str, Any], wanted: Sequence[str] | None = None) -> Columns:
    """The columns of a file that is what its manifest says; a :class:`StoreError` names the one that is not.

    ``wanted``: those to read, where not all are; the cells are always among them.
    """
    try:
        content = read_regular(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if hashlib.sha256(content).hexdigest() != described["sha256"]:
        raise StoreError(f"{path}: its content is not what its manifest's digest says; {ABOUT_DIGESTS}")
    try:
        text = (lzma.decompress(content) if _is_compressed(path) else content).decode("utf-8")
        columns = from_text(text, described["columns"], wanted)
    except (lzma.LZMAError, ValueError) as error:
        raise StoreError(f"{path} cannot be read: {error}") from error
    if (n_rows := len(columns["cell"])) != described["rows"]:
        raise StoreError(f"{path} has {n_rows} rows, by its manifest {described['rows']}")
    return columns
