"""Layers described and outputs averaged: what the records hold, against plain formulas."""

import numpy as np
import pytest

from celm.datasets.quadratic import QuadraticParams, make_quadratic
from celm.models.elm.classifier import ELMClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families.average_family import PARTS
from celm.study.families.layer_family import condition_digits
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.study_config import ModelConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[10, 41])
SMALL = SplitConfig(subset=120, subset_test=60)


def records(task, model):
    cell = plan(StudyConfig(name="small", task=task, rounds=1, split=SMALL), [WDBC], [model])[0]
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    return cell, document["records"]


def test_digits_are_those_of_numpy_and_a_singular_matrix_has_finitely_many():
    H = np.random.default_rng(0).normal(size=(30, 5))
    assert condition_digits(H) == pytest.approx(np.log10(np.linalg.cond(H)))
    assert condition_digits(np.ones((4, 3))) == pytest.approx(-np.log10(np.finfo(float).eps))


def test_raw_weights_saturate_and_normalised_ones_do_not():
    _, raw = records("describe", ModelConfig("elm", "elm", "elm"))
    _, normalised = records("describe", ModelConfig("selm", "elm", "selm"))
    assert [one["n_hidden"] for one in raw] == [10, 41]
    assert all(0 <= one["saturated"] <= 1 and one["condition_digits"] > 0 for one in raw)
    assert raw[1]["saturated"] > normalised[1]["saturated"]


def test_outputs_of_two_halves_are_averaged():
    cell, found = records("classify", ModelConfig("cdelm_cselm_average", "average", None))
    split = split_of(cell)
    scores = [
        ELMClassifier(count, strategy=name, random_state=cell.role_seed(f"nodes of {name}"))
        .fit(split.X, split.y)
        .decision_function(split.X_test)
        for name, count in zip(PARTS, (21, 20), strict=True)
    ]
    chosen = np.unique(split.y)[(sum(scores) > 0).astype(int)]
    assert found[1]["accuracy"] == pytest.approx(np.mean(chosen == split.y_test))


def test_a_parabola_parts_the_classes_and_no_line_does():
    X, y = make_quadratic(QuadraticParams(n_samples=500))[:2]
    assert np.array_equal(y, X[:, 1] > 2 * X[:, 0] ** 2 - 0.6)
    design = np.column_stack([X, np.ones(len(X))])
    line = design @ np.linalg.lstsq(design, 2.0 * y - 1, rcond=None)[0] > 0
    assert np.mean(line == y) < 0.8
    with pytest.raises(ValueError, match="curvature"):
        QuadraticParams(curvature=-1.0)
