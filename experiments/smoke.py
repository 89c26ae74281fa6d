"""Every experiment and the last job of every sweep on small subsets, one after the other in one process: make smoke."""

from __future__ import annotations

import logging
import tempfile
import time

from experiments.config.entries import options
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.execution import report_failures, run_study
from experiments.run_summary import experiment_summary


def main() -> None:
    """Run each at scale=smoke in a store of its own; the exit code is 1 when any fails or makes no table."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    register()
    failed = []
    for experiment in options("experiment") + options("sweep"):
        started = time.perf_counter()
        with tempfile.TemporaryDirectory(prefix="celm-smoke-") as store:
            small = ["scale=smoke", f"store={store}", "progress=false", "executor.workers=null", "executor.threads=1"]
            outcome = run_study(composed_study(experiment, small, max_jobs=1))
        assert outcome is not None
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
    main()
