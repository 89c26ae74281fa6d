"""The ELM auto-encoder: its random encoder, the sparsity penalty, and the layer of equal size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from celm.linalg.layer import Layer
from celm.models.baselines import autoencoder
from celm.models.baselines.autoencoder import (
    EncoderSums,
    decode_orthogonal,
    decode_penalised,
    draw_encoder,
    learn_layer,
    penalty_diagonal,
    sparsity_divergence,
    sum_encoder,
)


def sigmoid(z: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-z))


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape)


def sums_of(H: np.ndarray, X: np.ndarray) -> EncoderSums:
    return EncoderSums(np.asfortranarray(np.tril(H.T @ H)), H.T @ X, H.mean(axis=0))


@pytest.mark.parametrize(("n_inputs", "n_nodes"), [(9, 4), (6, 6), (4, 9)])
def test_the_encoder_is_orthonormal_in_its_shorter_direction_with_a_bias_of_norm_one(n_inputs, n_nodes):
    layer = draw_encoder(n_inputs, n_nodes, np.random.default_rng(0))
    W, b = layer.W, layer.b
    assert W.shape == (n_inputs, n_nodes)
    product = W.T @ W if n_nodes <= n_inputs else W @ W.T
    np.testing.assert_allclose(product, np.eye(min(n_inputs, n_nodes)), atol=1e-12)
    assert b.shape == (n_nodes,)
    assert np.linalg.norm(b) == pytest.approx(1)


@pytest.mark.parametrize("stream_rows", [1, 7, 1000])
def test_the_streamed_sums_are_those_of_the_whole_layer(monkeypatch, stream_rows):
    monkeypatch.setattr(autoencoder, "STREAM_ROWS", stream_rows)
    X, W, b = normal(50, 4), normal(4, 6, seed=1), normal(6, seed=2)
    H = sigmoid(X @ W + b)
    sums = sum_encoder(Layer(W, b), X)
    np.testing.assert_allclose(np.tril(sums.gram), np.tril(H.T @ H))
    np.testing.assert_allclose(sums.moment, H.T @ X)
    np.testing.assert_allclose(sums.means, H.mean(axis=0))


def test_sparsity_is_the_sum_of_divergences_over_nodes_and_vanishes_at_the_target():
    means = np.array([0.2, 0.5, 0.93])
    by_hand = sum(0.05 * math.log(0.05 / m) + 0.95 * math.log(0.95 / (1 - m)) for m in means)
    assert sparsity_divergence(means) == pytest.approx(by_hand)
    assert sparsity_divergence(np.full(4, 0.05)) == pytest.approx(0, abs=1e-15)
    assert np.isfinite(sparsity_divergence(np.array([0.0, 1.0])))


def test_the_penalised_decoder_solves_the_penalised_normal_equations_of_a_naive_loop():
    X, H, C = normal(40, 3), sigmoid(normal(40, 5, seed=1)), 0.7
    G = H.T @ H
    divergence = sparsity_divergence(H.mean(axis=0))
    A = G.copy()
    for i in range(5):
        A[i, i] += (divergence + max(G[i, j] for j in range(5))) / C
    np.testing.assert_allclose(penalty_diagonal(sums_of(H, X), C), np.diag(A - G))
    B, solver = decode_penalised(sums_of(H, X), C)
    assert solver == "cholesky"
    np.testing.assert_allclose(B, np.linalg.solve(A, H.T @ X))


def test_without_a_penalty_to_speak_of_the_decoder_is_least_squares():
    X, H = normal(60, 4), sigmoid(2 * normal(60, 6, seed=1))
    B, _ = decode_penalised(sums_of(H, X), 1e9)
    np.testing.assert_allclose(B, np.linalg.lstsq(H, X, rcond=None)[0], atol=1e-6)


def test_a_stronger_penalty_shrinks_the_decoder():
    X, H = normal(60, 4), sigmoid(2 * normal(60, 6, seed=1))
    norms = [np.linalg.norm(decode_penalised(sums_of(H, X), C)[0]) for C in (1e-3, 1e-1, 1e1, 1e3)]
    assert norms == sorted(norms)


def test_the_decoder_of_equal_size_is_the_nearest_orthogonal_matrix():
    X, H = normal(80, 5), sigmoid(3 * normal(80, 5, seed=1))
    B = decode_orthogonal(H.T @ X)
    np.testing.assert_allclose(B @ B.T, np.eye(5), atol=1e-12)
    error = np.linalg.norm(H @ B - X)
    for seed in range(20):
        other, _ = np.linalg.qr(B + 0.1 * normal(5, 5, seed=seed))
        other *= np.sign(np.diag(other.T @ B))
        assert np.linalg.norm(H @ other - X) > error


def test_a_layer_as_wide_as_its_input_is_linear_and_keeps_lengths():
    X = normal(70, 6)
    layer = learn_layer(X, 6, np.random.default_rng(0), penalty=None, encoder_slope=1.0, forward_slope=1.0)
    assert (layer.activation, layer.solver) == ("identity", "procrustes")
    np.testing.assert_allclose(np.linalg.norm(layer.outputs(X), axis=1), np.linalg.norm(X, axis=1))
    np.testing.assert_allclose(layer.outputs(2 * X - 3), 2 * layer.outputs(X) - 3 * layer.outputs(np.ones((1, 6))))


@pytest.mark.parametrize("n_nodes", [4, 11])
def test_a_learned_layer_is_the_decoder_turned_round(n_nodes):
    X = normal(70, 6)
    layer = learn_layer(X, n_nodes, np.random.default_rng(3), penalty=10.0, encoder_slope=0.8, forward_slope=0.7)
    drawn = draw_encoder(6, n_nodes, np.random.default_rng(3))
    W, b = drawn.W, drawn.b
    H = sigmoid(0.8 * (X @ W + b))
    B = np.linalg.solve(H.T @ H + np.diag(penalty_diagonal(sums_of(H, X), 10.0)), H.T @ X)
    np.testing.assert_allclose(layer.outputs(X), sigmoid(0.7 * X @ B.T))


def test_a_learned_layer_has_no_bias():
    layer = learn_layer(normal(9, 3), 5, np.random.default_rng(0), penalty=1.0, encoder_slope=1.0, forward_slope=1.0)
    np.testing.assert_array_equal(layer.b, np.zeros(5))
    np.testing.assert_array_equal(layer.outputs(np.zeros((1, 3))), np.full((1, 5), 0.5))


def test_a_layer_of_another_size_asks_for_its_penalty():
    with pytest.raises(ValueError, match="ELM-AE: 6 inputs to 4 nodes need a penalty above 0; got None"):
        learn_layer(normal(9, 6), 4, np.random.default_rng(0), penalty=None, encoder_slope=1.0, forward_slope=1.0)
