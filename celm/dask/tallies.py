"""The first look at labels: rows of each partition, and the classes or the mean of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from dask.delayed import delayed
from sklearn.utils.multiclass import check_classification_targets

from celm.base.validation import encode_labels
from celm.dask.partitions import Partitions
from celm.dask.running import Runner
from celm.dask.targets import ClassTargets, Floats, Targets, ValueTargets, numbers_of
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.machine import BaseELM
from celm.models.elm.regressor import ELMRegressor

Array = npt.NDArray[Any]


class Tally(NamedTuple):
    """The rows of a partition, and what its labels say: their classes, or their sum per column."""

    n_rows: int
    found: Array
    flat: bool


def tally_classes(y: Array, owner: str) -> Tally:
    """Rows and classes of labels (N)."""
    labels = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
    if labels.ndim != 1:
        raise ValueError(f"{owner}: y must be one label per row; got shape {labels.shape}.")
    if len(labels):
        check_classification_targets(labels)
    return Tally(len(labels), np.unique(labels), True)


def tally_values(y: Array, owner: str) -> Tally:
    """Rows and sums of numbers (N, or N × k)."""
    return Tally(len(y), numbers_of(y).sum(axis=0) if len(y) else np.zeros(0), y.ndim == 1)


def counted(partitions: Partitions, model: BaseELM, runner: Runner) -> tuple[Partitions, Targets]:
    """The partitions with their lengths known, and how ``model`` reads their labels."""
    tally: Callable[..., Tally] = tally_values if isinstance(model, ELMRegressor) else tally_classes
    later = [delayed(tally)(y, runner.owner) for y in partitions.y]
    tallies: list[Tally] = list(runner.fetch(*runner.keep(later, later, "labels")))
    whole = replace(partitions, lengths=[tally.n_rows for tally in tallies])
    if not whole.n_rows:
        raise ValueError(f"{runner.owner}: at least one row is needed; all partitions are empty.")
    found = [tally for tally in tallies if tally.n_rows]
    if isinstance(model, ELMClassifier):
        return whole, class_targets(model, [tally.found for tally in found], runner.owner)
    total: Floats = np.sum([tally.found for tally in found], axis=0)
    return whole, ValueTargets(model, total / whole.n_rows, found[0].flat)


def class_targets(model: ELMClassifier, found: list[Array], owner: str) -> ClassTargets:
    """Targets of the classes that were found in any partition."""
    classes, _ = encode_labels(np.concatenate(found), owner)
    return ClassTargets(model, classes, owner)
