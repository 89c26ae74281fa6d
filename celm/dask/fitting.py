"""A plain model learned on partitions: its layer from a sample, its readout from sums, its columns from X."""

from __future__ import annotations

from typing import Any, TypeVar

from dask.delayed import Delayed, delayed

from celm.dask import tasks
from celm.dask.partitions import column_names
from celm.dask.passes import Passes
from celm.models.elm.machine import BaseELM

Model = TypeVar("Model", bound=BaseELM)


def learned(model: Model, passes: Passes, sample: Delayed) -> Model:
    """``model``, fitted: one draw and one pass over the rows."""
    layer = passes.layer(sample, model)
    return with_readout(model, passes, layer, passes.sums(layer))


def with_readout(model: Model, passes: Passes, layer: Delayed, sums: Delayed) -> Model:
    """``model`` with the first nodes of a layer and the readout that its sums give."""
    solution = delayed(tasks.solved)(sums, model.lam, model.n_hidden)
    whole, (model.beta_, info) = passes.runner.fetch(layer, solution)
    drawn = whole.first(model.n_hidden)
    model.W_, model.b_, model.rank_, model.solver_ = drawn.W, drawn.b, None, f"row blocks {info.method}"
    passes.setting.targets.tell(model)
    return model


def keep_columns(model: Any, X: Any, n_features: int) -> None:
    """Let a model remember number and names of its columns, as every scikit-learn estimator does."""
    model.n_features_in_ = n_features
    names = column_names(X)
    if names is not None:
        model.feature_names_in_ = names
