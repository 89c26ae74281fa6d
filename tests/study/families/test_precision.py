"""Numbers of a study do not hang on the processor: every ELM that a family makes has the same digits on all of them."""

import pytest

from celm.linalg import layer
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

COVARIANCE = ModelConfig("m", "elm", "covariance", choose_scale=True)


@pytest.mark.parametrize(
    ("task", "dataset", "model"),
    [
        ("classify", "wdbc", ModelConfig("m", "elm", "cdelm")),
        ("classify", "wdbc", ModelConfig("m", "average")),
        ("compare", "wdbc", COVARIANCE),
        ("regress", "yacht", COVARIANCE),
        ("describe", "wdbc", ModelConfig("m", "elm", "cdelm")),
    ],
)
def test_no_family_takes_the_quickest_sigmoid_of_this_processor(task, dataset, model, monkeypatch):
    monkeypatch.setattr(layer, "_quick_sigmoid", None)
    study = StudyConfig(
        name="t",
        task=task,
        rounds=1,
        n_hidden=[5, 20],
        split=SplitConfig(subset=150, subset_test=100),
        selection=SelectionConfig(exponents=[-1, 3], input_scales=[0.1, 1.0]),
    )
    (cell,) = plan(study, [DatasetConfig(name=dataset)], [model])
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
