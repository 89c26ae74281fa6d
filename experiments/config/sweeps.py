"""What a Hydra multirun adds to its jobs: one identity for the whole sweep, one table, one list of failures."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from celm.base.files import cell_key, write_whole
from celm.render.accuracy_table import accuracy_table
from celm.render.text import text_table
from celm.study.cells import Cell
from celm.study.store import Document, LocalStore
from experiments.execution import report_failures
from experiments.run_summary import experiment_summary, largest_counts, write_curves, write_tables

logger = logging.getLogger(__name__)

VARIABLE = "CELM_SWEEP"


def current_sweep() -> list[str] | None:
    """The overrides of the sweep this process belongs to; None outside a sweep."""
    text = os.environ.get(VARIABLE)
    return None if text is None else list(json.loads(text))


class SweepReport(Callback):
    """Gives the jobs of a multirun a common identity, and shows the sweep's tables and failures at its end."""

    def on_multirun_start(self, config: DictConfig, **_: Any) -> None:
        """Jobs inherit the sweep through the environment, whatever launcher starts them."""
        os.environ[VARIABLE] = json.dumps(list(config.hydra.overrides.task))

    def on_multirun_end(self, config: DictConfig, **_: Any) -> None:
        """One table per study of the sweep; the exit code says whether any job or cell failed."""
        sweep = current_sweep() or []
        os.environ.pop(VARIABLE, None)
        if config.dry_run:
            return
        jobs = noted_jobs(str(config.store), sweep)
        if not jobs:
            logger.error("nothing was run: the sweep has no job")
            raise SystemExit(2)
        failed = show_sweep(str(config.store), sweep, jobs)
        report_failures(failed)
        broken = [job for job in jobs if job["error"]]
        for job in broken:
            logger.error("job not run: %s: %s", " ".join(job["overrides"]), job["error"])
        if failed or broken:
            raise SystemExit(1)


def note_job(
    store: str, experiment: str, sweep: Sequence[str], overrides: Sequence[str], cells: Sequence[Cell], error: str = ""
) -> None:
    """Keep what one job of a sweep planned, or why it could not; it replaces the note of an earlier run."""
    note = {
        "experiment": experiment,
        "sweep": list(sweep),
        "overrides": list(overrides),
        "cells": [cell.key for cell in cells],
        "error": error,
    }
    path = Path(store) / experiment / "jobs" / f"{cell_key({'overrides': list(overrides)})}.json"
    for earlier in Path(store).glob(f"*/jobs/{path.name}"):
        if earlier != path and json.loads(earlier.read_text(encoding="utf-8"))["sweep"] == list(sweep):
            earlier.unlink()
    write_whole(path, json.dumps(note, indent=1) + "\n")


def noted_jobs(store: str, sweep: Sequence[str]) -> list[dict[str, Any]]:
    """The notes of all jobs of ``sweep``, whatever process they ran in."""
    notes = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(store).glob("*/jobs/*.json"))]
    return [note for note in notes if note["sweep"] == list(sweep)]


def show_sweep(store: str, sweep: Sequence[str], jobs: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Print and write the tables of every study that belongs to ``sweep``; returns its failed cells."""
    failed = []
    for experiment in sorted({job["experiment"] for job in jobs}):
        folder = Path(store) / experiment
        planned = {key for job in jobs if job["experiment"] == experiment for key in job["cells"]}
        stored = LocalStore(store).documents(experiment)
        documents = {key: document for key, document in stored.items() if key in planned}
        failed += [document for document in documents.values() if document["status"] == "failed"]
        summary = experiment_summary(experiment, documents.values())
        if not summary.empty:
            paths = write_tables(summary, folder, "table", f"{experiment}: {' '.join(sweep)}")
            paths += write_curves(documents.values(), folder)
            print(f"\nsweep {experiment}: {' '.join(sweep)}\n")
            print(text_table(accuracy_table(largest_counts(summary), brief=True)))
            print("written: " + ", ".join(map(str, paths)))
    return failed
