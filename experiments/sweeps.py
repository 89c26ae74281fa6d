"""What a Hydra multirun adds to its jobs: one identity for the whole sweep, one table, one list of failures."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig

from celm.store import Document, LocalStore
from experiments.execution import report_failures
from experiments.reporting import experiment_summary, write_tables

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
        """One table per study of the sweep; the exit code says whether any cell failed."""
        failed = show_sweep(str(config.store), current_sweep() or [])
        os.environ.pop(VARIABLE, None)
        report_failures(failed)
        if failed:
            raise SystemExit(1)


def show_sweep(store: str, sweep: Sequence[str]) -> list[Document]:
    """Print and write the tables of every study that belongs to ``sweep``; returns its failed cells."""
    failed = []
    for about in sorted(Path(store).glob("*/about.json")):
        if json.loads(about.read_text(encoding="utf-8"))["sweep"] != list(sweep):
            continue
        experiment = about.parent.name
        documents = LocalStore(store).documents(experiment)
        failed += [document for document in documents.values() if document["status"] == "failed"]
        summary = experiment_summary(experiment, documents.values())
        if not summary.empty:
            paths = write_tables(summary, about.parent, "table", f"{experiment}: {' '.join(sweep)}")
            print(f"\nsweep {experiment}: {' '.join(sweep)}\n")
            print(paths[1].read_text(encoding="utf-8").split("\n\n", 2)[2])
            print("written: " + ", ".join(map(str, paths)))
    return failed
