"""Reruns randomly chosen published cells and compares all columns but the times: make verify-records.

It fails when a record differs, unless the processor's kernels are others and what moved is what they are known to move.
"""

from __future__ import annotations

import argparse
import random
import secrets
from collections.abc import Iterator, Sequence

from celm.base.validation import nearest
from celm.study.cells import Cell
from celm.study.executors.local import run_local
from celm.study.store import Comparison, Difference, Document, differing, judged
from celm.study.study_config import ExecutorConfig
from experiments.command import above_zero, at_least, command
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.results import Results
from experiments.run_summary import place_of

Cells = dict[str, Document]


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


def rerun_some(experiment: str, n_cells: int, max_seconds: float, rng: random.Random) -> tuple[Cells, Cells]:
    """Some cells of an experiment run again, and as they are published; both by experiment and key."""
    pool = candidates(experiment, max_seconds)
    chosen = rng.sample(pool, min(n_cells, len(pool)))
    rerun = {f"{experiment} {doc['key']}": doc for doc in rerun_as_recorded(chosen)}
    return rerun, {f"{experiment} {cell.key}": document for cell, document in chosen}


def told(experiment: str, rerun: Cells, pairs: list[Difference]) -> list[str]:
    """What came of an experiment's cells, its failures and differences one line each."""
    failed = [doc for doc in rerun.values() if doc["status"] != "ok"]
    rows = sum(len(doc["records"]) for doc in rerun.values())
    return [
        f"{experiment}: {len(rerun)} cells, {rows} records rerun, {len(pairs)} differ, {len(failed)} failed",
        *(f"  failed: {doc['label']}: {doc['error']}" for doc in failed),
        *(f"  differs (now and published): {place_of(pair.ours)}: {pair.told()}" for pair in pairs),
    ]


def verify(experiments: Sequence[str], n_cells: int, max_seconds: float, seed: int) -> Comparison:
    """Rerun cells of published experiments; a failed cell is a failure, a difference one unless kernels explain it."""
    rng = random.Random(seed)
    ours: Cells = {}
    theirs: Cells = {}
    differences: list[Difference] = []
    failed = 0
    for experiment in experiments or Results().published.experiments():
        rerun, published = rerun_some(experiment, n_cells, max_seconds, rng)
        finished = {key: doc for key, doc in rerun.items() if doc["status"] == "ok"}
        pairs = differing(finished, published)
        print("\n".join(told(experiment, rerun, pairs)), flush=True)
        ours.update(finished)
        theirs.update(published)
        differences += pairs
        failed += len(rerun) - len(finished)
    if not ours and not failed:
        raise ValueError(f"nothing was rerun: no cell took at most {max_seconds:g} seconds; give more --max-seconds.")
    comparison = judged(ours, theirs, differences)
    return comparison._replace(failures=[*([f"{failed} cells failed"] if failed else []), *comparison.failures])


def main() -> None:
    """Command line: python -m experiments.verify [--cells N] [--max-seconds S] [--seed K] [experiment …]."""
    parser = argparse.ArgumentParser(prog="python -m experiments.verify", description=__doc__)
    parser.add_argument("experiments", nargs="*", help="published experiments; default: all")
    parser.add_argument("--cells", type=at_least(1), default=6, help="cells rerun per experiment")
    parser.add_argument(
        "--max-seconds", type=above_zero("a number of seconds"), default=60.0, help="leave out cells that took longer"
    )
    parser.add_argument("--seed", type=at_least(0), default=None, help="which cells; default: random, printed")
    arguments = parser.parse_args()
    for name in arguments.experiments:
        if name not in (known := Results().published.experiments()):
            parser.error(f"{name} is not published.{nearest(name, known)}")
    seed = secrets.randbelow(2**32) if arguments.seed is None else arguments.seed
    print(f"choosing with --seed {seed}")
    register()
    comparison = verify(arguments.experiments, arguments.cells, arguments.max_seconds, seed)
    if comparison.failures:
        raise SystemExit(f"published records do not hold: {comparison.told()}")
    print(f"{comparison.told()}, in all columns but the times")


if __name__ == "__main__":
    command(main)
