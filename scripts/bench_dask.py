"""Times a fit on two Dask workers against a local fit on two threads: the same rows, the same layer, one run.

    python scripts/bench_dask.py                         # 2 million rows of 100 features at 500 nodes
    python scripts/bench_dask.py --rows 200000 --repeat 1 --out /tmp/bench.json

Chunks are persisted on the workers before the clock starts, as the rows are in memory for the local fit. The fits take
turns and the best of the repeats counts: both as they come, which here means products in single precision, and both in
double precision. Prints both ratios and writes docs/measured/dask_bench.json, from which scripts/measured_pages.py
fills docs/dask.md; the bar is 1.25.
"""

from __future__ import annotations

import argparse
import json
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import distributed
import numpy as np
from dask_example import made_on_workers
from ending import count, end_in_words, place
from threadpoolctl import threadpool_limits

import celm
from celm import dask as on_dask
from celm.base.files import write_whole

OUT = Path(__file__).resolve().parent.parent / "docs" / "measured" / "dask_bench.json"
THREADS = 2
PRECISIONS = ("auto", "double")

Data = Sequence[Any]
Measured = dict[str, object]


def timed(work: Callable[[], object]) -> float:
    """Seconds that ``work`` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def compared(parameters: dict[str, object], lazy: Data, whole: Data, repeat: int) -> Measured:
    """The best seconds of a fit on workers and of a local one, their ratio, and how far their readouts lie apart."""
    partitioned, local = on_dask.ELMClassifier(**parameters), celm.ELMClassifier(**parameters)
    seconds: dict[str, list[float]] = {"dask": [], "local": []}
    for _ in range(repeat):
        seconds["dask"].append(timed(lambda: partitioned.fit(*lazy)))
        with threadpool_limits(THREADS):
            seconds["local"].append(timed(lambda: local.fit(*whole)))
    best = {name: min(times) for name, times in seconds.items()}
    gap = np.abs(partitioned.beta_ - local.beta_).max() / np.abs(local.beta_).max()
    return {
        "seconds": best,
        "ratio": best["dask"] / best["local"],
        "solvers": {"dask": partitioned.solver_, "local": local.solver_},
        "readouts_apart": float(gap),
    }


def measured(options: argparse.Namespace, client: distributed.Client) -> dict[str, Measured]:
    """Both fits in every precision."""
    lazy = client.persist(made_on_workers(options.rows, options.features, options.chunk_rows))
    distributed.wait(lazy)
    whole = client.compute(list(lazy), sync=True)
    parameters = {"n_hidden": options.nodes, "strategy": "elm", "lam": 1e3, "random_state": 0}
    return {
        precision: compared(parameters | {"precision": precision}, lazy, whole, options.repeat)
        for precision in PRECISIONS
    }


def main() -> None:
    """Start two workers, time both fits, write the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=count, default=2_000_000)
    parser.add_argument("--features", type=count, default=100)
    parser.add_argument("--nodes", type=count, default=500)
    parser.add_argument("--chunk-rows", type=count, default=100_000)
    parser.add_argument("--repeat", type=count, default=3)
    parser.add_argument("--out", type=place, default=OUT)
    options = parser.parse_args()
    with (
        distributed.LocalCluster(
            n_workers=THREADS,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        asked = ("rows", "features", "nodes", "chunk_rows", "repeat")
        found: dict[str, Any] = {name: getattr(options, name) for name in asked}
        found["precisions"] = measured(options, client)
    write_whole(options.out, json.dumps(found, indent=2) + "\n")
    print(json.dumps(found, indent=2))
    for precision, one in found["precisions"].items():
        print(f"precision={precision}: {one['ratio']:.3f} times the local fit")


if __name__ == "__main__":
    end_in_words(main)
