"""Small models in records: accuracies of paths by their machines, a time for one row and for a batch."""

import pytest

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.node_paths import NodePath
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families.compact_family import SURPLUS
from celm.study.families.times_family import LAM
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.study_config import ModelConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[2, 5, 20])
STUDY = StudyConfig(name="small", task="compact", rounds=1, split=SplitConfig(subset=120, subset_test=60))


def test_records_hold_what_pruned_machines_reach_and_how_long_they_take():
    cell = plan(STUDY, [WDBC], [ModelConfig("cdelm", "elm", "cdelm")])[0]
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    records, split = document["records"], split_of(cell)
    seed = cell.role_seed("nodes")
    whole = ELMClassifier(20 * SURPLUS, strategy="cdelm", lam=LAM, random_state=seed).fit(split.X, split.y)
    useful = NodePath(whole, split.X, split.y, 20)
    assert [record["n_hidden"] for record in records] == [2, 5, 20]
    for record in records:
        n = record["n_hidden"]
        assert record["accuracy"] == pytest.approx(useful.pruned(n).score(split.X_test, split.y_test))
        drawn = ELMClassifier(n, strategy="cdelm", lam=LAM, random_state=seed).fit(split.X, split.y)
        assert record["drawn_accuracy"] == pytest.approx(drawn.score(split.X_test, split.y_test))
        assert record["row_seconds"] > 0
        assert record["batch_seconds"] > 0
        assert record["batch_rows"] == 60
    again = run_cell(cell, 1)["records"]
    assert [one["accuracy"] for one in again] == [one["accuracy"] for one in records]
