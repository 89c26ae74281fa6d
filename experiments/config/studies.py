"""From a composed config to a study: its identity, its data sets and its models."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from omegaconf import DictConfig, OmegaConf

from celm.study.cells import Cell
from celm.study.data_config import DatasetConfig
from celm.study.limits import check_limits
from celm.study.planning import plan
from celm.study.study_config import ModelConfig, StudyConfig
from experiments.config.command_line import as_hydra_reads
from experiments.config.entries import CONF, dataset_config, model_config, options
from experiments.config.ignored import check_rounds, refuse_ignored
from experiments.config.readings import check_together, touched, with_protocols
from experiments.config.study_names import (
    AXES,
    OPERATIONAL,
    Identity,
    check_own_name,
    dataset_settings,
    determining,
    digest_of,
    title_on,
)
from experiments.config.value_types import check_tree

# Groups that an identity names, or that choose a part of a study: every job of a sweep over these is its own study.
NAMING = ("experiment", "sweep", "reading", "scale")


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


def parsed(overrides: Sequence[str]) -> dict[str, Override]:
    """Key or group -> its override, the last one where a command line has several."""
    return {override.key_or_group: override for override in OverridesParser.create().parse_overrides(list(overrides))}


def composed(overrides: Sequence[str], *, with_hydra: bool = False) -> DictConfig:
    """The config of a command line, from conf/; also inside a run that Hydra started."""
    overrides = as_hydra_reads(overrides)
    if GlobalHydra.instance().is_initialized():
        return compose("config", overrides=overrides, return_hydra_config=with_hydra)
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        return compose("config", overrides=overrides, return_hydra_config=with_hydra)


def study_of(config: DictConfig, overrides: Sequence[str], sweep: Sequence[str] | None = None) -> Study:
    """The study of a composed config and the overrides given on the command line (of the whole sweep, if any)."""
    study = _expanded(config, overrides)
    identity = identity_of(study, overrides, sweep)
    study.config.name = str(identity)
    return study


def _expanded(config: DictConfig, overrides: Sequence[str]) -> Study:
    """A config with its grid as data sets and models; its name is still that of its file."""
    check_tree(OmegaConf.to_container(config, resolve=True))
    study: StudyConfig = OmegaConf.to_object(config)  # type: ignore[assignment]
    check_limits(study)
    check_own_name(study.name)
    check_together(sorted(study.readings))
    given = parsed(overrides)
    if study.readings:
        datasets, models = touched(study)
        study.grid.datasets = study.grid.datasets if "grid.datasets" in given else datasets
        study.grid.models = study.grid.models if "grid.models" in given else models
    check_rounds(study.grid.rounds)
    for axis in AXES:
        refuse_ignored(given, axis, bool(getattr(study.grid, f"{axis}s")))
    one_dataset = not study.grid.shown_datasets() or "dataset" in given
    if "dataset" in given and study.grid.datasets and "title" not in given:
        study.title = title_on(study)
    one_model = not study.grid.models or "model" in given
    return Study(
        study,
        [study.dataset] if one_dataset else [dataset_config(name) for name in study.grid.shown_datasets()],
        [as_it_is(study.model)] if one_model else [model_config(name) for name in study.grid.models],
    )


def as_it_is(model: ModelConfig) -> ModelConfig:
    """A model under the name of what it is: one whose strategy or family was changed is not called by its old entry."""
    if model.name not in options("model") or model.settings() == model_config(model.name).settings():
        return model
    for entry in map(model_config, options("model")):
        if replace(model, name=entry.name).settings() == entry.settings():
            return entry
    return replace(model, name=model.strategy or model.family)


def identity_of(study: Study, overrides: Sequence[str], sweep: Sequence[str] | None = None) -> Identity:
    """What the records of a study carry.

    Overrides that only name files, or only say how a study is run, are read off the command line; anything else is
    compared with what name, readings and scale alone compose, and what differs gives the name a digest. What a sweep
    varies counts as one: all its jobs are compared at its first values.
    """
    given = parsed(overrides)
    scale = str(given["scale"].value()) if "scale" in given else "paper"
    named = Identity(study.config.name, tuple(study.config.readings), scale)
    swept = _swept(sweep or [])
    first = {key: f"{key}={one}" for key, (one, _) in swept.items()}
    if sweep is not None and named.name in options("sweep"):
        first = {**{key: f"{key}={one}" for key, (one, _) in _swept_by_file(named.name, sweep).items()}, **first}
    if not first and _only_names(given, study.config.name):
        return named
    if first:
        at_first = [*(str(override.input_line) for key, override in given.items() if key not in first), *first.values()]
        study = _expanded(composed(at_first), at_first)
    differences = {**differing(study, named), **{f"swept {key}": text for key, (_, text) in swept.items()}}
    return replace(named, digest=digest_of(differences))


def _only_names(given: Mapping[str, Override], name: str) -> bool:
    """Whether a command line does no more than to name files and to say how the study is run."""
    others = [key for key in given if key not in NAMING and key.replace("/", ".").split(".")[0] not in OPERATIONAL]
    chosen = [given[group].value() for group in ("sweep", "experiment") if group in given]
    return not others and chosen == [name]


def _swept(sweep: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Key -> its first value and all of them as written, for what a sweep varies inside one study."""
    return {
        key: (next(iter(override.sweep_string_iterator())), str(override.get_value_string()))
        for key, override in parsed(sweep).items()
        if override.is_sweep_override() and key not in (*NAMING, *AXES)
    }


