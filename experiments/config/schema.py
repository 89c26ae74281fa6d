"""The schema and the shorthands of conf/ as Hydra sees them; must be registered before anything is composed."""

from __future__ import annotations

from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf

from celm.base.names import CELMS, ELMS
from celm.datasets import suite_names
from celm.models.elm.weights import FACTORIAL
from celm.study.data_config import CoatesNgConfig
from celm.study.study_config import StudyConfig
from experiments.config.entries import DATASET_SCHEMAS, smoke_sizes, tell_names, without_a_file

# What ``${models:…}`` can name beside single models.
GROUPS_OF_MODELS = {"elms": ELMS, "celms": CELMS, "factorial": FACTORIAL}


def register() -> None:
    """Make the dataclasses and the shorthands known to Hydra, and names and colours to tables and figures.

    ``${nodes:first,last,step}`` is a list of node counts, ``${models:elm,celms}`` one of models: single names and the
    groups of :data:`GROUPS_OF_MODELS`. ``${suite:classification}`` and ``${suite:classification,image}`` are the data
    sets of a task, and those of a kind, in celm/datasets/suite.csv. ``scale/sizes_of_models`` is what the models' own
    entries say of a small run.
    """
    store = ConfigStore.instance()
    store.store(name="study", node=StudyConfig)
    for name, schema in {**DATASET_SCHEMAS, **without_a_file()}.items():
        store.store(group="dataset", name=name, node=schema)
    store.store(group="features", name="base_coates_ng", node=CoatesNgConfig)
    store.store(group="scale", name="sizes_of_models", node=smoke_sizes(), package="_global_")
    OmegaConf.register_new_resolver("nodes", _nodes, replace=True)
    OmegaConf.register_new_resolver("models", _models, replace=True)
    OmegaConf.register_new_resolver("suite", _suite, replace=True)
    tell_names()


def _nodes(first: int, last: int, step: int) -> list[int]:
    return list(range(first, last + 1, step))


def _models(*names: str) -> list[str]:
    return [model for name in names for model in GROUPS_OF_MODELS.get(name, (name,))]


def _suite(task: str, kind: str | None = None) -> list[str]:
    return list(suite_names(task, kind=kind))
