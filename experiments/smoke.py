"""Every experiment and the last job of every sweep on small subsets, one after the other in one process: make smoke.

An experiment whose cells have all run under another name, the master seed aside, is planned and not run again.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from celm.study.cells import Cell
from experiments.command import command
from experiments.config.entries import options
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.execution import Outcome, report_failures, run_study
from experiments.run_summary import experiment_summary


def seedless(cells: Iterable[Cell]) -> set[str]:
    """The keys that cells would have under one master seed: those of a copy with another seed are the same."""
    return {replace(cell, seed=0).key for cell in cells}


def middle(exponents: Sequence[int]) -> list[int]:
    """The middle of a grid of λ, five values of it at most: most of a small cell's time is spent on its λ."""
    first, last = exponents
    centre = (first + last) // 2
    return [max(first, centre - 2), min(last, centre + 2)]


def main() -> None:
    """Run each at scale=smoke in a store of its own; the exit code is 1 when any fails or makes no table."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    register()
    failed, ran = [], dict[str, str]()
    # A copy has a longer name than what it copies.
    for experiment in sorted(options("experiment"), key=len) + sorted(options("sweep"), key=len):
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="celm-smoke-") as store:
            small = ["scale=smoke", f"store={store}", "progress=false", "executor.workers=null", "executor.threads=1"]
            study = composed_study(experiment, small, max_jobs=1)
            study.config.selection.exponents = middle(study.config.selection.exponents)
            numbers = seedless(study.plan())
            if numbers and numbers <= ran.keys():
                others = ", ".join(sorted({ran[one] for one in numbers}))
                print(f"smoke {experiment}: {len(numbers)} cells, those of {others} but for the seed")
                continue
            ran = dict.fromkeys(numbers, experiment) | ran
            outcome = run_study(study)
        assert isinstance(outcome, Outcome)
        report_failures(outcome.failed)
        rows = len(experiment_summary(experiment, outcome.finished.values()))
        if outcome.failed or not rows:
            failed.append(experiment)
        took = time.perf_counter() - started
        cells = f"{len(outcome.finished)} cells, {len(outcome.failed)} failed"
        print(f"smoke {experiment}: {cells}, {rows} rows, {took:.1f} s")
    if failed:
        raise SystemExit(f"smoke failed: {', '.join(failed)}")


if __name__ == "__main__":
    command(main, __doc__)
