"""Scores by blocks are those of the whole H; rows that give none are refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from celm.linalg.blocks import Pass
from celm.linalg.layer import Layer
from celm.linalg.projection import project

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
