"""The RBF kernel by Nyström's method: exact with all rows as landmarks, blocks and paths that change nothing."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.base.seeds import generator
from celm.models.baselines import nystroem
from celm.models.baselines.nystroem import NystroemClassifier, check_candidates, choose_kernel, draw_map
from celm.models.baselines.staged import held_out_rows


@parametrize_with_checks([NystroemClassifier(20, random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_with_every_row_a_landmark_it_is_kernel_ridge_regression(rings):
    X, y = rings[0][:60], rings[1][:60]
    model = NystroemClassifier(1000, gamma_scale=8.0, lam=5.0, random_state=0).fit(X, y)
    T = np.where(y[:, None] == model.classes_, 1.0, -1.0)
    exact = KernelRidge(alpha=1 / 5.0, kernel="rbf", gamma=8.0 / 2).fit(X, T)
    np.testing.assert_allclose(model.decision_function(rings[0]), exact.predict(rings[0]), atol=1e-6)


def test_sums_and_scores_by_blocks_are_those_of_the_features(rings, monkeypatch):
    X = rings[0]
    T, beta = np.random.default_rng(1).standard_normal((240, 3)), np.random.default_rng(2).standard_normal((30, 2))
    monkeypatch.setattr(nystroem, "BLOCK_ROWS", 37)
    Phi = Nystroem(gamma=0.5, n_components=30, random_state=7).fit_transform(X)
    kernel_map = draw_map(X, 30, 1.0, 7)
    gram, moment = kernel_map.sums(X, T)
    np.testing.assert_allclose(np.tril(gram), np.tril(Phi.T @ Phi), atol=1e-7)
    np.testing.assert_allclose(moment, Phi.T @ T, atol=1e-7)
    np.testing.assert_allclose(kernel_map.scores(X, beta), Phi @ beta, atol=1e-7)


def test_landmarks_are_training_rows_and_depend_on_the_seed_alone(rings):
    X, _ = rings
    first, same, other = (draw_map(X, 20, scale, seed).landmarks for scale, seed in ((1.0, 0), (3.0, 0), (1.0, 1)))
    np.testing.assert_array_equal(first, same)
    assert not np.array_equal(first, other)
    assert {tuple(row) for row in first} <= {tuple(row) for row in X}
    assert len(draw_map(X, 1000, 1.0, 0).landmarks) == 240


def test_it_tells_rings_apart(rings):
    model = NystroemClassifier(60, gamma_scale=1.0, lam=10.0, random_state=0).fit(rings[0][:160], rings[1][:160])
    assert model.score(rings[0][160:], rings[1][160:]) > 0.9


def test_the_choice_is_that_of_fitting_every_candidate_on_the_rows_kept(rings, monkeypatch):
    X, y = rings
    scales, lams = [0.05, 1.0, 20.0], [1e-3, 1.0, 1e3]
    choice = choose_kernel(X, y, 40, scales, lams, fraction=0.25, random_state=5)
    entropy = int(np.random.default_rng(5).integers(2**63))
    held_out = held_out_rows(np.unique(y, return_inverse=True)[1], 0.25, generator(entropy, "held out"))
    seed = nystroem._map_seed(entropy)
    monkeypatch.setattr(nystroem, "_map_seed", lambda entropy: seed)
    expected = [
        [
            NystroemClassifier(40, gamma_scale=scale, lam=lam)
            .fit(X[~held_out], y[~held_out])
            .score(X[held_out], y[held_out])
            for lam in lams
        ]
        for scale in scales
    ]
    np.testing.assert_allclose(choice.accuracy, expected)
    best = np.unravel_index(np.argmax(expected), (3, 3))
    assert (choice.gamma_scale, choice.lam) == (scales[best[0]], lams[best[1]])
    assert choice.at_edge == [name for name, place in zip(("gamma_scale", "lam"), best, strict=True) if place != 1]


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        ((0, [1.0], [1.0], 0.2), "NystroemClassifier: n_components must be .* at least 1; got 0"),
        ((5, [], [1.0], 0.2), "choose_kernel: gamma_scales must hold at least one candidate; got none"),
        ((5, [-1.0], [1.0], 0.2), "gamma_scale must be a number above 0; got -1.0"),
        ((5, [1.0], [1.0, 0.0], 0.2), "lam must be a number of at least 1e-150; got 0.0"),
        ((5, [1.0], [1.0], 0.0), "choose_kernel: fraction must be a number above 0 and at most 0.9; got 0.0"),
    ],
)
def test_errors_name_the_candidate_and_what_came(candidates, message):
    with pytest.raises(ValueError, match=message):
        check_candidates(*candidates)


def test_a_fraction_that_holds_out_no_row_names_the_choice():
    with pytest.raises(ValueError, match=r"choose_kernel: fraction=0.2 holds out no row"):
        choose_kernel(np.eye(8), np.arange(8) % 2, 4, fraction=0.2)


def test_distances_that_are_rounding_alone_are_refused_and_far_rows_are_answered():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    for scale, rows in ((1e308, X), (1e15, X), (0.1, 1e9 * X)):
        with pytest.raises(ValueError, match=r"γ‖x‖² must be at most 4\.5036e\+13, or .* is rounding alone"):
            NystroemClassifier(20, gamma_scale=scale, random_state=0).fit(rows, y)
    fitted = NystroemClassifier(20, gamma_scale=1e10, random_state=0).fit(X, y)
    with np.errstate(all="raise", under="ignore"):
        assert set(fitted.predict(1e149 * X)) <= {0, 1}
