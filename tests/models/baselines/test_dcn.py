"""The deep convex network: what every module sees and learns, the spread of its weights, its RBM units."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.linalg import solve
from celm.models.baselines.dcn import DCNClassifier, draw_units
from celm.models.baselines.rbm import train_rbm


@parametrize_with_checks(
    [DCNClassifier(3, 12, random_state=0), DCNClassifier(2, 12, rbm_share=0.5, rbm_epochs=2, random_state=0)]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-3), y


def logistic(Z):
    return 1.0 / (1.0 + np.exp(-Z))


@pytest.mark.parametrize("k", [2, 4])
def test_every_module_sees_x_then_all_lower_outputs_and_is_a_ridge_regression(digits, k):
    X, y = digits[0][digits[1] < k][:200], digits[1][digits[1] < k][:200]
    model = DCNClassifier(4, 15, lam=10.0, random_state=1).fit(X, y)
    T = np.where(y[:, None] == np.arange(k), 1.0, -1.0)
    lower = []
    for module, scores in zip(model.modules_, model.staged_scores(X), strict=True):
        inputs = np.hstack([X, *lower])
        assert module.W.shape == (64 + k * len(lower), 15)
        H = logistic(inputs @ module.W + module.b)
        U = np.linalg.solve(H.T @ H + np.eye(15) / 10.0, H.T @ T)
        np.testing.assert_allclose(module.U, U, rtol=1e-7, atol=1e-9)
        np.testing.assert_allclose(scores, H @ U, rtol=1e-7, atol=1e-9)
        lower.append(H @ U)


def test_row_blocks_give_the_same_modules_as_the_whole(digits, monkeypatch):
    X, y = digits[0][:400], digits[1][:400]
    whole = DCNClassifier(3, 30, random_state=0).fit(X, y)
    monkeypatch.setattr(solve, "WHOLE", 0)
    blocked = DCNClassifier(3, 30, random_state=0).fit(X, y)
    assert [module.solver for module in whole.modules_] == ["cholesky"] * 3
    assert [module.solver for module in blocked.modules_] == ["row blocks cholesky"] * 3
    np.testing.assert_allclose(blocked.decision_function(X), whole.decision_function(X), atol=1e-6)


def test_the_spread_of_the_random_weights():
    W, b = draw_units(400, 30, 3000, 0.5, np.random.default_rng(0))
    assert W.shape == (430, 3000)
    assert abs(W[:400].std() - 0.5 / 20.0) < 1e-4
    assert abs(W[400:].std() - 1.0 / np.sqrt(30)) < 2e-3
    assert abs(W.mean()) < 1e-3
    assert -1.0 <= b.min() < -0.99 < 0.99 < b.max() <= 1.0
    assert abs(b.std() - 1.0 / np.sqrt(3.0)) < 0.02


def test_the_scale_multiplies_only_the_weights_of_features():
    one, _ = draw_units(6, 4, 8, 1.0, np.random.default_rng(0))
    three, _ = draw_units(6, 4, 8, 3.0, np.random.default_rng(0))
    np.testing.assert_allclose(three[:6], 3.0 * one[:6])
    np.testing.assert_array_equal(three[6:], one[6:])


def test_rbm_units_come_first_in_every_module_and_leave_the_random_ones_alone(digits):
    X, y = digits[0][:300], digits[1][:300]
    plain = DCNClassifier(3, 20, random_state=7).fit(X, y)
    half = DCNClassifier(3, 20, rbm_share=0.5, rbm_epochs=2, random_state=7).fit(X, y)
    W, b = train_rbm(X, 10, 2, np.random.default_rng(7).spawn(1)[0])
    for module, random in zip(half.modules_, plain.modules_, strict=True):
        np.testing.assert_array_equal(module.W[:64, :10], W)
        np.testing.assert_array_equal(module.b[:10], b)
        np.testing.assert_array_equal(module.W[:, 10:], random.W[:, 10:])
        np.testing.assert_array_equal(module.W[64:], random.W[64:])
    full = DCNClassifier(1, 20, rbm_share=1.0, rbm_epochs=2, random_state=7).fit(X, y)
    assert full.modules_[0].W.shape == (64, 20)


def test_the_stages_of_a_short_stack_are_the_first_ones_of_a_long_one_and_the_last_one_answers(digits):
    X, y = digits
    long = DCNClassifier(4, 100, random_state=2).fit(X[:900], y[:900])
    short = DCNClassifier(2, 100, random_state=2).fit(X[:900], y[:900])
    stages = list(long.staged_scores(X[900:]))
    np.testing.assert_array_equal(stages[1], short.decision_function(X[900:]))
    np.testing.assert_array_equal(stages[3], long.decision_function(X[900:]))
    predicted = list(long.staged_predict(X[900:]))
    np.testing.assert_array_equal(predicted[-1], long.predict(X[900:]))
    accuracy = long.staged_accuracy(X[900:], y[900:])
    np.testing.assert_allclose(accuracy, [np.mean(labels == y[900:]) for labels in predicted])
    assert accuracy[-1] == long.score(X[900:], y[900:]) > 0.88


def test_training_errors_shrink_with_every_module(digits):
    X, y = digits[0][:600], digits[1][:600]
    T = np.where(y[:, None] == np.arange(10), 1.0, -1.0)
    model = DCNClassifier(5, 120, random_state=0).fit(X, y)
    errors = [float(np.mean((scores - T) ** 2)) for scores in model.staged_scores(X)]
    assert all(later < earlier for earlier, later in pairwise(errors))
    assert errors[-1] < 0.7 * errors[0]


def test_the_seed_decides_the_model(digits):
    X, y = digits[0][:150], digits[1][:150]
    scores = [
        DCNClassifier(2, 15, rbm_share=0.4, random_state=seed).fit(X, y).decision_function(X) for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert not np.allclose(scores[0], scores[2])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_modules": 0}, "DCNClassifier: n_modules must be a whole number of at least 1; got 0"),
        ({"n_units": 2.5}, "n_units must be a whole number of at least 1; got 2.5"),
        ({"input_scale": 0.0}, "input_scale must be a number above 0 and at most 1e\\+150; got 0.0"),
        ({"lam": -1.0}, "lam must be a number above 0; got -1.0"),
        ({"rbm_share": 1.5}, "rbm_share must be a number of at least 0 and at most 1; got 1.5"),
        ({"rbm_epochs": 0}, "rbm_epochs must be a whole number of at least 1; got 0"),
    ],
)
def test_errors_name_the_parameter_and_what_came(parameters, message):
    with pytest.raises(ValueError, match=message):
        DCNClassifier(**parameters).check_parameters()
    with pytest.raises(ValueError, match=message):
        DCNClassifier(**parameters).fit(np.eye(4), [0, 1, 0, 1])


def test_one_class_is_not_enough():
    with pytest.raises(ValueError, match="DCNClassifier: a classifier needs at least two classes"):
        DCNClassifier().fit(np.eye(4), np.ones(4, dtype=int))
