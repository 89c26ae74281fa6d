"""Models side by side: what a record says is what the estimator does with the same folds and seeds."""

import numpy as np
import pytest
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import recall_score
from sklearn.pipeline import make_pipeline

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.search import ELMClassifierCV
from celm.study.cells import Split
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.families import FAMILIES, comparison_family
from celm.study.families.comparison_family import GAMMA_SCALES, NUMBERS, number_scores
from celm.study.planning import plan
from celm.study.runner import run_cell, split_of
from celm.study.store import LocalStore, PublishedStore
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

STUDY = StudyConfig(
    name="t",
    task="compare",
    rounds=1,
    n_hidden=[5, 20],
    split=SplitConfig(subset=150, subset_test=100, group_duplicates=True),
    selection=SelectionConfig(exponents=[-1, 3], input_scales=[0.1, 1.0]),
)


def cell_of(model):
    return plan(STUDY, [DatasetConfig(name="wdbc")], [model])[0]


def record_of(cell):
    document = run_cell(cell, 1)
    assert document["status"] == "ok", document.get("traceback")
    (record,) = document["records"]
    return record


@pytest.mark.parametrize("choose_scale", [False, True])
def test_an_elm_is_what_its_search_makes_of_the_same_folds(choose_scale):
    cell = cell_of(ModelConfig("m", "elm", "covariance", choose_scale=choose_scale))
    record, split = record_of(cell), split_of(cell)
    search = ELMClassifierCV(
        ELMClassifier(strategy="covariance"),
        n_hidden_grid=[5, 20],
        lams=[0.1, 1.0, 10.0, 100.0, 1000.0],
        input_scales=[0.1, 1.0] if choose_scale else None,
        cv=split.folds,
        random_state=cell.role_seed("nodes"),
    ).fit(split.X, split.y)
    assert (record["n_hidden"], record["lam"]) == (search.n_hidden_, search.lam_)
    assert record["input_scale"] == search.input_scale_
    assert record["accuracy"] == search.score(split.X_test, split.y_test) > 0.85


def test_a_scale_that_is_chosen_changes_the_key_and_one_that_is_not_does_not():
    plain, chosen = (cell_of(ModelConfig("m", "elm", "elm", choose_scale=flag)) for flag in (False, True))
    assert plain.key != chosen.key
    assert "choose_scale" not in plain.identity()["model"]


def test_balanced_accuracy_is_the_mean_recall_and_ridge_is_scikit_learns():
    cell = cell_of(ModelConfig("linear_ridge", "ridge"))
    record, split = record_of(cell), split_of(cell)
    predicted = RidgeClassifier(1.0 / record["lam"]).fit(split.X, split.y).predict(split.X_test)
    assert record["accuracy"] == np.mean(predicted == split.y_test)
    assert record["balanced_accuracy"] == pytest.approx(recall_score(split.y_test, predicted, average="macro"))
    assert record["unseen_classes"] == 0


@pytest.mark.parametrize("family", [name for name in FAMILIES["compare"] if name != "elm"])
def test_every_reference_learns(family):
    record = record_of(cell_of(ModelConfig("m", family)))
    assert record["accuracy"] > 0.9
    if family in ("kernel", "fourier"):
        assert record["gamma_scale"] in GAMMA_SCALES


@pytest.mark.parametrize("family", ["ridge", "kernel", "fourier"])
def test_many_rows_choose_as_few_do(family, monkeypatch):
    few = record_of(cell_of(ModelConfig("m", family)))
    monkeypatch.setattr(comparison_family, "MANY_ROWS", 0)
    many = record_of(cell_of(ModelConfig("m", family)))
    assert {**few, "fit_seconds": 0.0} == {**many, "fit_seconds": 0.0}


def test_fourier_features_are_scikit_learns_with_a_ridge():
    cell = cell_of(ModelConfig("rbf_fourier", "fourier"))
    record, split = record_of(cell), split_of(cell)
    gamma = record["gamma_scale"] / (split.X.shape[1] * split.X.var())
    features = RBFSampler(gamma=gamma, n_components=20, random_state=cell.role_seed("nodes") % 2**32)
    naive = make_pipeline(features, RidgeClassifier(1.0 / record["lam"])).fit(split.X, split.y)
    assert record["n_hidden"] == 20
    assert record["accuracy"] == naive.score(split.X_test, split.y_test)


def numbers(n=220):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))
    y = 1e4 + 50 * np.tanh(X[:, 0] + X[:, 1]) + rng.standard_normal(n)
    return Split(X[:150], y[:150], X[150:], y[150:], np.arange(150) % 3)


@pytest.mark.parametrize("family", list(FAMILIES["regress"]))
def test_numbers_are_told_by_every_family(family):
    cell = cell_of(ModelConfig("m", family, "elm" if family == "elm" else None))
    (record,) = FAMILIES["regress"][family].run(cell, numbers())
    assert record["r2"] > 0.8
    assert record["rmse"] == pytest.approx(np.sqrt(1 - record["r2"]) * numbers().y_test.std())


def test_scores_of_numbers_are_those_of_the_predictions():
    split = numbers()
    fitted = ELMRegressor(30, strategy="elm", lam=1e3, random_state=0).fit(split.X, split.y)
    errors = fitted.predict(split.X_test) - split.y_test
    scores = number_scores(fitted, split)
    assert scores["rmse"] == pytest.approx(np.sqrt(np.mean(errors**2)))
    assert scores["r2"] == pytest.approx(1 - np.sum(errors**2) / np.sum((split.y_test - split.y_test.mean()) ** 2))
    assert NUMBERS.elm is ELMRegressor


@pytest.mark.parametrize("family", list(FAMILIES["compare"]))
def test_both_stores_believe_a_cell_that_keeps_the_record_of_its_choice(family, tmp_path):
    document = run_cell(cell_of(ModelConfig("m", family, "elm" if family == "elm" else None)), 1)
    LocalStore(tmp_path).write(document)
    kept = LocalStore(tmp_path).documents("t")
    assert list(kept) == [document["key"]]
    published = PublishedStore(tmp_path / "records")
    published.write("t", kept, {"title": "", "planned_cells": 1})
    (again,) = published.documents("t").values()
    assert again["records"][0]["balanced_accuracy"] == document["records"][0]["balanced_accuracy"]


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda doc: doc["records"].append(dict(doc["records"][0], n_hidden=5)), "a cell that chooses has one"),
        (lambda doc: doc["records"][0].update(n_hidden=21), "it chose 21 nodes, planned were 5, 20"),
    ],
)
def test_a_choice_that_was_not_planned_is_set_aside(spoil, fault, tmp_path, caplog):
    document = run_cell(cell_of(ModelConfig("m", "elm", "elm")), 1)
    document["records"][0]["n_hidden"] = 20
    spoil(document)
    LocalStore(tmp_path).write(document)
    assert LocalStore(tmp_path).documents("t") == {}
    assert fault in caplog.text


def test_classes_are_not_told_by_a_study_of_numbers():
    assert "linear_svm" not in FAMILIES["regress"]
