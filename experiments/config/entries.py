"""The files under conf/: which there are, and what one entry of conf/model or conf/dataset says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

import experiments.config.shorthands  # noqa: F401  # files use them
from celm.base.names import ModelName, tell_datasets, tell_models
from celm.base.validation import check_choice
from celm.datasets import default_sources
from celm.datasets.registry import REGISTRY
from celm.models.elm.weights import check_strategy
from celm.render.style import ModelStyle, tell_styles
from celm.study.data_config import SCHEMAS, DatasetConfig
from celm.study.study_config import ModelConfig

ROOT = Path(__file__).resolve().parent.parent.parent
CONF = ROOT / "conf"

# The node counts of a data set that needs no file, as its file would say them.
NODES = "${nodes:5,200,5}"

# The schemas of data with parameters as the files under conf/dataset name them for Hydra.
DATASET_SCHEMAS = {f"base_{name}": schema for name, schema in SCHEMAS.items()}


def options(group: str) -> list[str]:
    """The names a config group offers: its files, and the data sets that need none."""
    return sorted([*_files(group), *(without_a_file() if group == "dataset" else [])])


def _files(group: str) -> list[str]:
    return [path.stem for path in (CONF / group).glob("*.yaml")]


@cache
def without_a_file() -> dict[str, DatasetConfig]:
    """The data sets that need no file, such as those of the suite; what has one keeps what it says."""
    names = [name for name in REGISTRY if name not in _files("dataset")]
    nodes = list(OmegaConf.create({"counts": NODES}).counts)
    made = {name: SCHEMAS.get(name, DatasetConfig) for name in names}
    return {name: kind(name=name, sources=list(default_sources(name)), n_hidden=nodes) for name, kind in made.items()}


@cache
def conf_file(group: str, name: str) -> Any:
    """What one file under conf/ says by itself; putting files together is Hydra's alone."""
    check_choice(name, group, options(group), "config")
    return OmegaConf.load(CONF / group / f"{name}.yaml")


@cache
def _entry(group: str, name: str, schema: Any) -> Any:
    check_choice(name, f"grid.{group}s", options(group), "config")
    own = conf_file(group, name)
    values = {key: own[key] for key in own if key != "defaults"}
    return OmegaConf.to_object(OmegaConf.merge(OmegaConf.structured(schema), values))


def dataset_config(name: str) -> DatasetConfig:
    """conf/dataset/NAME.yaml, or a set of the suite."""
    schema: Any = SCHEMAS.get(name, DatasetConfig)
    loaded: DatasetConfig = without_a_file().get(name) or _entry("dataset", name, schema)
    return replace(loaded)


def model_config(name: str) -> ModelConfig:
    """conf/model/NAME.yaml, or the ELM of a combination DIRECTION/SCALE/BIAS, which needs no file."""
    if "/" in name:
        check_strategy(name, "grid.models", "config")
        return ModelConfig(name=name, family="elm", strategy=name, about=model_config("elm").about)
    loaded: ModelConfig = _entry("model", name, ModelConfig)
    return replace(loaded)


def tell_names() -> None:
    """Tell tables and figures what the entries of conf/model and conf/dataset are called and how they are drawn."""
    models = sorted(map(model_config, options("model")), key=lambda model: (model.about.order, model.name))
    labels = {model.name: model.about.label or model.name for model in models}
    tell_models({model.name: ModelName(labels[model.name], model.about.short or model.name) for model in models})
    tell_styles(
        {
            model.name: ModelStyle(labels[model.name], model.about.color, model.about.line, model.about.marker)
            for model in models
        }
    )
    datasets = sorted(map(dataset_config, options("dataset")), key=lambda dataset: (dataset.about.order, dataset.name))
    tell_datasets({dataset.name: dataset.about.label or dataset.name for dataset in datasets})


def smoke_sizes() -> dict[str, Any]:
    """What the entries of conf/model say of a small run: family's section -> its keys."""
    sizes = [OmegaConf.create(model_config(name).about.smoke) for name in options("model")]
    merged: Any = OmegaConf.to_container(OmegaConf.merge(*sizes))
    return dict(merged)
