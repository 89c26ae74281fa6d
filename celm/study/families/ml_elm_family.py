"""The multilayer ELM family: run as it is set, nothing chosen."""

from __future__ import annotations

import time

from celm.base.identity import named
from celm.models.baselines.ml_elm import MLELMClassifier
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, seconds_since, test_accuracy
from celm.study.study_config import ModelConfig, StudyConfig


def ml_elm_settings(study: StudyConfig) -> Settings:
    """The shape and the readings of the multilayer ELM."""
    return named(study.ml_elm)


def check_ml_elm(model: ModelConfig, settings: Settings) -> None:
    """The layers and their settings must be in range."""
    MLELMClassifier(**settings).check_parameters()


def run_ml_elm(cell: Cell, split: Split) -> list[Record]:
    """One record: the multilayer ELM as it is set, nothing chosen."""
    started = time.perf_counter()
    fitted = MLELMClassifier(**cell.settings, random_state=cell.role_seed("nodes")).fit(split.X, split.y)
    return [
        {
            "n_hidden": "-".join(map(str, cell.settings["layers"])),
            "lam": cell.settings["lam"],
            "fit_seconds": seconds_since(started),
            "accuracy": test_accuracy(fitted, split),
            "chosen": True,
            "solver": fitted.solver_,
            "rank": fitted.rank_,
        }
    ]


ML_ELM = Family(1, ml_elm_settings, check_ml_elm, run_ml_elm, has_curve=False)
RUNS = {"classify": {"ml_elm": ML_ELM}, "time": {"ml_elm": ML_ELM}}
