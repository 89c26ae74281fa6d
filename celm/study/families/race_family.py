"""Models on the clock under equal conditions: the same node counts, warm, repeated, one thread, and nothing chosen.

A study runs its cells round by round, so the models of a data set take their turns within minutes of each other. What
is compared is a ratio within a round (:mod:`celm.analysis.time_ratios`).
"""

from __future__ import annotations

from typing import Any

from celm.base.identity import named
from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.linear_svm import LinearSVM
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm, make_elm
from celm.study.families.family import Family, Settings, test_accuracy
from celm.study.families.warm_clock import Company, load, warm_times
from celm.study.study_config import ModelConfig, StudyConfig

# λ, and C of the linear SVM, where folds on small data choose it; the time of a ridge does not hang on it.
LAM = 10.0
# An action is timed this often at least and for so long, but not again once it has taken the most.
LEAST_REPEATS, ENOUGH_SECONDS, MOST_SECONDS = 3, 0.2, 1.0
LENGTH = {"least_repeats": LEAST_REPEATS, "enough_seconds": ENOUGH_SECONDS, "most_seconds": MOST_SECONDS}
CLOCK: Settings = {"lam": LAM, **LENGTH}


def elm_race_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family and how its times are taken."""
    return {**named(study.elm), **CLOCK}


def bp_race_settings(study: StudyConfig) -> Settings:
    """The readings of the network but for its node counts, which are those of all models; it has no λ."""
    apart = ("n_hidden", "lam")
    return {name: value for name, value in {**named(study.bp), **CLOCK}.items() if name not in apart}


def linear_svm_race_settings(study: StudyConfig) -> Settings:
    """The reading of the linear SVM and how its times are taken."""
    return {**named(study.linear_svm), **CLOCK}


def check_bp_race(model: ModelConfig, settings: Settings) -> None:
    """The network's settings must be in range."""
    _network(settings, 1, 0).check_parameters()


def check_linear_svm_race(model: ModelConfig, settings: Settings) -> None:
    """The SVM's settings must be in range."""
    _svm(settings).check_parameters()


def _network(settings: Settings, n_hidden: int, seed: int) -> BPClassifier:
    options = {name: settings[name] for name in ("targets", "max_epochs", "early_stopping")}
    return BPClassifier(n_hidden, random_state=seed, **options)


def _svm(settings: Settings) -> LinearSVM:
    return LinearSVM(settings["lam"], infer_classes=settings["infer_classes"])


def race_elm(cell: Cell, split: Split) -> list[Record]:
    """One record per node count."""
    records = []
    for L in cell.n_hidden:
        model = make_elm(cell.model, cell.settings).set_params(n_hidden=L, random_state=cell.role_seed("nodes"))
        record = _timed(cell, split, model)
        records.append({"n_hidden": L, **record, "solver": model.solver_})
    return records


def race_bp(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: a network of as many hidden nodes, trained until it stops."""
    records = []
    for L in cell.n_hidden:
        model = _network(cell.settings, L, cell.role_seed("network"))
        record = _timed(cell, split, model)
        records.append({"n_hidden": L, **record, "epochs": model.n_epochs_, "stop_reason": model.stop_reason_})
    return records


def race_linear_svm(cell: Cell, split: Split) -> list[Record]:
    """One record: it has no nodes."""
    return [{"n_hidden": None, **_timed(cell, split, _svm(cell.settings))}]


def _timed(cell: Cell, split: Split, model: Any) -> Record:
    """Fit and prediction of one model on the clock, and what else the machine did meanwhile."""
    clock = [cell.settings[name] for name in LENGTH]
    before, company = load(), Company()
    fit = warm_times(lambda: model.fit(split.X, split.y), *clock)
    predict = warm_times(lambda: model.predict(split.X_test), *clock)
    return {
        "accuracy": test_accuracy(model, split),
        "chosen": True,
        "fit_seconds": fit.wall,
        "fit_cpu_seconds": fit.cpu,
        "fit_repeats": fit.repeats,
        "predict_seconds": predict.wall,
        "predict_cpu_seconds": predict.cpu,
        "predict_repeats": predict.repeats,
        "load": before,
        "others_busy": company.cores(),
    }


RUNS = {
    "race": {
        "elm": Family(1, elm_race_settings, check_elm, race_elm, has_curve=True),
        "bp": Family(1, bp_race_settings, check_bp_race, race_bp, has_curve=True),
        "linear_svm": Family(1, linear_svm_race_settings, check_linear_svm_race, race_linear_svm, has_curve=False),
    }
}
