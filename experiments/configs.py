"""The schema as Hydra sees it, and the files under conf/ as the schema sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf

from celm.base.validation import check_choice
from celm.models.elm.weights import FACTORIAL, check_strategy
from celm.study.data_config import CoatesNgConfig, CSVConfig, DatasetConfig, OpenMLConfig, SpiralConfig
from celm.study.study_config import ModelConfig, StudyConfig

ROOT = Path(__file__).resolve().parent.parent
CONF = ROOT / "conf"

DATASET_SCHEMAS = {"base_spiral": SpiralConfig, "base_openml": OpenMLConfig, "base_csv": CSVConfig}


def register() -> None:
    """Make the dataclasses and the shorthands ``${nodes:first,last,step}`` and ``${factorial:}`` known to Hydra."""
    store = ConfigStore.instance()
    store.store(name="study", node=StudyConfig)
    for name, schema in DATASET_SCHEMAS.items():
        store.store(group="dataset", name=name, node=schema)
    store.store(group="features", name="base_coates_ng", node=CoatesNgConfig)
    OmegaConf.register_new_resolver("nodes", _nodes, replace=True)
    OmegaConf.register_new_resolver("factorial", lambda: list(FACTORIAL), replace=True)


def _nodes(first: int, last: int, step: int) -> list[int]:
    return list(range(first, last + 1, step))


def options(group: str) -> list[str]:
    """The names a config group offers."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def _load(group: str, name: str, schema: Any) -> Any:
    check_choice(name, f"grid.{group}s", options(group), "config")
    node: Any = OmegaConf.load(CONF / group / f"{name}.yaml")
    bases = [base for base in node.get("defaults", []) if base in DATASET_SCHEMAS]
    values = {key: node[key] for key in node if key != "defaults"}
    return OmegaConf.to_object(
        OmegaConf.merge(OmegaConf.structured(DATASET_SCHEMAS[bases[0]] if bases else schema), values)
    )


def dataset_config(name: str) -> DatasetConfig:
    """conf/dataset/NAME.yaml."""
    loaded: DatasetConfig = _load("dataset", name, DatasetConfig)
    return loaded


def model_config(name: str) -> ModelConfig:
    """conf/model/NAME.yaml, or the ELM of a combination DIRECTION/SCALE/BIAS, which needs no file."""
    if "/" in name:
        check_strategy(name, "grid.models", "config")
        return ModelConfig(name=name, family="elm", strategy=name)
    loaded: ModelConfig = _load("model", name, ModelConfig)
    return loaded
