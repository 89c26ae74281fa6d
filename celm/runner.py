"""From a study to its cells, and from a cell to its finished document."""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from celm import datasets
from celm.cells import Cell, Split
from celm.datasets.dataset import Arrays, as_dataset
from celm.environment import provenance
from celm.families import FAMILIES
from celm.features.scaling import SCALINGS
from celm.schema import DatasetConfig, ModelConfig, StudyConfig, node_counts, thinned
from celm.seeds import generator
from celm.store import Document, cell_key
from celm.validation import check_choice

Rows = npt.NDArray[np.intp]


def plan(study: StudyConfig, grid_datasets: Sequence[DatasetConfig], grid_models: Sequence[ModelConfig]) -> list[Cell]:
    """Every cell of a study. All settings are checked before any data is read."""
    study.check()
    families = FAMILIES[study.task]
    jobs = []
    for dataset in grid_datasets:
        study.features.check(SCALINGS)
        datasets.check_params(dataset.name, dataset.params())
        key = "dataset.n_hidden" if study.n_hidden is None else "n_hidden"
        counts = node_counts(dataset.n_hidden if study.n_hidden is None else study.n_hidden, key)
        for model in grid_models:
            check_choice(model.family, f"model.family with task={study.task}", families, "config")
            family = families[model.family]
            settings = family.settings(study)
            family.check(model, settings)
            curve = thinned(counts, study.max_counts, study.max_nodes) if family.has_curve else []
            jobs.append((dataset, model, settings, tuple(curve)))
    return [
        Cell(
            experiment=study.name,
            dataset=dataset,
            dataset_name=load(dataset).name,
            data_digest=load(dataset).digest,
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
        for dataset, model, settings, counts in jobs
        for round_ in range(study.rounds)
    ]


def load(dataset: DatasetConfig) -> datasets.Dataset:
    """The data set of a config, loaded once per process."""
    params = json.dumps(dataset.params(), sort_keys=True)
    return _load(dataset.name, dataset.source, tuple(dataset.sources), params)


@lru_cache(maxsize=8)
def _load(name: str, source: str | None, sources: tuple[str, ...], params: str) -> datasets.Dataset:
    return datasets.load(name, source=source, sources=sources or None, params=json.loads(params))


_handed_over: dict[str, datasets.Dataset] = {}


def hand_over(data: datasets.Dataset) -> None:
    """Give this process a data set by its digest, so that it need not load it; spoilt content is refused."""
    received = as_dataset(data.name, Arrays(data.X, data.y), data.classes, data.source, n_train=data.n_train)
    if received.digest != data.digest:
        raise datasets.DatasetError(f"{data.name} was spoilt on its way: digest {received.digest}, sent {data.digest}")
    _handed_over[data.digest] = received


def holds(digest: str) -> bool:
    """Whether this process was handed the data set of that digest."""
    return digest in _handed_over


def data_of(cell: Cell) -> datasets.Dataset:
    """The data set of a cell, handed over or loaded; its content must be what the cell was planned with."""
    data = _handed_over.get(cell.data_digest) or load(cell.dataset)
    if data.digest != cell.data_digest:
        raise datasets.DatasetError(
            f"{cell.dataset_name}: the plan was made with content {cell.data_digest}, here it is {data.digest}"
        )
    return data


def rows_of(cell: Cell, data: datasets.Dataset) -> tuple[Rows, Rows]:
    """Training and test rows of a cell's round: the same for every model, whatever runs before or beside it."""
    roles = (cell.dataset_name, cell.round)
    if data.n_train is None:
        train, test = datasets.split_rows(
            len(data.y),
            rng=generator(cell.seed, *roles, "split"),
            train_share=cell.split.train_share,
            stratify=data.y if cell.split.stratify else None,
        )
    else:
        train, test = np.arange(data.n_train), np.arange(data.n_train, len(data.y))
        if cell.split.subset or cell.split.subset_test:
            rng = generator(cell.seed, *roles, "subset")
            train, test = rng.permutation(train), rng.permutation(test)
    return train[: cell.split.subset], test[: cell.split.subset_test]


# The last scaled rows: with an official split every round and model of a large data set sees the same ones.
_last_scaled: dict[str, tuple[Any, Any]] = {}


def _scaled(cell: Cell, data: datasets.Dataset, train: Rows, test: Rows) -> tuple[Any, Any]:
    rows = hashlib.sha256(train.tobytes() + test.tobytes()).hexdigest()
    key = cell_key({"data": data.digest, "features": asdict(cell.features), "rows": rows})
    if key not in _last_scaled:
        _last_scaled.clear()
        scaler = SCALINGS[cell.features.name]().fit(data.X if cell.features.fit_on == "all" else data.X[train])
        X, X_test = scaler.transform(data.X[train]), scaler.transform(data.X[test])
        _last_scaled[key] = np.asarray(X, dtype=np.float64), np.asarray(X_test, dtype=np.float64)
    return _last_scaled[key]


def split_of(cell: Cell) -> Split:
    """The scaled rows of a cell's round and the fold of every training row."""
    data = data_of(cell)
    train, test = rows_of(cell, data)
    X, X_test = _scaled(cell, data, train, test)
    rng = generator(cell.seed, cell.dataset_name, cell.round, "folds")
    folds = datasets.fold_ids(len(train), cell.settings.get("n_folds", 3), rng)
    return Split(X, data.y[train], X_test, data.y[test], folds)


def _document(cell: Cell, threads: int | None) -> Document:
    return {
        "experiment": cell.experiment,
        "key": cell.key,
        "label": cell.label,
        "identity": cell.identity(),
        "shared": {**cell.shared(), "threads": threads},
        "provenance": provenance(),
        "records": [],
        "seconds": 0.0,
    }


def failed_document(cell: Cell, threads: int | None, error: str) -> Document:
    """The document of a cell that could not be run at all."""
    return {**_document(cell, threads), "status": "failed", "error": error, "traceback": ""}


def run_cell(cell: Cell, threads: int | None) -> Document:
    """The finished document of a cell; an exception becomes a document with status "failed" and its traceback."""
    started = time.perf_counter()
    document = _document(cell, threads)
    try:
        split = split_of(cell)
        sizes = {"n_train": len(split.y), "n_test": len(split.y_test)}
        records = FAMILIES[cell.task][cell.model.family].run(cell, split)
        document.update(status="ok", records=[{**sizes, **record} for record in records])
    except Exception as error:
        document.update(status="failed", error=f"{type(error).__name__}: {error}", traceback=traceback.format_exc())
    document["seconds"] = round(time.perf_counter() - started, 4)
    return document
