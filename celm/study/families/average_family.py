"""The model average of §III.E: outputs of two constrained ELMs of half the nodes each, averaged."""

from __future__ import annotations

import numpy as np

from celm.base.identity import filled, named
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import check_strategy
from celm.study.cells import Cell, Record, Split
from celm.study.families.elm_family import machine_of
from celm.study.families.family import Family, Settings
from celm.study.study_config import ModelConfig, StudyConfig

# What is averaged: the first has the larger half, as the sums have in CMELM.
PARTS = ("cselm", "cdelm")


def average_settings(study: StudyConfig) -> Settings:
    """The readings of the ELM family; readouts are without a penalty."""
    return named(study.elm)


def check_average(model: ModelConfig, settings: Settings) -> None:
    """The parts must exist and the readings be in range."""
    for name in PARTS:
        check_strategy(name, "strategy", "config")
    filled(WeightOptions, settings).check("config")


def run_average(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: the test accuracy of the averaged outputs."""
    return [{"n_hidden": L, "accuracy": _averaged(cell, split, L)} for L in cell.n_hidden]


def _averaged(cell: Cell, split: Split, n_hidden: int) -> float:
    halves = dict(zip(PARTS, (n_hidden - n_hidden // 2, n_hidden // 2), strict=True))
    outputs = []
    for name, count in halves.items():
        elm = machine_of(ELMClassifier, name, cell.settings)
        elm.set_params(n_hidden=count, random_state=cell.role_seed(f"nodes of {name}"))
        scores = elm.fit(split.X, split.y).decision_function(split.X_test)
        outputs.append(np.column_stack([-scores, scores]) if scores.ndim == 1 else scores)
    chosen = elm.classes_[np.argmax(np.mean(outputs, axis=0), axis=1)]
    return float(np.mean(chosen == split.y_test))


AVERAGE = Family(1, average_settings, check_average, run_average, has_curve=True)
RUNS = {"classify": {"average": AVERAGE}}
