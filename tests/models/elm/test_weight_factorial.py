"""Direction × scale × bias: which combinations are the paper's models, and what each factor does."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm.base.factors import BIASES, DIRECTIONS, FACTORIAL, SCALES
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.covariance import covariance_root, gaussian_directions
from celm.models.elm.hidden import HiddenLayer
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES, check_strategy, strategy_named

CODES = np.arange(40) % 3
X = np.random.default_rng(0).normal(size=(len(CODES), 5)) * [1.0, 2.0, 0.5, 1.0, 3.0] + CODES[:, None]

PAPER = {
    "elm": "random/none/uniform",
    "normalized_elm": "random/l2/uniform",
    "selm": "samples/squared/uniform",
    "cselm": "class_sums/squared/uniform",
    "cdelm": "class_differences/squared/midpoint",
}


def layer(name, n_hidden=30, rows=X, seed=0, **options):
    return strategy_named(name)(rows, CODES, n_hidden, np.random.default_rng(seed), WeightOptions(**options))


def test_there_are_thirty_combinations():
    assert len(set(FACTORIAL)) == len(DIRECTIONS) * len(SCALES) * len(BIASES) == 30
    assert set(PAPER.values()) <= set(FACTORIAL)


@pytest.mark.parametrize("options", [{}, {"sum_scale": 2.0, "sample_scale": 2.0, "orientation": "random"}])
@pytest.mark.parametrize("model", PAPER)
def test_the_papers_models_are_cells_of_the_factorial(model, options):
    """The same random numbers give the same layer to the last bit, under readings too."""
    W, b = layer(PAPER[model], **options)
    W_paper, b_paper = STRATEGIES[model](X, CODES, 30, np.random.default_rng(0), WeightOptions(**options))
    assert_array_equal(W, W_paper)
    assert_array_equal(b, b_paper)


@pytest.mark.parametrize("bias", BIASES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_scale_changes_the_length_alone(direction, bias):
    plain, unit, squared = (layer(f"{direction}/{scale}/{bias}")[0] for scale in SCALES)
    lengths = np.linalg.norm(plain, axis=0)
    assert lengths.std() > 0.01
    assert_allclose(unit, plain / lengths)
    assert_allclose(squared, plain / lengths**2)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_bias_leaves_the_weights(direction, scale):
    (W, b), (W_midpoint, b_midpoint) = (layer(f"{direction}/{scale}/{bias}") for bias in BIASES)
    assert_array_equal(W, W_midpoint)
    assert ((b >= 0) & (b < 1)).all()
    assert (b_midpoint < 0).any()
    halfway = -(X[:, None] + X[None, :]).reshape(-1, X.shape[1]) @ W / 2
    assert_allclose(np.abs(halfway - b_midpoint).min(axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize("direction", ["samples", "class_sums", "random", "gaussian"])
def test_directions_without_a_difference_pass_through_midpoints_of_their_own_stream(direction):
    """Two random rows, the same for every direction and scale of a seed."""
    (W, b), (W_random, b_random) = layer(f"{direction}/l2/midpoint"), layer("random/none/midpoint")
    first = np.random.default_rng(0).spawn(2)[1].random((30, 2))
    pairs = np.floor(first * len(X)).astype(int)
    midpoints = X[pairs].mean(axis=1)
    for weights, bias in ((W, b), (W_random, b_random)):
        assert_allclose(np.einsum("nj,jn->j", weights, midpoints) + bias, 0.0, atol=1e-12)


def test_gaussian_directions_have_the_covariance_of_the_rows_and_no_mean():
    drawn = gaussian_directions(X, CODES, 200_000, np.random.default_rng(1), WeightOptions()).vectors
    assert_allclose(np.cov(drawn.T), np.cov(X.T), atol=0.15)
    assert_allclose(drawn.mean(axis=0), 0.0, atol=0.03)


def test_gaussian_directions_use_no_labels():
    shuffled = np.random.default_rng(2).permutation(CODES)
    draw = strategy_named("gaussian/squared/uniform")
    (W, _), (W_shuffled, _) = (
        draw(X, codes, 20, np.random.default_rng(0), WeightOptions()) for codes in (CODES, shuffled)
    )
    assert_array_equal(W, W_shuffled)


def test_the_root_is_symmetric_and_its_square_the_covariance():
    root = covariance_root(X)
    assert_allclose(root, root.T, atol=1e-12)
    assert_allclose(root @ root, np.cov(X.T), rtol=1e-10, atol=1e-12)


def test_constant_and_dependent_features_get_no_weight_of_their_own():
    rows = np.column_stack([X, np.full(len(X), 7.0), X[:, 0] + X[:, 1]])
    W, _ = layer("gaussian/none/uniform", 50, rows)
    assert_allclose(W[5], 0.0, atol=1e-6)
    assert_allclose(W[6], W[0] + W[1], atol=1e-6)


def test_equal_rows_have_no_covariance():
    with pytest.raises(ValueError, match="need rows that differ; all rows are equal"):
        layer("gaussian/l2/uniform", rows=np.ones_like(X))


@pytest.mark.parametrize("name", FACTORIAL)
def test_a_short_layer_is_the_beginning_of_a_long_one(name):
    (W, b), (W_short, b_short) = layer(name, 25), layer(name, 11)
    assert_allclose(W_short, W[:, :11], rtol=1e-12, atol=1e-14)
    assert_allclose(b_short, b[:11], rtol=1e-12, atol=1e-13)


def test_estimators_take_a_combination_as_strategy():
    name = "gaussian/squared/midpoint"
    model = ELMClassifier(25, strategy=name, lam=1e3, random_state=3).fit(X, CODES)
    assert_array_equal(model.W_, HiddenLayer(25, strategy=name, random_state=3).fit(X, CODES).W_)
    assert model.score(X, CODES) > 0.8


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gausian/l2/uniform", "the direction in strategy 'gausian/l2/uniform' must be one of random, gaussian, .*; "
         "got 'gausian'. Did you mean 'gaussian'?"),
        ("samples/l3/uniform", "the scale in .* must be one of none, l2, squared; got 'l3'"),
        ("samples/l2/middle", "the bias in .* must be one of uniform, midpoint; got 'middle'"),
        ("samples/l2", "strategy must be a model or DIRECTION/SCALE/BIAS; got 'samples/l2'"),
        (None, "strategy must be one of cdelm, "),
    ],
)  # fmt: skip
def test_wrong_combinations_are_named_part_by_part(name, words):
    with pytest.raises(ValueError, match=f"^owner: {words}"):
        check_strategy(name, "strategy", "owner")
