"""A run on a machine that fails: a sentence, everything finished kept, and a finished store readable for ever."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from celm.base.files import content_digest
from celm.study import choices
from celm.study.executors.cluster_worker import WorkersLost
from celm.study.store import LocalStore, PublishedStore, StoreError
from experiments import execution
from experiments.config import sweeps
from experiments.config.studies import composed_study
from experiments.execution import MachineError, run_study
from experiments.run_summary import show
from fuzz.command_line_runs import ended

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["rounds=2", "n_hidden=[5]", "split.subset=60", "progress=false", "executor.workers=1", "model=elm"]


def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def in_this_process(cells, _executor):
    from celm.study.runner import run_cell

    for cell in cells:
        yield run_cell(cell, 1)


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.setitem(execution.EXECUTORS, "local", in_this_process)
    return composed_study("study", [*SMALL, f"store={tmp_path / 'runs'}"])


def test_a_store_that_cannot_be_written_is_refused_before_the_first_cell(study, tmp_path, monkeypatch):
    monkeypatch.setitem(execution.EXECUTORS, "local", lambda *_: pytest.fail("a cell was run"))
    (tmp_path / "runs").write_text("a file, no folder")
    with pytest.raises(ValueError, match=r"the store .* cannot be written: .* Name another with store=FOLDER"):
        run_study(study)


def test_a_disk_that_fills_up_keeps_what_is_finished(study, monkeypatch):
    write, kept = LocalStore.write, []

    def once(self, document):
        if kept:
            full()
        kept.append(document["key"])
        write(self, document)

    with monkeypatch.context() as patch:
        patch.setattr(LocalStore, "write", once)
        with pytest.raises(MachineError, match=r"No space left.*finished cells are kept, the same command goes on"):
            run_study(study)
    assert list(LocalStore(study.config.store).documents(study.config.name)) == kept
    assert len(run_study(study).finished) == 2


def test_a_finished_store_that_cannot_be_written_is_read(study, monkeypatch, caplog, capsys):
    run_study(study)
    monkeypatch.setattr("celm.base.files.tempfile.mkstemp", full)
    monkeypatch.setattr("celm.base.files.tempfile.TemporaryFile", full)
    monkeypatch.setattr(Path, "write_bytes", full)
    show(run_study(study))
    assert "tables and figures are not written" in caplog.text
    assert "wdbc" in capsys.readouterr().out.lower()


@pytest.mark.parametrize("name", ["experiment", "cells", "rows", "provenance", "files", "cell_digests", "digest"])
def test_a_manifest_of_another_shape_is_named(study, tmp_path, name):
    published = PublishedStore(tmp_path / "published")
    published.write("study", run_study(study).finished, {})
    path = tmp_path / "published" / "study.json"
    manifest = json.loads(path.read_text())
    for spoilt in (None, [[]], [], {}, {"study.csv": 3}):
        changed = {**manifest, name: spoilt}
        if name != "digest":
            changed["digest"] = content_digest({key: value for key, value in changed.items() if key != "digest"})
        path.write_text(json.dumps(changed))
        with pytest.raises(StoreError, match=r"study\.(json|csv)"):
            published.documents("study")


def test_pipes_and_other_shapes_in_a_store_are_passed_over(study):
    run_study(study)
    folder = Path(study.config.store) / study.config.name / "cells"
    for place, text in enumerate(["[]", "3", "null", '{"digest": 3}', "[" * 100_000, "\udcff"]):
        (folder / f"{place}.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    os.mkfifo(folder / "pipe.json")
    (folder / "folder.json").mkdir()
    assert len(LocalStore(study.config.store).documents(study.config.name)) == 2
    assert len(list(folder.glob("*.json"))) == 2


def test_notes_of_jobs_that_are_none_are_passed_over(tmp_path):
    sweeps.note_job(str(tmp_path), "study", ["model=elm,bp"], ["model=elm"], [])
    (path,) = tmp_path.glob("study/jobs/*.json")
    for place, text in enumerate(["[]", "{", json.dumps({"sweep": 3}), ""]):
        (path.parent / f"{place}.json").write_text(text)
    os.mkfifo(path.parent / "pipe.json")
    assert len(sweeps.noted_jobs(str(tmp_path), ["model=elm,bp"])) == 1
    assert sweeps.noted_sweeps(str(tmp_path)) == [("model=elm,bp",)]
    before = path.stat().st_mtime_ns
    sweeps.note_job(str(tmp_path), "study", ["model=elm,bp"], ["model=elm"], [])
    assert path.stat().st_mtime_ns == before, "a finished sweep on a read-only disk writes nothing"


def test_a_cache_that_cannot_be_written_is_gone_on_without(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))
    monkeypatch.setattr("celm.base.files.tempfile.mkstemp", full)
    assert choices.remembered("a", lambda: {"lam": 1.0}) == {"lam": 1.0}
    assert "going on without it" in caplog.text
    (tmp_path / "choices").mkdir(exist_ok=True)
    os.mkfifo(tmp_path / "choices" / "b.json")
    assert choices.remembered("b", lambda: {"lam": 2.0}) == {"lam": 2.0}
    choices.forget(["a", "b"])


@pytest.mark.parametrize("command", ["experiments.run", "bench", "chaos", "fuzz.command_line_runs"])
def test_outside_the_environment_a_command_says_what_to_do(command):
    done = subprocess.run([sys.executable, "-S", "-m", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "run make environment" in done.stderr
    assert "Traceback" not in done.stderr


STRUCK = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [(STRUCK, -2), (f"try:\n    {STRUCK.replace(chr(10), '; ')[:-2]}\nfinally:\n    None.zzz\n", 130)],
    ids=["plain", "a library that ends in an error of its own"],
)
def test_ctrl_c_while_libraries_load_ends_in_a_word(tmp_path, text, code):
    (tmp_path / "hydra.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "experiments.run"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: __import__("signal").signal(2, __import__("signal").default_int_handler),
    )
    assert done.stderr == "stopped\n"
    assert done.returncode == code


def test_memory_that_is_full_while_libraries_load_is_told_in_a_sentence(tmp_path):
    (tmp_path / "hydra.py").write_text("raise MemoryError\n")
    done = subprocess.run(
        [sys.executable, "-m", "experiments.run"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "error: the memory of this machine, or what ulimit leaves of it, is full\n"


def test_a_variable_of_the_environment_that_means_nothing_is_named(monkeypatch):
    monkeypatch.setenv("CELM_OUTPUT", "zzz")
    end = ended(["dry_run=true"])
    assert (end.code, end.error) == (2, "")
    assert "CELM_OUTPUT must be quiet or json, or not be set; got 'zzz'" in end.output


def test_what_nobody_foresaw_is_a_sentence_too_and_no_refusal(monkeypatch):
    monkeypatch.delenv("HYDRA_FULL_ERROR", raising=False)
    monkeypatch.setattr("experiments.run.with_protocols", lambda _: {}["gone"])
    end = ended(["dry_run=true"])
    assert (end.code, end.error) == (1, "")
    assert "error: 'gone' (KeyError, not foreseen: HYDRA_FULL_ERROR=1 shows where)" in end.output
    monkeypatch.setenv("HYDRA_FULL_ERROR", "1")
    assert ended(["dry_run=true"]).error == "KeyError: 'gone'"


def test_a_terminal_of_ascii_alone_is_written_to():
    says = "import sys; sys.argv = ['-m']; import experiments; print('2 × 1')"
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", says], env=plain, capture_output=True, text=True, check=True)
    assert done.stdout == "2 \\xd7 1\n"


def test_workers_that_cannot_be_started_are_the_machine_s_fault(monkeypatch, tmp_path):
    def lost(study):
        raise WorkersLost("executor=dask: the worker processes could not be started; finished cells are kept")

    monkeypatch.setattr("experiments.run.run_study", lost)
    end = ended(["rounds=1", f"store={tmp_path}"])
    assert end.code == 1
    assert "finished cells are kept" in end.output
    assert "Traceback" not in end.output
