"""Local processes: every cell ends as a document, whoever dies on the way, and nobody is left behind."""

import multiprocessing
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from celm.study import study_config as schema
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.executors import EXECUTORS, local
from celm.study.executors.local import dismiss, run_local
from celm.study.executors.workers import MAX_DEATHS, resolve
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.study_config import ExecutorConfig, ModelConfig, StudyConfig

ROOT = Path(__file__).resolve().parents[3]
WDBC = DatasetConfig(name="wdbc", n_hidden=[5, 10])
STUDY = StudyConfig(name="t", rounds=4, split=SplitConfig(subset=120, subset_test=60))
MODELS = [ModelConfig(name, "elm", name) for name in ("elm", "cdelm")]


class EndsTheProcess:
    """What is unpickled to the end of the process that does it."""

    def __reduce__(self):
        return os._exit, (9,)


def accuracies(documents):
    return {doc["key"]: [record["accuracy"] for record in doc["records"]] for doc in documents if doc["records"]}


@pytest.fixture(scope="module")
def good_cells():
    return plan(STUDY, [WDBC], MODELS)


@pytest.fixture(scope="module")
def failing_cell(good_cells):
    return replace(good_cells[0], model=ModelConfig("broken", "elm", "no_such_strategy"))


@pytest.fixture(scope="module")
def deadly_cell(good_cells):
    cell = replace(good_cells[0], model=ModelConfig("deadly", "elm", "elm"))
    object.__setattr__(cell, "end", EndsTheProcess())
    return cell


def children():
    return {child.pid for child in multiprocessing.active_children()}


@pytest.fixture(scope="module")
def documents(good_cells, failing_cell):
    return list(run_local([failing_cell, *good_cells], ExecutorConfig(workers=2, threads=1)))


def ends_well(documents, good_cells, bad_cells):
    """Every cell has one document, and good ones the accuracies that this process finds."""
    assert sorted(doc["key"] for doc in documents) == sorted(cell.key for cell in [*good_cells, *bad_cells])
    assert {doc["key"] for doc in documents if doc["status"] == "failed"} == {cell.key for cell in bad_cells}
    assert accuracies(documents) == accuracies(run_cell(cell, 1) for cell in reversed(good_cells))
    assert {doc["shared"]["threads"] for doc in documents} == {1}


def test_every_cell_ends_as_one_document_whatever_processes_and_order(documents, good_cells, failing_cell):
    ends_well(documents, good_cells, [failing_cell])


def test_a_failure_is_a_document_with_its_traceback(documents, failing_cell):
    (document,) = [doc for doc in documents if doc["key"] == failing_cell.key]
    assert "no_such_strategy" in document["error"]
    assert "Traceback" in document["traceback"]
    assert document["shared"]["model"] == "broken"


@pytest.mark.heavy
def test_a_killed_worker_is_replaced_and_a_cell_that_always_kills_its_worker_given_up(good_cells, deadly_cell):
    dismiss()
    others, documents, processes = children(), [], []
    for document in run_local([*good_cells, deadly_cell], ExecutorConfig(workers=2)):
        documents.append(document)
        processes.append(children() - others)
        if len(documents) == 1:
            victim = min(processes[0])
            os.kill(victim, signal.SIGKILL)
    ends_well(documents, good_cells, [deadly_cell])
    assert any(len(seen) == 2 and victim not in seen for seen in processes)
    (given_up,) = [doc for doc in documents if doc["key"] == deadly_cell.key]
    assert given_up["error"] == f"{MAX_DEATHS} worker processes died running this cell"


def test_nobody_at_work_is_left_after_an_interruption(good_cells):
    before = children()
    documents = run_local(good_cells, ExecutorConfig(workers=1))
    assert next(documents)["status"] == "ok"
    during = children()
    documents.close()
    assert len(children()) == len(during) - 1
    assert children() <= before


def test_the_next_run_goes_on_with_the_same_processes(good_cells):
    seen = []
    for _ in range(2):
        assert [doc["status"] for doc in run_local(good_cells[:2], ExecutorConfig(workers=2))] == ["ok", "ok"]
        seen.append(children())
    assert seen[0] == seen[1] != set()


def test_idle_processes_end_on_their_own(good_cells):
    list(run_local(good_cells[:2], ExecutorConfig(workers=2)))
    processes = [worker.process for worker in local._idle]
    dismiss()
    assert [process.exitcode for process in processes] == [0, 0]


INTERRUPTED_AT_ITS_END = """
import os, signal
from types import SimpleNamespace as Worker
from celm.study.executors import local
def join(seconds=None):
    os.kill(os.getpid(), signal.SIGINT)
    print("joined")
local._idle.append(Worker(pipe=Worker(close=print), process=Worker(join=join), stop=print))
"""


def test_an_interrupt_while_the_last_workers_end_is_not_a_traceback():
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT_ITS_END], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout.split(), ended.stderr) == (0, ["joined"], "")


def test_processes_times_threads_fill_the_machine(monkeypatch):
    monkeypatch.setattr("celm.study.executors.workers.n_cores", lambda: 8)
    assert resolve(ExecutorConfig()) == (8, 1)
    assert resolve(ExecutorConfig(threads=None)) == (1, 8)
    assert resolve(ExecutorConfig(threads=3)) == (2, 3)
    assert resolve(ExecutorConfig(workers=5, threads=4)) == (5, 4)


def test_every_executor_of_the_schema_exists():
    assert set(EXECUTORS) == set(schema.EXECUTORS)


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        (ExecutorConfig(name="dusk"), "executor.name must be one of local, dask; got 'dusk'. Did you mean 'dask'?"),
        (ExecutorConfig(address="tcp://somewhere:8786"), "executor.address belongs to executor=dask"),
        (ExecutorConfig("dask", workers=2, address="tcp://somewhere:8786"), "executor.workers must be null"),
    ],
)
def test_settings_that_would_be_ignored_are_errors(executor, message):
    with pytest.raises(ValueError, match=message):
        executor.check()
