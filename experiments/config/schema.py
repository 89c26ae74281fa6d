"""The schema of conf/ as Hydra sees it; must be registered before anything is composed."""

from __future__ import annotations

from functools import cache
from typing import Any

from hydra.core.config_store import ConfigStore

from celm.study.data_config import CoatesNgConfig, DatasetConfig
from celm.study.families import study_schema
from experiments.config.entries import DATASET_SCHEMAS, NODES, smoke_sizes, tell_names, without_a_file


@cache
def register() -> None:
    """Make the dataclasses known to Hydra, and names and colours to tables and figures; once in a process.

    ``scale/sizes_of_models`` is what the models' own entries say of a small run.
    """
    store = ConfigStore.instance()
    store.store(name="study", node=study_schema())
    for name, schema in DATASET_SCHEMAS.items():
        store.store(group="dataset", name=name, node=schema)
    for name, entry in without_a_file().items():
        store.store(group="dataset", name=name, node=_light(entry))
    store.store(group="features", name="base_coates_ng", node=CoatesNgConfig)
    store.store(group="scale", name="sizes_of_models", node=smoke_sizes(), package="_global_")
    tell_names()


def _light(entry: DatasetConfig) -> Any:
    """An entry as Hydra is told of it: one without settings of its own as three plain values, for there are many."""
    if type(entry) is not DatasetConfig:
        return entry
    return {"name": entry.name, "sources": entry.sources, "n_hidden": NODES}
