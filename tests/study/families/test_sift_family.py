"""Sifted draws: what a record says of draws and rejections, and that its accuracy is that of the model."""

import pytest

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families.sift_family import COUNTED
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.store.checks import document_fault
from celm.study.study_config import ELMProtocol, ModelConfig, StudyConfig
from experiments.config.schema import register
from experiments.config.studies import composed_study

WDBC = DatasetConfig(name="wdbc", n_hidden=[10, 40])


def ran(model, **options):
    study = StudyConfig(name="sift", task="sift", rounds=1, split=SplitConfig(subset=120, subset_test=60))
    study.elm = ELMProtocol(**options)
    cell = plan(study, [WDBC], [ModelConfig(model, "elm", model)])[0]
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    assert document_fault(document) is None
    return cell, document


def counts(record):
    return {column: record[column] for column in COUNTED}


def test_without_a_filter_nothing_is_rejected():
    _, document = ran("cmelm")
    for record, nodes in zip(document["records"], (10, 40), strict=True):
        expected = dict.fromkeys(COUNTED, 0) | {"difference_draws": nodes // 2, "sum_draws": nodes // 2}
        assert counts(record) == expected


def test_short_differences_of_standardised_features_do_not_exist_and_all_sums_are_long():
    _, document = ran("cmelm", difference_filter=True, sum_filter=True)
    record = document["records"][1]
    assert (record["difference_draws"], record["rejected_short"]) == (20, 0)
    assert (record["sum_draws"], record["rejected_long"], record["given_up"]) == (60, 40, 20)


def test_parallel_differences_are_rejected_and_the_accuracy_is_that_of_the_filtered_layer():
    cell, document = ran("cdelm", cosine_filter=True)
    split = split_of(cell)
    record = document["records"][1]
    assert record["rejected_parallel"] == record["difference_draws"] - 40 > 0
    options = WeightOptions(cosine_filter=True)
    model = ELMClassifier(40, strategy="cdelm", options=options, random_state=cell.role_seed("nodes"))
    assert record["accuracy"] == model.fit(split.X, split.y).score(split.X_test, split.y_test)


@pytest.mark.parametrize("value", [-1, 0.5, None])
def test_a_count_that_is_none_is_refused(value):
    _, document = ran("cselm")
    document["records"][0]["rejected_long"] = value
    fault = document_fault(document)
    assert fault == (None if value is None else f"rejected_long must be a whole number of at least 0, it is {value!r}")


def test_the_experiment_has_the_largest_node_count_of_every_set_and_the_models_of_its_reading():
    register()
    cells = composed_study("filter_facts+cosine_filter").plan()
    assert {cell.n_hidden for cell in cells if cell.dataset_name == "wdbc"} == {(100,)}
    assert {cell.n_hidden for cell in cells if cell.dataset_name != "wdbc"} == {(200,)}
    assert {cell.model.name for cell in cells} == {"cdelm", "cmelm"}
    assert len(cells) == 6 * 2 * 10
