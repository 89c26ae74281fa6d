"""The choice of BP's node count on held-out rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.bp_cv import BPClassifierCV


@parametrize_with_checks([BPClassifierCV((5, 20), random_state=0)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def rings():
    """Three concentric rings: one or two tanh nodes cannot separate them."""
    rng = np.random.default_rng(0)
    y, angle = rng.integers(0, 3, 300), rng.uniform(0, 2 * np.pi, 300)
    radius = 1.0 + y + 0.2 * rng.standard_normal(300)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y


def test_keeps_the_candidate_with_the_best_validation_accuracy(rings):
    X, y = rings
    model = BPClassifierCV((1, 2, 12, 30), random_state=0).fit(X, y)
    best = int(np.argmax(model.validation_accuracies_))
    assert len(model.validation_accuracies_) == 4
    assert model.n_hidden_ == (1, 2, 12, 30)[best] >= 12
    assert model.validation_accuracy_ == model.validation_accuracies_[best]
    assert model.score(X, y) > 0.9 > model.validation_accuracies_[0]


def test_candidates_share_their_held_out_rows_and_the_chosen_one_is_an_ordinary_fit(rings):
    X, y = rings
    model = BPClassifierCV((2, 12), max_epochs=60, random_state=3).fit(X, y)
    chosen = model.best_estimator_
    alone = [BPClassifier(n, max_epochs=60, random_state=chosen.random_state).fit(X, y) for n in (2, 12)]
    np.testing.assert_array_equal(alone[0].validation_rows_, alone[1].validation_rows_)
    assert [network.validation_accuracy_ for network in alone] == list(model.validation_accuracies_)
    same = alone[(2, 12).index(model.n_hidden_)]
    np.testing.assert_array_equal(same.decision_function(X), model.decision_function(X))
    assert (same.n_epochs_, same.best_epoch_, same.stop_reason_, same.loss_) == (
        model.n_epochs_,
        model.best_epoch_,
        model.stop_reason_,
        model.loss_,
    )


@pytest.mark.parametrize("grid", [(30, 10), (10, 30)])
def test_the_smallest_of_equally_accurate_candidates_is_kept(grid):
    X = np.vstack([np.random.default_rng(1).uniform(-1, 0, (40, 2)), np.random.default_rng(2).uniform(4, 5, (40, 2))])
    model = BPClassifierCV(grid, random_state=0).fit(X, np.repeat([0, 1], 40))
    np.testing.assert_array_equal(model.validation_accuracies_, [1.0, 1.0])
    assert model.n_hidden_ == 10


def test_seconds_of_the_chosen_fit_are_part_of_the_selection(rings):
    X, y = rings
    model = BPClassifierCV((2, 12), max_epochs=20, random_state=0).fit(X, y)
    assert 0 < model.fit_seconds_ < model.selection_seconds_


def test_the_seed_decides_the_choice_and_the_network(rings):
    X, y = rings
    first, again, other = (
        BPClassifierCV((5, 12), max_epochs=30, random_state=seed).fit(X, y).decision_function(X) for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("grid", [(), 20, "20", None])
def test_a_grid_must_be_a_list_of_node_counts(grid):
    with pytest.raises(ValueError, match="BPClassifierCV: n_hidden_grid must be a list of at least one node count"):
        BPClassifierCV(grid).fit(np.eye(4), [0, 1, 0, 1])


def test_a_node_count_must_be_positive():
    with pytest.raises(ValueError, match="every value of n_hidden_grid must be a whole number of at least 1; got 0"):
        BPClassifierCV((10, 0)).fit(np.eye(4), [0, 1, 0, 1])
