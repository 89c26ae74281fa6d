"""Plans and cells: what determines a number is in the key, nothing else is; rounds are paired across models."""

from dataclasses import replace

import numpy as np
import pytest

from celm.datasets import DatasetError
from celm.study.data_config import DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.family_config import BPProtocol, ELMProtocol, EmbeddingProtocol
from celm.study.inputs import data_of, hand_over, load, split_of
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.study_config import GridConfig, ModelConfig, SelectionConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[5, 10])
MODELS = {name: ModelConfig(name, "elm", name) for name in ("elm", "cdelm", "orthogonal_elm")}
SMALL = StudyConfig(name="t", rounds=2, split=SplitConfig(subset=120, subset_test=60))


def cells_of(study=SMALL, models=("cdelm",)):
    return plan(study, [WDBC], [MODELS[name] for name in models])


def test_a_plan_is_datasets_times_models_times_rounds():
    cells = cells_of(models=("elm", "cdelm"))
    assert len(cells) == 4
    assert len({cell.key for cell in cells}) == 4
    assert cells[0].n_hidden == (5, 10)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 7},
        {"n_hidden": [5, 15]},
        {"features": FeaturesConfig("raw")},
        {"features": FeaturesConfig("per_feature", "all")},
        {"split": SplitConfig(subset=121, subset_test=60)},
        {"elm": ELMProtocol(orientation="random")},
        {"selection": SelectionConfig(choose="largest")},
        {"selection": SelectionConfig(penalty="none")},
        {"split": SplitConfig(subset=120, subset_test=60, label_noise=0.1)},
        {"split": SplitConfig(subset=120, subset_test=60, input_noise=0.1)},
        {"task": "embed"},
        {"task": "time"},
    ],
)
def test_what_changes_a_number_changes_the_key(change):
    assert cells_of()[0].key != cells_of(replace(SMALL, **change))[0].key


def test_what_changes_no_number_leaves_the_key():
    other = replace(SMALL, name="other", title="x", store="elsewhere", rounds=5, bp=BPProtocol(max_epochs=3))
    other.embedding = EmbeddingProtocol(points=50)
    assert cells_of()[0].key == cells_of(other)[0].key


def test_a_cell_that_classifies_keeps_the_key_it_had_before_there_were_tasks():
    assert "task" not in cells_of()[0].identity()
    assert cells_of(replace(SMALL, task="embed"))[0].identity()["task"] == "embed"


def test_a_cell_without_noise_names_none():
    """Neither in its key nor in its records: those of earlier studies stay what they are."""
    cell, noisy = cells_of()[0], cells_of(replace(SMALL, split=SplitConfig(label_noise=0.2)))[0]
    assert not [name for name in {**cell.identity()["split"], **cell.shared()} if name.endswith("_noise")]
    assert noisy.shared()["label_noise"] == noisy.identity()["split"]["label_noise"] == 0.2
    assert "input_noise" not in noisy.shared()


@pytest.mark.parametrize("noise", ["label_noise", "input_noise"])
def test_noise_spoils_training_rows_alone_and_the_same_for_every_model(noise):
    settings = replace(SMALL.split, **{noise: 0.25})
    clean = split_of(cells_of()[0])
    first, second = (split_of(cells_of(replace(SMALL, split=settings), (name,))[0]) for name in ("elm", "cdelm"))
    for place, (noisy, other) in enumerate(zip(first, second, strict=True)):
        np.testing.assert_array_equal(noisy, other)
        assert np.array_equal(noisy, clean[place]) == (place != {"label_noise": 1, "input_noise": 0}[noise])
    changed = (first.y != clean.y) | (first.X != clean.X).any(axis=1)
    assert changed.sum() == 30


def test_every_model_of_a_round_sees_the_same_rows_and_folds():
    first, second = (split_of(cells_of(models=(name,))[0]) for name in ("elm", "cdelm"))
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a, b)
    other_round = split_of(cells_of()[1])
    assert not np.array_equal(first.X, other_round.X)


