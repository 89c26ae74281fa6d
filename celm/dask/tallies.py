"""The first look at labels: rows of each partition, their weight, and the classes or the mean of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from dask.delayed import delayed
from sklearn.utils.class_weight import compute_sample_weight
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
    """The rows of a partition and their weight, and what its labels say.

    found: their classes, or their sum per column, by weight. counts: the rows of every class. weights: what the rows of
    every class count, or all rows.
    """

    n_rows: int
    weights: Floats
    found: Array
    counts: Array
    flat: bool


def weights_of(given: Any, n_rows: int, owner: str) -> Floats:
    """One finite number of at least 0 per row of a partition; ones where all rows count alike."""
    if given is None:
        return np.ones(n_rows)
    weights = np.asarray(given, dtype=np.float64)
    if weights.shape != (n_rows,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError(
            f"{owner}: sample_weight must hold one finite number of at least 0 for every row; a partition of {n_rows} "
            f"rows has weights of shape {weights.shape}, the least of them {weights.min(initial=np.inf):g}."
        )
    return weights


def tally_classes(y: Array, weights: Any, owner: str) -> Tally:
    """Rows and classes of labels (N)."""
    labels = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
    if labels.ndim != 1:
        raise ValueError(f"{owner}: y must be one label per row; got shape {labels.shape}.")
    if len(labels):
        check_classification_targets(labels)
    classes, codes, counts = np.unique(labels, return_inverse=True, return_counts=True)
    by_class = np.bincount(codes, weights=weights_of(weights, len(labels), owner), minlength=len(classes))
    return Tally(len(labels), by_class.astype(np.float64), classes, counts, True)


def tally_values(y: Array, weights: Any, owner: str) -> Tally:
    """Rows and sums of numbers (N, or N × k)."""
    w = weights_of(weights, len(y), owner)
    sums = w @ numbers_of(y) if len(y) else np.zeros(0)
    return Tally(len(y), w.sum(keepdims=True), sums, np.zeros(0, dtype=np.intp), y.ndim == 1)


def counted(partitions: Partitions, model: BaseELM, runner: Runner) -> tuple[Partitions, Targets]:
    """The partitions with their lengths known, and how ``model`` reads their labels."""
    tally: Callable[..., Tally] = tally_values if isinstance(model, ELMRegressor) else tally_classes
    later = [delayed(tally)(y, partitions.weights_of(i), runner.owner) for i, y in enumerate(partitions.y)]
    tallies: list[Tally] = runner.gathered(later, "labels")
    whole = replace(partitions, lengths=[tally.n_rows for tally in tallies])
    if not whole.n_rows:
        raise ValueError(f"{runner.owner}: at least one row is needed; all partitions are empty.")
    found = [tally for tally in tallies if tally.n_rows]
    weight = float(sum(tally.weights.sum() for tally in found))
    if not weight:
        raise ValueError(f"{runner.owner}: sample_weight must not be all zero weights.")
    if isinstance(model, ELMClassifier):
        return whole, class_targets(model, found, runner.owner)
    total: Floats = np.sum([tally.found for tally in found], axis=0)
    return whole, ValueTargets(model, total / weight, found[0].flat, weight * len(total))


def class_targets(model: ELMClassifier, found: list[Tally], owner: str) -> ClassTargets:
    """Targets of the classes that were found in any partition, and their weights."""
    classes, codes = encode_labels(np.concatenate([tally.found for tally in found]), owner)
    counted_weight = np.bincount(codes, weights=np.concatenate([tally.weights for tally in found]))
    if model.class_weight is None:
        return ClassTargets(model, classes, owner, float(counted_weight.sum()))
    if model.class_weight == "balanced":
        counts = np.bincount(codes, weights=np.concatenate([tally.counts for tally in found]))
        of_class = counts.sum() / (len(classes) * counts)
    else:
        of_class = compute_sample_weight(model.class_weight, classes)
    return ClassTargets(model, classes, owner, float(counted_weight @ of_class), of_class)
