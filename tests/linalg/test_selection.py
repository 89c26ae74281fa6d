"""The cross-validated surface equals three plain loops over folds, node counts and λ."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from celm.linalg.layer import Layer
from celm.linalg.selection import Problem, best_choice, best_lambdas, correct_surface
from celm.models.elm.drawing import draw_layer
from celm.models.elm.options import WeightOptions

COUNTS = [1, 4, 10, 15]
LAMS = [10.0**e for e in range(-6, 5, 2)]
RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 3, 70)
X = RNG.normal(size=(70, 4)) + 0.8 * CODES[:, None]
T = np.where(CODES[:, None] == np.arange(3), 1.0, -1.0)
FOLDS = RNG.permutation(np.arange(70) % 3)


def layer_outputs(strategy, *, nested, layer):
    """Hidden outputs of all rows, drawn as the classifier does it: per fold from its training rows alone."""

    def outputs(n_hidden, fold):
        rows = slice(None) if layer == "shared" else FOLDS != fold
        seed = 100 * (0 if layer == "shared" else fold + 1) + (0 if nested else n_hidden)
        return Layer(*draw_layer(X[rows], CODES[rows], strategy, n_hidden, seed, WeightOptions())).outputs(X)

    return outputs


def naive_surface(outputs, layer):
    surface = np.zeros((len(COUNTS), len(LAMS)), dtype=int)
    for fold in range(3):
        train, held_out = FOLDS != fold, FOLDS == fold
        for i, L in enumerate(COUNTS):
            H = outputs(L, fold if layer == "per_fold" else None)
            for j, lam in enumerate(LAMS):
                A = np.eye(L) / lam + H[train].T @ H[train]
                scores = H[held_out] @ np.linalg.solve(A, H[train].T @ T[train])
                surface[i, j] += (scores.argmax(axis=1) == CODES[held_out]).sum()
    return surface


@pytest.mark.parametrize("layer", ["shared", "per_fold"])
@pytest.mark.parametrize(
    ("strategy", "nested"), [("cdelm", True), ("cmelm", True), ("cselm", False), ("orthogonal_elm", False)]
)
def test_surface_equals_plain_loops(strategy, nested, layer):
    outputs = layer_outputs(strategy, nested=nested, layer=layer)
    surface = correct_surface(outputs, Problem(T, CODES, FOLDS, COUNTS, LAMS), nested=nested, layer=layer)
    assert_array_equal(surface, naive_surface(outputs, layer))
    assert surface.max() > len(CODES) / 2 > surface.min()


@pytest.mark.parametrize(("layer", "nested", "expected"), [
    ("shared", True, [(15, None)]),
    ("shared", False, [(L, None) for L in COUNTS]),
    ("per_fold", True, [(15, fold) for fold in range(3)]),
    ("per_fold", False, [(L, fold) for fold in range(3) for L in COUNTS]),
])  # fmt: skip
def test_every_layer_is_computed_once(layer, nested, expected):
    outputs, calls = layer_outputs("elm", nested=nested, layer=layer), []

    def counted(n_hidden, fold):
        calls.append((n_hidden, fold))
        return outputs(n_hidden, fold)

    correct_surface(counted, Problem(T, CODES, FOLDS, COUNTS, LAMS), nested=nested, layer=layer)
    assert calls == expected


def test_a_surface_sums_its_folds():
    outputs = layer_outputs("selm", nested=True, layer="shared")
    two_folds = correct_surface(outputs, Problem(T, CODES, FOLDS % 2, COUNTS, LAMS), nested=True)
    swapped = correct_surface(outputs, Problem(T, CODES, 1 - FOLDS % 2, COUNTS, LAMS), nested=True)
    assert_array_equal(two_folds, swapped)
    assert two_folds.max() <= len(CODES)


def test_ties_go_to_fewer_nodes_then_to_the_smaller_lambda():
    surface = np.array([[3, 5, 5], [7, 9, 9], [9, 9, 2]])
    assert best_choice(surface, [5, 10, 15], [0.1, 1.0, 10.0]) == (10, 1.0, 9)
    assert best_lambdas(surface, [5, 10, 15], [0.1, 1.0, 10.0]) == [(5, 1.0, 5), (10, 1.0, 9), (15, 0.1, 9)]
    assert best_choice(np.full((3, 3), 4), [5, 10, 15], [0.1, 1.0, 10.0]) == (5, 0.1, 4)