def test_a_split_has_two_thirds_of_the_rows_and_scales_on_them_alone():
    split = split_of(cells_of(StudyConfig(name="t", rounds=1))[0])
    assert (len(split.y), len(split.y_test)) == (379, 190)
    np.testing.assert_allclose(split.X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(split.X.std(axis=0), 1)
    assert abs(split.X_test.mean()) > 1e-6
    assert sorted(np.bincount(split.folds)) == [126, 126, 127]


def test_scaling_on_all_rows_is_a_reading():
    split = split_of(cells_of(StudyConfig(name="t", rounds=1, features=FeaturesConfig("per_feature", "all")))[0])
    everything = np.vstack([split.X, split.X_test])
    np.testing.assert_allclose(everything.mean(axis=0), 0, atol=1e-12)
    assert abs(split.X.mean()) > 1e-6


def test_ridge_cells_hold_a_row_per_count_and_one_choice():
    document = run_cell(cells_of()[0], 1)
    assert document["status"] == "ok"
    assert [record["n_hidden"] for record in document["records"]] == [5, 10]
    assert sum(record["chosen"] for record in document["records"]) == 1
    chosen = next(record for record in document["records"] if record["chosen"])
    assert chosen["fit_seconds"] > 0
    assert chosen["selection_seconds"] > 0
    assert document["shared"]["threads"] == 1


@pytest.mark.parametrize("choose", ["largest", "best_on_test"])
def test_other_choices_flag_other_rows(choose):
    study = replace(SMALL, n_hidden=[5, 10, 20, 40], selection=SelectionConfig(choose=choose))
    for cell in cells_of(study, ("elm", "orthogonal_elm")):
        records = run_cell(cell, 1)["records"]
        chosen = next(record for record in records if record["chosen"])
        if choose == "largest":
            assert chosen["n_hidden"] == 40
        else:
            assert chosen["accuracy"] == max(record["accuracy"] for record in records)


def test_curves_without_penalty_record_the_rank():
    study = replace(SMALL, selection=SelectionConfig(penalty="none"))
    records = run_cell(cells_of(study)[0], 1)["records"]
    assert [record["rank"] for record in records] == [5, 10]
    assert all(record["lam"] is None for record in records)


@pytest.mark.parametrize("family", ["bp", "linear_svm"])
def test_baselines_run(family):
    study = replace(SMALL, bp=BPProtocol(n_hidden=[3, 5], max_epochs=30))
    document = run_cell(plan(study, [WDBC], [ModelConfig(family, family)])[0], 1)
    assert document["status"] == "ok", document.get("traceback")
    assert 0.7 < document["records"][0]["accuracy"] <= 1.0


def test_the_same_cell_gives_the_same_accuracies():
    first, second = (
        run_cell(cell, 1)["records"] for cell in cells_of(models=("orthogonal_elm", "orthogonal_elm"))[::2]
    )
    assert [record["accuracy"] for record in first] == [record["accuracy"] for record in second]


def test_a_failing_cell_becomes_a_document():
    cell = replace(cells_of()[0], settings={"penalty": "ridge"})
    document = run_cell(cell, 1)
    assert document["status"] == "failed"
    assert "KeyError" in document["error"]
    assert "Traceback" in document["traceback"]


@pytest.mark.parametrize(
    ("study", "models", "words"),
    [
        (replace(SMALL, elm=ELMProtocol(cutoff="matlb")), [MODELS["elm"]], ["cutoff", "Did you mean 'matlab'"]),
        (replace(SMALL, n_hidden=-5), [MODELS["elm"]], ["n_hidden", "-5"]),
        (replace(SMALL, features=FeaturesConfig("per_featur")), [MODELS["elm"]], ["features.name", "per_feature"]),
        (SMALL, [ModelConfig("x", "elm", "cdlm")], ["strategy", "Did you mean 'cdelm'"]),
        (SMALL, [ModelConfig("x", "svm")], ["model.family", "linear_svm"]),
        (replace(SMALL, task="embd"), [MODELS["elm"]], ["task", "Did you mean 'embed'"]),
        (replace(SMALL, task="embed"), [ModelConfig("bp", "bp")], ["model.family", "embed", "elm"]),
        (replace(SMALL, embedding=EmbeddingProtocol(iterations=250)), [MODELS["elm"]], ["iterations", "251", "250"]),
        (replace(SMALL, embedding=EmbeddingProtocol(points=40)), [MODELS["elm"]], ["embedding.pca", "40", "50"]),
        (replace(SMALL, bp=BPProtocol(targets="onehot")), [ModelConfig("bp", "bp")], ["targets", "one_hot"]),
    ],
)
def test_bad_settings_fail_before_any_data_is_read(monkeypatch, study, models, words):
    def refuse(*args, **kwargs):
        raise AssertionError("data was read")

    monkeypatch.setattr("celm.datasets.load", refuse)
    with pytest.raises(ValueError) as error:  # noqa: PT011  # the words are checked below
        plan(study, [WDBC], models)
    for word in words:
        assert word in str(error.value)


def test_a_cell_runs_only_on_the_content_it_was_planned_with():
    with pytest.raises(DatasetError, match="the plan was made with content 0123, here it is"):
        data_of(replace(cells_of()[0], data_digest="0123"))


def test_data_handed_over_is_used_unless_it_was_spoilt_on_the_way():
    data = load(WDBC)
    elsewhere = replace(cells_of()[0], dataset=DatasetConfig(name="wdbc", sources=["openml"]))
    hand_over(data)
    np.testing.assert_array_equal(data_of(elsewhere).X, data.X)
    spoilt = data.X.copy()
    spoilt[0, 0] += 1
    with pytest.raises(DatasetError, match="wdbc was spoilt on its way"):
        hand_over(replace(data, X=spoilt))


def kept_study(**changes):
    selection = SelectionConfig(choose="each", every_round=False)
    return replace(SMALL, rounds=3, selection=selection, **changes)


@pytest.fixture
def _own_choices(tmp_path, monkeypatch):
    data = load(WDBC)
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))
    hand_over(data)


