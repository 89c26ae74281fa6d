"""Two ELMs under receptive fields whose class scores a third one combines (McDonnell et al., PLOS ONE 2015)."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from celm.models.elm.classifier import ELMClassifier
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import elm_settings, machine_of
from celm.study.families.family import Family, Settings, lams, seconds_since, test_accuracy
from celm.study.study_config import ModelConfig

# What is combined, and the layer on top of it: signed sums of 500 nodes.
BELOW = ("rf_ciw", "rf_differences")
ABOVE, NODES_ABOVE = "ciw", 500


def check_combined(model: ModelConfig, settings: Settings) -> None:
    """One λ serves all three layers."""
    if settings["penalty"] != "ridge" or len(lams(settings)) != 1:
        raise ValueError(
            f"config: {model.name} has one λ for its three layers, so selection.exponents must name one exponent "
            f"twice; got {settings.get('exponents', 'no penalty')}."
        )
    for strategy in BELOW:
        _elm(strategy, 1, 1.0, settings, None).check_parameters()


def _elm(strategy: str, n_hidden: int, lam: float, settings: Settings, seed: int | None) -> ELMClassifier:
    elm = machine_of(ELMClassifier, strategy, settings)
    return elm.set_params(n_hidden=n_hidden, lam=lam, random_state=seed)


class Combined:
    """The three layers: ``fit``, then ``predict``.

    DEPARTURE: the receptive fields of the two layers are drawn independently, in the authors' code they are the same.
    """

    def __init__(self, cell: Cell, n_hidden: int) -> None:
        (lam,) = lams(cell.settings)
        seeds = [cell.role_seed("nodes"), cell.role_seed("nodes, second layer")]
        self.below = [_elm(name, n_hidden, lam, cell.settings, seed) for name, seed in zip(BELOW, seeds, strict=True)]
        self.above = _elm(ABOVE, NODES_ABOVE, lam, cell.settings, cell.role_seed("nodes, third layer"))

    def _scores(self, X: Any) -> Any:
        return np.hstack([elm.decision_function(X).reshape(len(X), -1) for elm in self.below])

    def fit(self, X: Any, y: Any) -> Combined:
        """Both layers on the rows, the third on their scores for the same rows."""
        for elm in self.below:
            elm.fit(X, y)
        self.above.fit(self._scores(X), y)
        return self

    def predict(self, X: Any) -> Any:
        """The classes of rows."""
        return self.above.predict(self._scores(X))


def run_combined(cell: Cell, split: Split) -> list[Record]:
    """One record per node count of the two layers below."""
    records = []
    for count in cell.n_hidden:
        started = time.perf_counter()
        fitted = Combined(cell, count).fit(split.X, split.y)
        seconds = seconds_since(started)
        accuracy = test_accuracy(fitted, split)
        chosen = {"n_hidden": count, "lam": lams(cell.settings)[0], "chosen": True}
        records.append({**chosen, "accuracy": accuracy, "fit_seconds": seconds})
    return records


COMBINED = Family(1, elm_settings, check_combined, run_combined, has_curve=True)
RUNS = {"classify": {"combined": COMBINED}}
