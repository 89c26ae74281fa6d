"""From a composed config to a study: its identity, its data sets and its models."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from omegaconf import DictConfig, OmegaConf

from celm.study.cells import Cell
from celm.study.data_config import DatasetConfig
from celm.study.runner import plan
from celm.study.study_config import ModelConfig, StudyConfig
from experiments.config.entries import CONF, dataset_config, model_config, options

# What a study is run with, not what determines its numbers.
OPERATIONAL = {"executor", "store", "published", "resume", "force", "strict", "dry_run", "progress"}
# The axes of a study's table: naming one runs a part of the study. An experiment and a sweep name themselves.
AXES = {"experiment", "sweep", "dataset", "model"}


class Study(NamedTuple):
    """A study ready to be planned; ``others`` are the further jobs of a sweep file."""

    config: StudyConfig
    datasets: list[DatasetConfig]
    models: list[ModelConfig]
    others: tuple[Study, ...] = ()

    def plan(self) -> list[Cell]:
        """Its cells, then those of the other jobs."""
        cells = plan(self.config, self.datasets, self.models)
        return cells + [cell for study in self.others for cell in study.plan()]

    def is_whole(self) -> bool:
        """Whether it runs all of its grid, not only the data set or model that the command line named."""
        named = (len(self.config.grid.datasets), len(self.config.grid.models))
        return all(n in (0, here) for n, here in zip(named, (len(self.datasets), len(self.models)), strict=True))


def experiment_id(name: str, overrides: Sequence[str]) -> str:
    """The identity that records carry: ``table1``, ``table1+raw_values``, ``table1-smoke``, ``table1-1f0c2a9b``.

    A reading and a scale stand in the name; any other override that can change a number gives it a digest, so
    that a sweep with three rounds never mixes into Table I.
    """
    reading = scale = ""
    others = []
    for override in sorted(overrides):
        key, _, value = override.lstrip("+~").partition("=")
        if key.replace("/", ".").split(".")[0] in OPERATIONAL or key in AXES:
            continue
        if key == "reading" and "," not in value:
            reading = f"+{value}"
        elif key == "scale" and "," not in value:
            scale = "" if value == "paper" else f"-{value}"
        else:
            others.append(override)
    digest = f"-{hashlib.sha256(' '.join(others).encode()).hexdigest()[:8]}" if others else ""
    return name + reading + scale + digest


def study_of(config: DictConfig, overrides: Sequence[str], sweep: Sequence[str] | None = None) -> Study:
    """The study of a composed config and the overrides given on the command line (of the whole sweep, if any)."""
    study: StudyConfig = OmegaConf.to_object(config)  # type: ignore[assignment]
    study.name = experiment_id(study.name, overrides if sweep is None else sweep)
    return Study(study, _datasets(study, overrides), _models(study, overrides))


def _named(overrides: Sequence[str], group: str) -> bool:
    return any(override.startswith(f"{group}=") for override in overrides)


def _refuse_dotted(overrides: Sequence[str], group: str) -> None:
    for override in overrides:
        if override.lstrip("+~").startswith(f"{group}."):
            raise ValueError(
                f"config: {override} has no effect, this experiment has its own grid of {group}s. "
                f"Name one with {group}=NAME, or set grid.{group}s=[NAME,…]."
            )


def _datasets(study: StudyConfig, overrides: Sequence[str]) -> list[DatasetConfig]:
    if not study.grid.datasets or _named(overrides, "dataset"):
        return [study.dataset]
    _refuse_dotted(overrides, "dataset")
    return [dataset_config(name) for name in study.grid.datasets]


def _models(study: StudyConfig, overrides: Sequence[str]) -> list[ModelConfig]:
    if not study.grid.models or _named(overrides, "model"):
        return [study.model]
    _refuse_dotted(overrides, "model")
    return [model_config(name) for name in study.grid.models]


def composed_study(experiment: str, further: Sequence[str] = (), max_jobs: int | None = None) -> Study:
    """The study an identity such as ``table1``, ``table1+raw_values`` or ``spiral_map`` stands for, from conf/.

    ``further`` are overrides as on a command line; ``max_jobs`` keeps that many of a sweep's jobs, its last ones.
    """
    name, *readings = experiment.split("+")
    group = "sweep" if name in options("sweep") else "experiment"
    overrides = [f"{group}={name}", *(f"reading={reading}" for reading in readings), *further]
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        if group == "experiment":
            return study_of(compose("config", overrides=overrides), overrides)
        swept = compose("config", overrides=overrides, return_hydra_config=True).hydra.sweeper.params
        base = compose("config", overrides=overrides)
    jobs = sweep_jobs(swept)[-(max_jobs or 0) :]
    first, *others = [study_of(_with(base, job), [*overrides, *job], overrides) for job in jobs]
    return first._replace(others=tuple(others))


def _with(base: DictConfig, job: Sequence[str]) -> DictConfig:
    """The config of one job of a sweep file: plain values set in what all its jobs share."""
    config = base.copy()
    for override in OverridesParser.create().parse_overrides(list(job)):
        OmegaConf.update(config, override.key_or_group, override.value())
    return config


def sweep_jobs(params: Mapping[str, object]) -> list[list[str]]:
    """The overrides of every job of a sweep file: all combinations of its ``hydra.sweeper.params``."""
    parser = OverridesParser.create()
    choices = []
    for key, value in params.items():
        override = parser.parse_override(f"{key}={value}")
        values = override.sweep_string_iterator() if override.is_sweep_override() else [str(value)]
        choices.append([f"{key}={one}" for one in values])
    return [list(job) for job in itertools.product(*choices)]


def is_named(experiment: str) -> bool:
    """Whether an identity names files under conf/ alone: such an experiment can be published."""
    name, *readings = experiment.split("+")
    named = name in options("experiment") + options("sweep")
    return named and all(reading in options("reading") for reading in readings)
