"""From a cell to its finished document."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from celm.study.cells import Cell, Split
from celm.study.choices import remembered
from celm.study.environment import provenance
from celm.study.families import FAMILIES
from celm.study.inputs import split_of
from celm.study.source import code_of
from celm.study.store import Document


def _document(cell: Cell, threads: int | None) -> Document:
    return {
        "experiment": cell.experiment,
        "key": cell.key,
        "status": "ok",
        "label": cell.label,
        "identity": cell.identity(),
        "shared": {**cell.shared(), "threads": threads},
        "provenance": provenance(),
        "code": code_of(cell),
        "records": [],
        "seconds": 0.0,
    }


def failed_document(cell: Cell, threads: int | None, error: str) -> Document:
    """The document of a cell that could not be run at all."""
    return {**_document(cell, threads), "status": "failed", "error": error, "traceback": ""}


def first_round(cell: Cell) -> Cell:
    """The cell of the first round, under whose key a choice for all rounds is remembered."""
    return replace(cell, round=0)


def kept_choice(cell: Cell, choose: Callable[[Cell, Split], Any]) -> Any:
    """What ``choose`` makes of the first round of a cell's model, made once and remembered for the other rounds."""
    first = first_round(cell)
    counts = len(cell.n_hidden) if cell.n_hidden else None
    choice = remembered(first.key, lambda: choose(first, split_of(first)), counts)
    return choice if cell.round == 0 else _without_its_time(choice)


def _without_its_time(choice: Any) -> Any:
    """The time of a choice belongs to the round that made it; a family may have several choices, one per count."""
    if isinstance(choice, list):
        return [_without_its_time(one) for one in choice]
    return {**choice, "selection_seconds": 0.0}


def run_cell(cell: Cell, threads: int | None) -> Document:
    """The finished document of a cell; an exception becomes a document with status "failed" and its traceback."""
    started = time.perf_counter()
    document = _document(cell, threads)
    try:
        family = FAMILIES[cell.task][cell.model.family]
        split = split_of(cell)
        if family.choose is not None and not cell.settings.get("every_round", True):
            split = split._replace(kept=kept_choice(cell, family.choose))
        sizes = {"n_train": len(split.y), "n_test": len(split.y_test)}
        records = family.run(cell, split)
        document["records"] = [{**sizes, **record} for record in records]
    except Exception as error:
        document["status"], document["error"] = "failed", f"{type(error).__name__}: {error}"
        document["traceback"] = traceback.format_exc()
    document["seconds"] = round(time.perf_counter() - started, 4)
    return document
