"""A Dask cluster in real processes: the same documents as anywhere else, whoever dies and whoever lacks the data."""

import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import dask
import distributed
import pytest

from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.executors import cluster as dask_executor
from celm.study.executors import run_dask
from celm.study.executors.cluster_worker import ExecutorError, WorkersLost
from celm.study.executors.workers import MAX_DEATHS
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.study_config import ExecutorConfig, ModelConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[5, 10])
STUDY = StudyConfig(name="t", rounds=6, split=SplitConfig(subset=120, subset_test=60))
MODELS = [ModelConfig(name, "elm", name) for name in ("elm", "cdelm")]


# Evaluated when it is unpickled: ends a process that is marked as a worker; anywhere else (the client, the scheduler)
# it gives an object that is pickled as the same expression again.
END = (
    "__import__('os')._exit(9) if 'CELM_TEST_WORKER' in __import__('os').environ else "
    "type('End', (), {'__reduce__': lambda self: (eval, (end, {'end': end}))})()"
)


def comparable(documents):
    """What must not depend on where a cell ran."""
    timings = ("fit_seconds", "selection_seconds")
    return {
        doc["key"]: (
            doc["status"],
            doc["identity"],
            doc["shared"],
            [{name: value for name, value in record.items() if name not in timings} for record in doc["records"]],
        )
        for doc in documents
    }


@pytest.fixture(scope="module")
def cells():
    return plan(STUDY, [WDBC], MODELS)


@pytest.fixture(scope="module")
def expected(cells):
    return comparable(run_cell(cell, 1) for cell in cells)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The address of a scheduler with two worker processes; the second has an empty cache."""
    folder = tmp_path_factory.mktemp("dask")
    contact = folder / "scheduler.json"

    def start(*words, **variables):
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(contact), "--no-dashboard"]
        with (folder / f"{words[0]}.log").open("a") as log:
            return subprocess.Popen(command, env={**os.environ, **variables}, stdout=log, stderr=log, cwd=folder)

    worker = ("worker", "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
    processes = [
        start("scheduler", "--host", "127.0.0.1", "--port", "0"),
        start(*worker),
        start(*worker, CELM_CACHE=str(folder / "empty")),
    ]
    deadline = time.monotonic() + 60
    while not contact.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    yield json.loads(contact.read_text())["address"], processes[1]
    for process in processes:
        process.kill()
        process.wait()


@pytest.mark.heavy
def test_on_an_existing_cluster_with_a_worker_killed_half_way(cluster, cells, expected, caplog):
    address, victim = cluster
    caplog.set_level(logging.INFO, logger="celm.study.executors.cluster")
    with distributed.Client(address) as client:
        client.wait_for_workers(2, timeout=60)
    documents = []
    for document in run_dask(cells, ExecutorConfig("dask", address=address)):
        documents.append(document)
        if len(documents) == 2:
            victim.send_signal(signal.SIGKILL)
    assert comparable(documents) == expected
    assert len(documents) == len(cells)
    sent = [record.getMessage() for record in caplog.records if "sending wdbc" in record.getMessage()]
    assert len(sent) == 1


@pytest.mark.heavy
def test_a_worker_that_would_round_differently_is_refused(cluster, cells, monkeypatch):
    monkeypatch.setattr(dask_executor, "numeric_build", lambda: {"numpy": "0.1", "BLAS": "none"})
    with pytest.raises(ExecutorError, match=r"the worker at tcp://.* would compute other numbers: numpy .*, here 0\.1"):
        list(run_dask(cells[:2], ExecutorConfig("dask", address=cluster[0])))


@pytest.mark.heavy
def test_a_worker_of_other_kernels_is_taken_when_any_will_do_and_its_records_say_so(cluster, cells, monkeypatch):
    ours = {**dask_executor.numeric_build(), "BLAS": "openblas 0.3.30 Other"}
    monkeypatch.setattr(dask_executor, "numeric_build", lambda: ours)
    with pytest.raises(ExecutorError, match=r"executor\.kernels=any takes workers whose BLAS alone differs"):
        list(run_dask(cells[:1], ExecutorConfig("dask", address=cluster[0])))
    (document,) = run_dask(cells[:1], ExecutorConfig("dask", address=cluster[0], kernels="any"))
    assert document["provenance"]["kernels"] == "any; the run's own: openblas 0.3.30 Other"
    monkeypatch.setattr(dask_executor, "numeric_build", lambda: {**ours, "numpy": "0.1"})
    with pytest.raises(ExecutorError, match="would compute other numbers"):
        list(run_dask(cells[:1], ExecutorConfig("dask", address=cluster[0], kernels="any")))


@pytest.mark.heavy
def test_its_own_cluster_gives_up_a_cell_that_always_kills_its_worker(cells, expected):
    deadly = replace(cells[0], model=ModelConfig("deadly", "elm", "elm"))
    before = multiprocessing.active_children()
    object.__setattr__(deadly, "end", eval(END, {"end": END}))
    with dask.config.set({"distributed.nanny.environ": {"CELM_TEST_WORKER": "1"}}):
        documents = list(run_dask([*cells[:3], deadly, *cells[3:]], ExecutorConfig("dask", workers=2)))
    (given_up,) = [doc for doc in documents if doc["status"] == "failed"]
    assert given_up["key"] == deadly.key
    assert given_up["error"] == f"{MAX_DEATHS} worker processes died running this cell"
    assert comparable(doc for doc in documents if doc is not given_up) == expected
    assert set(multiprocessing.active_children()) <= set(before)


@pytest.mark.heavy
def test_a_worker_killed_while_it_starts_is_told_in_a_sentence(cells, monkeypatch):
    before = multiprocessing.active_children()
    monkeypatch.setattr(dask_executor, "WORKER", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)")
    with pytest.raises(WorkersLost, match=r"could not be started \(.*\); finished cells are kept"):
        list(run_dask(cells[:1], ExecutorConfig("dask", workers=1)))
    assert set(multiprocessing.active_children()) <= set(before)


@pytest.mark.heavy
def test_ctrl_c_while_workers_start_ends_them(cells, monkeypatch):
    before, handler = multiprocessing.active_children(), signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(dask_executor, "WORKER", "import os, signal; os.kill(os.getppid(), signal.SIGINT)")
    try:
        with pytest.raises(KeyboardInterrupt):
            list(run_dask(cells[:1], ExecutorConfig("dask", workers=1)))
    finally:
        signal.signal(signal.SIGINT, handler)
    assert set(multiprocessing.active_children()) <= set(before)


def test_an_unreachable_scheduler_is_named_at_once(cells, monkeypatch):
    monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 1)
    started = time.monotonic()
    with pytest.raises(ExecutorError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1"):
        list(run_dask(cells, ExecutorConfig("dask", address="tcp://127.0.0.1:1")))
    assert time.monotonic() - started < 10


def test_without_the_extra_the_error_says_how_to_get_it(cells, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ExecutorError, match=r"pip install 'celm\[dask\]'"):
        list(run_dask(cells, ExecutorConfig("dask")))


def test_nothing_to_do_starts_nothing(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert list(run_dask([], ExecutorConfig("dask"))) == []
