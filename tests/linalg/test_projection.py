"""Scores by blocks are those of the whole H; rows that give none are refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from celm.linalg.blocks import Pass
from celm.linalg.layer import Layer
from celm.linalg.projection import project, project_single, row_scores
from celm.linalg.solve import readout_scores

RNG = np.random.default_rng(11)
X, W, b, B = (RNG.standard_normal(shape) for shape in ((2003, 12), (12, 31), 31, (31, 7)))


@pytest.mark.parametrize("precision", ["double", "single_products"])
@pytest.mark.parametrize("block_rows", [1, 300, None])
def test_projection_gives_the_scores_of_every_row(block_rows, precision):
    scores = project(Layer(W, b, precision=precision), X, B, how=Pass(block_rows))
    np.testing.assert_allclose(scores, expit(X @ W + b) @ B, atol=1e-12 if precision == "double" else 1e-4)


@pytest.mark.parametrize("place", [0, 1000, 2002])
def test_rows_whose_products_are_not_finite_are_shown(place):
    spoilt, shown = X.copy(), []
    spoilt[place, 3] = np.nan
    project(Layer(W, b), spoilt, B, how=Pass(500), refuse=shown.append)
    assert len(shown) == 1
    assert np.isnan(shown[0]).any()


@pytest.mark.parametrize("nodes", [1, 31, 300])
@pytest.mark.parametrize("block_rows", [1, 300, None])
def test_scores_in_single_precision_are_off_by_its_rounding_alone(block_rows, nodes):
    weights, biases, readout = (
        RNG.standard_normal((12, nodes)),
        RNG.standard_normal(nodes),
        RNG.standard_normal((nodes, 7)),
    )
    rows = X.astype(np.float32)
    scores = project_single(Layer(weights, biases), rows, readout, how=Pass(block_rows))
    error = np.abs(scores - project(Layer(weights, biases), rows, readout))
    assert scores.dtype == np.float64
    assert 0 < error.max() < 1e-6 * np.abs(readout).sum(axis=0).max()


BEYOND = {
    "readout": (1.0, 1.0, 1e33),
    "weights": (1.0, 1e33, 1.0),
    "weights that vanish": (1e30, 1e-36, 1.0),
    "products": (1e25, 1e20, 1.0),
    "identity": (1.0, 1.0, 1.0),
}


@pytest.mark.parametrize("what", BEYOND)
def test_what_single_precision_cannot_hold_is_left_to_double(what):
    of_rows, of_weights, of_readout = BEYOND[what]
    layer = Layer(of_weights * W, b, "identity" if what == "identity" else "sigmoid", "single_products")
    rows, readout = (of_rows * X).astype(np.float32), of_readout * B
    assert project_single(layer, rows, readout) is None
    many = np.tile(rows, (10, 1))
    np.testing.assert_array_equal(readout_scores(layer, many, readout), project(layer.in_double(), many, readout))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_rows_in_single_precision_that_are_not_finite_are_shown(bad):
    rows, shown = np.tile(X, (10, 1)).astype(np.float32), []
    rows[4321, 5] = bad
    readout_scores(Layer(W, b, precision="mixed"), rows, B, shown.append)
    assert len(shown) == 1
    assert not np.isfinite(shown[0]).all()


def test_a_readout_of_zeros_scores_zero_in_single_precision_too():
    scores = project_single(Layer(W, b), X.astype(np.float32), np.zeros_like(B))
    np.testing.assert_array_equal(scores, np.zeros((len(X), B.shape[1])))


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_a_single_row_has_the_scores_that_it_has_among_others(kind):
    rows, refused = X[:40].astype(kind), []
    alone = np.concatenate([row_scores(rows[[i]], W, b, B, refused.append) for i in range(40)])
    np.testing.assert_allclose(alone, expit(rows @ W + b) @ B, rtol=1e-12, atol=1e-12)
    assert refused == []


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e308])
def test_a_single_row_beyond_double_precision_is_refused_in_silence(bad):
    refused = []
    row = np.array([[0.0, bad, 1.0]])
    row_scores(row, np.full((3, 4), 10.0), np.zeros(4), np.ones((4, 1)), refused.append)
    assert refused == [row]
