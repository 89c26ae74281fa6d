"""Whether a study's settings fit its data: by sizes before anything is run, by values before the first cell is."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np

from celm.datasets.dataset import Form
from celm.study.cells import Cell
from celm.study.data_config import CoatesNgConfig, DatasetConfig
from celm.study.inputs import data_of, groups_of, rows_of
from celm.study.study_config import ModelConfig, StudyConfig


def check_sizes(name: str, form: Form, study: StudyConfig, settings: Mapping[str, Any]) -> None:
    """Raise a ValueError where a study, and the settings of a model in it, do not fit data of these sizes."""
    n_rows, *axes = form.shape
    if isinstance(study.features, CoatesNgConfig) and len(axes) != 3:
        raise ValueError(
            f"config: features={study.features.name} needs images (N × height × width × channels); {name} has "
            f"{len(axes)} axes per sample. Use another file of conf/features."
        )
    if (study.task == "regress") != (not form.n_classes):
        has = f"{form.n_classes} classes" if form.n_classes else "numbers to predict"
        raise ValueError(f"config: task={study.task} does not fit {name}, which has {has}.")
    n_train = round(study.split.train_share * n_rows) if form.n_train is None else form.n_train
    if not 0 < n_train < n_rows:
        raise ValueError(f"config: split.train_share must leave rows on both sides; {name} has {n_rows} rows.")
    n_folds, n_seen = settings.get("n_folds", 3), min(n_train, study.split.subset or n_train)
    if n_folds > n_seen:
        raise ValueError(
            f"config: selection.n_folds must be at most the number of training rows; got {n_folds}, "
            f"{name} has {n_seen} of them."
        )


def check_fields(name: str, form: Form, model: ModelConfig, settings: Mapping[str, Any]) -> None:
    """Raise a ValueError where a model of receptive fields is not told the shape of its images."""
    has_fields = model.family == "combined" or str(model.strategy).startswith("rf_")
    if has_fields and settings.get("image_shape") is None:
        raise ValueError(
            f"config: model={model.name} looks at parts of images, so elm.image_shape must say their height and width, "
            f"such as [28,28]; {name} has {prod(form.shape[1:])} numbers per sample."
        )


def check_redraw(dataset: DatasetConfig, study: StudyConfig) -> None:
    """Raise a ValueError where a data set that is what it is should be made afresh in every round."""
    if study.split.redraw and "seed" not in dataset.params():
        raise ValueError(f"config: split.redraw needs a data set that is made from a seed; {dataset.name} is not.")


def check_values(cell: Cell) -> None:
    """Raise a ValueError where the rows of a cell cannot be learned from or cannot be folded."""
    data = data_of(cell)
    train, _ = rows_of(cell, data)
    if data.classes and len(np.unique(data.y[train])) < 2:
        raise ValueError(f"config: the {len(train)} training rows of {data.name} hold one class; two are needed.")
    groups, n_folds = groups_of(cell, data), cell.settings.get("n_folds", 3)
    if groups is not None and len(np.unique(groups[train])) < n_folds:
        raise ValueError(
            f"config: selection.n_folds must be at most the number of different training rows; got {n_folds}, "
            f"{data.name} has {len(np.unique(groups[train]))} of them, and split.group_duplicates keeps equal ones "
            "together."
        )
