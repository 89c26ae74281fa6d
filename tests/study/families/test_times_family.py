"""Timed cells: what a record holds, and that the model on the clock is the one that classifies."""

from dataclasses import replace

from celm.models.elm.classifier import ELMClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families.times_family import LAM, median_seconds
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.study_config import ELMProtocol, ModelConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[10, 40])
STUDY = StudyConfig(name="times", task="time", rounds=1, split=SplitConfig(subset=120, subset_test=60))


def cell_of(study=STUDY):
    return plan(study, [WDBC], [ModelConfig("selm", "elm", "selm")])[0]


def test_a_record_per_count_with_three_times_and_the_accuracy_of_the_timed_model():
    cell = cell_of()
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    assert [record["n_hidden"] for record in document["records"]] == [10, 40]
    split = split_of(cell)
    for record in document["records"]:
        assert all(record[f"{what}_seconds"] > 0 for what in ("draw", "fit", "predict"))
        model = ELMClassifier(record["n_hidden"], strategy="selm", lam=LAM, random_state=cell.role_seed("nodes"))
        assert record["accuracy"] == model.fit(split.X, split.y).score(split.X_test, split.y_test)


def test_readings_of_the_draw_change_the_key():
    assert cell_of().key != cell_of(replace(STUDY, elm=ELMProtocol(pair_draw="classes"))).key


def test_the_median_is_not_moved_by_one_slow_call(monkeypatch):
    clock = iter([0, 1, 10, 12, 20, 60])
    monkeypatch.setattr("celm.study.families.times_family.time.perf_counter", lambda: next(clock))
    calls = []
    assert median_seconds(lambda: calls.append(1), 3) == 2
    assert len(calls) == 3
