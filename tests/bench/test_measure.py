"""Tasks side by side: rows with the right columns, ratios to ours and to the limit, failures as rows of their own."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench import __main__ as command
from bench.environments import LIBRARIES, CannotInstall, Library, python_of
from bench.measure import COLUMNS, NO_PEERS, Contest, Row, add_ratios, work_of
from bench.output import _look, as_csv, spoken
from bench.pieces import read_rows
from bench.quiet import Calibration
from bench.tasks import SHAPES, Shape, Task, all_tasks, made_up, write_data

ROOT = Path(command.__file__).resolve().parent.parent


def named(name):
    return next(each for each in LIBRARIES if each.name == name)


OURS, LIMIT = named("celm"), named("limit")


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


def test_environments_that_cannot_be_kept_are_refused_before_anything_is_measured():
    with pytest.raises(NotADirectoryError):
        command.main(["--environments", "/dev/null/x"])


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


def test_the_best_turn_counts_and_the_second_best_says_whether_it_is_settled():
    row = Row("fit_200", "celm")
    found = []
    for seconds in (2.0, 3.0, 1.0, 1.02):
        row.add_turn(seconds, 2 * seconds)
        found.append((row.seconds, row.next_best, row.settled))
    assert found == [(2.0, None, False), (2.0, 1.5, False), (1.0, 2.0, False), (1.0, 1.02, True)]
    assert row.cpu_seconds == 2.0


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
        *("ratio_to_ours", "ratio_to_limit", "next_best", "status"),
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


def test_every_library_has_a_sign_of_its_own():
    looks = [_look(library.name, dtype) for library in LIBRARIES for dtype in library.dtypes]
    assert len({(look["marker"], look["fillstyle"]) for look in looks}) == len(looks)
    peers = [_look(library.name, "float64")["color"] for library in LIBRARIES if library.name not in NO_PEERS]
    assert len(set(peers)) == len(peers)


def asked(*words):
    return command.parser().parse_args(list(words))


@pytest.fixture
def watched(tmp_path, monkeypatch):
    """Makes up what was measured, rows by their task, on a machine where others keep so much of the cores busy."""
    monkeypatch.chdir(tmp_path)

    def make(*rows, busy=0.0):
        monkeypatch.setattr(command.quiet, "calibrate", lambda: Calibration(1.0, busy))
        made = command.Watched()
        for name in dict.fromkeys(row.task for row in rows):
            made.add(name, [row for row in rows if row.task == name])
        return made

    return make


def test_a_run_on_a_busy_machine_is_not_published(tmp_path, watched, capsys):
    rows = [Row("fit_200", "celm", seconds=1.0, ratio_to_ours=1.0), Row("fit_200", "hpelm")]
    assert command.leave(watched(*rows, busy=0.8), asked()) == 1
    assert not (tmp_path / "results").exists()
    assert (tmp_path / "runs" / "bench" / "bench.csv").exists()
    assert "not published: fit_200: others kept 80% of the cores busy" in capsys.readouterr().err
    assert command.leave(watched(*rows), asked("--libraries", "celm")) == 0
    assert "runs/bench, not published" in capsys.readouterr().out
    assert not (tmp_path / "results").exists()


def test_a_quiet_task_takes_the_place_of_its_earlier_rows_and_a_loud_one_does_not(tmp_path, watched, capsys):
    first = [Row("fit_1000", "celm", seconds=3.0), Row("fit_200", "celm", seconds=1.0, version="1", next_best=1.01)]
    assert command.leave(watched(*first), asked()) == 0
    again = [Row("fit_200", "celm", seconds=0.5), Row("fit_1000", "celm", seconds=2.0, next_best=1.5)]
    assert command.leave(watched(*again), asked("--tasks", "fit_200", "fit_1000")) == 1
    folder = tmp_path / "results" / "bench"
    assert read_rows(folder) == [again[0], first[0]]
    assert "published in results/bench but for fit_1000" in capsys.readouterr().out
    origins = json.loads((folder / "provenance.json").read_text())
    assert set(origins) == {"fit_200", "fit_1000"}
    assert origins["fit_200"]["cores"] >= 1
    assert origins["fit_200"]["options"]["patience"] == 30.0
    assert read_rows(tmp_path) == []
    failed = [Row("fit_200", "celm", status="DatasetError: no network"), Row("fit_200", "naive", seconds=1.0)]
    assert command.leave(watched(*failed), asked("--tasks", "fit_200")) == 1
    assert "fit_200: celm float64 has no time: DatasetError: no network" in capsys.readouterr().err
    assert read_rows(folder) == [again[0], first[0]]
    assert watched().complaints() == {}


def test_what_was_measured_before_a_stop_is_kept(tmp_path, watched, monkeypatch):
    watched()

    def measure(options, so_far):
        so_far.add("fit_200", [Row("fit_200", "celm", seconds=1.0)])
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "measure", measure)
    monkeypatch.setattr(command.quiet, "settle", lambda: None)
    assert command.main([]) == 130
    assert [row.task for row in read_rows(tmp_path / "results" / "bench")] == ["fit_200"]


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
    task, peer = Task("choice_scale", "choice_scale", "clusters", 5), named("sklearn MLP")
    for _ in range(2):
        rows = contest.rows(task, [LIMIT, replace(peer, dtypes=("float64",))], data)
        assert [(row.library, row.status) for row in rows] == [("sklearn MLP", "does not offer choice_scale")]
        assert contest._lacking == {("limit", "choice_scale"), ("sklearn MLP", "choice_scale")}


def test_what_a_library_is_measured_on_alone_and_in_which_precisions(tmp_path):
    asked_for, tasks = [], {kind: Task(kind, kind, "clusters", 5) for kind in ("fit", "draw", "choice_lambda")}

    class Told(Contest):
        def _start(self, rows, workers, order):
            asked_for.append(dict.fromkeys(rows))

    np.save(tmp_path / "X.npy", np.zeros((10, 2)))
    for task in tasks.values():
        Told(tmp_path, threads=1, repeat=1, patience=1.0).rows(task, LIBRARIES, tmp_path)
    fits, draws, choices = ([(each.name, dtype) for each, dtype in found] for found in asked_for)
    assert draws == [("celm", "float64")]
    assert {name for name, _ in choices} - {name for name, _ in fits} == {"one fit", "sklearn RBFSampler leave-one-out"}
    assert [dtype for name, dtype in fits if name == "celm"] == ["float64", "mixed", "auto"]
    assert [dtype for name, dtype in choices if name == "celm"] == ["float64"]


@pytest.mark.heavy
def test_a_run_that_is_told_to_stop_leaves_no_worker(tmp_path):
    # Longer than the test waits, and no longer: were the test itself killed, the run would end on its own.
    options = ["--size", "small", "--tasks", "fit_200", "--libraries", "celm", "--repeat", "1000000", "--budget", "60"]
    workers = len(next(each for each in LIBRARIES if each.name == "celm").dtypes)
    group = {"start_new_session": True, "cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
    with subprocess.Popen([sys.executable, "-m", "bench", *options], **group) as run:
        try:
            wait_for(lambda: len(group_of(run.pid)) == 1 + workers)
            run.terminate()
            assert run.wait(30) == 143
            # One that was being started has no orders to wait for any more.
            wait_for(lambda: not group_of(run.pid))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def group_of(leader):
    listed = subprocess.run(["ps", "-eo", "pgid=,pid="], capture_output=True, text=True, check=True).stdout
    return {pid for group, pid in map(str.split, listed.splitlines()) if group == str(leader)}
