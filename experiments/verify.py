"""Reruns randomly chosen published cells and fails when any column but the times differs: make verify-records."""

from __future__ import annotations

import argparse
import random
import secrets
from collections.abc import Iterator

from celm.study.cells import Cell
from celm.study.executors.local import run_local
from celm.study.store import Document, differing
from celm.study.study_config import ExecutorConfig
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.frames import Results
from experiments.reporting import place_of


def candidates(experiment: str, max_seconds: float) -> list[tuple[Cell, Document]]:
    """Published cells of an experiment that took at most that long, with the cell to rerun."""
    documents = Results().published.documents(experiment)
    cells = {cell.key: cell for cell in composed_study(experiment).plan()}
    stale = documents.keys() - cells.keys()
    if stale:
        raise SystemExit(f"{experiment}: {len(stale)} published cells are not in its plan any more; publish it anew")
    return [(cells[key], doc) for key, doc in sorted(documents.items()) if doc["seconds"] <= max_seconds]


def rerun_as_recorded(chosen: list[tuple[Cell, Document]]) -> Iterator[Document]:
    """Run cells again with the BLAS threads they were published with."""
    for threads in sorted({document["records"][0]["threads"] for _, document in chosen}):
        cells = [cell for cell, document in chosen if document["records"][0]["threads"] == threads]
        yield from run_local(cells, ExecutorConfig(threads=threads))


def verify(n_cells: int, max_seconds: float, seed: int) -> int:
    """Rerun cells of every published experiment; returns how many records differ in any column but the times."""
    rng = random.Random(seed)
    differences = 0
    for experiment in Results().published.experiments():
        pool = candidates(experiment, max_seconds)
        chosen = rng.sample(pool, min(n_cells, len(pool)))
        published = {cell.key: document for cell, document in chosen}
        rerun = {doc["key"]: doc for doc in rerun_as_recorded(chosen)}
        failed = [doc for doc in rerun.values() if doc["status"] != "ok"]
        pairs = differing({key: doc for key, doc in rerun.items() if doc["status"] == "ok"}, published)
        rows = sum(len(doc["records"]) for doc in rerun.values())
        print(f"{experiment}: {len(chosen)} cells, {rows} records rerun, {len(pairs)} differ, {len(failed)} failed")
        for document in failed:
            print(f"  failed: {document['label']}: {document['error']}")
        for pair in pairs:
            print(f"  differs (now and published): {place_of(pair.ours)}: {pair.told()}")
        differences += len(pairs) + len(failed)
    return differences


def main() -> None:
    """Command line: python -m experiments.verify [--cells N] [--max-seconds S] [--seed K]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.verify", description=__doc__)
    parser.add_argument("--cells", type=int, default=6, help="cells rerun per experiment")
    parser.add_argument("--max-seconds", type=float, default=60.0, help="leave out cells that took longer")
    parser.add_argument("--seed", type=int, default=None, help="which cells; default: random, printed")
    arguments = parser.parse_args()
    seed = secrets.randbelow(2**32) if arguments.seed is None else arguments.seed
    print(f"choosing with --seed {seed}")
    register()
    if verify(arguments.cells, arguments.max_seconds, seed):
        raise SystemExit("published records do not hold: see above")
    print("every rerun record equals the published one in all columns but the times")


if __name__ == "__main__":
    main()
