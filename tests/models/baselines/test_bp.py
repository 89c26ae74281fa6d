"""The BP classifier: targets, early stopping, seeds and what it can learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.models.baselines.bp import BPClassifier, class_scores, min_max_scaling, network_targets


@parametrize_with_checks(
    [
        BPClassifier(random_state=0),
        BPClassifier(10, targets="class_index", early_stopping=False, max_epochs=100, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def ten_blobs(n_per_class: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Ten Gaussian classes with the same centres for every seed, in no order that a single axis could follow."""
    centres = np.random.default_rng(0).uniform(-1, 1, (10, 8))
    y = np.repeat(np.arange(10), n_per_class)
    return centres[y] + 0.2 * np.random.default_rng(seed).standard_normal((len(y), 8)), y


def two_spirals(n_rows: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    radius, y = np.sqrt(rng.uniform(0.05, 1, n_rows)), rng.integers(0, 2, n_rows)
    angle = 2 * np.pi * radius + np.pi * y
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), y


def test_one_hot_targets_and_their_scores():
    codes = np.array([2, 0])
    np.testing.assert_array_equal(network_targets(codes, 3, "one_hot"), [[-1, -1, 1], [1, -1, -1]])
    outputs = np.array([[0.1, 0.9, -0.5]])
    np.testing.assert_array_equal(class_scores(outputs, 3, "one_hot"), outputs)


def test_class_index_targets_come_back_as_rounded_and_clipped_indices():
    codes = np.arange(5)
    targets = network_targets(codes, 5, "class_index")
    np.testing.assert_array_equal(targets, [[-1], [-0.5], [0], [0.5], [1]])
    outputs = np.linspace(-1.9, 1.8, 60)[:, None]
    rounded = np.clip(np.rint((outputs[:, 0] + 1) / 2 * 4), 0, 4)
    np.testing.assert_array_equal(class_scores(outputs, 5, "class_index").argmax(axis=1), rounded)


def test_min_max_scaling_maps_columns_to_the_unit_interval_and_constants_to_zero():
    X = np.array([[1.0, 5.0], [3.0, 5.0], [7.0, 5.0]])
    centre, half_range = min_max_scaling(X)
    np.testing.assert_allclose((X - centre) / half_range, [[-1, 0], [-1 / 3, 0], [1, 0]])


def test_solves_exclusive_or():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = np.array(["same", "different", "different", "same"])
    model = BPClassifier(6, early_stopping=False, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.loss_ < 1e-3


def test_learns_two_spirals_on_unseen_rows():
    rng = np.random.default_rng(1)
    X, y = two_spirals(600, rng)
    model = BPClassifier(20, random_state=0).fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.97


def test_more_epochs_fit_a_separable_set_better():
    X, y = ten_blobs(12, 2)
    losses = [
        BPClassifier(max_epochs=n, early_stopping=False, random_state=0).fit(X, y).loss_ for n in (1, 10, 50, 200)
    ]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.01


def test_class_index_targets_collapse_on_ten_classes_and_not_on_two():
    (X, y), (X_test, y_test) = ten_blobs(40, 3), ten_blobs(20, 4)
    one_hot = BPClassifier(10, random_state=0)
    index = BPClassifier(10, targets="class_index", early_stopping=False, max_epochs=100, random_state=0)
    assert one_hot.fit(X, y).score(X_test, y_test) > 0.9
    assert index.fit(X, y).score(X_test, y_test) < 0.85
    two, two_test = y < 2, y_test < 2
    assert index.fit(X[two], y[two]).score(X_test[two_test], y_test[two_test]) > 0.95


def test_held_out_rows_are_a_fifth_and_do_not_train():
    """Changing the labels of held-out rows changes when training stops, never the path it takes."""
    X, y = ten_blobs(10, 5)
    model = BPClassifier(max_epochs=5, random_state=0).fit(X, y)
    held_out = model.validation_rows_
    assert len(held_out) == 20
    relabelled = y.copy()
    relabelled[held_out] = (y[held_out] + 3) % 10
    other = BPClassifier(max_epochs=5, random_state=0).fit(X, relabelled)
    np.testing.assert_array_equal(other.validation_rows_, held_out)
    same_epoch = BPClassifier(max_epochs=other.best_epoch_, random_state=0).fit(X, y)
    assert other.best_epoch_ == same_epoch.best_epoch_ > 0
    np.testing.assert_array_equal(other.layers_.W, same_epoch.layers_.W)


def test_validation_accuracy_is_that_of_the_kept_weights():
    X, y = ten_blobs(20, 6)
    model = BPClassifier(12, patience=5, random_state=1).fit(X, y)
    rows = model.validation_rows_
    assert model.stop_reason_ == "validation"
    assert model.n_epochs_ == model.best_epoch_ + 5
    assert model.validation_accuracy_ == model.score(X[rows], y[rows])


def test_without_early_stopping_no_row_is_held_out():
    X, y = ten_blobs(5, 7)
    model = BPClassifier(early_stopping=False, max_epochs=20, random_state=0).fit(X, y)
    assert model.validation_accuracy_ is None
    assert len(model.validation_rows_) == 0
    assert (model.n_epochs_, model.best_epoch_, model.stop_reason_) == (20, 20, "max_epochs")


def test_the_seed_decides_the_network():
    X, y = ten_blobs(10, 8)
    first, again, other = (BPClassifier(random_state=seed, max_epochs=30).fit(X, y) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.layers_.W, again.layers_.W)
    assert not np.array_equal(first.layers_.W, other.layers_.W)


def test_shifting_and_scaling_the_inputs_changes_nothing():
    X, y = ten_blobs(10, 9)
    model = BPClassifier(max_epochs=30, random_state=0)
    plain = model.fit(X, y).decision_function(X)
    moved = model.fit(4 * X + 8, y).decision_function(4 * X + 8)
    np.testing.assert_allclose(moved, plain, atol=1e-9)


def test_the_network_sees_the_rows_given_to_fit_between_minus_one_and_one():
    X, y = ten_blobs(10, 11)
    model = BPClassifier(max_epochs=2, random_state=0).fit(X, y)
    seen = (X - model.centre_) / model.half_range_
    np.testing.assert_allclose(seen.min(axis=0), -1)
    np.testing.assert_allclose(seen.max(axis=0), 1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_hidden": 0}, "BPClassifier: n_hidden must be a whole number of at least 1; got 0"),
        ({"targets": "onehot"}, "targets must be one of one_hot, class_index; got 'onehot'. Did you mean 'one_hot'"),
        ({"max_epochs": 0}, "max_epochs must be a whole number of at least 1; got 0"),
        ({"early_stopping": 1}, "early_stopping must be true or false; got 1"),
        ({"validation_fraction": 0.0}, "validation_fraction must be a number above 0 and at most 1; got 0.0"),
        ({"validation_fraction": 0.99}, "leave at least one of the rows for training; got 0.99 with n_samples=20"),
        ({"patience": -1}, "patience must be a whole number of at least 1; got -1"),
    ],
)
def test_errors_name_the_parameter_and_what_came(parameters, message):
    X, y = ten_blobs(2, 10)
    with pytest.raises(ValueError, match=message):
        BPClassifier(**parameters).fit(X, y)


def test_one_class_is_an_error():
    with pytest.raises(ValueError, match="BPClassifier: a classifier needs at least two classes"):
        BPClassifier().fit(np.eye(4), np.ones(4, dtype=int))
