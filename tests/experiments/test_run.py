"""The command line as a user types it: runs, resumes, survives a kill, reports failures.

What is killed, or ends a process, runs in one of its own; all else within this one: a start is most of such a test.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hydra.errors import ConfigCompositionException

from celm.base.signals import hearing_again
from experiments.config.studies import composed_study
from fuzz.command_line_runs import ended

ROOT = Path(__file__).resolve().parents[2]
TINY = ["rounds=2", "n_hidden=[5,10]", "split.subset=150", "split.subset_test=80", "progress=false"]


def command(*words):
    return [sys.executable, "-m", "experiments.run", *words]


def run_apart(*words, store):
    """In a process of its own, as a shell starts it."""
    done = subprocess.run(
        command(*words, f"store={store}"), cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def run(*words, store):
    """Within this process."""
    end = ended([*words, f"store={store}", f"hydra.sweep.dir={store.parent / 'hydra'}"])
    assert not end.error
    return end.code, end.output


def accuracies(store):
    found = {}
    for path in store.glob("*/cells/*.json"):
        document = json.loads(path.read_text())
        found[document["key"]] = [(record["n_hidden"], record["accuracy"]) for record in document["records"]]
    return found


def test_a_study_runs_prints_its_table_and_resumes(tmp_path):
    code, output = run_apart("dataset=wdbc", "model=selm", *TINY, store=tmp_path)
    assert code == 0, output
    assert "Sample ELM" in output
    (folder,) = tmp_path.iterdir()
    assert folder.name.startswith("study-")
    table = pd.read_csv(folder / "table.csv")
    assert list(table["rounds"]) == [2]
    code, output = run("dataset=wdbc", "model=selm", *TINY, store=tmp_path)
    assert code == 0
    assert "2 already done, 0 to run" in output
    code, output = run("dataset=wdbc", "model=selm", *TINY, "force=true", store=tmp_path)
    assert "0 already done, 2 to run" in output


def test_some_models_of_an_experiment_run_now_and_the_others_another_time(tmp_path):
    words = ["experiment=fig4", "grid.datasets=[wdbc]", "grid.models=[elm,selm]", *TINY]
    code, output = run(*words, "only=[zelm]", store=tmp_path)
    assert code == 2
    assert "config: only must be one of elm, selm; got 'zelm'. Did you mean 'elm'?" in output
    code, output = run(*words, "only=[selm]", store=tmp_path)
    assert code == 0, output
    assert "2 of 4 cells are done, 2 ran now" in output
    assert "the same command without only= runs the models that are left." in output
    code, output = run(*words, "only=[selm]", "dry_run=true", store=tmp_path)
    assert "0 of 2 cells left" in output, "the plan of a run of some models is theirs"
    code, output = run(*words, store=tmp_path)
    assert "2 already done, 2 to run" in output
    assert "4 of 4 cells are done, 2 ran now" in output


def test_a_sweep_is_aggregated_on_its_own_and_never_mixes_with_another(tmp_path):
    code, output = run("-m", "dataset=wdbc", "model=elm,cdelm", *TINY, "executor.workers=1", store=tmp_path / "runs")
    assert code == 0, output
    (folder,) = (tmp_path / "runs").iterdir()
    table = pd.read_csv(folder / "table.csv")
    assert list(table["model"]) == ["elm", "cdelm"]
    assert "Constrained Difference ELM" in output


@pytest.mark.heavy
def test_number_of_processes_and_order_of_cells_change_no_accuracy(tmp_path):
    base = ["experiment=table1", "grid.datasets=[wdbc]", *TINY, "bp.max_epochs=20"]
    code, output = run(*base, "grid.models=[elm,bp,linear_svm]", "executor.workers=1", store=tmp_path / "one")
    assert code == 0, output
    code, output = run(*base, "grid.models=[linear_svm,bp,elm]", "executor.workers=3", store=tmp_path / "three")
    assert code == 0, output
    assert accuracies(tmp_path / "one") == accuracies(tmp_path / "three")
    assert len(accuracies(tmp_path / "one")) == 6


def children_of(pid):
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return [int(child) for child, parent in (line.split() for line in listed.splitlines()) if int(parent) == pid]


def is_running(pid):
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(listed.strip()) and not listed.strip().startswith("Z")


@pytest.mark.heavy
def test_killed_half_way_it_goes_on_where_it_was(tmp_path):
    words = ["dataset=wdbc", "model=orthogonal_elm", "rounds=6", "progress=false", "executor.workers=1"]
    process = subprocess.Popen(
        command(*words, f"store={tmp_path}"), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(accuracies(tmp_path)) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    workers = children_of(process.pid)
    assert workers
    process.send_signal(signal.SIGKILL)
    process.wait()
    while any(is_running(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(worker) for worker in workers), "a killed run leaves its workers behind"
    before = accuracies(tmp_path)
    assert 2 <= len(before) < 6
    code, output = run_apart(*words, store=tmp_path)
    assert code == 0, output
    assert f"{len(before)} already done" in output
    after = accuracies(tmp_path)
    assert len(after) == 6
    assert before.items() <= after.items()


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("number", "code", "to_all", "workers"),
    [(signal.SIGINT, 130, True, 2), (signal.SIGTERM, 143, False, 1), (signal.SIGHUP, 129, True, 1)],
)
def test_a_run_that_is_told_to_stop_ends_in_order(tmp_path, number, code, to_all, workers):
    words = ["dataset=mdd_fac", "model=orthogonal_elm", "progress=false", f"executor.workers={workers}"]
    process = subprocess.Popen(
        command(*words, f"store={tmp_path}"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # A shell that starts the tests in the background has them, and all they start, ignore Ctrl-C.
        preexec_fn=hearing_again,
    )
    deadline = time.monotonic() + 60
    while not accuracies(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    (os.killpg if to_all else os.kill)(process.pid, number)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == code, output
    assert "finished cells are kept" in output
    assert "Traceback" not in output


def test_failures_are_recorded_and_the_rest_goes_on(tmp_path, equal_once_scaled):
    words = ["dataset=csv", f"dataset.path={equal_once_scaled}", "features=per_sample", "rounds=1"]
    code, output = run(*words, "n_hidden=[5]", "progress=false", "grid.models=[elm,cdelm]", store=tmp_path / "runs")
    assert code == 1
    assert "failed: csv-equal cdelm round 0: ValueError: no usable difference" in output
    statuses = [json.loads(p.read_text())["status"] for p in (tmp_path / "runs").glob("*/cells/*.json")]
    assert sorted(statuses) == ["failed", "ok"]


def test_own_data_from_a_csv_file(tmp_path):
    iris = pd.DataFrame({"width": [0.1, 0.9, 0.2, 0.8] * 20, "height": range(80), "kind": ["a", "b", "a", "b"] * 20})
    iris.to_csv(tmp_path / "flowers.csv", index=False)
    words = ["dataset=csv", f"dataset.path={tmp_path / 'flowers.csv'}", "model=cdelm", "rounds=2", "n_hidden=[5,10]"]
    code, output = run(*words, "progress=false", store=tmp_path / "runs")
    assert code == 0, output
    assert "csv-flowers" in output


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["roundz=3"], "Did you mean 'rounds'"),
        (["model=cdlm"], "Did you mean 'cdelm'"),
        (["rounds=0"], "rounds must be a whole number of at least 1; got 0"),
        (["rounds=many"], "rounds must be a whole number"),
        (["rounds=1000000000"], "rounds must be at most 10000; got 1000000000"),
        (["n_hidden=${zzz}"], "Interpolation key 'zzz' not found"),
        (["embedding=${rounds}"], "embedding must be given by its own keys (points, pca"),
        (["elm=${selection}"], "no such key 'elm.penalty'"),
        (["grid.models=${rounds}"], "grid.models must be a list of which each is a text, such as [a,b]; got 10"),
        (["selection.n_folds=1000"], "at most the number of training rows; got 1000, wdbc has 379"),
        (["features=coates_ng"], "features=coates_ng needs images"),
        (["task=regress"], "task=regress does not fit wdbc, which has 2 classes"),
        (["grid.datasets=[zzz]", "dataset=wdbc"], "both name what is run"),
        (["-m", "rounds=1,0", "dry_run=true"], "rounds must be a whole number of at least 1; got 0"),
        (["n_hidden=-5"], "n_hidden must be a whole number of at least 1; got -5"),
        (["dataset=csv", "dataset.path=/nowhere.csv"], "/nowhere.csv"),
        (["experiment=table1", "dataset.source=wheel"], "own grid of datasets"),
    ],
)
def test_bad_input_is_named_and_no_cell_is_run(tmp_path, words, expected):
    code, output = run(*words, store=tmp_path / "runs")
    assert code == 2, output
    assert expected in output
    assert "Traceback" not in output
    assert not (tmp_path / "runs").exists()


def test_a_refusal_is_the_exit_code_of_the_process(tmp_path):
    code, output = run_apart("rounds=0", store=tmp_path)
    assert code == 2
    assert "rounds must be a whole number of at least 1; got 0" in output
    assert "Traceback" not in output
    assert not list(tmp_path.iterdir())


def test_dry_run_lists_what_is_left(tmp_path):
    code, output = run("dataset=wdbc", "model=elm", *TINY, "dry_run=true", store=tmp_path / "runs")
    assert code == 0
    assert "wdbc elm round 1" in output
    assert "2 of 2 cells left" in output
    assert not list(tmp_path.iterdir())


def test_all_models_of_table_1_run_on_own_data_with_words_and_gaps(tmp_path):
    rng = np.random.default_rng(0)
    size, colour = rng.normal(size=90), rng.choice(["red", "green", "blue"], 90)
    kind = np.where(size + (colour == "red") > 0.3, "large", "small")
    table = pd.DataFrame({"size": size, "colour": colour, "weight": rng.normal(size=90), "kind": kind})
    table.loc[::9, "weight"] = None
    table.to_csv(tmp_path / "things.csv", index=False)
    own = ["dataset=csv", f"dataset.path={tmp_path / 'things.csv'}", "dataset.nominal=onehot", "dataset.missing=median"]
    small = ["scale=smoke", "rounds=1", "progress=false", "executor.workers=1"]
    code, output = run("experiment=table1", *own, *small, store=tmp_path / "runs")
    assert code == 0, output
    cells = [json.loads(path.read_text()) for path in (tmp_path / "runs").glob("*/cells/*.json")]
    assert {cell["shared"]["model"] for cell in cells} == {model.name for model in composed_study("table1").models}
    assert {cell["shared"]["dataset"] for cell in cells} == {"csv-things"}
    assert {cell["status"] for cell in cells} == {"ok"}
    assert "The models of table1 on things.csv" in output
    assert "six UCI sets" not in output


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("split.train_share=${nope}", "split.train_share: Interpolation key 'nope' not found"),
        ("rounds=${rounds}", "rounds: Recursive interpolation detected"),
        ("title=${oc.env:NO_SUCH_VARIABLE}", "title: KeyError raised while resolving interpolation"),
    ],
)
def test_a_reference_to_what_is_not_there_names_its_key(tmp_path, word, told):
    code, output = run("dry_run=true", word, store=tmp_path)
    assert code == 2
    assert told in output
    assert "Traceback" not in output


def test_what_hydra_refuses_in_a_sweep_is_no_traceback(tmp_path, monkeypatch):
    def refuse(*_):
        raise ConfigCompositionException("Could not override 'rounds'.")

    monkeypatch.setattr("experiments.run.study_of", refuse)
    code, output = run("-m", "dry_run=true", "rounds=1,2", store=tmp_path)
    assert code == 2
    assert "Could not override 'rounds'." in output
    assert "Traceback" not in output


def test_a_part_of_the_configuration_that_there_is_not_cannot_be_shown():
    assert ended(["--cfg", "job", "--package", "split"]).code == 0
    end = ended(["--cfg", "job", "--package", "zzz"])
    assert (end.code, end.error) == (2, "")
    assert "package 'zzz' not found" in end.output
