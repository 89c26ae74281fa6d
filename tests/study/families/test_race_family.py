"""The race: equal node counts, warm medians by two clocks, and what else the machine did."""

import os
import threading
import time

import pytest

from celm.models.baselines.bp import BPClassifier
from celm.models.elm.classifier import ELMClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families import warm_clock
from celm.study.families.race_family import LAM, LEAST_REPEATS
from celm.study.families.warm_clock import Company, load, warm_times
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.store import differing
from celm.study.store.checks import document_fault
from celm.study.study_config import BPProtocol, ModelConfig, StudyConfig
from experiments.config.schema import register
from experiments.config.studies import composed_study

WDBC = DatasetConfig(name="wdbc", n_hidden=[10, 40])
STUDY = StudyConfig(
    name="race", task="race", rounds=1, split=SplitConfig(subset=120, subset_test=60), bp=BPProtocol(max_epochs=30)
)
SELM, BP, SVM = ModelConfig("selm", "elm", "selm"), ModelConfig("bp", "bp"), ModelConfig("linear_svm", "linear_svm")


def ran(model):
    cell = plan(STUDY, [WDBC], [model])[0]
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    assert document_fault(document) is None
    return cell, document


@pytest.mark.parametrize(("model", "counts"), [(SELM, [10, 40]), (BP, [10, 40]), (SVM, [None])])
def test_every_model_has_the_same_node_counts_and_all_clocks(model, counts):
    _, document = ran(model)
    assert [record["n_hidden"] for record in document["records"]] == counts
    for record in document["records"]:
        for what in ("fit", "predict"):
            assert record[f"{what}_seconds"] > 0
            assert record[f"{what}_cpu_seconds"] > 0
            assert record[f"{what}_repeats"] >= LEAST_REPEATS
        assert record["load"] is None or record["load"] >= 0


def test_the_model_on_the_clock_is_the_one_that_classifies():
    cell, document = ran(SELM)
    split = split_of(cell)
    for record in document["records"]:
        model = ELMClassifier(record["n_hidden"], strategy="selm", lam=LAM, random_state=cell.role_seed("nodes"))
        assert record["accuracy"] == model.fit(split.X, split.y).score(split.X_test, split.y_test)
    cell, document = ran(BP)
    network = BPClassifier(40, max_epochs=30, random_state=cell.role_seed("network")).fit(split.X, split.y)
    assert document["records"][1]["accuracy"] == network.score(split.X_test, split.y_test)
    assert document["records"][1]["epochs"] == network.n_epochs_


def test_a_rerun_under_another_load_is_no_difference():
    _, document = ran(SELM)
    other = {**document, "records": [dict(record) for record in document["records"]]}
    changed = {"fit_cpu_seconds": 9.0, "fit_repeats": 1, "predict_repeats": 2, "load": 7.5, "others_busy": 1.9}
    other["records"][0].update(changed)
    assert differing({"a": document}, {"a": other}) == []
    other["records"][0]["accuracy"] = 0.0
    assert [one.columns for one in differing({"a": document}, {"a": other})] == [("accuracy",)]


def clocks(monkeypatch, seconds):
    """Each action takes the next of these seconds by the wall, half of it of the processor."""
    now, taken = [0.0], iter(seconds)
    monkeypatch.setattr(warm_clock.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(warm_clock.time, "process_time", lambda: now[0] / 2)

    def action():
        now[0] += next(taken)

    return action


def test_the_first_time_is_not_counted_and_the_median_is_taken(monkeypatch):
    found = warm_times(clocks(monkeypatch, [50, 1, 2, 60]), least=3, enough=2, most=100)
    assert found == (2, 1, 3)


def test_a_long_action_is_timed_once_after_its_first_time(monkeypatch):
    assert warm_times(clocks(monkeypatch, [50, 5]), 3, 0.3, 1.0) == (5, 2.5, 1)
    assert warm_times(clocks(monkeypatch, [0.1, 0.6, 0.5, 9]), 3, 0.3, 1.0).repeats == 2


def test_a_short_action_is_timed_for_a_while(monkeypatch):
    assert warm_times(clocks(monkeypatch, [0.1] * 30), 3, 1.95, 5.0).repeats == 20


def test_our_own_work_is_not_that_of_others(monkeypatch, tmp_path):
    told = tmp_path / "stat"
    told.write_text("cpu 100 0 0 900 0 0 0 0\n")
    monkeypatch.setattr(warm_clock, "STAT", told)
    now, own = [10.0], [2.0]
    monkeypatch.setattr(warm_clock.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(warm_clock.time, "process_time", lambda: own[0])
    company = Company()
    assert company.cores() is None
    now[0], own[0] = 14.0, 6.0
    told.write_text("cpu 900 0 0 900 50 0 0 200\n")
    assert company.cores() == 1.5
    told.write_text("nothing")
    assert company.cores() is None


def test_a_machine_that_tells_no_load_has_none(monkeypatch):
    def refused():
        raise OSError

    monkeypatch.setattr(os, "getloadavg", refused)
    assert load() is None


def test_processor_seconds_count_all_threads_of_the_process():
    def action():
        other = threading.Thread(target=lambda: sum(range(200_000)))
        other.start()
        other.join()

    assert warm_times(action, 3, 0.1, 1.0).cpu > 0
    assert warm_times(lambda: time.sleep(0.02), 3, 0.1, 1.0).cpu < 0.02


def test_rounds_alternate_between_the_models_on_one_thread():
    register()
    study = composed_study("equal_times")
    cells = sorted(study.plan(), key=lambda cell: cell.round)
    first = [cell.model.name for cell in cells if cell.round == 0 and cell.dataset_name == "wdbc"]
    assert first[0] == "elm"
    assert len(first) == len(set(first)) == 10
    assert [cell.round for cell in cells[:60]] == [0] * 60
    assert {cell.n_hidden for cell in cells if cell.model.name != "linear_svm"} == {(100, 200)}
    assert (study.config.executor.workers, study.config.executor.threads) == (1, 1)
