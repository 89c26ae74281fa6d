"""Small archives, stand-ins for the clients, and a tiny data set with known digests."""

from __future__ import annotations

import io
import os
import stat
import sys
import tarfile
import types
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from celm.datasets.dataset import Arrays, array_digest
from celm.datasets.sources import FetchedSpec, Library


@pytest.fixture
def make_tarball() -> Callable[[Path, Mapping[str, bytes]], Path]:
    def build(path: Path, members: Mapping[str, bytes]) -> Path:
        with tarfile.open(path, "w:gz") as archive:
            for name, content in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
        return path

    return build


@pytest.fixture
def make_wheel() -> Callable[[Path, Mapping[str, bytes]], Path]:
    """A wheel ``tinydata`` 1.0 that pip accepts, with extra members."""

    def build(folder: Path, members: Mapping[str, bytes]) -> Path:
        path = folder / "tinydata-1.0-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("tinydata-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tinydata\nVersion: 1.0\n")
            archive.writestr("tinydata-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            archive.writestr("tinydata-1.0.dist-info/RECORD", "")
            for name, content in members.items():
                archive.writestr(name, content)
        return path

    return build


@pytest.fixture
def stub_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a program ``npm`` with the given shell body first on PATH."""

    def install(body: str) -> None:
        folder = tmp_path / "stub"
        folder.mkdir(exist_ok=True)
        program = folder / "npm"
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    return install


@pytest.fixture
def stub_openml(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Replaces the openml package by one that answers with a frame and labels; returns the list of ids asked for."""

    def install(features: object, labels: object, default_target: str | None = "class") -> list[int]:
        asked: list[int] = []

        def get_dataset(dataset_id: int, download_data: bool) -> types.SimpleNamespace:
            asked.append(dataset_id)
            return types.SimpleNamespace(
                default_target_attribute=default_target,
                get_data=lambda target: (features, labels, [], []),
            )

        module = types.ModuleType("openml")
        module.datasets = types.SimpleNamespace(get_dataset=get_dataset)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "openml", module)
        return asked

    return install


@pytest.fixture
def tiny_arrays() -> Arrays:
    return Arrays(np.arange(12.0).reshape(4, 3), np.array([0, 1, 1, 0], dtype=np.uint8))


@pytest.fixture
def tiny_spec(tiny_arrays: Arrays) -> FetchedSpec:
    """A data set of four rows that a library carries."""
    return FetchedSpec(
        name="tiny",
        classes=("no", "yes"),
        x_shape=(4, 3),
        x_dtype="f8",
        x_digest=array_digest(tiny_arrays.X),
        y_digest=array_digest(tiny_arrays.y),
        sources={"library": Library(lambda: tiny_arrays)},
    )
