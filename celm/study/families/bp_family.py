"""The BP family: one network, its node count chosen on the rows held out for stopping."""

from __future__ import annotations

import time
from typing import Any

from celm.base.identity import named
from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.bp_cv import BPClassifierCV
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, rounded, seconds_since, test_accuracy
from celm.study.study_config import ModelConfig, StudyConfig


def bp_settings(study: StudyConfig) -> Settings:
    """The readings of the back-propagation network."""
    return named(study.bp)


def check_bp(model: ModelConfig, settings: Settings) -> None:
    """The network's settings must be in range."""
    _bp(settings, 0).check_parameters()


def _bp(settings: dict[str, Any], seed: int) -> Any:
    common = {"targets": settings["targets"], "max_epochs": settings["max_epochs"], "random_state": seed}
    if settings["early_stopping"]:
        return BPClassifierCV(n_hidden_grid=settings["n_hidden"], **common)
    return BPClassifier(n_hidden=settings["n_hidden"][0], early_stopping=False, **common)


def run_bp(cell: Cell, split: Split) -> list[Record]:
    """One record: the network with the node count chosen on the rows held out for stopping."""
    started = time.perf_counter()
    fitted = _bp(cell.settings, cell.role_seed("network")).fit(split.X, split.y)
    elapsed = seconds_since(started)
    chosen = cell.settings["early_stopping"]
    return [
        {
            "n_hidden": fitted.n_hidden_ if chosen else fitted.n_hidden,
            "accuracy": test_accuracy(fitted, split),
            "cv_accuracy": fitted.validation_accuracy_ if chosen else None,
            "chosen": True,
            "epochs": fitted.n_epochs_,
            "stop_reason": fitted.stop_reason_,
            "fit_seconds": rounded(fitted.fit_seconds_) if chosen else elapsed,
            "selection_seconds": rounded(fitted.selection_seconds_) if chosen else 0.0,
        }
    ]


BP = Family(1, bp_settings, check_bp, run_bp, has_curve=False)
RUNS = {"classify": {"bp": BP}}
