"""Many data sets, many models: each chooses by the same folds, is fitted once and scored on the test rows.

Two tasks share the models: "compare" (classes: accuracy and balanced accuracy) and "regress" (numbers: R² and root mean
squared error). A cell has one record, that of the model it chose.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import RidgeClassifierCV, RidgeCV
from sklearn.metrics import balanced_accuracy_score, r2_score, root_mean_squared_error
from sklearn.model_selection import PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline

from celm.base.identity import filled, named
from celm.datasets.traits import class_overlap, target_roughness, variance_share
from celm.models.baselines.linear_svm_cv import LinearSVMCV
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV
from celm.models.elm.weights import check_strategy
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import machine_of
from celm.study.families.family import Family, Settings, fold_settings, lams, seconds_since, test_accuracy
from celm.study.ridge_by_folds import RidgeByFolds
from celm.study.study_config import ModelConfig, StudyConfig

# Training rows from which on scikit-learn's search, a fit for every α and fold, takes minutes; one pass takes seconds.
MANY_ROWS = 20_000
# Widths of the RBF kernel that the folds choose from, times 1/(n·variance): scikit-learn's own "scale" is the middle.
GAMMA_SCALES = (0.04, 0.2, 1.0, 5.0)


def class_scores(fitted: Any, split: Split) -> Record:
    """Accuracy, and the mean over classes of their own accuracies."""
    predicted = fitted.predict(split.X_test)
    present = np.isin(split.y_test, np.unique(split.y))
    return {
        "accuracy": test_accuracy(fitted, split),
        "balanced_accuracy": float(balanced_accuracy_score(split.y_test, predicted)),
        "unseen_classes": len(np.unique(split.y_test[~present])),
    }


def number_scores(fitted: Any, split: Split) -> Record:
    """R² and root mean squared error."""
    predicted = fitted.predict(split.X_test)
    return {
        "r2": float(r2_score(split.y_test, predicted)),
        "rmse": float(root_mean_squared_error(split.y_test, predicted)),
    }


class Kind(NamedTuple):
    """What a task is made of: its estimators, how much its targets mix, and how a fitted model is scored."""

    elm: type
    search: type
    ridge: type
    booster: type
    neighbours: type
    overlap: Callable[[Any, Any], float]
    scores: Callable[[Any, Split], Record]


CLASSES = Kind(
    elm=ELMClassifier,
    search=ELMClassifierCV,
    ridge=RidgeClassifierCV,
    booster=HistGradientBoostingClassifier,
    neighbours=KNeighborsClassifier,
    overlap=class_overlap,
    scores=class_scores,
)
NUMBERS = Kind(
    elm=ELMRegressor,
    search=ELMRegressorCV,
    ridge=RidgeCV,
    booster=HistGradientBoostingRegressor,
    neighbours=KNeighborsRegressor,
    overlap=target_roughness,
    scores=number_scores,
)

# A fitted model and what it chose.
Chosen = tuple[Any, Record]


def choose_elm(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """Node count, λ and, where the model has candidates for it, the scale of the pre-activations.

    The record tells the spread that they have at last: the median over nodes of their standard deviation.
    """
    search = kind.search(
        machine_of(kind.elm, str(cell.model.strategy), cell.settings),
        n_hidden_grid=cell.n_hidden,
        lams=lams(cell.settings),
        input_scales=cell.settings["input_scales"] if cell.model.choose_scale else None,
        cv=split.folds,
        random_state=cell.role_seed("nodes"),
    ).choose_candidate(split.X, split.y)
    search.fit_candidate(split.X, split.y, search.n_hidden_, search.lam_, search.input_scale_)
    choice = {"n_hidden": search.n_hidden_, "lam": search.lam_, "lam_at_edge": search.lam_at_edge_}
    spread = float(np.median((split.X @ search.best_estimator_.W_).std(axis=0)))
    return search, {**choice, "input_scale": search.input_scale_, "spread": spread}


def choose_ridge(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """A linear model with an intercept; scikit-learn's α is 1/λ."""
    fitted = _ridge(kind, cell, split).fit(split.X, split.y)
    return fitted, {"n_hidden": None, "lam": float(1.0 / fitted.alpha_)}


