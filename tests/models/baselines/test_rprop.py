"""The network's gradient, its start weights, the RPROP rules and the training loop."""

from __future__ import annotations

import numpy as np
import pytest

from celm.models.baselines import rprop
from celm.models.baselines.rprop import Rows, Shape


def random_rows(n_rows: int, shape: Shape, rng: np.random.Generator) -> Rows:
    X = rng.uniform(-1, 1, (n_rows, shape.n_inputs))
    return Rows.of(X, rng.uniform(-1, 1, (n_rows, shape.n_outputs)), shape.n_hidden)


@pytest.mark.parametrize("output", ["purelin", "tansig"])
def test_gradient_equals_finite_differences(output):
    rng = np.random.default_rng(0)
    shape = Shape(4, 5, 3, output)
    rows, weights = random_rows(7, shape, rng), rprop.start_weights(shape, rng)
    gradient = np.empty_like(weights)
    loss = rprop.loss_and_gradient(
        rprop.layers_of(weights, shape), output, rows, rprop.layers_of(gradient, shape), np.empty((7, 5))
    )

    def loss_at(vector):
        return rprop.mean_squared_error(rprop.layers_of(vector, shape), output, rows)

    h = 1e-6
    differences = [(loss_at(weights + h * e) - loss_at(weights - h * e)) / (2 * h) for e in np.eye(len(weights))]
    assert loss == pytest.approx(loss_at(weights))
    np.testing.assert_allclose(gradient, differences, rtol=1e-6, atol=1e-9)


def test_forward_is_the_formula():
    rng = np.random.default_rng(1)
    shape = Shape(3, 4, 2, "tansig")
    layers = rprop.layers_of(rprop.start_weights(shape, rng), shape)
    X = rng.standard_normal((6, 3))
    outputs = rprop.forward(layers, "tansig", X, np.empty((6, 4)), np.empty((6, 2)))
    np.testing.assert_allclose(outputs, np.tanh(np.tanh(X @ layers.W + layers.b) @ layers.U + layers.c))


def test_layers_are_views_that_cover_the_vector_once():
    shape = Shape(3, 4, 2, "purelin")
    weights = np.zeros(shape.n_weights)
    for layer in rprop.layers_of(weights, shape):
        layer += 1.0
    np.testing.assert_array_equal(weights, 1.0)


def test_nguyen_widrow_lengths_and_evenly_spread_biases():
    W, b = rprop.nguyen_widrow(6, 9, np.random.default_rng(2))
    length = 2 * 0.7 * 9 ** (1 / 6)
    np.testing.assert_allclose(np.linalg.norm(W, axis=0), length)
    np.testing.assert_allclose(b * np.sign(W[0]), length * np.linspace(-1, 1, 9), atol=1e-12)


def test_nguyen_widrow_single_node_has_no_bias():
    _, b = rprop.nguyen_widrow(6, 1, np.random.default_rng(2))
    np.testing.assert_array_equal(b, [0.0])


def test_rprop_rules_on_every_pattern_of_signs():
    #                     same +, same −, + to −, − to +, + to 0, 0 to −, 0 to 0
    signs = np.array([1.0, -1.0, 1.0, -1.0, 1.0, 0.0, 0.0])
    gradient = np.array([3.0, -1e-200, -5.0, 0.1, 0.0, -2.0, 0.0])
    steps, weights = np.full(7, 0.1), np.zeros(7)
    rprop.rprop_step(weights, gradient, signs, steps)
    np.testing.assert_allclose(steps, [0.12, 0.12, 0.05, 0.05, 0.1, 0.1, 0.1])
    np.testing.assert_allclose(weights, [-0.12, 0.12, 0.05, -0.05, 0.0, 0.1, 0.0])
    np.testing.assert_array_equal(signs, np.sign(gradient))


def test_rprop_steps_stay_between_their_bounds():
    steps, signs, weights = np.array([49.0, 1.5e-6]), np.array([1.0, 1.0]), np.zeros(2)
    rprop.rprop_step(weights, np.array([1.0, -1.0]), signs, steps)
    np.testing.assert_array_equal(steps, [50.0, 1e-6])


def test_first_step_moves_every_weight_by_delta_zero():
    shape = Shape(3, 4, 2, "purelin")
    rng = np.random.default_rng(3)
    rows, start = random_rows(8, shape, rng), rprop.start_weights(shape, rng)
    training = rprop.train(start, shape, rows, None, max_epochs=1, patience=1)
    np.testing.assert_allclose(np.abs(training.weights - start), 0.07)


def test_without_validation_rows_the_last_weights_are_kept_and_fit_better():
    shape = Shape(3, 6, 2, "tansig")
    rng = np.random.default_rng(4)
    rows, start = random_rows(20, shape, rng), rprop.start_weights(shape, rng)
    before = rprop.mean_squared_error(rprop.layers_of(start, shape), "tansig", rows)
    training = rprop.train(start, shape, rows, None, max_epochs=200, patience=1)
    assert (training.n_epochs, training.best_epoch, training.stop_reason) == (200, 200, "max_epochs")
    after = rprop.mean_squared_error(rprop.layers_of(training.weights, shape), "tansig", rows)
    assert training.loss == pytest.approx(after)
    assert after < 0.1 * before


def test_stops_where_the_gradient_vanishes():
    shape = Shape(2, 3, 1, "purelin")
    rng = np.random.default_rng(5)
    start = rprop.start_weights(shape, rng)
    rows = random_rows(10, shape, rng)
    rows.T[:] = rprop.forward(rprop.layers_of(start, shape), "purelin", rows.X, rows.hidden, rows.outputs)
    training = rprop.train(start, shape, rows, None, max_epochs=50, patience=50)
    assert (training.n_epochs, training.stop_reason) == (0, "gradient")
    np.testing.assert_array_equal(training.weights, start)


def test_early_stopping_keeps_the_weights_of_the_lowest_validation_loss():
    """Every state of the run is visited again by runs of 0, 1, 2, … updates without validation rows."""
    shape = Shape(3, 10, 1, "purelin")
    rng = np.random.default_rng(6)
    rows, held_out = random_rows(15, shape, rng), random_rows(15, shape, rng)
    start = rprop.start_weights(shape, rng)
    stopped = rprop.train(start, shape, rows, held_out, max_epochs=500, patience=8)
    path = [
        rprop.train(start, shape, rows, None, max_epochs=n, patience=n).weights for n in range(1, stopped.n_epochs + 1)
    ]
    losses = [rprop.mean_squared_error(rprop.layers_of(w, shape), "purelin", held_out) for w in [start, *path]]
    assert stopped.stop_reason == "validation"
    assert stopped.n_epochs == stopped.best_epoch + 8
    assert stopped.best_epoch == int(np.argmin(losses)) > 0
    np.testing.assert_array_equal(stopped.weights, path[stopped.best_epoch - 1])
