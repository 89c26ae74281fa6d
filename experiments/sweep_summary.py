"""What a person sees at the end of a sweep: a table per study, whether it equals what is published, its last words."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from celm.render.accuracy_table import accuracy_table
from celm.render.text import text_table
from celm.study.store import Document, LocalStore
from experiments.run_end import Ending, best_of
from experiments.run_summary import (
    compared_with_published,
    experiment_summary,
    largest_counts,
    short,
    write_curves,
    write_tables,
)

logger = logging.getLogger(__name__)


class Swept(NamedTuple):
    """A study of a sweep: the keys that its jobs planned, the documents of those, and their summary."""

    name: str
    planned: set[str]
    documents: dict[str, Document]
    summary: pd.DataFrame
    folder: Path

    def failed(self) -> list[Document]:
        """Its failed cells."""
        return [document for document in self.documents.values() if document["status"] == "failed"]


def show_sweep(store: str, sweep: Sequence[str], jobs: Sequence[Mapping[str, Any]]) -> list[Swept]:
    """Print and write the tables of every study that belongs to ``sweep``; returns the studies."""
    shown = []
    for experiment in sorted({job["experiment"] for job in jobs}):
        planned = {key for job in jobs if job["experiment"] == experiment for key in job["cells"]}
        stored = LocalStore(store).documents(experiment)
        documents = {key: document for key, document in stored.items() if key in planned}
        swept = Swept(
            experiment, planned, documents, experiment_summary(experiment, documents.values()), Path(store) / experiment
        )
        shown.append(swept)
        if not swept.summary.empty:
            _show(swept, sweep)
    return shown


def _show(swept: Swept, sweep: Sequence[str]) -> None:
    print(f"\nsweep {swept.name}: {' '.join(sweep)}\n")
    print(text_table(accuracy_table(largest_counts(swept.summary), brief=True)))
    try:
        paths = write_tables(swept.summary, swept.folder, "table", f"{swept.name}: {' '.join(sweep)}")
        paths += write_curves(swept.documents.values(), swept.folder)
        print("\nwritten: " + ", ".join(map(short, paths)))
    except OSError as error:
        logger.warning("tables and figures are not written, the store %s cannot be (%s)", swept.folder.parent, error)


def sweep_ending(swept: Swept, published: str, ran: int) -> Ending:
    """Compare a study of a sweep with what is published; returns what its last words tell."""
    finished = {key: document for key, document in swept.documents.items() if document["status"] == "ok"}
    compared = compared_with_published(published, swept.name, finished) if finished else ""
    if compared:
        print(compared + "\n")
    return Ending(
        name=swept.name,
        planned=len(swept.planned),
        finished=len(finished),
        ran=ran,
        failed=[document["label"] for document in swept.failed()],
        seconds=0.0,
        best=best_of(largest_counts(swept.summary)) if len(swept.summary) else {},
        folder=short(swept.folder),
        compared=compared,
    )