def choose_kernel(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """A ridge on as many landmarks of an RBF kernel as the largest layer has nodes, at most all rows."""
    return _by_width(kind, cell, split, Nystroem, min(max(cell.n_hidden), len(split.X)))


def choose_fourier(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """A ridge on random Fourier features of the same kernel, as many as the largest layer has nodes."""
    return _by_width(kind, cell, split, RBFSampler, max(cell.n_hidden))


def _by_width(kind: Kind, cell: Cell, split: Split, features: type, n_components: int) -> Chosen:
    """The width γ of the kernel that ``features`` approximate, and λ, by the folds."""
    unit = 1.0 / (split.X.shape[1] * max(float(split.X.var()), np.finfo(float).tiny))
    seed = cell.role_seed("nodes") % 2**32

    def at(scale: float) -> Pipeline:
        kernel = features(gamma=scale * unit, n_components=n_components, random_state=seed)
        return make_pipeline(kernel, _ridge(kind, cell, split)).fit(split.X, split.y)

    tried = {scale: at(scale) for scale in GAMMA_SCALES}
    best = max(tried, key=lambda scale: tried[scale][-1].best_score_)
    ridge = tried[best][-1]
    choice = {"n_hidden": int(ridge.n_features_in_), "gamma_scale": best, "lam": float(1.0 / ridge.alpha_)}
    return tried[best], choice


def _ridge(kind: Kind, cell: Cell, split: Split) -> Any:
    """A ridge whose α the folds choose: on many rows by sums that all α share, which rounds in another order."""
    alphas = [1.0 / lam for lam in lams(cell.settings)]
    if kind is CLASSES and len(split.X) > MANY_ROWS:
        return RidgeByFolds(alphas, split.folds)
    return kind.ridge(alphas=alphas, cv=PredefinedSplit(split.folds))


def choose_svm(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """A linear SVM, its C by the folds."""
    fitted = LinearSVMCV(Cs=lams(cell.settings), cv=split.folds).fit(split.X, split.y)
    return fitted, {"n_hidden": None, "lam": float(fitted.C_), "lam_at_edge": bool(fitted.C_at_edge_)}


def take_booster(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """Gradient-boosted trees as scikit-learn sets them up: nothing is chosen."""
    fitted = kind.booster(random_state=cell.role_seed("nodes") % 2**32).fit(split.X, split.y)
    return fitted, {"n_hidden": None}


def take_nearest(kind: Kind, cell: Cell, split: Split) -> Chosen:
    """The nearest training row; its record also says what the training rows are like, for all models of the round."""
    fitted = kind.neighbours(n_neighbors=1).fit(split.X, split.y)
    traits = {"variance_share": variance_share(split.X), "overlap": kind.overlap(split.X, split.y)}
    return fitted, {"n_hidden": None, **traits}


def comparison_settings(study: StudyConfig) -> Settings:
    """The folds and the λ grid, which all models share."""
    return fold_settings(study)


def elm_comparison_settings(study: StudyConfig) -> Settings:
    """The readings of the draw beside them, and the scales that some models choose from."""
    scales = {"input_scales": list(study.selection.input_scales)}
    return {**named(study.elm), **scales, **comparison_settings(study)}


def _check_nothing(model: ModelConfig, settings: Settings) -> None:
    """The grid is all that such a model is told, and the study has checked it."""


def check_elm_comparison(model: ModelConfig, settings: Settings) -> None:
    """The strategy must exist and its readings be in range."""
    check_strategy(model.strategy, "model.strategy", "config")
    filled(WeightOptions, settings).check("config")


def _runs(kind: Kind, choose: Callable[[Kind, Cell, Split], Chosen]) -> Callable[[Cell, Split], list[Record]]:
    def run(cell: Cell, split: Split) -> list[Record]:
        started = time.perf_counter()
        fitted, choice = choose(kind, cell, split)
        seconds = {"fit_seconds": seconds_since(started)}
        return [{**choice, **kind.scores(fitted, split), "chosen": True, **seconds}]

    return run


def _families(kind: Kind) -> dict[str, Family]:
    def family(choose: Callable[[Kind, Cell, Split], Chosen]) -> Family:
        return Family(1, comparison_settings, _check_nothing, _runs(kind, choose), has_curve=False)

    elm = Family(1, elm_comparison_settings, check_elm_comparison, _runs(kind, choose_elm), has_curve=True)
    kernels = {
        name: Family(1, comparison_settings, _check_nothing, _runs(kind, choose), has_curve=True)
        for name, choose in {"kernel": choose_kernel, "fourier": choose_fourier}.items()
    }
    others = {"ridge": choose_ridge, "boosting": take_booster, "nearest": take_nearest}
    return {"elm": elm, **kernels, **{name: family(choose) for name, choose in others.items()}}


COMPARE = {
    **_families(CLASSES),
    "linear_svm": Family(1, comparison_settings, _check_nothing, _runs(CLASSES, choose_svm), has_curve=False),
}
REGRESS = _families(NUMBERS)
RUNS = {"compare": COMPARE, "regress": REGRESS}
