"""Orthogonal ELM's draw: orthonormal, with signs that no processor decides."""

import os
import subprocess
import sys

import numpy as np
import pytest

from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies.orthogonal_elm import STRATEGY, with_fixed_signs

DRAW = """
import hashlib
import numpy as np
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies.orthogonal_elm import STRATEGY
options = WeightOptions(orthogonal_signs="largest_positive")
for L in (10, 15, 60, 200):
    W, b = STRATEGY(np.zeros((0, 30)), None, L, np.random.default_rng(3), options)
    print(hashlib.sha256((W > 0).tobytes()).hexdigest())
"""


@pytest.mark.parametrize("n_hidden", [5, 30, 80])
def test_vectors_are_orthonormal_and_their_largest_entry_is_positive(n_hidden):
    W, b = STRATEGY(
        np.zeros((0, 30)), None, n_hidden, np.random.default_rng(0), WeightOptions(orthogonal_signs="largest_positive")
    )
    vectors = W.T if n_hidden <= 30 else W
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(len(vectors)), atol=1e-12)
    assert (vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)] > 0).all()
    assert np.linalg.norm(b) == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [(6, 4), (4, 6)])
def test_flipped_vectors_are_turned_back(shape):
    W = np.random.default_rng(1).normal(size=shape)
    flips = np.where(np.random.default_rng(2).random(min(shape)) < 0.5, -1.0, 1.0)
    flipped = W * (flips if shape[1] <= shape[0] else flips[:, None])
    np.testing.assert_array_equal(with_fixed_signs(flipped), with_fixed_signs(W))


@pytest.mark.heavy
def test_kernels_of_other_processors_draw_the_same_signs():
    drawn = {
        core: subprocess.run(
            [sys.executable, "-c", DRAW], env={**os.environ, "OPENBLAS_CORETYPE": core}, capture_output=True, text=True
        ).stdout
        for core in ("Haswell", "Sandybridge")
    }
    assert len(drawn["Haswell"].split()) == 4
    assert drawn["Haswell"] == drawn["Sandybridge"]
