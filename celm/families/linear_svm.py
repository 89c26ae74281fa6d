"""The linear SVM family: C chosen on the folds, recorded as lam like the λ it mirrors."""

from __future__ import annotations

from dataclasses import asdict

from celm.cells import Cell, Record, Split
from celm.families.common import Family, Settings, fold_settings, lams, rounded, test_accuracy
from celm.models.linear_svm import LinearSVMCV
from celm.schema import ModelConfig, StudyConfig


def linear_svm_settings(study: StudyConfig) -> Settings:
    """The reading of the linear SVM and its folds."""
    return {**asdict(study.linear_svm), **fold_settings(study)}


def check_linear_svm(model: ModelConfig, settings: Settings) -> None:
    """The SVM's settings must be in range."""
    LinearSVMCV(Cs=lams(settings), infer_classes=settings["infer_classes"]).check_parameters()


def run_linear_svm(cell: Cell, split: Split) -> list[Record]:
    """One record: the linear SVM with C chosen on the folds (recorded as lam, like the λ it mirrors)."""
    fitted = LinearSVMCV(
        Cs=lams(cell.settings),
        cv=split.folds,
        infer_classes=cell.settings["infer_classes"],
    ).fit(split.X, split.y)
    return [
        {
            "n_hidden": None,
            "lam": float(fitted.C_),
            "accuracy": test_accuracy(fitted, split),
            "cv_accuracy": float(max(fitted.cv_accuracy_)),
            "lam_at_edge": bool(fitted.C_at_edge_),
            "chosen": True,
            "fit_seconds": rounded(fitted.fit_seconds_),
            "selection_seconds": rounded(fitted.selection_seconds_),
        }
    ]


LINEAR_SVM = Family(1, linear_svm_settings, check_linear_svm, run_linear_svm, has_curve=False)
