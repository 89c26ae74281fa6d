"""How each family of models runs a cell: its settings, their check, and the records it makes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from celm.cells import Cell, Record, Split
from celm.models.bp import BPClassifier
from celm.models.bp_cv import BPClassifierCV
from celm.models.curves import CurveRow, pseudo_inverse_rows, ridge_curve_rows
from celm.models.elm import ELMClassifier, ELMClassifierCV
from celm.models.linear_svm import LinearSVMCV
from celm.models.weights import STRATEGIES
from celm.schema import ModelConfig, SelectionConfig, StudyConfig
from celm.validation import check_choice

Settings = dict[str, Any]


def _lams(settings: Settings) -> tuple[float, ...]:
    return SelectionConfig(exponents=settings["exponents"]).lams()


def _seconds(since: float) -> float:
    return round(time.perf_counter() - since, 6)


def _accuracy(fitted: Any, split: Split) -> float:
    return float(np.mean(fitted.predict(split.X_test) == split.y_test))


def elm_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family and how its readout is chosen."""
    settings = {**asdict(study.elm), "penalty": study.selection.penalty, "nested": study.selection.nested}
    if study.selection.penalty == "none":
        return settings
    chosen = {"choose": study.selection.choose, "layer": study.selection.layer}
    return {**settings, **chosen, **_fold_settings(study)}


def _fold_settings(study: StudyConfig) -> Settings:
    return {"n_folds": study.selection.n_folds, "exponents": list(study.selection.exponents)}


def check_elm(model: ModelConfig, settings: Settings) -> None:
    """The strategy must exist and its readings be in range."""
    check_choice(model.strategy, "model.strategy", STRATEGIES, "config")
    _elm(model, settings).check_parameters()


def _elm(model: ModelConfig, settings: dict[str, Any]) -> ELMClassifier:
    names = ELMClassifier().get_params()
    return ELMClassifier(
        strategy=str(model.strategy), **{name: value for name, value in settings.items() if name in names}
    )


def _curve_record(row: CurveRow, n_test: int) -> Record:
    return {"n_hidden": row.n_hidden, "lam": row.lam, "accuracy": row.correct / n_test, "rank": row.rank}


def run_elm(cell: Cell, split: Split) -> list[Record]:
    """One record per node count; with a penalty, the chosen one carries the times of the choice and of its fit."""
    seed = cell.role_seed("nodes")
    model, nested = _elm(cell.model, cell.settings), cell.settings["nested"]
    if cell.settings["penalty"] == "none":
        rows = pseudo_inverse_rows(model, cell.n_hidden, *split[:4], nested=nested, seed=seed)
        return [_curve_record(row, len(split.y_test)) for row in rows]
    choose = cell.settings["choose"]
    fitted = ELMClassifierCV(
        model,
        n_hidden_grid=cell.n_hidden,
        lams=_lams(cell.settings),
        cv=split.folds,
        choose="largest" if choose == "largest" else "joint",
        layer=cell.settings["layer"],
        nested=nested,
        random_state=seed,
    ).fit(split.X, split.y)
    rows = ridge_curve_rows(fitted, *split[:4])
    records = [_curve_record(row, len(split.y_test)) for row in rows]
    for record, choice in zip(records, fitted.lambdas_by_count_, strict=True):
        record["cv_accuracy"] = choice.correct / len(split.y)
        record["lam_at_edge"] = choice.lam in (fitted.lams[0], fitted.lams[-1])
        record["chosen"] = False
    best_on_test = max(records, key=lambda record: record["accuracy"])["n_hidden"]
    winner = best_on_test if choose == "best_on_test" else fitted.n_hidden_
    chosen = next(record for record in records if record["n_hidden"] == winner)
    started = time.perf_counter()
    fitted.estimator_at(winner, chosen["lam"]).fit(split.X, split.y)
    chosen.update(chosen=True, fit_seconds=_seconds(started), selection_seconds=round(fitted.selection_seconds_, 6))
    return records


def bp_settings(study: StudyConfig) -> Settings:
    """The readings of the back-propagation network."""
    return asdict(study.bp)


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
    elapsed = _seconds(started)
    chosen = cell.settings["early_stopping"]
    return [
        {
            "n_hidden": fitted.n_hidden_ if chosen else fitted.n_hidden,
            "accuracy": _accuracy(fitted, split),
            "cv_accuracy": fitted.validation_accuracy_ if chosen else None,
            "chosen": True,
            "epochs": fitted.n_epochs_,
            "stop_reason": fitted.stop_reason_,
            "fit_seconds": round(fitted.fit_seconds_, 6) if chosen else elapsed,
            "selection_seconds": round(fitted.selection_seconds_, 6) if chosen else 0.0,
        }
    ]


def linear_svm_settings(study: StudyConfig) -> Settings:
    """The reading of the linear SVM and its folds."""
    return {**asdict(study.linear_svm), **_fold_settings(study)}


def check_linear_svm(model: ModelConfig, settings: Settings) -> None:
    """The SVM's settings must be in range."""
    LinearSVMCV(Cs=_lams(settings), infer_classes=settings["infer_classes"]).check_parameters()


def run_linear_svm(cell: Cell, split: Split) -> list[Record]:
    """One record: the linear SVM with C chosen on the folds (recorded as lam, like the λ it mirrors)."""
    fitted = LinearSVMCV(
        Cs=_lams(cell.settings),
        cv=split.folds,
        infer_classes=cell.settings["infer_classes"],
    ).fit(split.X, split.y)
    return [
        {
            "n_hidden": None,
            "lam": float(fitted.C_),
            "accuracy": _accuracy(fitted, split),
            "cv_accuracy": float(np.max(fitted.cv_accuracy_)),
            "lam_at_edge": bool(fitted.C_at_edge_),
            "chosen": True,
            "fit_seconds": round(fitted.fit_seconds_, 6),
            "selection_seconds": round(fitted.selection_seconds_, 6),
        }
    ]


class Family(NamedTuple):
    """What the runner needs to know of a family; ``algorithm`` rises when a change of code changes its numbers."""

    algorithm: int
    settings: Callable[[StudyConfig], Settings]
    check: Callable[[ModelConfig, Settings], None]
    run: Callable[[Cell, Split], list[Record]]
    has_curve: bool


FAMILIES: dict[str, Family] = {
    "elm": Family(1, elm_settings, check_elm, run_elm, has_curve=True),
    "bp": Family(1, bp_settings, check_bp, run_bp, has_curve=False),
    "linear_svm": Family(1, linear_svm_settings, check_linear_svm, run_linear_svm, has_curve=False),
}
