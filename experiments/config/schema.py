"""The schema of conf/ as Hydra sees it; must be registered before anything is composed."""

from __future__ import annotations

from hydra.core.config_store import ConfigStore

from celm.study.data_config import CoatesNgConfig
from celm.study.study_config import StudyConfig
from experiments.config.entries import DATASET_SCHEMAS, smoke_sizes, tell_names, without_a_file


def register() -> None:
    """Make the dataclasses known to Hydra, and names and colours to tables and figures.

    ``scale/sizes_of_models`` is what the models' own entries say of a small run.
    """
    store = ConfigStore.instance()
    store.store(name="study", node=StudyConfig)
    for name, schema in {**DATASET_SCHEMAS, **without_a_file()}.items():
        store.store(group="dataset", name=name, node=schema)
    store.store(group="features", name="base_coates_ng", node=CoatesNgConfig)
    store.store(group="scale", name="sizes_of_models", node=smoke_sizes(), package="_global_")
    tell_names()
