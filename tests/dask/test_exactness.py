"""The theorems: whatever the chunks, the same sample, the same Gram matrix, the same readout and the same choice."""

import dask.array as da
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import celm
from celm import dask as on_dask
from celm.dask.estimator import Setting, entropy_of
from celm.dask.partitions import partitions_of
from celm.dask.passes import Passes
from celm.dask.running import Runner
from celm.dask.tallies import counted
from celm.linalg.gram import accumulate
from celm.linalg.layer import Layer

CHUNKS = {
    "one": 3000,
    "even": 250,
    "ragged": (1, 1999, 7, 993),
    "with empty ones": (0, 1500, 0, 0, 1500, 0),
    "many": 40,
}


def passes_over(X, y, model=None):
    model, runner = model or celm.ELMClassifier(lam=1.0), Runner("test")
    partitions, targets = counted(partitions_of(X, y, None, "test"), model, runner)
    return Passes(partitions, runner, Setting(targets, "test"))


def lower(gram):
    return np.tril(gram)


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_the_gram_matrix_of_a_layer_is_the_local_one(table, chunks):
    rng = np.random.default_rng(0)
    layer = Layer(rng.normal(size=(6, 25)), rng.normal(size=25))
    passes = passes_over(table.lazy("X", chunks), table.lazy("labels", chunks))
    (sums,) = passes.runner.fetch(passes.sums(layer).value)
    codes = np.unique(table.labels, return_inverse=True)[1]
    local = accumulate(layer, table.X, celm.ELMClassifier().target_matrix(codes, 3))
    assert sums.total.n_rows == [3000]
    for ours, theirs in zip(sums.total.total(), local.total(), strict=True):
        assert np.abs(lower(ours) - lower(theirs)).max() <= 1e-12 * np.abs(lower(theirs)).max()


@pytest.mark.parametrize("chunks", CHUNKS.values(), ids=CHUNKS)
def test_up_to_condition_1e4_the_readout_is_the_local_one(table, chunks):
    parameters = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "random_state": 5}
    model = on_dask.ELMClassifier(**parameters).fit(table.lazy("X", chunks), table.lazy("labels", chunks))
    local = celm.ELMClassifier(**parameters).fit(table.X, table.labels)
    H = local.layer().outputs(table.X)
    assert np.linalg.cond(H.T @ H + np.eye(12)) < 1e4
    assert np.abs(model.beta_ - local.beta_).max() <= 1e-10 * np.abs(local.beta_).max()
    np.testing.assert_array_equal(model.W_, local.W_)


@settings(max_examples=15, deadline=None)
@given(data=st.data(), strategy=st.sampled_from(["cdelm", "cselm", "swim", "covariance"]))
def test_a_layer_drawn_from_a_sample_does_not_depend_on_the_chunks(table, data, strategy):
    cuts = sorted({0, 3000, *data.draw(st.lists(st.integers(0, 3000), max_size=6))})
    chunks = tuple(np.diff(cuts).tolist())
    X, y = table.lazy("X", chunks), table.lazy("labels", chunks)
    model = celm.ELMClassifier(20, strategy=strategy, random_state=1)
    passes, whole = passes_over(X, y), passes_over(table.lazy("X", 3000), table.lazy("labels", 3000))
    layer, expected = (p.runner.fetch(p.layer(p.sample(200, 9), model))[0] for p in (passes, whole))
    np.testing.assert_array_equal(layer.W, expected.W)
    np.testing.assert_array_equal(layer.b, expected.b)


def test_the_sample_is_made_of_rows_of_the_table_with_their_labels(table):
    passes = passes_over(table.lazy("X", 170), table.lazy("labels", 170))
    (sample,) = passes.runner.fetch(passes.sample(300, 4).value)
    assert len(np.unique(sample.numbers)) == 300
    np.testing.assert_array_equal(sample.X, table.X[sample.numbers])
    np.testing.assert_array_equal(sample.y, table.labels[sample.numbers])


SEARCHES = {
    "nested": {},
    "a layer per fold": {"layer": "per_fold"},
    "not nested": {"nested": False, "choose": "largest"},
    "scales": {"input_scales": (0.3, 1.0)},
}


@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize(
    ("name", "column", "base"),
    [
        ("ELMClassifierCV", "labels", celm.ELMClassifier(strategy="cdelm")),
        ("ELMRegressorCV", "values", celm.ELMRegressor(strategy="cdelm")),
    ],
)
def test_a_search_chooses_as_the_local_one_does(table, name, column, base, options):
    candidates = {"n_hidden_grid": (8, 16), "lams": (1e-2, 1.0), "random_state": 3}
    search = getattr(on_dask, name)(base, **candidates, **options)
    search.fit(table.lazy("X", (1000, 1, 1999)), table.lazy(column, (1000, 1, 1999)))
    local = getattr(celm, name)(base, **candidates, **options).fit(table.X, getattr(table, column))
    assert (search.n_hidden_, search.lam_, search.input_scale_) == (local.n_hidden_, local.lam_, local.input_scale_)
    np.testing.assert_allclose(search.surface_, local.surface_, rtol=1e-9)
    np.testing.assert_allclose(search.best_estimator_.beta_, local.best_estimator_.beta_, rtol=1e-6)
    np.testing.assert_array_equal(search.best_estimator_.W_, local.best_estimator_.W_)
    gain = "cv_accuracy_" if column == "labels" else "cv_error_"
    assert getattr(search, gain) == pytest.approx(getattr(local, gain), rel=1e-9)


@pytest.mark.parametrize("column", ["labels", "values"])
def test_predictions_and_scores_are_those_of_the_local_model(table, column):
    name = "ELMClassifier" if column == "labels" else "ELMRegressor"
    X, y, weights = (table.lazy(part, (1, 2000, 999)) for part in ("X", column, "weights"))
    model = getattr(on_dask, name)(15, strategy="covariance", lam=10.0, random_state=0).fit(X, y)
    local, truth = model.to_local(), getattr(table, column)
    assert type(local) is getattr(celm, name)
    answers, expected = model.predict(X).compute(), local.predict(table.X)
    assert (answers == expected).all() if column == "labels" else np.allclose(answers, expected, rtol=1e-9)
    assert model.score(X, y) == pytest.approx(local.score(table.X, truth))
    assert model.score(X, y, weights) == pytest.approx(local.score(table.X, truth, table.weights))
    assert model.score(table.X, truth) == local.score(table.X, truth)


def test_r_squared_of_targets_far_from_zero_does_not_cancel(table):
    X, y = table.lazy("X", 300), table.lazy("values", 300) + 1e9
    model = on_dask.ELMRegressor(15, lam=10.0, random_state=0).fit(X, y)
    assert model.score(X, y) == pytest.approx(model.to_local().score(table.X, table.values + 1e9), abs=1e-6)


def test_a_whole_number_is_its_own_entropy_and_a_generator_moves_on():
    rng = np.random.default_rng(0)
    assert entropy_of(7) == 7
    assert entropy_of(rng) != entropy_of(rng)


def test_single_precision_chunks_are_summed_in_double(table):
    X, y = table.lazy("X", 500).astype(np.float32), table.lazy("labels", 500)
    parameters = {"n_hidden": 10, "strategy": "elm", "lam": 1.0, "random_state": 0}
    model = on_dask.ELMClassifier(**parameters).fit(X, y)
    local = celm.ELMClassifier(**parameters).fit(table.X.astype(np.float32), table.labels)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-8)
    assert isinstance(model.predict(X), da.Array)
