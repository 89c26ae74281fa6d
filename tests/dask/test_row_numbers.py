"""Samples and folds by row number: uniform, balanced, and the same however the rows are cut."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celm.base.seeds import seed_of
from celm.base.validation import check_folds
from celm.dask import row_numbers
from celm.dask.row_numbers import fold_numbers, sample_numbers


def test_a_sample_is_made_of_different_rows_in_their_order_and_follows_its_seed():
    numbers = sample_numbers(10**9, 2000, seed=3)
    assert (np.diff(numbers) > 0).all()
    assert 0 <= numbers[0] <= numbers[-1] < 10**9
    np.testing.assert_array_equal(numbers, sample_numbers(10**9, 2000, seed=3))
    assert not np.array_equal(numbers, sample_numbers(10**9, 2000, seed=4))


def test_every_row_is_as_likely_as_any_other_to_be_sampled():
    hits = np.zeros(40)
    for seed in range(2000):
        hits[sample_numbers(40, 10, seed)] += 1
    # 2000 draws of 10 in 40: each row 500 times, with a standard deviation of √(2000·¼·¾) ≈ 19.4.
    assert np.abs(hits - 500).max() < 4.5 * 19.4


@given(data=st.data(), n_rows=st.integers(1, 400), n_folds=st.integers(2, 7), seed=st.integers(0, 2**63))
def test_folds_of_pieces_are_the_pieces_of_the_folds(data, n_rows, n_folds, seed):
    cuts = sorted({0, n_rows, *data.draw(st.lists(st.integers(0, n_rows), max_size=5))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_numbers, "FOLD_BLOCK", 64)
        whole = fold_numbers(np.arange(n_rows), n_rows, n_folds, seed)
        pieces = [fold_numbers(np.arange(a, b), n_rows, n_folds, seed) for a, b in pairwise(cuts)]
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    sizes = np.bincount(whole, minlength=n_folds)
    assert sizes.max() - sizes.min() <= 1


@given(n_rows=st.integers(1, 400), seed=st.integers(0, 2**63), picked=st.sets(st.integers(0, 399)))
def test_folds_of_a_sample_are_the_folds_of_its_rows(n_rows, seed, picked):
    numbers = np.array(sorted(number for number in picked if number < n_rows), dtype=np.intp)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_numbers, "FOLD_BLOCK", 64)
        whole = fold_numbers(np.arange(n_rows), n_rows, 3, seed)
        np.testing.assert_array_equal(fold_numbers(numbers, n_rows, 3, seed), whole[numbers])


def test_up_to_one_block_folds_are_those_of_a_local_search():
    local = check_folds(3, 1000, np.random.default_rng(seed_of(11, "folds")), "test")
    np.testing.assert_array_equal(fold_numbers(np.arange(1000), 1000, 3, seed=11), local)


def test_blocks_are_shuffled_each_by_itself(monkeypatch):
    monkeypatch.setattr(row_numbers, "FOLD_BLOCK", 60)
    folds = fold_numbers(np.arange(180), 180, 3, seed=0).reshape(3, 60)
    assert not np.array_equal(folds[0], folds[1])
    assert not np.array_equal(folds[1], folds[2])
