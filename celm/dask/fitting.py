"""A plain model learned on partitions: its layer from a sample, its readout from sums, its columns from X."""

from __future__ import annotations

from typing import Any, TypeVar

from dask.delayed import Delayed, delayed

from celm.dask import tasks
from celm.dask.partitions import column_names
from celm.dask.passes import Passes
from celm.dask.running import Kept
from celm.linalg.layer import Layer
from celm.linalg.solve import tries_single
from celm.models.elm.machine import BaseELM

Model = TypeVar("Model", bound=BaseELM)


def learned(model: Model, passes: Passes, layer: Delayed) -> Model:
    """``model`` with a layer that was drawn for it, and its readout: one pass over the rows.

    Where the plain estimator would try products in single precision this one does too, and takes one more pass in
    double precision where their bound does not clear them.
    """
    if passes.weighs_alike and tries_single(model.precision, passes.partitions.n_rows, model.n_hidden):
        sums = passes.sums(layer, single=True)
        whole, harmless = passes.runner.fetch(layer, delayed(tasks.solved_if_harmless)(layer, sums.value, model.lam))
        if harmless is not None:
            return with_solution(model, passes, whole, harmless)
    return with_readout(model, passes, layer, passes.sums(layer))


def with_readout(model: Model, passes: Passes, layer: Delayed, sums: Kept) -> Model:
    """``model`` with the first nodes of a layer and the readout that its sums give."""
    solution = delayed(tasks.solved)(sums.value, model.lam, model.n_hidden)
    return with_solution(model, passes, *passes.runner.fetch(layer, solution))


def with_solution(model: Model, passes: Passes, layer: Layer, solution: tasks.Solution) -> Model:
    """``model`` with the first nodes of a layer and a readout of them."""
    drawn = layer.first(model.n_hidden)
    model.W_, model.b_, model.rank_, (model.beta_, model.solver_) = drawn.W, drawn.b, None, solution
    passes.setting.targets.tell(model)
    return model


def keep_columns(model: Any, X: Any, n_features: int) -> None:
    """Let a model remember number and names of its columns, as every scikit-learn estimator does."""
    model.n_features_in_ = n_features
    names = column_names(X)
    if names is not None:
        model.feature_names_in_ = names
