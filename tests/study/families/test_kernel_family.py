"""The kernel as a family: one record, and a choice that can be kept for other rounds."""

import json
from dataclasses import replace

import pytest

from celm.models.baselines.nystroem import NystroemClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families.kernel_family import KERNEL
from celm.study.family_config import KernelProtocol
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

SMALL = StudyConfig(
    name="t",
    rounds=2,
    split=SplitConfig(subset=150, subset_test=80),
    kernel=KernelProtocol(n_components=30, gamma_scales=[0.1, 0.5, 1.0], lams=[1e-1, 1e1, 1e3]),
)


def cells_of(study=SMALL):
    return plan(study, [DatasetConfig(name="wdbc", n_hidden=[5])], [ModelConfig("rbf_nystroem", "kernel")])


def test_the_record_is_that_of_the_estimator_with_the_chosen_settings():
    cell = cells_of()[0]
    split, document = split_of(cell), run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    (record,) = document["records"]
    model = NystroemClassifier(
        30, gamma_scale=record["gamma_scale"], lam=record["lam"], random_state=cell.role_seed("nodes")
    )
    assert record["accuracy"] == model.fit(split.X, split.y).score(split.X_test, split.y_test) > 0.9
    scales, lams = cell.settings["gamma_scales"], cell.settings["lams"]
    place = (scales.index(record["gamma_scale"]), lams.index(record["lam"]))
    assert record["cv_accuracy"] == record["candidate_accuracy"][place[0]][place[1]]
    assert record["lam_at_edge"] == (place[1] != 1) == ("lam" in record["at_edge"])
    assert (record["n_hidden"], record["chosen"]) == (30, True)
    assert record["fit_seconds"] > 0 < record["selection_seconds"]


def test_a_kept_choice_gives_what_choosing_gives_and_is_obeyed_elsewhere():
    first, second = cells_of()
    choice = json.loads(json.dumps(KERNEL.choose(first, split_of(first))))
    (chosen,), (kept,) = (KERNEL.run(first, split_of(first)._replace(kept=kept)) for kept in (None, choice))
    for record in (chosen, kept):
        record.update(fit_seconds=0.0, selection_seconds=0.0)
    assert chosen == kept
    (obeyed,) = KERNEL.run(second, split_of(second)._replace(kept={**choice, "lam": 1e-6}))
    assert obeyed["lam"] == 1e-6


def test_landmarks_are_at_most_the_training_rows():
    cell = cells_of(replace(SMALL, kernel=replace(SMALL.kernel, n_components=4000, lams=[1.0])))[0]
    (record,) = run_cell(cell, 1)["records"]
    assert record["n_hidden"] == 150


def test_candidates_are_checked_at_planning_and_the_round_of_the_choice_is_a_setting():
    with pytest.raises(ValueError, match="gamma_scale must be a number above 0"):
        cells_of(replace(SMALL, kernel=KernelProtocol(gamma_scales=[0.0])))
    once = replace(SMALL, selection=SelectionConfig(every_round=False))
    assert KERNEL.settings(once) == {**KERNEL.settings(SMALL), "every_round": False}
