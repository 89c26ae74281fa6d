"""Published cells like those to come: of the same task, work and size, the nearest experiment first."""

import json
import shutil

import pytest

from celm.study.store import PublishedStore
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.execution import run_study
from experiments.likeness import MARKS, published_like, task_of

register()
STORE = PublishedStore(composed_study("table1").config.published)
SEEN = {
    "table1": "classify",
    "fig6": "embed",
    "layer_facts": "describe",
    "layer_times": "time",
    "suite": "compare",
    "suite_regression": "regress",
}


@pytest.mark.parametrize("experiment", SEEN)
def test_records_show_what_task_they_are_of(experiment):
    assert task_of(STORE.manifest(experiment)) == SEEN[experiment] == composed_study(experiment).config.task


def test_every_task_but_classification_has_its_mark():
    from celm.study.study_config import TASKS

    assert {*TASKS} - {*MARKS} == {"classify"}


def cells(*words, experiment="table1"):
    return composed_study(experiment, words).plan()


def test_a_study_of_another_seed_takes_what_its_like_took():
    found = published_like(STORE, "mine", cells("dataset=wdbc", "seed=7", "rounds=1"))
    known = STORE.cell_seconds("table1")
    assert found.keys() == {place for place in known if place[0] == "wdbc"}
    assert found["wdbc", "bp"] == known["wdbc", "bp"].seconds


@pytest.mark.parametrize(
    "words",
    [
        ["split.subset=100"],
        ["selection.choose=best_on_test", "selection.n_folds=7"],
        ["n_hidden=[30]"],
        ["n_hidden=[900]"],
    ],
)
def test_other_work_and_other_sizes_are_not_alike(words):
    assert published_like(STORE, "mine", cells("dataset=wdbc", "model=elm", "rounds=1", *words)) == {}


def test_models_without_node_counts_are_alike_by_all_their_settings():
    few = cells("rounds=1", "ml_elm.layers=[700,700,9000]", experiment="ml_elm_large")
    assert published_like(STORE, "mine", few) == {}
    small = cells("rounds=1", "ml_elm.layers=[700,700,1000]", experiment="ml_elm_large")
    assert published_like(STORE, "mine", small) == {
        ("mnist", "ml_elm"): STORE.cell_seconds("table2")["mnist", "ml_elm"].seconds
    }


def test_a_model_or_a_data_set_that_nobody_published_has_no_like():
    assert published_like(STORE, "mine", cells("dataset=wine", "model=elm", "rounds=1")) == {}


def test_own_seconds_are_not_looked_for_and_damaged_manifests_tell_nothing(tmp_path):
    for name in ("table1", "table1_second_seed"):
        for ending in ("csv", "json"):
            shutil.copy(STORE.folder / f"{name}.{ending}", tmp_path)
    few = cells("dataset=wdbc", "model=elm", "rounds=1")
    assert published_like(PublishedStore(tmp_path), "table1_second_seed", few)
    manifest = json.loads((tmp_path / "table1.json").read_text())
    (tmp_path / "table1.json").write_text(json.dumps({**manifest, "cells": 7}))
    assert published_like(PublishedStore(tmp_path), "table1_second_seed", few) == {}


def test_a_dry_run_knows_its_like_from_a_guess(tmp_path):
    asked = ["dataset=wdbc", "rounds=1", "dry_run=true", f"store={tmp_path}"]
    assert run_study(composed_study("table1", [*asked, "seed=7", "model=elm"])).guessed == 0
    assert run_study(composed_study("table1", [*asked, "n_hidden=[7]", "model=elm"])).guessed == 1
