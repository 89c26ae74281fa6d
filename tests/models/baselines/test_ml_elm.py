"""The multilayer ELM: how its layers follow each other, its readout, seeds and errors."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.models.baselines.autoencoder import learn_layer
from celm.models.baselines.ml_elm import MLELMClassifier


@parametrize_with_checks([MLELMClassifier((12, 12, 20), random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def rings(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three classes by the distance from the origin in five dimensions: no linear readout of X tells them apart."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    directions = rng.standard_normal((n_rows, 5))
    return directions * ((0.5 + y) / np.linalg.norm(directions, axis=1))[:, None], y


def test_the_model_is_its_layers_in_turn_and_a_ridge_readout():
    X, y = rings(150, 0)
    model = MLELMClassifier((8, 8, 12), lam=1e2, random_state=4).fit(X, y)
    rng = np.random.default_rng(4)
    first = learn_layer(X, 8, rng, penalty=1e-1, encoder_slope=0.8, forward_slope=0.7)
    X1 = first.outputs(X)
    second = learn_layer(X1, 8, rng, penalty=None, encoder_slope=1.0, forward_slope=1.0)
    X2 = second.outputs(X1)
    third = learn_layer(X2, 12, rng, penalty=1e3, encoder_slope=4.0, forward_slope=6.0)
    H = third.outputs(X2)
    T = np.where(y[:, None] == np.arange(3), 1.0, -1.0)
    beta = np.linalg.solve(H.T @ H + np.eye(12) / 1e2, H.T @ T)
    np.testing.assert_allclose(model.decision_function(X), H @ beta, atol=1e-8)
    assert [layer.solver for layer in model.layers_] == ["cholesky", "procrustes", "cholesky"]
    assert (model.solver_, model.rank_) == ("qr", 12)


def digits() -> tuple[np.ndarray, np.ndarray]:
    """1797 images of 8 × 8 pixels, each with mean 0 and standard deviation 1."""
    X, y = load_digits(return_X_y=True)
    return (X - X.mean(axis=1, keepdims=True)) / X.std(axis=1, ddof=1, keepdims=True), y


def test_digits_are_told_apart_better_than_by_a_linear_ridge():
    X, y = digits()
    linear = RidgeClassifier().fit(X[:1200], y[:1200]).score(X[1200:], y[1200:])
    model = MLELMClassifier((40, 40, 200), random_state=0).fit(X[:1200], y[:1200])
    assert model.score(X[1200:], y[1200:]) > max(linear, 0.9)


def test_layers_may_have_more_nodes_than_there_are_rows_and_features():
    X, y = digits()
    model = MLELMClassifier((100, 100, 150), penalties=(10.0, None, 1e3), random_state=0).fit(X[:40], y[:40])
    assert model.beta_.shape == (150, 10)
    assert model.score(X[:40], y[:40]) == 1.0


def test_a_single_layer_as_wide_as_the_data_is_a_linear_ridge_classifier():
    X, y = rings(80, 4)
    model = MLELMClassifier((5,), penalties=(1.0,), encoder_slopes=(1.0,), forward_slopes=(1.0,), lam=10.0)
    T = np.where(y[:, None] == np.arange(3), 1.0, -1.0)
    linear = X @ np.linalg.solve(X.T @ X + np.eye(5) / 10, X.T @ T)
    np.testing.assert_allclose(model.fit(X, y).decision_function(X), linear, atol=1e-9)


def test_the_seed_decides_the_model():
    X, y = rings(60, 5)
    scores = [MLELMClassifier((8, 8, 10), random_state=seed).fit(X, y).decision_function(X) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert not np.allclose(scores[0], scores[2])


def test_the_random_encoders_differ_from_layer_to_layer():
    X, y = rings(60, 6)
    model = MLELMClassifier(
        (6, 5, 6), penalties=(1.0,) * 3, encoder_slopes=(1.0,) * 3, forward_slopes=(1.0,) * 3, random_state=0
    ).fit(X, y)
    assert not np.allclose(model.layers_[1].W.T, model.layers_[2].W)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"layers": ()}, r"MLELMClassifier: layers must hold at least one node count; got \(\)"),
        ({"layers": 700}, "layers must hold at least one node count; got 700"),
        ({"layers": (8, 8, 0)}, r"layers\[2\] must be a whole number of at least 1; got 0"),
        ({"layers": (8, 12)}, r"penalties must hold one value for each of 2 layers; got \(0.1, None, 1000.0\)"),
        ({"layers": (8, 9, 9)}, r"penalties\[1\] must be a number above 0; got None"),
        ({"penalties": (None, None, 1.0)}, r"penalties\[0\] must be a number above 0; got None"),
        ({"penalties": (1.0, None, -1.0)}, r"penalties\[2\] must be a number above 0; got -1.0"),
        ({"encoder_slopes": 0.8}, "encoder_slopes must hold one value for each of 3 layers; got 0.8"),
        ({"encoder_slopes": (0.8, 1.0, 0.0)}, r"encoder_slopes\[2\] must be a number above 0; got 0.0"),
        ({"forward_slopes": (0.7, "1", 6.0)}, r"forward_slopes\[1\] must be a number above 0; got '1'"),
        ({"lam": 0.0}, "lam must be a number above 0; got 0.0"),
    ],
)
def test_errors_name_the_parameter_and_what_came(parameters, message):
    with pytest.raises(ValueError, match=message):
        MLELMClassifier(**parameters).check_parameters()


def test_fit_checks_the_parameters_and_the_classes():
    with pytest.raises(ValueError, match="MLELMClassifier: lam must be a number above 0"):
        MLELMClassifier(lam=-1.0).fit(np.eye(4), [0, 1, 0, 1])
    with pytest.raises(ValueError, match="MLELMClassifier: a classifier needs at least two classes"):
        MLELMClassifier().fit(np.eye(4), np.ones(4, dtype=int))
