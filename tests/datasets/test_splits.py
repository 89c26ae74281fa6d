"""Splits partition the rows, have the stated sizes and come from their generator alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celm.datasets.splits import duplicate_groups, fold_ids, split_rows


@settings(max_examples=60, deadline=None)
@given(n_rows=st.integers(3, 400), seed=st.integers(0, 2**32))
def test_two_thirds_train_and_every_row_is_used_once(n_rows, seed) -> None:
    train, test = split_rows(n_rows, rng=np.random.default_rng(seed))
    assert len(train) == round(2 * n_rows / 3)
    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(n_rows))


def test_the_papers_sets() -> None:
    rng = np.random.default_rng(0)
    assert [len(split_rows(n, rng=rng)[0]) for n in (569, 2000, 5000)] == [379, 1333, 3333]


def test_split_is_the_generators() -> None:
    first, again, other = (split_rows(100, rng=np.random.default_rng(seed))[0] for seed in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@settings(max_examples=60, deadline=None)
@given(labels=st.lists(st.integers(0, 4), min_size=4, max_size=200), share=st.floats(0.3, 0.7), seed=st.integers(0, 99))
def test_stratified_shares_hold_up_to_one_row(labels, share, seed) -> None:
    y = np.array(labels)
    train, test = split_rows(len(y), rng=np.random.default_rng(seed), train_share=share, stratify=y)
    n_train = round(share * len(y))
    assert len(train) == n_train
    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    for label in np.unique(y):
        exact = np.sum(y == label) * n_train / len(y)
        assert abs(np.sum(y[train] == label) - exact) < 1


def test_stratified_draw_is_uniform_within_a_class() -> None:
    y = np.repeat([0, 1], [6, 3])
    chosen = np.zeros(9)
    rng = np.random.default_rng(3)
    for _ in range(3000):
        chosen[split_rows(9, rng=rng, stratify=y)[0]] += 1
    np.testing.assert_allclose(chosen / 3000, 2 / 3, atol=0.04)


@settings(max_examples=60, deadline=None)
@given(n_folds=st.integers(2, 10), extra=st.integers(0, 200), seed=st.integers(0, 99))
def test_folds_are_balanced(n_folds, extra, seed) -> None:
    ids = fold_ids(n_folds + extra, n_folds, np.random.default_rng(seed))
    sizes = np.bincount(ids, minlength=n_folds)
    assert len(ids) == n_folds + extra
    assert len(sizes) == n_folds
    assert sizes.max() - sizes.min() <= 1


def test_folds_are_shuffled() -> None:
    ids = fold_ids(300, 3, np.random.default_rng(0))
    assert not np.array_equal(ids, np.arange(300) % 3)


def test_wrong_arguments_are_named() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match=r"train_share must leave rows on both sides; 0\.01 of 10 rows is 0"):
        split_rows(10, rng=rng, train_share=0.01)
    with pytest.raises(ValueError, match="train_share must be a number"):
        split_rows(10, rng=rng, train_share=1.5)
    with pytest.raises(ValueError, match="n_rows must be a whole number of at least 2"):
        split_rows(1, rng=rng)
    with pytest.raises(ValueError, match=r"stratify must hold 10 labels, one per row; got shape \(9,\)"):
        split_rows(10, rng=rng, stratify=np.zeros(9))
    with pytest.raises(ValueError, match="n_folds must be a whole number of at least 2"):
        fold_ids(10, 1, rng)
    with pytest.raises(ValueError, match="n_rows must be a whole number of at least 4"):
        fold_ids(3, 4, rng)


GROUPS = st.lists(st.integers(0, 12), min_size=6, max_size=120).filter(lambda found: len(set(found)) > 1)


@settings(max_examples=80, deadline=None)
@given(groups=GROUPS, share=st.floats(0.3, 0.7), seed=st.integers(0, 99), classes=st.integers(1, 3))
def test_groups_stay_on_one_side_near_the_share(groups, share, seed, classes) -> None:
    groups = np.array(groups)
    y = groups % classes
    train, test = split_rows(len(y), rng=np.random.default_rng(seed), train_share=share, stratify=y, groups=groups)
    assert not set(groups[train]) & set(groups[test])
    assert len(train)
    assert len(test)
    np.testing.assert_array_equal(np.sort(np.concatenate([train, test])), np.arange(len(y)))
    largest = np.bincount(groups).max()
    assert abs(len(train) - share * len(y)) <= classes * largest


def test_groups_of_one_row_give_the_share() -> None:
    train, test = split_rows(300, rng=np.random.default_rng(0), groups=np.arange(300))
    assert (len(train), len(test)) == (200, 100)


def test_every_group_trains_as_often_as_its_share() -> None:
    groups = np.repeat(np.arange(6), [5, 1, 1, 1, 1, 3])
    rng = np.random.default_rng(3)
    trained = np.zeros(6)
    for _ in range(2000):
        trained[np.unique(groups[split_rows(12, rng=rng, train_share=0.5, groups=groups)[0]])] += 1
    np.testing.assert_allclose(trained / 2000, 0.5, atol=0.12)


def test_one_group_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="all rows are in one group"):
        split_rows(4, rng=np.random.default_rng(0), groups=[1, 1, 1, 1])
    with pytest.raises(ValueError, match="groups must hold 4 numbers, one per row"):
        split_rows(4, rng=np.random.default_rng(0), groups=[1, 2])


@settings(max_examples=60, deadline=None)
@given(groups=GROUPS, seed=st.integers(0, 99))
def test_folds_keep_groups_whole_and_balanced(groups, seed) -> None:
    groups = np.array(groups)
    ids = fold_ids(len(groups), 2, np.random.default_rng(seed), groups)
    assert all(len(set(ids[groups == group])) == 1 for group in groups)
    sizes = np.bincount(ids, minlength=2)
    assert sizes.min() > 0
    assert sizes.max() - sizes.min() <= np.bincount(groups).max()


def test_equal_rows_are_one_group() -> None:
    X = np.array([[0.0, 1.0], [-0.0, 1.0], [2.0, 3.0], [0.0, 1.0]])
    assert duplicate_groups(X).tolist() == [0, 0, 1, 0]
    assert duplicate_groups(np.zeros((2, 3, 3), dtype=np.uint8)).tolist() == [0, 0]
