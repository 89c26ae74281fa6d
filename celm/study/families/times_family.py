"""The ELM family on the clock: how long a hidden layer takes to draw, a model to fit and to predict."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from celm.base.identity import named
from celm.base.validation import encode_labels
from celm.models.elm.drawing import draw_layer
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import check_elm, make_elm
from celm.study.families.family import Family, Settings, rounded, seconds_since, test_accuracy
from celm.study.study_config import StudyConfig

# λ of the timed model, in the middle of what cross-validation chooses on large data, and how often a time is taken.
LAM, REPEATS = 1e4, 5


def times_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family and how its times are taken."""
    return {**named(study.elm), "lam": LAM, "repeats": REPEATS}


def median_seconds(action: Callable[[], object], repeats: int) -> float:
    """The median time of an action."""
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return rounded(median(taken))


def run_times(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: seconds to draw W and b, to fit, and to predict all test rows."""
    return [_timed(cell, split, L) for L in cell.n_hidden]


def _timed(cell: Cell, split: Split, n_hidden: int) -> Record:
    _, codes = encode_labels(split.y, "times")
    seed, repeats = cell.role_seed("nodes"), cell.settings["repeats"]
    model = make_elm(cell.model, cell.settings).set_params(n_hidden=n_hidden, random_state=seed)
    options = model.weight_options()
    draw = median_seconds(lambda: draw_layer(split.X, codes, model.strategy, n_hidden, seed, options), repeats)
    started = time.perf_counter()
    model.fit(split.X, split.y)
    fit = seconds_since(started)
    predict = median_seconds(lambda: model.predict(split.X_test), repeats)
    seconds = {"draw_seconds": draw, "fit_seconds": fit, "predict_seconds": predict}
    return {"n_hidden": n_hidden, "accuracy": test_accuracy(model, split), "chosen": True, **seconds}


ELM_TIMES = Family(1, times_settings, check_elm, run_times, has_curve=True)
RUNS = {"time": {"elm": ELM_TIMES}}
