"""A real scheduler and two worker processes: the same model, whoever dies, and no row on the way to the client."""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing, contextmanager
from itertools import chain

import dask
import distributed
import numpy as np
import pytest

import celm
from celm.base.clusters import ClusterError
from celm.base.threads import blas_threads
from celm.dask import ELMClassifier, ELMRegressorCV
from celm.dask.tasks import on_one_thread

# How long a client looks for a scheduler that is gone.
BRIEF = {"distributed.comm.timeouts.connect": "2s"}
PARAMETERS = {"n_hidden": 30, "strategy": "cdelm", "lam": 1e2, "random_state": 1}


@pytest.fixture(scope="module")
def local(table):
    return celm.ELMClassifier(**PARAMETERS).fit(table.X, table.labels)


def test_two_processes_find_the_local_model(client, table, local):
    X, y = table.lazy("X", 250), table.lazy("labels", 250)
    model = ELMClassifier(**PARAMETERS).fit(X, y)
    np.testing.assert_array_equal(model.W_, local.W_)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-7)
    np.testing.assert_array_equal(model.predict(X).compute(), local.predict(table.X))
    assert model.score(X, y) == pytest.approx(local.score(table.X, table.labels))


def test_two_processes_choose_as_the_local_search_does(client, table):
    candidates = {"n_hidden_grid": (8, 16), "lams": (1e-2, 1.0), "random_state": 3}
    search = ELMRegressorCV(**candidates).fit(table.lazy("X", 250), table.lazy("values", 250))
    local = celm.ELMRegressorCV(**candidates).fit(table.X, table.values)
    assert (search.n_hidden_, search.lam_) == (local.n_hidden_, local.lam_)
    np.testing.assert_allclose(search.surface_, local.surface_, rtol=1e-9)
    np.testing.assert_allclose(search.predict(table.lazy("X", 999)).compute(), local.predict(table.X), rtol=1e-6)


def note_taker(folder):
    """A plugin of workers that notes which process began the sums of which partition, in a file for each."""

    class Notes(distributed.WorkerPlugin):
        name = "notes"

        def transition(self, key, start, finish, **kwargs):
            if finish == "executing" and str(key).startswith("fold_sums"):
                with (folder / str(key)).open("a") as file:
                    file.write(f"{os.getpid()}\n")

    return Notes()


@pytest.fixture
def makers(client, tmp_path):
    """The processes that began the sums of each partition."""
    folder = tmp_path / "notes"
    folder.mkdir()
    client.register_plugin(note_taker(folder))
    yield lambda: [[int(line) for line in file.read_text().split()] for file in folder.iterdir()]
    client.unregister_worker_plugin("notes")


@pytest.fixture
def slow_rows(table):
    """Rows whose chunks take a moment to make."""

    def chunk(block):
        time.sleep(0.02)
        return block

    return table.lazy("X", 50).map_blocks(chunk, dtype=float, meta=np.empty((0, 6)))


@pytest.mark.heavy
def test_a_worker_killed_half_way_costs_its_own_partitions_only(client, slow_rows, table, local, makers):
    killed = []

    def kill_half_way(progress):
        """Of two workers that which has made more."""
        if progress.stage == "sums" and progress.done == progress.total // 2 and not killed:
            killed.append(Counter(chain.from_iterable(makers())).most_common(1)[0][0])
            os.kill(killed[0], signal.SIGKILL)

    model = ELMClassifier(**PARAMETERS, progress=kill_half_way).fit(slow_rows, table.lazy("labels", 50))
    np.testing.assert_array_equal(model.W_, local.W_)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-7)
    (victim,) = killed
    begun_by_victim = sum(processes.count(victim) for processes in makers())
    again = sum(len(processes) - 1 for processes in makers())
    assert len(makers()) == 60
    assert 10 < begun_by_victim < 60
    assert 10 < again <= begun_by_victim
    assert all(len(processes) - processes.count(victim) == 1 for processes in makers()), "a survivor made sums twice"
    client.wait_for_workers(2, timeout=60)


@pytest.mark.heavy
def test_a_worker_killed_as_soon_as_it_has_come_costs_no_other(
    client, cluster, slow_rows, table, local, makers, tmp_path
):
    comers = []

    def let_one_come(progress):
        if progress.stage == "sums" and not comers:
            words = ["worker", cluster.scheduler_address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
            with (tmp_path / "log").open("w") as log:
                comers.append(subprocess.Popen([sys.executable, "-m", "dask", *words], stdout=log, stderr=log))
            client.wait_for_workers(3, timeout=60)
            comers[0].kill()
            comers[0].wait()

    model = ELMClassifier(**PARAMETERS, progress=let_one_come).fit(slow_rows, table.lazy("labels", 50))
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-7)
    assert all(len(processes) - processes.count(comers[0].pid) == 1 for processes in makers())


