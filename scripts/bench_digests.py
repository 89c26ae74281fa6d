"""What digests cost of a run of Table I, as a ratio of processor times within one run: bar 2 %.

python scripts/bench_digests.py [--rounds 1] [--repeat 5]

The cells of some rounds are run here, on one thread. Then all that a run of ten rounds digests is done again by itself,
and counted per cell or once: keys of the plan, the signature of a written cell, the check of one that is read (twice:
when a run goes on, and when it shows what it has), the digest of a published cell, of the source, of the data.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from ending import count, end_in_words
from threadpoolctl import threadpool_limits

from celm.base.files import cell_key, content_digest
from celm.datasets.dataset import array_digest
from celm.study.inputs import data_of
from celm.study.runner import run_cell
from celm.study.source import code_digest, code_of, module_digest
from celm.study.store.checks import document_fault
from celm.study.store.documents import cell_digest
from experiments.config.schema import register
from experiments.config.studies import composed_study

ROUNDS = 10


def least(work: Callable[[], Any], repeat: int) -> float:
    """The least processor time of a work, in seconds."""
    times = []
    for _ in range(repeat):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def code_digests(cells: list[Any]) -> None:
    """The digests of the source of all cells, nothing remembered from before."""
    for remembered in (code_digest, module_digest):
        remembered.cache_clear()
    for cell in cells:
        code_of(cell)


def main() -> None:
    """Print the time of every kind of digest and their share of the run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=count, default=1)
    parser.add_argument("--repeat", type=count, default=5)
    arguments = parser.parse_args()
    register()
    cells = composed_study("table1", [f"rounds={arguments.rounds}"]).plan()
    with threadpool_limits(limits=1):
        started = time.process_time()
        documents = [json.loads(json.dumps(run_cell(cell, 1))) for cell in cells]
        run = (time.process_time() - started) * ROUNDS / arguments.rounds
    arrays = [
        array for data in {cell.data_digest: data_of(cell) for cell in cells}.values() for array in (data.X, data.y)
    ]
    each = {
        "keys": lambda: [cell_key(cell.identity()) for cell in cells],
        "written cells": lambda: [content_digest(document) for document in documents],
        "read cells, twice": lambda: [(content_digest(doc), document_fault(doc)) for doc in documents * 2],
        "published cells": lambda: [cell_digest(document) for document in documents],
    }
    once = {"source": lambda: code_digests(cells), "data": lambda: [array_digest(array) for array in arrays]}
    costs = {name: least(work, arguments.repeat) * ROUNDS / arguments.rounds for name, work in each.items()}
    costs |= {name: least(work, arguments.repeat) for name, work in once.items()}
    for name, cost in costs.items():
        print(f"{name:20} {1e3 * cost:8.1f} ms  {100 * cost / run:6.3f} %")
    total = sum(costs.values())
    print(
        f"{ROUNDS} rounds of Table I: {run:.1f} s; digests {total:.2f} s, {100 * total / run:.2f} % (bar 2 %); CPU time"
    )


if __name__ == "__main__":
    end_in_words(main)