@pytest.mark.usefixtures("_own_choices")
def test_a_kept_choice_is_that_of_the_first_round_in_whatever_order_rounds_run():
    cells = cells_of(kept_study())
    last, middle, first = (run_cell(cell, 1)["records"] for cell in reversed(cells))
    alone = run_cell(cells_of(replace(kept_study(), selection=SelectionConfig(choose="each")))[0], 1)["records"]
    for records in (first, middle, last):
        assert [record["lam"] for record in records] == [record["lam"] for record in alone]
    assert [record["accuracy"] for record in first] == [record["accuracy"] for record in alone]
    assert [record["selection_seconds"] for record in last] == [0.0, 0.0]
    assert all(record["selection_seconds"] > 0 for record in first)


def test_a_choice_that_is_kept_is_another_cell_and_needs_every_count_on_its_own():
    assert cells_of(kept_study())[0].key != cells_of(replace(SMALL, selection=SelectionConfig(choose="each")))[0].key
    with pytest.raises(ValueError, match=r"selection.choose with selection.every_round=false"):
        cells_of(replace(SMALL, selection=SelectionConfig(every_round=False)))


def test_a_model_can_be_left_out_on_one_set_with_a_reason():
    models = ("elm", "cdelm")
    whole = cells_of(SMALL, models)
    pair = f"{whole[0].dataset_name} {whole[0].model.name}"
    left = cells_of(replace(SMALL, grid=GridConfig(without={pair: "minutes in every round"})), models)
    assert [cell.key for cell in left] == [cell.key for cell in whole if cell.model.name != whole[0].model.name]
    assert 0 < len(left) < len(whole)
    for wrong in ({"wdbc": "why"}, {pair: " "}):
        with pytest.raises(ValueError, match="DATASET MODEL: reason"):
            cells_of(replace(SMALL, grid=GridConfig(without=wrong)))


def test_a_model_can_have_fewer_rounds_than_the_study():
    study = replace(SMALL, rounds=3, grid=GridConfig(rounds={"elm": 1, "cdelm": 9}))
    assert [cell.model.name for cell in cells_of(study, ("elm", "cdelm"))] == ["elm", *["cdelm"] * 3]
    with pytest.raises(ValueError, match=r"grid.rounds.elm"):
        cells_of(replace(SMALL, grid=GridConfig(rounds={"elm": 0})))


def test_a_set_that_cannot_be_had_fails_its_cells_and_stops_no_other(tmp_path, monkeypatch):
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))
    missing = DatasetConfig(name="iris", source="cache", n_hidden=[5])
    cells = plan(SMALL, [missing, WDBC], [MODELS["elm"]])
    failed, fine = run_cell(cells[0], 1), run_cell(cells[2], 1)
    assert (failed["status"], fine["status"]) == ("failed", "ok")
    assert "The data set iris could not be loaded" in failed["error"]
