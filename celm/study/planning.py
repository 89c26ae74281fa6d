"""From a study to its cells: every value is checked before the first one runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from celm import datasets
from celm.base.validation import check_choice
from celm.study.cells import Cell
from celm.study.data_config import DatasetConfig
from celm.study.data_fit import check_fields, check_redraw, check_sizes
from celm.study.families import FAMILIES
from celm.study.families.family import Family, Settings
from celm.study.inputs import check_features, planned_content, planned_form
from celm.study.limits import check_cells
from celm.study.node_counts import node_counts, thinned
from celm.study.study_config import ModelConfig, StudyConfig


class Job(NamedTuple):
    """A data set, by name and digest of its content, and a model of a study: what all its rounds share."""

    dataset: DatasetConfig
    name: str
    digest: str
    model: ModelConfig
    family: Family
    settings: Settings
    n_hidden: tuple[int, ...]


def plan(study: StudyConfig, grid_datasets: Sequence[DatasetConfig], grid_models: Sequence[ModelConfig]) -> list[Cell]:
    """Every cell of a study. All settings are checked first; data are read only where their digest is not declared."""
    study.check()
    jobs = list(_jobs(study, grid_datasets, grid_models))
    for job in jobs:
        form = planned_form(job.dataset)
        check_sizes(job.name, form, study, job.settings)
        check_fields(job.name, form, job.model, job.settings)
    check_cells(sum(study.grid.rounds_of(job.model.name, study.rounds) for job in jobs))
    return [
        _cell(study, job, round_)
        for job in jobs
        for round_ in range(study.grid.rounds_of(job.model.name, study.rounds))
    ]


def _jobs(
    study: StudyConfig, grid_datasets: Sequence[DatasetConfig], grid_models: Sequence[ModelConfig]
) -> Iterator[Job]:
    families = FAMILIES[study.task]
    for dataset in grid_datasets:
        _check_dataset(dataset, study)
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
            yield Job(dataset, *planned_content(dataset), model, family, settings, tuple(curve))


def _cell(study: StudyConfig, job: Job, round_: int) -> Cell:
    return Cell(
        experiment=study.name,
        dataset=job.dataset,
        dataset_name=job.name,
        data_digest=job.digest,
        features=study.features,
        model=job.model,
        settings=job.settings,
        algorithm=job.family.algorithm,
        n_hidden=job.n_hidden,
        round=round_,
        seed=study.seed,
        split=study.split,
        task=study.task,
    )


def _check_dataset(dataset: DatasetConfig, study: StudyConfig) -> None:
    """Raise a ValueError for the first thing said of a data set that cannot be; reads no data."""
    check_features(study.features)
    datasets.check_params(dataset.name, dataset.params())
    datasets.check_sources(dataset.name, dataset.source, dataset.sources or None)
    check_redraw(dataset, study)
