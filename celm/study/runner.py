"""From a study to its cells, and from a cell to its finished document."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from celm import datasets
from celm.base.validation import check_choice
from celm.study.cells import Cell, Split
from celm.study.choices import remembered
from celm.study.data_config import DatasetConfig
from celm.study.environment import provenance
from celm.study.families import FAMILIES
from celm.study.inputs import check_features, planned_content, split_of
from celm.study.limits import check_cells
from celm.study.node_counts import node_counts, thinned
from celm.study.source import code_of
from celm.study.store import Document
from celm.study.study_config import ModelConfig, StudyConfig


def plan(study: StudyConfig, grid_datasets: Sequence[DatasetConfig], grid_models: Sequence[ModelConfig]) -> list[Cell]:
    """Every cell of a study. All settings are checked first; data are read only where their digest is not declared."""
    study.check()
    families = FAMILIES[study.task]
    jobs = []
    for dataset in grid_datasets:
        check_features(study.features)
        datasets.check_params(dataset.name, dataset.params())
        datasets.check_sources(dataset.name, dataset.source, dataset.sources or None)
        key = "dataset.n_hidden" if study.n_hidden is None else "n_hidden"
        counts = node_counts(dataset.n_hidden if study.n_hidden is None else study.n_hidden, key)
        for model in grid_models:
            if f"{dataset.name} {model.name}" in study.grid.without:
                continue
            check_choice(model.family, f"model.family with task={study.task}", families, "config")
            family = families[model.family]
            settings = family.settings(study)
            family.check(model, settings)
            curve = thinned(counts, study.max_counts, study.max_nodes) if family.has_curve else []
            jobs.append((dataset, planned_content(dataset), model, settings, tuple(curve)))
    check_cells(sum(study.grid.rounds_of(job[2].name, study.rounds) for job in jobs))
    return [
        Cell(
            experiment=study.name,
            dataset=dataset,
            dataset_name=name,
            data_digest=digest,
            features=study.features,
            model=model,
            settings=settings,
            algorithm=families[model.family].algorithm,
            n_hidden=counts,
            round=round_,
            seed=study.seed,
            split=study.split,
            task=study.task,
        )
        for dataset, (name, digest), model, settings, counts in jobs
        for round_ in range(study.grid.rounds_of(model.name, study.rounds))
    ]


def _document(cell: Cell, threads: int | None) -> Document:
    return {
        "experiment": cell.experiment,
        "key": cell.key,
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
        document.update(status="ok", records=[{**sizes, **record} for record in records])
    except Exception as error:
        document.update(status="failed", error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc())
    document["seconds"] = round(time.perf_counter() - started, 4)
    return document
