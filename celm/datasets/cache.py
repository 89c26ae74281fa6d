"""The cache folder: decoded arrays, each written whole or not at all and named by its digest."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import platformdirs

from celm.base.files import check_regular, user_path
from celm.datasets.dataset import Arrays, SourceError, array_digest

logger = logging.getLogger("celm.datasets")


def cache_folder() -> Path:
    """``CELM_CACHE`` when it is set, else the platform's folder for a user's caches."""
    chosen = os.environ.get("CELM_CACHE")
    return user_path(chosen) if chosen else Path(platformdirs.user_cache_dir("celm"))


@contextmanager
def work_folder(cache: Path) -> Iterator[Path]:
    """A folder of our own inside ``cache``, gone afterwards; files leave it by an atomic rename.

    See :func:`scratch_folder` for work that needs no place in the cache.
    """
    try:
        cache.mkdir(parents=True, exist_ok=True)
        folder = tempfile.TemporaryDirectory(prefix="work-", dir=cache, ignore_cleanup_errors=True)
    except OSError as error:
        raise SourceError(
            f"the cache folder {cache} cannot be written ({error}); set CELM_CACHE to a folder that can"
        ) from error
    with folder as path:
        yield Path(path)


@contextmanager
def scratch_folder(cache: Path) -> Iterator[Path]:
    """A work folder in ``cache``, or where that cannot be written one of the system: work goes on without the cache."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(work_folder(cache))
        except SourceError as error:
            logger.warning("%s", error)
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="celm-")))
        yield folder


def array_path(cache: Path, entry: str, part: str, digest: str) -> Path:
    """Where the array ``part`` (X or y) of ``entry`` lives: ``<cache>/<entry>/X-<digest's start>.npy``."""
    return cache / entry / f"{part}-{digest[:16]}.npy"


def write_file(cache: Path, target: Path, content: bytes) -> None:
    """Put ``content`` at ``target`` by an atomic rename."""
    with work_folder(cache) as work:
        (work / target.name).write_bytes(content)
        _move(work / target.name, target)


def write_arrays(cache: Path, entry: str, arrays: Arrays) -> None:
    """Keep ``arrays`` under ``entry``; processes that write the same at once do each other no harm."""
    with work_folder(cache) as work:
        for part, array in arrays._asdict().items():
            target = array_path(cache, entry, part, array_digest(array))
            np.save(work / target.name, array, allow_pickle=False)
            _move(work / target.name, target)


def _move(finished: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(finished, target)


def read_arrays(cache: Path, entry: str, x_digest: str, y_digest: str) -> Arrays:
    """The arrays of ``entry``, memory-mapped so that processes share their pages, their digests checked."""
    X = _read_array(array_path(cache, entry, "X", x_digest), x_digest)
    return Arrays(X, _read_array(array_path(cache, entry, "y", y_digest), y_digest))


class CorruptCacheError(SourceError):
    """A cached file is there but is not what it should be."""


def _read_array(path: Path, digest: str) -> npt.NDArray[np.generic]:
    try:
        check_regular(path)
        array: npt.NDArray[np.generic] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except (FileNotFoundError, NotADirectoryError) as error:
        raise SourceError(f"no copy at {path}") from error
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise CorruptCacheError(f"{path} cannot be read ({error}); delete it to fetch it anew") from error
    if array_digest(array) != digest:
        raise CorruptCacheError(f"{path} is corrupt: its sha256 is not {digest}; delete it to fetch it anew")
    return array
