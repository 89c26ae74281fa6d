"""Stages and their answers, and the choice of settings on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_info, threadpool_limits

from celm.base.seeds import generator
from celm.models.baselines.dcn import DCNClassifier
from celm.models.baselines.r2svm import R2SVMClassifier
from celm.models.baselines.staged import HeldOutSearch, held_out_rows


@parametrize_with_checks([HeldOutSearch(DCNClassifier(2, 10), {"lam": [1.0, 1e3]}, random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("fraction", [0.2, 0.5, 0.85])
def test_every_class_gives_its_share_of_held_out_rows(fraction):
    codes = np.repeat([0, 1, 2], [40, 13, 2])
    held_out = held_out_rows(codes, fraction, np.random.default_rng(3))
    counts = [int(np.count_nonzero(held_out[codes == code])) for code in range(3)]
    assert counts == [int(fraction * 40), int(fraction * 13), int(fraction * 2)]


def test_held_out_rows_are_drawn_at_random():
    codes = np.zeros(1000, dtype=np.intp)
    masks = [held_out_rows(codes, 0.5, np.random.default_rng(seed)) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(masks[0], masks[1])
    assert 200 < np.count_nonzero(masks[0] != masks[2]) < 800
    assert 150 < np.count_nonzero(masks[0][:500]) < 350


def test_the_choice_is_that_of_fitting_every_candidate_on_the_rows_kept(rings):
    X, y = rings
    grid = {"beta": [0.0, 0.2, 1.0], "C": [1e-3, 10.0]}
    search = HeldOutSearch(R2SVMClassifier(4), grid, fraction=0.3, random_state=1).fit(X, y)
    seed = search.best_estimator_.random_state
    entropy = int(np.random.default_rng(1).integers(2**63))
    held_out = held_out_rows(np.searchsorted(search.classes_, y), 0.3, generator(entropy, "held out"))
    expected = np.array(
        [
            R2SVMClassifier(4, beta=beta, C=C, random_state=seed)
            .fit(X[~held_out], y[~held_out])
            .staged_accuracy(X[held_out], y[held_out])
            for beta in grid["beta"]
            for C in grid["C"]
        ]
    )
    np.testing.assert_array_equal(search.held_out_accuracy_, expected)
    best = int(expected[:, -1].argmax())
    assert (
        search.best_params_ == search.candidates_[best] == {"beta": grid["beta"][best // 2], "C": grid["C"][best % 2]}
    )
    refit = R2SVMClassifier(4, **search.best_params_, random_state=seed).fit(X, y)
    np.testing.assert_array_equal(search.decision_function(X), refit.decision_function(X))
    assert len(list(search.staged_predict(X))) == 4


def test_choosing_alone_decides_as_fitting_does_and_does_not_predict(rings):
    search = HeldOutSearch(DCNClassifier(2, 10), {"lam": [1.0, 1e3]}, random_state=4)
    chosen, fitted = clone(search).choose(*rings), search.fit(*rings)
    assert chosen.best_params_ == fitted.best_params_
    np.testing.assert_array_equal(chosen.held_out_accuracy_, fitted.held_out_accuracy_)
    with pytest.raises(NotFittedError):
        chosen.predict(rings[0])


def test_the_first_of_equal_candidates_wins_and_edges_are_named():
    X = np.vstack([np.random.default_rng(1).uniform(-2, -1, (20, 2)), np.random.default_rng(2).uniform(1, 2, (20, 2))])
    search = HeldOutSearch(R2SVMClassifier(2), {"C": [1.0, 2.0, 4.0], "beta": [0.1]}, random_state=0)
    search.fit(X, np.repeat([0, 1], 20))
    np.testing.assert_array_equal(search.held_out_accuracy_, np.ones((3, 2)))
    assert search.best_params_ == {"C": 1.0, "beta": 0.1}
    assert search.at_edge_ == ["C"]
    assert search.selection_seconds_ > 0 < search.fit_seconds_


@pytest.mark.parametrize(
    ("grid", "fraction", "message"),
    [
        ({}, 0.2, "HeldOutSearch: grid must name at least one parameter; got {}"),
        ({"betta": [1.0]}, 0.2, "grid may name C, beta, .* of R2SVMClassifier; got 'betta'. Did you mean 'beta'?"),
        ({"random_state": [1]}, 0.2, "grid may name .*; got 'random_state'"),
        ({"beta": 0.1}, 0.2, r"grid\['beta'\] must be a list of candidates; got 0.1"),
        ({"beta": []}, 0.2, r"grid\['beta'\] must be a list of candidates; got \[\]"),
        (
            {"beta": [0.1, -1.0]},
            0.2,
            r"R2SVMClassifier: beta must be a number of at least 0 .*; got -1\.0",
        ),
        ({"beta": [0.1]}, 0.0, "fraction must be a number above 0 and at most 0.9; got 0.0"),
    ],
)
def test_errors_name_the_parameter_and_what_came(grid, fraction, message):
    with pytest.raises(ValueError, match=message):
        HeldOutSearch(R2SVMClassifier(), grid, fraction=fraction).check_parameters()


def test_a_fraction_that_holds_out_no_row_is_an_error():
    search = HeldOutSearch(R2SVMClassifier(2), {"beta": [0.1]}, fraction=0.2)
    with pytest.raises(ValueError, match=r"fraction=0.2 holds out no row of classes of at most 4 rows; .* least 0.25"):
        search.fit(np.eye(8), np.arange(8) % 2)


@pytest.mark.parametrize("n_threads", [2, 3])
def test_the_number_of_threads_changes_no_candidate(rings, n_threads):
    X, y = rings
    found = []
    for limit in (1, n_threads):
        with threadpool_limits(limit, user_api="blas"):
            search = HeldOutSearch(R2SVMClassifier(3), {"beta": [0.1, 0.3, 0.5], "C": [1.0, 10.0]}, random_state=0)
            found.append(search.choose(X, y).held_out_accuracy_)
            assert max(pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas") == limit
    np.testing.assert_array_equal(*found)