def test_ctrl_c_leaves_nothing_to_do(client, cluster, table, local):
    X, y = table.lazy("X", 50), table.lazy("labels", 50)

    def interrupt(progress):
        if progress.stage == "sums":
            signal.raise_signal(signal.SIGINT)

    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ELMClassifier(**PARAMETERS, progress=interrupt).fit(X, y)
    finally:
        signal.signal(signal.SIGINT, handler)
    gc.collect()
    deadline = time.monotonic() + 30
    while cluster.scheduler.tasks and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not cluster.scheduler.tasks
    np.testing.assert_allclose(ELMClassifier(**PARAMETERS).fit(X, y).beta_, local.beta_, rtol=1e-7)


def test_workers_and_threads_find_the_same_bits_in_whatever_order(client, table):
    X, y = table.lazy("X", 50), table.lazy("labels", 50)
    on_workers = ELMClassifier(**PARAMETERS).fit(X, y)
    with dask.config.set(scheduler="threads"):
        on_threads = ELMClassifier(**PARAMETERS).fit(X, y)
    np.testing.assert_array_equal(on_workers.beta_, on_threads.beta_)


@pytest.mark.heavy
def test_a_partition_that_ends_every_worker_is_told_from_a_lost_scheduler(client, table):
    def deadly(block, block_info=None):
        if block_info[0]["chunk-location"][0] == 3:
            os._exit(9)
        return block

    X = table.lazy("X", 500).map_blocks(deadly, dtype=float, meta=np.empty((0, 6)))
    with pytest.raises(ClusterError, match="workers died one after the other at one partition, most often for want of"):
        ELMClassifier(**PARAMETERS).fit(X, table.lazy("labels", 500))
    client.wait_for_workers(2, timeout=60)


def test_blas_has_one_thread_in_every_task(client):
    assert set(client.run(on_one_thread(blas_threads)).values()) == {1}


@contextmanager
def counting(address):
    """A door to the scheduler at ``address`` that counts what comes back through it, in bytes."""
    host, port = address.removeprefix("tcp://").rsplit(":", 1)
    received = [0]

    def pass_on(source, target, counts):
        with closing(source), closing(target):
            while data := source.recv(65536):
                counts[0] += len(data)
                target.sendall(data)

    def serve(door):
        while True:
            try:
                inside, _ = door.accept()
            except OSError:
                return
            outside = socket.create_connection((host, int(port)))
            for source, target, counts in ((inside, outside, [0]), (outside, inside, received)):
                threading.Thread(target=quietly(pass_on), args=(source, target, counts), daemon=True).start()

    def quietly(work):
        def run(*args):
            try:
                work(*args)
            except OSError:
                return

        return run

    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        threading.Thread(target=serve, args=(door,), daemon=True).start()
        yield f"tcp://127.0.0.1:{door.getsockname()[1]}", received


def test_rows_never_travel_to_the_client(cluster, first_rows):
    """Ten times the rows in as many partitions bring as many bytes: those of the model, far fewer than the rows."""
    taken = {}
    for n_rows in (10_000, 100_000):
        table = first_rows(n_rows)
        X, y = table.lazy("X", n_rows // 10), table.lazy("labels", n_rows // 10)
        with counting(cluster.scheduler_address) as (address, received), distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
            before = received[0]
            model = ELMClassifier(**PARAMETERS).fit(X, y)
            model.score(X, y)
            taken[n_rows] = received[0] - before
    assert taken[100_000] < 1.3 * taken[10_000]
    assert taken[100_000] < 0.05 * 100_000 * 6 * 8


@pytest.mark.heavy
def test_a_lost_scheduler_is_named(table, tmp_path):
    contact = tmp_path / "scheduler.json"
    base = [sys.executable, "-m", "dask"]
    words = ["--scheduler-file", str(contact), "--no-dashboard"]
    with (tmp_path / "log").open("w") as log:
        scheduler = subprocess.Popen([*base, "scheduler", "--host", "127.0.0.1", "--port", "0", *words], stderr=log)
        worker = subprocess.Popen([*base, "worker", "--nthreads", "1", "--no-nanny", *words], stderr=log)
    try:
        deadline = time.monotonic() + 60
        while not contact.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        address = json.loads(contact.read_text())["address"]
        with dask.config.set(BRIEF), distributed.Client(address, timeout=60) as client:
            client.wait_for_workers(1, timeout=60)

            def kill(progress):
                if progress.stage == "sums":
                    scheduler.kill()

            started = time.monotonic()
            with pytest.raises(ClusterError, match=rf"celm.dask.ELMClassifier: the scheduler at {address} was lost"):
                ELMClassifier(**PARAMETERS, progress=kill).fit(table.lazy("X", 50), table.lazy("labels", 50))
            assert time.monotonic() - started < 60
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
