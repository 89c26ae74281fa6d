"""The precision of hidden outputs follows the plain estimator's rule: single products where their bound clears them."""

import numpy as np
import pytest

import celm
from celm import dask as on_dask
from celm.dask.estimator import Setting
from celm.dask.partitions import partitions_of
from celm.dask.passes import Passes
from celm.dask.running import Runner
from celm.dask.tallies import counted
from celm.linalg import solve
from celm.linalg.gram import accumulate
from celm.linalg.layer import Layer
from celm.linalg.single import SINGLE_SOLVER

HARMLESS = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "random_state": 5}
HARMFUL = {"n_hidden": 40, "strategy": "elm", "input_scale": 1e-3, "lam": 1e9, "random_state": 5}


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch):
    monkeypatch.setattr(solve, "WHOLE", 0)


@pytest.mark.parametrize("chunks", [3000, 250, 64, (0, 1700, 0, 1300)], ids=str)
@pytest.mark.parametrize(("name", "column"), [("ELMClassifier", "labels"), ("ELMRegressor", "values")])
def test_where_the_plain_estimator_takes_single_products_so_does_this_one(table, chunks, name, column):
    model = getattr(on_dask, name)(**HARMLESS).fit(table.lazy("X", chunks), table.lazy(column, chunks))
    local, double = (
        getattr(celm, name)(**HARMLESS, precision=precision).fit(table.X, getattr(table, column))
        for precision in ("auto", "double")
    )
    assert model.solver_ == local.solver_ == SINGLE_SOLVER
    assert np.abs(model.beta_ - local.beta_).max() <= 1e-10 * np.abs(local.beta_).max()
    assert np.abs(model.beta_ - double.beta_).max() > 1e-10 * np.abs(local.beta_).max()


@pytest.mark.parametrize("chunks", [3000, 250, 64, (0, 1700, 0, 1300)], ids=str)
def test_the_gram_matrix_of_single_products_is_the_local_one(table, chunks):
    rng = np.random.default_rng(0)
    layer = Layer(rng.normal(size=(6, 25)), rng.normal(size=25), precision="auto")
    model, runner = celm.ELMClassifier(lam=1.0), Runner("test")
    data = partitions_of(table.lazy("X", chunks), table.lazy("labels", chunks), None, "test")
    partitions, targets = counted(data, model, runner)
    (sums,) = runner.fetch(Passes(partitions, runner, Setting(targets, "test")).sums(layer, single=True).value)
    codes = np.unique(table.labels, return_inverse=True)[1]
    single = Layer(layer.W, layer.b, precision="single_products")
    local = accumulate(single, table.X, model.target_matrix(codes, 3))
    for ours, theirs in zip(sums.total.total(), local.total(), strict=True):
        assert np.abs(np.tril(ours) - np.tril(theirs)).max() <= 1e-12 * np.abs(np.tril(theirs)).max()
    assert sums.seen.n_rows == 3000
    assert sums.seen.longest_row == pytest.approx(np.linalg.norm(table.X, axis=1).max())


def test_where_they_may_do_harm_one_more_pass_is_in_double(table):
    X, y, stages = table.lazy("X", 250), table.lazy("labels", 250), []
    model = on_dask.ELMClassifier(**HARMFUL, progress=lambda progress: stages.append(progress.stage)).fit(X, y)
    double = on_dask.ELMClassifier(**HARMFUL, precision="quick_double").fit(X, y)
    assert "single" not in model.solver_
    assert "single" not in celm.ELMClassifier(**HARMFUL).fit(table.X, table.labels).solver_
    np.testing.assert_array_equal(model.beta_, double.beta_)
    assert stages.count("sums") == 2 * stages.count("labels")


def test_rows_with_weights_are_in_double_as_in_the_plain_estimator(table):
    X, y, weights = (table.lazy(name, 250) for name in ("X", "labels", "weights"))
    by_row = on_dask.ELMClassifier(**HARMLESS).fit(X, y, weights)
    by_class = on_dask.ELMClassifier(**HARMLESS, class_weight="balanced").fit(X, y)
    local = celm.ELMClassifier(**HARMLESS).fit(table.X, table.labels, table.weights)
    assert {by_row.solver_, by_class.solver_, local.solver_} == {"row blocks cholesky"}
    np.testing.assert_allclose(by_row.beta_, local.beta_, rtol=1e-9)


def test_small_problems_are_in_double_as_in_the_plain_estimator(table, monkeypatch):
    monkeypatch.setattr(solve, "WHOLE", 3000 * 12)
    model = on_dask.ELMClassifier(**HARMLESS).fit(table.lazy("X", 250), table.lazy("labels", 250))
    assert model.solver_ == "row blocks cholesky"
