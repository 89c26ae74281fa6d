"""R²SVM and DCN as families: a record per stage, and a choice that can be kept for other rounds."""

import json
from dataclasses import replace

import pytest

from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families import FAMILIES
from celm.study.family_config import DCNProtocol, R2SVMProtocol
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

SMALL = StudyConfig(
    name="t",
    rounds=2,
    split=SplitConfig(subset=150, subset_test=80),
    r2svm=R2SVMProtocol(n_layers=4, betas=[0.1, 0.3], Cs=[1.0, 10.0, 100.0]),
    dcn=DCNProtocol(n_modules=3, n_units=20, rbm_epochs=1, input_scales=[0.5, 1.0], lams=[1.0, 1e2, 1e4]),
)
STAGES = {"r2svm": 4, "dcn": 3, "dcn_rbm": 3}
PENALTY = {"r2svm": "C", "dcn": "lam", "dcn_rbm": "lam"}


def cells_of(family, study=SMALL):
    return plan(study, [DatasetConfig(name="wdbc", n_hidden=[5])], [ModelConfig(family, family)])


def timeless(records):
    return [{name: value for name, value in record.items() if "seconds" not in name} for record in records]


@pytest.fixture(scope="module", params=STAGES)
def ran(request):
    """A first cell, its rows, the choice made on them and the records of choosing and running at once."""
    cell = cells_of(request.param)[0]
    split, family = split_of(cell), FAMILIES["classify"][request.param]
    return cell, split, family.choose(cell, split), family.run(cell, split)


def test_every_stage_has_a_record_and_the_last_answers_for_the_cell(ran):
    cell, _, _, records = ran
    stages = STAGES[cell.model.family]
    assert [record["stage"] for record in records] == list(range(1, stages + 1))
    assert [record["chosen"] for record in records] == [False] * (stages - 1) + [True]
    assert all(0.6 < record["accuracy"] <= 1.0 for record in records)
    assert records[-1]["fit_seconds"] > 0
    assert records[-1]["selection_seconds"] > 0
    assert not any("fit_seconds" in record for record in records[:-1])
    units = None if cell.model.family == "r2svm" else 20
    assert [record["n_hidden"] for record in records] == [units and units * stage for stage in range(1, stages + 1)]


def test_a_kept_choice_gives_what_choosing_gives(ran):
    cell, split, choice, records = ran
    kept = json.loads(json.dumps(choice))
    assert kept == choice
    again = FAMILIES["classify"][cell.model.family].run(cell, split._replace(kept=kept))
    assert timeless(again) == timeless(records)
    assert again[-1]["selection_seconds"] == choice["selection_seconds"]


def test_a_kept_choice_is_obeyed_whatever_these_rows_would_choose(ran):
    cell, split, choice, _ = ran
    penalty = PENALTY[cell.model.family]
    other = next(candidate for candidate in choice["candidates"] if candidate[penalty] != choice["best"][penalty])
    kept = {**choice, "best": other}
    records = FAMILIES["classify"][cell.model.family].run(cell, split._replace(kept=kept))
    assert records[-1]["lam"] == other[penalty]


def test_the_last_record_tells_what_was_chosen_and_on_what_grounds(ran):
    cell, _, choice, records = ran
    last, penalty = records[-1], PENALTY[cell.model.family]
    scores = dict(zip(map(str, last["candidates"]), last["candidate_accuracy"], strict=True))
    assert len(scores) == 6
    best = {name: last["lam" if name == penalty else name] for name in choice["best"]}
    assert last["cv_accuracy"] == scores[str(best)] == max(scores.values())
    assert last["lam_at_edge"] == (penalty in last["at_edge"])


@pytest.mark.parametrize(
    ("family", "make"),
    [
        ("r2svm", lambda best: R2SVMClassifier(4, **best)),
        ("dcn", lambda best: DCNClassifier(3, 20, **best)),
        ("dcn_rbm", lambda best: DCNClassifier(3, 20, rbm_share=0.5, rbm_epochs=1, **best)),
    ],
)
def test_accuracies_are_those_of_the_estimator_with_the_rounds_nodes(family, make):
    cell = cells_of(family)[1]
    split = split_of(cell)
    choice = FAMILIES["classify"][family].choose(cell, split)
    fitted = make(choice["best"]).set_params(random_state=cell.role_seed("nodes")).fit(split.X, split.y)
    expected = fitted.staged_accuracy(split.X_test, split.y_test)
    records = run_cell(cell, 1)["records"]
    assert [record["accuracy"] for record in records] == pytest.approx(list(expected))


def test_random_and_rbm_units_are_two_models_of_one_protocol():
    other = replace(SMALL, dcn=replace(SMALL.dcn, rbm_share=0.25))
    assert cells_of("dcn")[0].key == cells_of("dcn", other)[0].key
    assert cells_of("dcn_rbm")[0].key != cells_of("dcn_rbm", other)[0].key


@pytest.mark.parametrize("family", ["linear_svm", "elm", *STAGES])
def test_settings_name_the_round_of_the_choice_only_where_it_is_the_first(family):
    settings = FAMILIES["classify"][family].settings
    once = replace(SMALL, selection=SelectionConfig(every_round=False))
    assert settings(once) == {**settings(SMALL), "every_round": False}
    assert "every_round" not in settings(SMALL)


def test_the_linear_svm_keeps_its_c_too():
    first, second = cells_of("linear_svm")
    family = FAMILIES["classify"]["linear_svm"]
    choice = family.choose(first, split_of(first))
    kept = family.run(first, split_of(first)._replace(kept=choice))
    assert timeless(kept) == timeless(family.run(first, split_of(first)))
    (record,) = family.run(second, split_of(second)._replace(kept={**choice, "lam": 1e-8}))
    assert record["lam"] == 1e-8


@pytest.mark.parametrize(
    ("family", "change", "words"),
    [
        ("r2svm", {"r2svm": R2SVMProtocol(betas=[-1.0])}, ["R2SVMClassifier: beta", "at least 0"]),
        ("r2svm", {"r2svm": R2SVMProtocol(weights="frsh")}, ["weights", "Did you mean 'fresh'"]),
        ("dcn", {"dcn": DCNProtocol(lams=[])}, ["lam", "list of candidates"]),
        ("dcn_rbm", {"dcn": DCNProtocol(rbm_share=1.5)}, ["rbm_share", "at most 1"]),
        ("dcn", {"dcn": DCNProtocol(held_out=0.0)}, ["fraction", "above 0"]),
    ],
)
def test_bad_settings_are_named_at_planning(family, change, words):
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the words are checked below
        cells_of(family, replace(SMALL, **change))
    for word in words:
        assert word in str(error.value)
