"""Fits celm.dask.ELMClassifier on rows that are made on the workers and that no process ever holds together.

    python scripts/dask_example.py                       # 20 million rows of 100 features at 500 nodes, two workers
    python scripts/dask_example.py --rows 1000000 --out /tmp/example.json

Writes what it took, pass by pass, and the peak memory of client and workers to docs/measured/dask_example.json, from
which scripts/measured_pages.py fills docs/dask.md.
"""

from __future__ import annotations

import argparse
import json
import logging
import platform
import resource
import time
from pathlib import Path

import dask
import dask.array as da
import distributed
import numpy as np
from distributed.diagnostics.plugin import SchedulerPlugin
from ending import count, end_in_words, place

from celm.base.files import write_whole
from celm.base.threads import limit_threads, n_cores
from celm.dask import ELMClassifier
from celm.dask.carried import Sums, added
from celm.dask.progress import Progress, print_progress
from celm.linalg.gram import FoldGrams
from celm.linalg.ridge import ridge_from_gram

OUT = Path(__file__).resolve().parent.parent / "docs" / "measured" / "dask_example.json"
N_CLASSES = 4
NO_OPS = 2000


def made_on_workers(rows: int, features: int, chunk_rows: int) -> tuple[da.Array, da.Array]:
    """Normal rows, and classes by the largest of the first features."""
    X = da.random.default_rng(0).standard_normal((rows, features), chunks=(chunk_rows, features))
    y = X[:, :N_CLASSES].argmax(axis=1)
    return X, y


class Stages:
    """Prints progress and keeps the seconds of every pass."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def __call__(self, progress: Progress) -> None:
        self.seconds[progress.stage] = progress.seconds
        if progress.done == progress.total or progress.done % 10 == 0:
            print_progress(progress)


def peak_bytes() -> int:
    """The most memory that this process has held since it began."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class TasksDone(SchedulerPlugin):
    """Counts the tasks that workers have finished."""

    name = "tasks-done"

    def __init__(self) -> None:
        self.count = 0

    def transition(self, key: object, start: str, finish: str, *args: object, **kwargs: object) -> None:
        self.count += start == "processing" and finish == "memory"


def seconds_per_task(client: distributed.Client) -> float:
    """What the scheduler needs for a task that does nothing."""
    tasks = [dask.delayed(time.monotonic)(dask_key_name=f"no-op-{i}") for i in range(NO_OPS)]
    started = time.perf_counter()
    distributed.wait(client.compute(tasks))
    return (time.perf_counter() - started) / NO_OPS


def seconds_on_sums(nodes: int) -> dict[str, float]:
    """One addition of two sums, and one solution, on one thread of this process."""
    rng = np.random.default_rng(0)
    H = rng.random((2 * nodes, nodes))
    gram = np.asfortranarray(H.T @ H)
    sums = FoldGrams([gram], [np.asfortranarray(H.T @ rng.random((len(H), N_CLASSES)))], [len(H)])
    started = time.perf_counter()
    added([Sums(sums), Sums(sums)])
    between = time.perf_counter()
    ridge_from_gram(*sums.total(), 1e3)
    return {"add": between - started, "solve": time.perf_counter() - between}


def fitted(
    options: argparse.Namespace, cluster: distributed.LocalCluster, client: distributed.Client
) -> dict[str, object]:
    """One fit and one score, and what they took."""
    X, y = made_on_workers(options.rows, options.features, options.chunk_rows)
    stages, held = Stages(), peak_bytes()
    model = ELMClassifier(options.nodes, strategy="cdelm", lam=1e3, random_state=0, progress=stages)
    tasks = TasksDone()
    cluster.scheduler.add_plugin(tasks)
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    cluster.scheduler.remove_plugin(tasks.name)
    test = made_on_workers(options.chunk_rows, options.features, options.chunk_rows)
    return {
        "fit_seconds": seconds,
        "stage_seconds": {stage: stages.seconds[stage] for stage in ("labels", "sample", "sums")},
        "tasks_per_partition": tasks.count / X.numblocks[0],
        "client_peak_bytes": peak_bytes(),
        "client_growth_bytes": peak_bytes() - held,
        "worker_peak_bytes": max(client.run(peak_bytes).values()),
        "accuracy_on_one_chunk": model.score(*test),
    }


def main() -> None:
    """Start workers, fit, write what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=count, default=20_000_000)
    parser.add_argument("--features", type=count, default=100)
    parser.add_argument("--nodes", type=count, default=500)
    parser.add_argument("--chunk-rows", type=count, default=100_000)
    parser.add_argument("--workers", type=count, default=n_cores())
    parser.add_argument("--out", type=place, default=OUT)
    options = parser.parse_args()
    limit_threads(1)
    with (
        distributed.LocalCluster(
            n_workers=options.workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        measured = {
            **{name: getattr(options, name) for name in ("rows", "features", "nodes", "chunk_rows", "workers")},
            **fitted(options, cluster, client),
            "seconds_per_task": seconds_per_task(client),
            "seconds_on_sums": seconds_on_sums(options.nodes),
            "machine": f"{n_cores()} cores, {platform.machine()}, dask {dask.__version__}",
        }
    write_whole(options.out, json.dumps(measured, indent=2) + "\n")
    print(json.dumps(measured, indent=2))


if __name__ == "__main__":
    end_in_words(main)
