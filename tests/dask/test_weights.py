"""Rows that count unequally: the readout of partitions is that of the plain estimator with the same weights."""

import dask.array as da
import numpy as np
import pytest

import celm
from celm import dask as on_dask

CHUNKS = (0, 1, 1999, 7, 993)
CLASS_WEIGHTS = {"none": None, "balanced": "balanced", "a dict": {"ant": 3.0, "cat": 0.5}}


@pytest.mark.parametrize("class_weight", CLASS_WEIGHTS.values(), ids=CLASS_WEIGHTS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_classifier_weighs_rows_and_classes_as_the_plain_one(table, class_weight, weighted):
    parameters = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "class_weight": class_weight, "random_state": 5}
    X, y, weights = (table.lazy(name, CHUNKS) for name in ("X", "labels", "weights"))
    model = on_dask.ELMClassifier(**parameters).fit(X, y, weights if weighted else None)
    local = celm.ELMClassifier(**parameters).fit(table.X, table.labels, table.weights if weighted else None)
    plain = celm.ELMClassifier(**{**parameters, "class_weight": None}).fit(table.X, table.labels)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-9)
    assert (weighted or class_weight is not None) == (np.abs(model.beta_ - plain.beta_).max() > 1e-3)


@pytest.mark.parametrize("columns", [1, 2])
def test_a_regressor_weighs_its_rows_and_their_mean(table, columns):
    parameters = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "random_state": 5}
    X, y, weights = (table.lazy(name, CHUNKS) for name in ("X", "values", "weights"))
    y, truth = (y[:, 0], table.values[:, 0]) if columns == 1 else (y, table.values)
    model = on_dask.ELMRegressor(**parameters).fit(X, y, weights)
    local = celm.ELMRegressor(**parameters).fit(table.X, truth, table.weights)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-9)
    np.testing.assert_allclose(model.predict(X).compute(), local.predict(table.X), rtol=1e-9)


def test_a_weight_of_two_is_the_row_twice_and_of_zero_no_row(table):
    parameters = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "random_state": 5}
    counts = np.arange(3000) % 3
    weights = da.from_array(counts.astype(float), chunks=500)
    model = on_dask.ELMClassifier(**parameters).fit(table.lazy("X", 500), table.lazy("labels", 500), weights)
    rows = np.repeat(np.arange(3000), counts)
    local = celm.ELMClassifier(**parameters).fit(table.X[rows], table.labels[rows])
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-9)


@pytest.mark.parametrize("options", [{}, {"layer": "per_fold"}, {"input_scales": (0.3, 1.0)}], ids=str)
@pytest.mark.parametrize("class_weight", CLASS_WEIGHTS.values(), ids=CLASS_WEIGHTS)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_search_weighs_what_it_learns_and_judges_as_the_plain_one(table, class_weight, weighted, options):
    base = celm.ELMClassifier(strategy="cdelm", class_weight=class_weight)
    candidates = {"n_hidden_grid": (8, 16), "lams": (1e-2, 1.0), "random_state": 3, **options}
    X, y, weights = (table.lazy(name, CHUNKS) for name in ("X", "labels", "weights"))
    search = on_dask.ELMClassifierCV(base, **candidates).fit(X, y, weights if weighted else None)
    local = celm.ELMClassifierCV(base, **candidates).fit(table.X, table.labels, table.weights if weighted else None)
    np.testing.assert_allclose(search.surface_, local.surface_, rtol=1e-9)
    assert (search.surface_.dtype == np.intp) == (not weighted and class_weight is None)
    assert search.cv_accuracy_ == pytest.approx(local.cv_accuracy_, rel=1e-9)
    np.testing.assert_allclose(search.best_estimator_.beta_, local.best_estimator_.beta_, rtol=1e-6)


@pytest.mark.parametrize("columns", [1, 2])
def test_a_search_of_a_regressor_weighs_its_errors(table, columns):
    candidates = {"n_hidden_grid": (8, 16), "lams": (1e-2, 1.0), "random_state": 3}
    X, y, weights = (table.lazy(name, CHUNKS) for name in ("X", "values", "weights"))
    y, truth = (y[:, 0], table.values[:, 0]) if columns == 1 else (y, table.values)
    search = on_dask.ELMRegressorCV(**candidates).fit(X, y, weights)
    local = celm.ELMRegressorCV(**candidates).fit(table.X, truth, table.weights)
    np.testing.assert_allclose(search.surface_, local.surface_, rtol=1e-9)
    assert search.cv_error_ == pytest.approx(local.cv_error_, rel=1e-9)
    np.testing.assert_allclose(search.best_estimator_.beta_, local.best_estimator_.beta_, rtol=1e-6)
    alike = on_dask.ELMRegressorCV(**candidates).fit(X, y)
    assert np.abs(alike.surface_ / search.surface_ - 1).max() > 0.1


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (np.full(3000, -1.0), "at least 0"),
        (np.full(3000, np.nan), "at least 0"),
        (np.zeros(3000), "all zero weights"),
        (np.ones((3000, 2)), "shape"),
        (np.ones(2999), "3000 rows and sample_weight 2999"),
    ],
)
def test_weights_that_are_none_are_refused(table, weights, words):
    chunks = (500, *weights.shape[1:])
    with pytest.raises(ValueError, match=words):
        on_dask.ELMClassifier(5, lam=1.0).fit(
            table.lazy("X", 500), table.lazy("labels", 500), da.from_array(weights, chunks=chunks)
        )
