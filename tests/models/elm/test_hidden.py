"""The hidden layer as a function and as a transformer."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.linalg.layer import Layer
from celm.models.elm.drawing import draw_layer
from celm.models.elm.hidden import HiddenLayer
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES

Y = np.arange(20) % 3
X = np.random.default_rng(0).normal(size=(len(Y), 4)) + Y[:, None]


@parametrize_with_checks(
    [
        HiddenLayer(10, random_state=0),
        HiddenLayer(10, strategy="covariance", input_scale=0.5, random_state=0),
        HiddenLayer(10, strategy="orthogonal_elm", options=WeightOptions(orthogonal_bias="uniform"), random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_outputs_are_the_logistic_function_of_the_pre_activation():
    W, b = np.array([[1.0, -2.0], [0.5, 0.0]]), np.array([0.25, -1.0])
    z = X[:, :2] @ W + b
    assert_allclose(Layer(W, b).outputs(X[:, :2]), 1 / (1 + np.exp(-z)))


def test_extreme_pre_activations_saturate_without_a_warning():
    H = Layer(np.array([[1e6, -1e6]]), np.zeros(2)).outputs([[1.0], [-1.0]])
    assert_array_equal(H, [[1, 0], [0, 1]])


def test_cdelm_puts_its_pair_at_the_logistic_of_one_and_minus_one():
    layer = HiddenLayer(1, strategy="cdelm", random_state=0).fit([[0.0, 1.0], [3.0, -2.0]], [4, 9])
    assert_allclose(layer.transform([[0.0, 1.0], [3.0, -2.0]])[:, 0], 1 / (1 + np.exp([-1.0, 1.0])))


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_the_transformer_is_the_functions_in_a_row(strategy):
    options = WeightOptions(pair_draw="classes", sum_scale=2.0, image_shape=(2, 2))
    layer = HiddenLayer(7, strategy=strategy, options=options, random_state=5).fit(X, Y)
    W, b = draw_layer(X, Y, strategy, 7, 5, options)
    assert_array_equal(layer.W_, W)
    assert_array_equal(layer.b_, b)
    assert_array_equal(layer.transform(X[:3]), Layer(W, b).outputs(X[:3]))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_hidden": 0}, "HiddenLayer: n_hidden must be a whole number of at least 1; got 0."),
        ({"strategy": "cdelmm"}, "HiddenLayer: strategy must be one of cdelm, .*; got 'cdelmm'. Did you mean 'cdelm'?"),
        ({"options": WeightOptions(same_sample=3)}, "HiddenLayer: same_sample must be true or false; got 3."),
        ({"random_state": -1}, "random_state must be a whole number of at least 0; got -1."),
    ],
)
def test_wrong_parameters_are_named(parameters, words):
    with pytest.raises(ValueError, match=words):
        HiddenLayer(**parameters).fit(X, Y)


def test_classes_are_asked_for_only_where_the_draw_needs_them():
    assert HiddenLayer(5, strategy="covariance", random_state=0).fit(X).transform(X).shape == (20, 5)
    with pytest.raises(ValueError, match="requires y to be passed"):
        HiddenLayer(5).fit(X)
    with pytest.raises(ValueError, match=r"y must hold classes; got continuous targets. Take ELMRegressor"):
        HiddenLayer(5).fit(X, X[:, 0])


def test_outputs_have_names():
    layer = HiddenLayer(2, random_state=0).fit(X, Y)
    assert layer.get_feature_names_out().tolist() == ["hiddenlayer0", "hiddenlayer1"]
    frame = layer.set_output(transform="pandas").transform(X)
    assert frame.columns.tolist() == ["hiddenlayer0", "hiddenlayer1"]


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="HiddenLayer: a classifier needs at least two classes; y holds only 1 class"):
        HiddenLayer(5).fit(X, np.zeros(len(X)))
