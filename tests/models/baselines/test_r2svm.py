"""R²SVM: what every layer sees, against a naive loop; its first layer, its seeds and its errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.models.baselines.linear_svm import LinearSVM
from celm.models.baselines.r2svm import R2SVMClassifier, draw_projections, layer_inputs


@parametrize_with_checks(
    [R2SVMClassifier(3, C=1.0, random_state=0), R2SVMClassifier(3, C=1.0, weights="cumulative", random_state=0)]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def first_classes(rings, k):
    X, names = rings
    among = np.isin(names, np.unique(names)[:k])
    return X[among], names[among]


def test_the_inputs_of_a_layer_are_the_formula_number_by_number():
    rng = np.random.default_rng(1)
    X, outputs, W = rng.standard_normal((4, 3)), rng.standard_normal((4, 6)), rng.standard_normal((6, 3))
    expected = np.empty((4, 3))
    for i in range(4):
        for j in range(3):
            shift = sum(outputs[i, q] * W[q, j] for q in range(6))
            expected[i, j] = 4.0 * (1.0 / (1.0 + math.exp(-(X[i, j] + 0.3 * shift))) - 0.5)
    np.testing.assert_allclose(layer_inputs(X, outputs, W, 0.3), expected, rtol=1e-12)


def test_the_squashing_keeps_small_inputs_and_bounds_large_ones():
    X, none, W = np.array([[1e-6, -1e-6, 50.0, -50.0]]), np.zeros((1, 2)), np.ones((2, 4))
    np.testing.assert_allclose(layer_inputs(X, none, W, 0.1), [[1e-6, -1e-6, 2.0, -2.0]], rtol=1e-6)


@pytest.mark.parametrize("k", [2, 3])
def test_the_first_layer_is_the_plain_linear_svm(rings, k):
    X, y = first_classes(rings, k)
    model = R2SVMClassifier(3, C=5.0, tol=1e-4, random_state=0).fit(X, y)
    svm = LinearSVM(5.0).fit(X, y)
    np.testing.assert_array_equal(model.coef_[0], svm.coef_)
    np.testing.assert_array_equal(model.intercept_[0], svm.intercept_)
    np.testing.assert_array_equal(next(model.staged_predict(X)), svm.predict(X))
    single = R2SVMClassifier(1, C=5.0, tol=1e-4).fit(X, y)
    np.testing.assert_allclose(single.decision_function(X), svm.decision_function(X), rtol=1e-12)


@pytest.mark.parametrize("weights", ["fresh", "cumulative"])
@pytest.mark.parametrize("k", [2, 3])
def test_every_layer_is_a_linear_svm_on_x_shifted_by_the_scores_of_all_earlier_ones(rings, weights, k):
    X, y = first_classes(rings, k)
    model = R2SVMClassifier(4, beta=0.2, C=5.0, weights=weights, tol=1e-4, random_state=2).fit(X, y)
    m = 1 if k == 2 else k
    scores, staged = [], list(model.staged_scores(X))
    for layer in range(4):
        shift = sum(scores[i] @ model.projections_[layer][i * m : (i + 1) * m] for i in range(layer))
        Z = X if layer == 0 else 4.0 * (1.0 / (1.0 + np.exp(-(X + 0.2 * shift))) - 0.5)
        svm = LinearSVM(5.0).fit(Z, y)
        scores.append(svm.decision_function(Z).reshape(len(X), m))
        np.testing.assert_allclose(staged[layer], scores[layer], rtol=1e-6, atol=1e-6)


def test_fresh_projections_differ_between_layers_and_cumulative_ones_grow():
    fresh = draw_projections(4, 3, 5, np.random.default_rng(0), "fresh")
    cumulative = draw_projections(4, 3, 5, np.random.default_rng(0), "cumulative")
    for drawn in (fresh, cumulative):
        assert [W.shape for W in drawn] == [(0, 5), (3, 5), (6, 5), (9, 5)]
    assert not np.isclose(fresh[2][:3], fresh[1]).any()
    np.testing.assert_array_equal(cumulative[3][:6], cumulative[2])
    np.testing.assert_array_equal(cumulative[2][:3], cumulative[1])


@pytest.mark.parametrize("weights", ["fresh", "cumulative"])
def test_projections_are_standard_normal_and_those_of_fewer_layers_come_first(weights):
    many = draw_projections(12, 10, 40, np.random.default_rng(5), weights)
    few = draw_projections(5, 10, 40, np.random.default_rng(5), weights)
    for ours, longer in zip(few, many, strict=False):
        np.testing.assert_array_equal(ours, longer)
    assert abs(many[-1].mean()) < 0.05
    assert abs(many[-1].std() - 1.0) < 0.05


def test_without_a_shift_all_later_layers_are_the_same_svm_on_squashed_inputs(rings):
    X, y = rings
    coef = R2SVMClassifier(4, beta=0.0, C=5.0, random_state=0).fit(X, y).coef_
    np.testing.assert_array_equal(coef[1], coef[2])
    np.testing.assert_array_equal(coef[1], coef[3])
    assert not np.allclose(coef[0], coef[1])


@pytest.fixture(scope="module")
def clusters():
    """Four classes of three clusters each in 20 features: a linear classifier tells most of them apart, not all."""
    X, y = make_classification(
        600, 20, n_informative=8, n_redundant=6, n_classes=4, n_clusters_per_class=3, class_sep=1.5, random_state=0
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_more_layers_tell_apart_what_one_cannot(clusters, seed):
    X, y = clusters
    model = R2SVMClassifier(20, beta=0.3, C=100.0, random_state=seed).fit(X[:400], y[:400])
    training, test = model.staged_accuracy(X[:400], y[:400]), model.staged_accuracy(X[400:], y[400:])
    assert training.shape == (20,)
    assert training[-1] > training[0] + 0.05
    assert test[-1] > test[0] + 0.02


def test_the_stages_of_a_short_model_are_the_first_ones_of_a_long_one_and_the_last_one_answers():
    X, y = load_digits(return_X_y=True)
    X = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-3)
    long = R2SVMClassifier(5, C=10.0, random_state=3).fit(X[:300], y[:300])
    short = R2SVMClassifier(3, C=10.0, random_state=3).fit(X[:300], y[:300])
    stages = list(long.staged_scores(X[300:500]))
    np.testing.assert_array_equal(stages[2], short.decision_function(X[300:500]))
    np.testing.assert_array_equal(stages[-1], long.decision_function(X[300:500]))
    predicted = list(long.staged_predict(X[300:500]))
    np.testing.assert_array_equal(predicted[-1], long.predict(X[300:500]))
    shares = [np.mean(labels == y[300:500]) for labels in predicted]
    np.testing.assert_allclose(long.staged_accuracy(X[300:500], y[300:500]), shares)
    assert shares[-1] == long.score(X[300:500], y[300:500]) > 0.85


def test_the_seed_decides_the_model(rings):
    X, y = rings
    scores = [R2SVMClassifier(3, C=5.0, random_state=seed).fit(X, y).decision_function(X) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert not np.allclose(scores[0], scores[2])


def test_an_svm_that_has_not_converged_is_told(clusters):
    with pytest.warns(ConvergenceWarning, match="R2SVMClassifier: a layer's SVM has not converged to tol=1e-06 in 1 "):
        model = R2SVMClassifier(2, C=100.0, tol=1e-6, max_iter=1, random_state=0).fit(*clusters)
    assert (model.n_iter_, model.converged_) == (1, False)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_layers": 0}, "R2SVMClassifier: n_layers must be a whole number of at least 1; got 0"),
        ({"beta": -0.1}, "beta must be a number of at least 0 and at most 1e\\+150; got -0.1"),
        ({"C": 0.0}, "C must be a number of at least 1e-150 and at most 1e\\+150; got 0.0"),
        ({"weights": "frech"}, "weights must be one of fresh, cumulative; got 'frech'. Did you mean 'fresh'?"),
        ({"tol": 0.0}, "tol must be a number above 0 and at most 1; got 0.0"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1; got 0"),
    ],
)
def test_errors_name_the_parameter_and_what_came(parameters, message):
    with pytest.raises(ValueError, match=message):
        R2SVMClassifier(**parameters).check_parameters()
    with pytest.raises(ValueError, match=message):
        R2SVMClassifier(**parameters).fit(np.eye(4), [0, 1, 0, 1])


def test_one_class_is_not_enough():
    with pytest.raises(ValueError, match="R2SVMClassifier: a classifier needs at least two classes"):
        R2SVMClassifier().fit(np.eye(4), np.ones(4, dtype=int))