def _swept_by_file(name: str, sweep: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The same for what the sweep's own file varies, unless the command line says otherwise."""
    file = _swept([f"{key}={value}" for key, value in sweep_params(name).items()])
    return {key: choice for key, choice in file.items() if key not in parsed(sweep)}


def differing(study: Study, named: Identity) -> dict[str, Any]:
    """What determines the numbers of a study and is not what its name, readings and scale stand for."""
    base = _base(named)
    here, there = determining(study.config), determining(base.config)
    found = {key: here.get(key) for key in here.keys() | there.keys() if here.get(key) != there.get(key)}
    free = named.name not in options("experiment") + options("sweep")
    datasets = [dataset_settings(dataset) for dataset in study.datasets]
    known = [dataset_config(name) for name in options("dataset")] if free else base.datasets
    if any(settings not in [dataset_settings(dataset) for dataset in known] for settings in datasets):
        found["datasets"] = datasets
    models = [model.settings() for model in study.models]
    entries = [model_config(name) for name in options("model")] if free else base.models
    if any(settings not in [model.settings() for model in entries] for settings in models):
        found["models"] = models
    return found


@lru_cache(maxsize=32)
def _base(named: Identity) -> Study:
    """What name, readings and scale alone compose; of a sweep file the first job."""
    overrides = named.overrides()
    config = composed(overrides)
    if named.name in options("sweep"):
        config = _job(config, overrides, sweep_jobs(sweep_params(named.name))[0])
    return _expanded(config, overrides)


def sweep_params(name: str) -> dict[str, Any]:
    """What conf/sweep/NAME.yaml varies."""
    return dict(composed([f"sweep={name}"], with_hydra=True).hydra.sweeper.params)


def composed_study(experiment: str, further: Sequence[str] = (), max_jobs: int | None = None) -> Study:
    """The study an identity such as ``table1``, ``table1+raw_values`` or ``spiral_map`` stands for, from conf/.

    ``further`` are overrides as on a command line; ``max_jobs`` keeps that many of a sweep's jobs, its last ones.
    """
    named = Identity.parse(experiment)
    overrides = with_protocols([*named.overrides(), *further])
    config = composed(overrides)
    if named.name not in options("sweep"):
        return study_of(config, overrides)
    jobs = sweep_jobs(sweep_params(named.name))
    name = identity_of(_expanded(_job(config, overrides, jobs[0]), overrides), overrides)
    studies = [_expanded(_job(config, overrides, job), [*overrides, *job]) for job in jobs[-(max_jobs or 0) :]]
    for study in studies:
        study.config.name = str(name)
    return studies[0]._replace(others=tuple(studies[1:]))


def _job(base: DictConfig, overrides: Sequence[str], job: Sequence[str]) -> DictConfig:
    """The config of one job of a sweep file: plain values are set in what all its jobs share, others composed anew."""
    given = parsed(job)
    if any((CONF / key).is_dir() or isinstance(override.value(), dict) for key, override in given.items()):
        return composed([*overrides, *job])
    config = base.copy()
    for key, override in given.items():
        OmegaConf.update(config, key, override.value())
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
    return Identity.parse(experiment).is_named()
