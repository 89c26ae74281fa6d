"""Hidden layers: the theorem behind each strategy, and the data it is drawn from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import kstest

from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES

N_FEATURES = 5
CODES = np.arange(14) % 3
X = np.random.default_rng(0).normal(size=(len(CODES), N_FEATURES)) + CODES[:, None]

DATA_DRIVEN = ("cdelm", "selm", "cselm", "rselm", "cmelm")


def layer(strategy, n_hidden=30, rows=X, codes=CODES, seed=0, **options):
    rng = np.random.default_rng(seed)
    options = WeightOptions(**{"image_shape": (1, N_FEATURES), **options})
    return STRATEGIES[strategy](np.asarray(rows, dtype=float), codes, n_hidden, rng, options)


def pre_activations(strategy, rows, **options):
    W, b = layer(strategy, rows=rows, **options)
    return rows @ W + b


def vectors_of(W, factor=1.0):
    """The v of weight columns factor·v/‖v‖²: the map is its own inverse (L × n)."""
    return (factor * W / (W**2).sum(axis=0)).T


def pairs_behind(vectors, combined):
    """For each vector, the first ordered pair (i, j) of rows with ``combined[i, j]`` (N × N × n) equal to it."""
    distance = np.abs(combined[None] - vectors[:, None, None, :]).max(axis=-1)
    flat = distance.reshape(len(vectors), len(combined) ** 2)
    assert_allclose(flat.min(axis=1), 0.0, atol=1e-9)
    return np.unravel_index(flat.argmin(axis=1), combined.shape[:2])


SUMS = X[:, None] + X[None, :]
DIFFERENCES = X[:, None] - X[None, :]


def assert_sums_of_one_class(W):
    first, second = pairs_behind(vectors_of(W), SUMS)
    assert_array_equal(CODES[first], CODES[second])


def assert_maps_pairs_to_plus_and_minus_one(W, b):
    """The lower label of every pair goes to +1, the higher to −1."""
    nodes = np.arange(len(b))
    lower, higher = pairs_behind(vectors_of(W, 2.0), DIFFERENCES)
    assert (CODES[lower] < CODES[higher]).all()
    assert_allclose((X @ W + b)[lower, nodes], 1.0)
    assert_allclose((X @ W + b)[higher, nodes], -1.0)


def test_cdelm_maps_its_pair_to_plus_and_minus_one():
    assert_maps_pairs_to_plus_and_minus_one(*layer("cdelm", 60))


def test_random_orientation_sends_the_lower_label_either_way():
    W, b = layer("cdelm", 200, orientation="random")
    positive, negative = pairs_behind(vectors_of(W, 2.0), DIFFERENCES)
    z = X @ W + b
    assert_allclose(z[positive, np.arange(200)], 1.0)
    assert_allclose(z[negative, np.arange(200)], -1.0)
    assert 70 < np.count_nonzero(CODES[positive] < CODES[negative]) < 130


@pytest.mark.parametrize("pair_draw", ["samples", "classes"])
@given(scale=st.floats(1e-3, 1e3), shift=st.floats(-50, 50), seed=st.integers(0, 99))
def test_cdelm_survives_translating_and_scaling(pair_draw, scale, shift, seed):
    moved = scale * (X + shift * np.arange(N_FEATURES))
    drawn = pre_activations("cdelm", moved, seed=seed, pair_draw=pair_draw)
    assert_allclose(drawn, pre_activations("cdelm", X, seed=seed, pair_draw=pair_draw), atol=1e-7)


@pytest.mark.parametrize("strategy", DATA_DRIVEN)
@given(scale=st.floats(1e-3, 1e3), seed=st.integers(0, 99))
def test_data_driven_weights_survive_scaling(strategy, scale, seed):
    (W, b), (W_scaled, b_scaled) = (layer(strategy, rows=rows, seed=seed) for rows in (X, scale * X))
    assert_allclose(W_scaled, W / scale, rtol=1e-8, atol=1e-12 / scale)
    assert_allclose(b_scaled, b, rtol=1e-8)


@pytest.mark.parametrize("strategy", DATA_DRIVEN)
def test_data_driven_weights_survive_a_rotation_of_the_axes(strategy):
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(N_FEATURES, N_FEATURES)))[0]
    assert_allclose(pre_activations(strategy, X @ rotation), pre_activations(strategy, X), atol=1e-9)


def test_selm_maps_its_own_sample_to_one():
    W, b = layer("selm", 60)
    products = X @ W
    nearest = np.abs(vectors_of(W)[:, None] - X[None]).max(axis=-1).argmin(axis=1)
    assert_allclose(vectors_of(W), X[nearest])
    assert_allclose((products + b)[nearest, np.arange(60)], 1.0 + b)
    assert len(np.unique(nearest)) > 10


def test_sum_nodes_are_sums_of_two_samples():
    assert_sums_of_one_class(layer("cselm", 60)[0])
    first, second = pairs_behind(vectors_of(layer("rselm", 60)[0]), SUMS)
    assert (CODES[first] != CODES[second]).any()


@pytest.mark.parametrize("strategy", ["cselm", "rselm"])
def test_no_sample_is_used_twice_where_that_is_forbidden(strategy):
    for same_sample in (True, False):
        doubled = np.abs(vectors_of(layer(strategy, 300, same_sample=same_sample)[0])[:, None] - 2 * X[None]).max(
            axis=-1
        )
        assert (doubled.min(axis=1) < 1e-9).any() == same_sample


@pytest.mark.parametrize(
    ("strategy", "option"), [("selm", "sample_scale"), ("cselm", "sum_scale"), ("rselm", "sum_scale")]
)
def test_the_scale_multiplies_the_weights_and_leaves_the_bias(strategy, option):
    W, b = layer(strategy)
    W_doubled, b_doubled = layer(strategy, **{option: 2.0})
    assert_allclose(W_doubled, 2.0 * W)
    assert_array_equal(b_doubled, b)


def test_elm_is_uniform():
    W, b = layer("elm", 1000)
    assert kstest(W.ravel(), "uniform", (-1, 2)).pvalue > 1e-3
    assert kstest(b, "uniform").pvalue > 1e-3


def test_normalized_elm_is_elm_with_unit_columns():
    (W, b), (W_elm, b_elm) = layer("normalized_elm"), layer("elm")
    assert_allclose(W, W_elm / np.linalg.norm(W_elm, axis=0))
    assert_array_equal(b, b_elm)


@pytest.mark.parametrize("n_hidden", [1, 3, N_FEATURES])
def test_orthogonal_columns_span_what_elm_spans(n_hidden):
    W, W_elm = layer("orthogonal_elm", n_hidden)[0], layer("elm", n_hidden)[0]
    assert_allclose(W.T @ W, np.eye(n_hidden), atol=1e-12)
    assert_allclose(W @ W.T, W_elm @ np.linalg.pinv(W_elm), atol=1e-12)


@pytest.mark.parametrize("n_hidden", [N_FEATURES + 1, 40])
def test_orthogonal_rows_span_what_elm_spans(n_hidden):
    W, W_elm = layer("orthogonal_elm", n_hidden)[0], layer("elm", n_hidden)[0]
    assert_allclose(W @ W.T, np.eye(N_FEATURES), atol=1e-12)
    assert_allclose(W.T @ W, np.linalg.pinv(W_elm) @ W_elm, atol=1e-12)
    unit = layer("orthogonal_elm", n_hidden, orthogonal_norm="unit")[0]
    assert_allclose(unit, W / np.linalg.norm(W, axis=0))


def test_orthogonal_bias():
    _, b = layer("orthogonal_elm", 300)
    assert np.linalg.norm(b) == pytest.approx(1.0)
    assert kstest(b / np.abs(b).max(), "uniform", (-1, 2)).pvalue > 1e-3
    _, uniform = layer("orthogonal_elm", 300, orthogonal_bias="uniform")
    assert kstest(uniform, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("n_hidden", [1, 2, 7, 20])
def test_cmelm_alternates_sums_and_differences(n_hidden):
    W, b = layer("cmelm", n_hidden)
    assert W.shape == (N_FEATURES, n_hidden)
    assert W[:, ::2].shape[1] == -(-n_hidden // 2)
    assert_sums_of_one_class(W[:, ::2])
    assert_maps_pairs_to_plus_and_minus_one(W[:, 1::2], b[1::2])


@pytest.mark.parametrize("strategy", ["selm", "cselm", "rselm", "elm", "normalized_elm"])
def test_other_biases_are_uniform(strategy):
    assert kstest(layer(strategy, 500)[1], "uniform").pvalue > 1e-3


NESTED = sorted(name for name, strategy in STRATEGIES.items() if strategy.nested)
FILTERS = {"difference_filter": True, "cosine_filter": True, "sum_filter": True}


@pytest.mark.parametrize("options", [{}, {"pair_draw": "classes", "same_sample": False}, FILTERS])
@pytest.mark.parametrize("strategy", NESTED)
@given(n_hidden=st.integers(1, 24), seed=st.integers(0, 99))
def test_a_short_layer_is_the_beginning_of_a_long_one(strategy, options, n_hidden, seed):
    rows = 0.3 * np.vstack([X[:7], -X[:3], X[3:7]])
    W, b = layer(strategy, 25, rows, seed=seed, **options)
    W_short, b_short = layer(strategy, n_hidden, rows, seed=seed, **options)
    if strategy in (*DATA_DRIVEN, "elm", "normalized_elm"):
        assert_array_equal(W_short, W[:, :n_hidden])
    assert_allclose(W_short, W[:, :n_hidden], rtol=1e-9, atol=1e-12)
    assert_allclose(b_short, b[:n_hidden], rtol=1e-9, atol=1e-12)


def test_orthogonal_elm_does_not_nest():
    assert np.abs(layer("orthogonal_elm", 5)[0][:, :3] - layer("orthogonal_elm", 3)[0]).max() > 0.01
    assert set(STRATEGIES) - set(NESTED) == {"orthogonal_elm"}


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_the_seed_decides(strategy):
    (W, b), (W_again, b_again), (W_other, _) = (layer(strategy, seed=seed) for seed in (3, 3, 4))
    assert_array_equal(W, W_again)
    assert_array_equal(b, b_again)
    assert not np.array_equal(W, W_other)
