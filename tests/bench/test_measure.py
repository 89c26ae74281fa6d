"""Tasks side by side: rows with the right columns, ratios to ours and to the limit, failures as rows of their own."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bench import __main__ as command
from bench.environments import LIBRARIES, CannotInstall, Library, python_of
from bench.measure import COLUMNS, Contest, Row, add_ratios, work_of
from bench.output import as_csv, spoken
from bench.tasks import SHAPES, Shape, Task, all_tasks, made_up, write_data

ROOT = Path(command.__file__).resolve().parent.parent
OURS, LIMIT = (next(each for each in LIBRARIES if each.name == name) for name in ("celm", "limit"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--tasks", "zzz"], "--tasks: no zzz; there are growth"),
        (["--libraries", "celm", "zzz"], "--libraries: no zzz"),
        (["--repeat", "0"], "--repeat must be above 0"),
        (["--patience", "nan"], "--patience must be above 0"),
    ],
)
def test_what_would_measure_nothing_is_refused(capsys, words, told):
    with pytest.raises(SystemExit) as caught:
        command.main(words)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bench")
    data = write_data(folder, "clusters", "small")
    (task,) = (task for task in all_tasks([], "small") if task.name == "fit_1000")
    unknown = Library("no such library")
    measured = Contest(folder, threads=1, repeat=2, patience=60.0).rows(task, [OURS, LIMIT, unknown], data)
    add_ratios(measured)
    return {(row.library, row.dtype): row for row in measured}


def test_every_library_has_times_accuracy_memory_and_its_ratios(rows):
    for entry in (("celm", "float64"), ("celm", "mixed"), ("limit", "float64")):
        row = rows[entry]
        assert row.status == "ok"
        assert row.seconds > 0
        assert row.accuracy > 0.6
        assert row.peak_mb >= 0
        assert row.ratio_to_ours == pytest.approx(row.seconds / rows["celm", "float64"].seconds)
        assert row.ratio_to_limit == pytest.approx(row.seconds / rows["limit", "float64"].seconds)


def test_a_library_that_cannot_run_is_a_row_with_its_error(rows):
    row = rows["no such library", "float64"]
    assert row.seconds is None
    assert row.ratio_to_ours is None
    assert "no such library" in row.status
    assert "no such library" in spoken([row], [])


def test_a_library_without_room_or_package_says_why(tmp_path):
    with pytest.raises(CannotInstall, match="needs 1e\\+09 GB"):
        python_of(Library("huge", ("huge",), gigabytes=1e9), tmp_path)
    assert str(python_of(OURS, tmp_path)) == sys.executable


def test_the_table_has_the_columns_of_its_readers():
    text = as_csv(COLUMNS, [vars(Row("fit_200", "celm", seconds=0.1234567, status="ok"))])
    (record,) = csv.DictReader(text.splitlines())
    assert list(record) == [
        *("task", "library", "version", "dtype", "threads", "seconds", "cpu_seconds", "accuracy", "peak_mb"),
        *("ratio_to_ours", "ratio_to_limit", "status"),
    ]
    assert (record["seconds"], record["accuracy"]) == ("0.123457", "")


def test_tasks_are_those_that_were_promised_at_either_size():
    names = [task.name for task in all_tasks(["cdelm"], "full")]
    assert names == [task.name for task in all_tasks(["cdelm"], "small")]
    assert set(names) >= {"fit_4000", "mnist_2000", "choice_table1", "predict_7000", "draw_cdelm", "regression_1000"}


@pytest.mark.parametrize("classes", [0, 4])
def test_made_up_data_are_of_their_shape_and_the_same_every_time(classes):
    shape = Shape(30, 10, 5, classes)
    data, again = made_up(shape), made_up(shape)
    assert (data["X"].shape, data["X_new"].shape) == ((30, 5), (10, 5))
    assert data["y"].dtype.kind == ("i" if classes else "f")
    assert all(np.array_equal(data[key], again[key]) for key in data)
    assert SHAPES["full"]["clusters"] == (20_000, 5_000, 784, 10)


def test_a_run_on_a_busy_machine_is_not_published(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = command.parser().parse_args([])
    results = command.Results([Row("fit_200", "celm", seconds=1.0, ratio_to_ours=1.0), Row("fit_200", "hpelm")])
    assert command.leave(results, options, ["load was high"]) == 1
    assert not (tmp_path / "results").exists()
    assert (tmp_path / "runs" / "bench" / "bench.csv").exists()
    assert "not quiet: load was high" in capsys.readouterr().err
    assert command.leave(results, options, []) == 0
    assert {path.name for path in (tmp_path / "results" / "bench").iterdir()} == {"bench.csv", "bench.svg", "bench.png"}
    assert command.leave(results, command.parser().parse_args(["--tasks", "fit_200"]), []) == 0
    assert "runs/bench, not published" in capsys.readouterr().out


class FakeWorker:
    """Answers at once and keeps what it was asked."""

    def __init__(self):
        self.orders = []

    def ask(self, order):
        self.orders.append(order)
        return {"seconds": 1.0, "cpu_seconds": 1.0} if order == "run" else {"accuracy": 0.5, "peak_mb": 1.0}


@pytest.mark.parametrize(("budget", "runs"), [(0.0, 1), (60.0, 3)])
def test_a_library_that_has_used_its_budget_has_no_further_turn(tmp_path, budget, runs):
    contest = Contest(tmp_path, threads=1, repeat=3, patience=1.0, budget=budget)
    worker, row = FakeWorker(), Row("fit_200", "celm")
    contest._take_turns({(OURS, "float64"): worker}, {(OURS, "float64"): row})
    assert worker.orders == ["run"] * runs + ["end"]
    assert (row.seconds, row.accuracy, row.peak_mb) == (1.0, 0.5, 1.0)


def test_a_peer_whose_small_fit_was_slow_is_not_tried_on_a_large_one(tmp_path):
    np.save(tmp_path / "X.npy", np.zeros((10, 2)))
    small, large = (Task(f"fit_{nodes}", "fit", "clusters", nodes) for nodes in (100, 400))
    peer, contest = Library("peer"), Contest(tmp_path, threads=1, repeat=1, patience=5.0)
    for seconds, tried in ((0.5, True), (1.0, False)):
        first = {(each, "float64"): Row("fit_100", each.name) for each in (peer, OURS)}
        contest._fits.clear()
        contest._expect(first, work_of(small, tmp_path))
        for row in first.values():
            row.seconds = seconds
        second = {entry: Row("fit_400", entry[0].name) for entry in first}
        contest._expect(second, work_of(large, tmp_path))
        assert (second[peer, "float64"].status == "ok") == tried
        assert second[OURS, "float64"].status == "ok"
    expected = "not tried: 1 s of fit_100, growing with rows · nodes^1.5, become 8 s; 5 s are waited for"
    assert second[peer, "float64"].status == expected
    first[peer, "float64"].seconds, first[peer, "float64"].status = None, "no answer within 5 s"
    third = {(peer, "float64"): Row("fit_400", "peer")}
    contest._expect(third, work_of(large, tmp_path))
    assert third[peer, "float64"].status.startswith("not tried: 5 s of fit_100")


def test_a_library_that_lacks_a_kind_of_work_is_asked_for_it_once(tmp_path):
    contest, data = Contest(tmp_path, threads=1, repeat=1, patience=60.0), write_data(tmp_path, "clusters", "small")
    task = Task("draw_elm", "draw", "clusters", 5)
    for _ in range(2):
        assert contest.rows(task, [LIMIT], data) == []
        assert contest._lacking == {("limit", "draw")}


def test_a_run_that_is_told_to_stop_leaves_no_worker(tmp_path):
    options = ["--size", "small", "--tasks", "fit_200", "--libraries", "celm", "--repeat", "1000000", "--budget", "1e9"]
    group = {"start_new_session": True, "cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    with subprocess.Popen([sys.executable, "-m", "bench", *options], **group) as run:
        wait_for(lambda: len(group_of(run.pid)) == 3)
        run.terminate()
        assert run.wait(30) == 143
    # One that was being started has no orders to wait for any more.
    wait_for(lambda: not group_of(run.pid))


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def group_of(leader):
    listed = subprocess.run(["ps", "-eo", "pgid=,pid="], capture_output=True, text=True, check=True).stdout
    return {pid for group, pid in map(str.split, listed.splitlines()) if group == str(leader)}
