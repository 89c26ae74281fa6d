"""Noise on training rows: as much as asked for, on the same rows for every share."""

import numpy as np
import pytest

from celm.datasets.noise import flipped_labels, noisy_rows

LABELS = np.repeat(["a", "b", "c"], [60, 30, 10])
ROWS = np.random.default_rng(1).normal(size=(100, 3)) * [1.0, 5.0, 0.0]


def rng():
    return np.random.default_rng(7)


def test_as_many_labels_are_wrong_as_asked_and_they_are_among_the_classes():
    flipped = flipped_labels(LABELS, 0.3, rng())
    assert (flipped != LABELS).sum() == 30
    assert set(flipped) == {"a", "b", "c"}
    assert set(flipped[:60]) == {"a", "b", "c"}


def test_a_smaller_share_flips_some_of_the_same_labels_the_same_way():
    less, more = flipped_labels(LABELS, 0.1, rng()), flipped_labels(LABELS, 0.3, rng())
    wrong = less != LABELS
    assert (less[wrong] == more[wrong]).all()


def test_no_share_changes_nothing_and_the_input_is_kept():
    labels, rows = LABELS.copy(), ROWS.copy()
    assert (flipped_labels(labels, 0.0, rng()) == LABELS).all()
    assert (noisy_rows(rows, 0.0, rng()) == ROWS).all()
    flipped_labels(labels, 0.5, rng())
    noisy_rows(rows, 0.5, rng())
    assert (labels == LABELS).all()
    assert (rows == ROWS).all()


def test_one_class_cannot_be_mistaken():
    with pytest.raises(ValueError, match="at least two classes; got 1"):
        flipped_labels(np.zeros(4), 0.5, rng())


def test_noise_is_as_strong_as_each_feature_on_the_same_rows_for_every_share():
    less, more = noisy_rows(ROWS, 0.2, rng()) - ROWS, noisy_rows(ROWS, 0.8, rng()) - ROWS
    touched = less.any(axis=1)
    assert touched.sum() == 20
    np.testing.assert_array_equal(less[touched], more[touched])
    spread = more[more.any(axis=1)].std(axis=0) / ROWS.std(axis=0).clip(min=1e-300)
    assert spread[:2] == pytest.approx([1.0, 1.0], abs=0.25)
    assert (more[:, 2] == 0).all()
