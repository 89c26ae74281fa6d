"""Files that are whole or absent, digests of what they stand for, and a place beside for what cannot be trusted."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Bytes of the largest JSON file that is read: cells, manifests and notes have a hundredth of it.
MAX_JSON = 2**28


def content_digest(content: Any) -> str:
    """64 hexadecimal digits for plain values (sha256 of their JSON), whatever the order in which keys are written.

    Examples
    --------
    >>> content_digest({"a": 1, "b": [1, 2]}) == content_digest({"b": [1, 2], "a": 1})
    True
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def cell_key(identity: Mapping[str, Any]) -> str:
    """32 hexadecimal digits for everything that determines a cell's numbers."""
    return content_digest(identity)[:32]


def user_path(text: str) -> Path:
    """A path as a user writes it, ~ for a home; a ValueError where it names the home of somebody unknown."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ValueError(f"{text} cannot be found: nobody of that name has a home here; write the path out.") from error


def check_regular(path: Path) -> None:
    """Raise an OSError where a pipe, a device or a folder stands in the place of a file: reading it might never end."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(f"{path} is not a regular file")


def read_regular(path: Path) -> bytes:
    """The content of a file; a pipe, a device or a folder in its place is an OSError, not a wait."""
    check_regular(path)
    return path.read_bytes()


def read_json(path: Path) -> Any:
    """What a JSON file says; an OSError where it cannot be read or is too large, a ValueError where it is none."""
    if (size := path.stat().st_size) > MAX_JSON:
        raise OSError(f"{path} has {size >> 20} MB, no file of ours has more than {MAX_JSON >> 20}")
    try:
        return json.loads(read_regular(path).decode("utf-8"))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Put ``content`` at ``path`` by an atomic rename, flushed to disk first: a reader sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def check_writable(folder: Path) -> None:
    """Raise an OSError where no file can be written into ``folder``, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    _try_writing(folder)


def _try_writing(folder: Path) -> None:
    with tempfile.TemporaryFile(prefix=".", dir=folder) as file:
        file.write(b"x")
        file.flush()


def check_place(folder: Path) -> None:
    """Raise an OSError where ``folder`` could not be made or written; nothing is made, its nearest parent is tried."""
    _try_writing(next(place for place in (folder, *folder.absolute().parents) if os.path.lexists(place)))


def set_aside(path: Path) -> Path:
    """Rename a file that cannot be trusted to ``<name>.aside`` (``.aside-2``, …) beside itself; returns its new place.

    Nothing is lost: a person can look at what was there. A file that another process has moved already stays moved,
    and one in a folder that cannot be written stays where it is.
    """
    number = 1
    while (target := path.with_name(f"{path.name}.aside" + (f"-{number}" if number > 1 else ""))).exists():
        number += 1
    try:
        path.rename(target)
    except FileNotFoundError:
        return target
    except OSError:
        return path
    return target


def put_aside(path: Path) -> str:
    """Set a file aside and say in words where it is now: ``set aside as NAME``."""
    place = set_aside(path)
    return "passed over where it is, it cannot be moved" if place == path else f"set aside as {place.name}"
