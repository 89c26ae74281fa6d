"""The linear SVM family: C chosen on the folds, recorded as lam like the λ it mirrors."""

from __future__ import annotations

import time

from celm.base.identity import named
from celm.models.baselines.linear_svm import LinearSVM
from celm.models.baselines.linear_svm_cv import LinearSVMCV
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, fold_settings, lams, rounded, seconds_since, test_accuracy
from celm.study.study_config import ModelConfig, StudyConfig


def linear_svm_settings(study: StudyConfig) -> Settings:
    """The reading of the linear SVM and its folds."""
    return {**named(study.linear_svm), **fold_settings(study)}


def check_linear_svm(model: ModelConfig, settings: Settings) -> None:
    """The SVM's settings must be in range."""
    LinearSVMCV(Cs=lams(settings), infer_classes=settings["infer_classes"]).check_parameters()


def choose_linear_svm(cell: Cell, split: Split) -> Record:
    """C chosen on the folds (recorded as lam, like the λ it mirrors), its accuracy there and the time it took."""
    search = LinearSVMCV(
        Cs=lams(cell.settings),
        cv=split.folds,
        infer_classes=cell.settings["infer_classes"],
    ).choose(split.X, split.y)
    return {
        "lam": float(search.C_),
        "cv_accuracy": float(max(search.cv_accuracy_)),
        "lam_at_edge": bool(search.C_at_edge_),
        "selection_seconds": rounded(search.selection_seconds_),
    }


def run_linear_svm(cell: Cell, split: Split) -> list[Record]:
    """One record: the linear SVM with the C that is kept, or chosen now."""
    choice = choose_linear_svm(cell, split) if split.kept is None else split.kept
    started = time.perf_counter()
    fitted = LinearSVM(choice["lam"], infer_classes=cell.settings["infer_classes"]).fit(split.X, split.y)
    elapsed = seconds_since(started)
    accuracy = test_accuracy(fitted, split)
    return [{"n_hidden": None, "accuracy": accuracy, "chosen": True, "fit_seconds": elapsed, **choice}]


LINEAR_SVM = Family(1, linear_svm_settings, check_linear_svm, run_linear_svm, has_curve=False, choose=choose_linear_svm)
RUNS = {"classify": {"linear_svm": LINEAR_SVM}}
