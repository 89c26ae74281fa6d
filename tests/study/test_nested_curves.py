"""Sharing nodes between node counts is an economy, not a bias: nested and independent curves agree on real data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from celm.analysis.summary import interval
from celm.study.data_config import DatasetConfig
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

KAR = DatasetConfig(name="mdd_kar", n_hidden=[10, 30, 60, 100, 150, 200])
NESTED = StudyConfig(name="t", rounds=10, selection=SelectionConfig(penalty="none"))
AFRESH = replace(NESTED, selection=SelectionConfig(penalty="none", nested=False))


def curves(study, model):
    """Accuracy by round and node count (10 × 6)."""
    cells = plan(study, [KAR], [ModelConfig(model, "elm", model)])
    return np.array([[record["accuracy"] for record in run_cell(cell, 1)["records"]] for cell in cells])


@pytest.mark.parametrize("model", ["elm", "selm", "cmelm"])
def test_nested_and_independent_draws_give_the_same_curve(model):
    nested, afresh = curves(NESTED, model), curves(AFRESH, model)
    assert not np.array_equal(nested, afresh)
    differences = pd.DataFrame(nested - afresh)
    for count, column in zip(KAR.n_hidden, differences, strict=True):
        low, high = interval(differences[column])
        slack = 0.5 * (high - low)
        assert low - slack <= 0.0 <= high + slack, (
            f"{model} at {count} nodes: paired difference {low:.4f} to {high:.4f}"
        )
