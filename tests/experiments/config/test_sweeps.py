"""Multirun as a user types it: no failure stops a sweep, all are told at its end, and a killed one goes on."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from celm.study.store import LocalStore, PublishedStore
from experiments.config.sweeps import note_job, noted_jobs
from experiments.sweep_summary import show_sweep
from fuzz.command_line_runs import ended

ROOT = Path(__file__).resolve().parents[2]
TINY = ["n_hidden=[5,10]", "split.subset=150", "split.subset_test=80", "progress=false", "executor.workers=1"]


FAILED = {
    "experiment": "study",
    "key": "",
    "status": "failed",
    "label": "wdbc elm round 0",
    "error": "no",
    "identity": {},
    "provenance": {},
    "shared": {"dataset": "wdbc", "model": "elm"},
    "records": [],
    "seconds": 0.0,
}


def command(folder, *words):
    own = [f"store={folder / 'store'}", f"hydra.sweep.dir={folder / 'hydra'}"]
    return [sys.executable, "-m", "experiments.run", "-m", *words, *TINY, *own]


def sweep(folder, *words):
    """Within this process: a start is most of such a test."""
    end = ended(command(folder, *words)[3:])
    assert not end.error
    return end.code, end.output


def cells(folder):
    return sorted((folder / "store").glob("*/cells/*.json"))


def table(folder):
    (path,) = (folder / "store").glob("*/table.csv")
    return pd.read_csv(path)


def test_failing_jobs_and_cells_stop_nothing_and_are_all_told_at_the_end(tmp_path, equal_once_scaled):
    own = ["dataset=csv", f"dataset.path={equal_once_scaled}", "features=per_sample"]
    code, output = sweep(tmp_path, *own, "rounds=2", "model=elm,cdelm", "selection.n_folds=1,200,2")
    assert code == 1, output
    assert list(table(tmp_path)["model"]) == ["elm"]
    end = output.partition("\nsweep study-")[2]
    assert end.count("job not run: ") == 4
    assert end.count("at most the number of training rows; got 200") == 2
    assert end.count("n_folds must be a whole number of at least 2; got 1") == 2
    assert end.count("failed: csv-equal cdelm ") == 2
    assert "2 cells failed; they run again next time" in end


@pytest.mark.heavy
def test_a_killed_sweep_goes_on_and_skips_what_is_done(tmp_path):
    words = ["rounds=5", "model=elm,cdelm"]
    process = subprocess.Popen(
        command(tmp_path, *words), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 120
    while not cells(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = {path: path.stat().st_mtime_ns for path in cells(tmp_path)}
    assert kept
    code, output = sweep(tmp_path, *words)
    assert code == 0, output
    assert len(cells(tmp_path)) == 10
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert list(table(tmp_path)["rounds"]) == [5, 5]


def test_cells_of_other_runs_in_the_same_store_are_not_the_sweep_s(tmp_path):
    """A study without settings of its own has one folder for whatever is run of it: a sweep shows its own cells."""
    store = str(tmp_path)
    note_job(store, "study", ["model=elm,bp"], ["model=elm"], [], "")
    (path,) = tmp_path.glob("study/jobs/*.json")
    note = json.loads(path.read_text())
    path.write_text(json.dumps({**note, "cells": ["mine"]}))
    LocalStore(tmp_path).write({**FAILED, "key": "mine"})
    LocalStore(tmp_path).write({**FAILED, "key": "another"})
    jobs = noted_jobs(store, ["model=elm,bp"])
    (swept,) = show_sweep(store, ["model=elm,bp"], jobs)
    assert [document["key"] for document in swept.failed()] == ["mine"]
    assert noted_jobs(store, ["model=elm"]) == []


def test_a_sweep_ends_with_words_or_with_one_object_per_study(tmp_path):
    words = ["dataset=wdbc", "rounds=1", "model=elm,cdelm"]
    code, output = sweep(tmp_path, *words)
    assert code == 0, output
    assert "2 of 2 cells are done, 2 ran now in " in output
    assert "is not published yet: nothing to compare with." in output
    assert "Best: " in output
    code, output = ended_with(tmp_path, "--json", *words)
    (line,) = [line for line in output.splitlines() if line.startswith("{")]
    end = json.loads(line)
    assert (end["planned"], end["finished"], end["ran"], end["failed"]) == (2, 2, 0, [])
    assert "Constrained" not in output  # no table
    code, output = ended_with(tmp_path, "--quiet", *words)
    assert output.splitlines()[-1].startswith(f"{end['name']}: 2 of 2 cells in ")


def ended_with(folder, flag, *words):
    end = ended([flag, *command(folder, *words)[3:]])
    assert not end.error
    return end.code, end.output


def test_a_published_sweep_says_whether_it_equals_that(tmp_path):
    words = ["dataset=wdbc", "rounds=1", "model=elm,cdelm"]
    sweep(tmp_path, *words)
    local = LocalStore(tmp_path / "store")
    (name,) = local.experiments()
    PublishedStore(tmp_path / "published").write(name, local.documents(name), {"planned_cells": 2})
    code, output = sweep(tmp_path, *words, f"published={tmp_path / 'published'}")
    assert code == 0, output
    assert "In 2 of 2 published cells 4 of 4 records are equal to the last digit." in output
    assert "Next: open results/report/index.html" in output
