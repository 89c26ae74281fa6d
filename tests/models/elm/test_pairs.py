"""Pairs of training rows follow the law of two uniform indices redrawn until their classes fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import chi2_contingency, chisquare

from celm.models.elm.pairs import (
    PAIR_DRAWS,
    ClassIndex,
    any_pairs,
    between_class_pairs,
    single_samples,
    within_class_pairs,
)

CODES = np.array([0, 1, 1, 2, 0, 2, 2, 2, 1, 2])
N_DRAWS = 20_000
SMALLEST_P = 1e-3

label_codes = st.lists(st.integers(0, 4), min_size=2, max_size=30).map(
    lambda codes: np.unique(codes, return_inverse=True)[1]
)


def pair_counts(first, second, n_rows):
    """How often each ordered pair of rows came (n_rows × n_rows)."""
    return np.bincount(first * n_rows + second, minlength=n_rows**2).reshape(n_rows, n_rows)


def rejection_counts(valid, seed):
    """The same from two uniform indices, kept where ``valid`` (n_rows × n_rows) allows the pair."""
    first, second = np.random.default_rng(seed).integers(len(valid), size=(2, 8 * N_DRAWS))
    kept = valid[first, second]
    return pair_counts(first[kept][:N_DRAWS], second[kept][:N_DRAWS], len(valid))


def assert_same_law(drawn, expected_counts, valid):
    assert drawn[~valid].sum() == 0
    assert chi2_contingency([drawn[valid], expected_counts[valid]]).pvalue > SMALLEST_P
    assert chisquare(drawn[valid]).pvalue > SMALLEST_P


SAME_CLASS = CODES[:, None] == CODES[None, :]
OTHER_ROW = ~np.eye(len(CODES), dtype=bool)


def test_differing_pairs_are_uniform_as_redrawn_indices_are():
    first, second = between_class_pairs(ClassIndex(CODES), N_DRAWS, np.random.default_rng(0), "samples")
    assert_same_law(pair_counts(first, second, len(CODES)), rejection_counts(~SAME_CLASS, 1), ~SAME_CLASS)


@pytest.mark.parametrize("same_sample", [True, False])
def test_matching_pairs_are_uniform_as_redrawn_indices_are(same_sample):
    valid = SAME_CLASS if same_sample else SAME_CLASS & OTHER_ROW
    first, second = within_class_pairs(ClassIndex(CODES), N_DRAWS, np.random.default_rng(2), "samples", same_sample)
    assert_same_law(pair_counts(first, second, len(CODES)), rejection_counts(valid, 3), valid)


@pytest.mark.parametrize("same_sample", [True, False])
def test_pairs_of_any_class_are_uniform(same_sample):
    valid = np.ones_like(OTHER_ROW) if same_sample else OTHER_ROW
    first, second = any_pairs(len(CODES), N_DRAWS, np.random.default_rng(4), same_sample)
    assert_same_law(pair_counts(first, second, len(CODES)), rejection_counts(valid, 5), valid)


def test_single_samples_are_uniform():
    rows = single_samples(len(CODES), N_DRAWS, np.random.default_rng(6))
    assert chisquare(np.bincount(rows, minlength=len(CODES))).pvalue > SMALLEST_P


def test_classes_first_gives_uniform_classes_and_uniform_members():
    index = ClassIndex(CODES)
    first, second = between_class_pairs(index, N_DRAWS, np.random.default_rng(7), "classes")
    ordered = pair_counts(CODES[first], CODES[second], 3)
    assert_array_equal(np.diag(ordered), 0)
    assert chisquare(ordered[~np.eye(3, dtype=bool)]).pvalue > SMALLEST_P
    sums_first, sums_second = within_class_pairs(index, N_DRAWS, np.random.default_rng(8), "classes", True)
    assert chisquare(np.bincount(CODES[sums_first])).pvalue > SMALLEST_P
    for rows in (first, second, sums_first, sums_second):
        for cls in range(3):
            assert chisquare(np.bincount(rows, minlength=len(CODES))[CODES == cls]).pvalue > SMALLEST_P


@pytest.mark.parametrize("pair_draw", PAIR_DRAWS)
@given(codes=label_codes, seed=st.integers(0, 1000))
def test_classes_differ_or_match(pair_draw, codes, seed):
    index = ClassIndex(codes)
    first, second = within_class_pairs(index, 50, np.random.default_rng(seed), pair_draw, True)
    assert_array_equal(codes[first], codes[second])
    if index.sizes.max() > 1:
        first, second = within_class_pairs(index, 50, np.random.default_rng(seed), pair_draw, False)
        assert_array_equal(codes[first], codes[second])
        assert (first != second).all()
    if len(index.sizes) > 1:
        first, second = between_class_pairs(index, 50, np.random.default_rng(seed), pair_draw)
        assert (codes[first] != codes[second]).all()


@pytest.mark.parametrize(
    "draw",
    [
        lambda n, rng: (single_samples(len(CODES), n, rng),),
        lambda n, rng: any_pairs(len(CODES), n, rng, True),
        lambda n, rng: any_pairs(len(CODES), n, rng, False),
        *(lambda n, rng, how=how: within_class_pairs(ClassIndex(CODES), n, rng, how, False) for how in PAIR_DRAWS),
        *(lambda n, rng, how=how: between_class_pairs(ClassIndex(CODES), n, rng, how) for how in PAIR_DRAWS),
    ],
)
@pytest.mark.parametrize("n", [0, 1, 7])
def test_a_short_draw_is_the_beginning_of_a_long_one(draw, n):
    for short, long in zip(draw(n, np.random.default_rng(9)), draw(40, np.random.default_rng(9)), strict=True):
        assert_array_equal(short, long[:n])


@pytest.mark.parametrize("pair_draw", PAIR_DRAWS)
def test_one_row_against_a_hundred_thousand(pair_draw):
    codes = np.zeros(100_001, dtype=np.intp)
    codes[54_321] = 1
    first, second = between_class_pairs(ClassIndex(codes), 1000, np.random.default_rng(10), pair_draw)
    assert ((first == 54_321) ^ (second == 54_321)).all()
    assert 400 < np.count_nonzero(first == 54_321) < 600
    first, second = within_class_pairs(ClassIndex(codes), 1000, np.random.default_rng(11), pair_draw, False)
    assert not (first == 54_321).any()
    assert (first != second).all()


def test_a_class_of_one_sample_pairs_with_itself_only_where_that_is_allowed():
    codes = np.array([0, 0, 0, 1])
    first, second = within_class_pairs(ClassIndex(codes), 500, np.random.default_rng(12), "classes", True)
    assert_array_equal(second[first == 3], 3)
    assert np.count_nonzero(first == 3) > 200
    first, _ = within_class_pairs(ClassIndex(codes), 500, np.random.default_rng(12), "classes", False)
    assert not (first == 3).any()


@pytest.mark.parametrize("pair_draw", PAIR_DRAWS)
def test_a_class_code_without_rows_is_never_drawn(pair_draw):
    codes = np.array([0, 3, 3, 0, 1, 3])
    first, second = between_class_pairs(ClassIndex(codes), 500, np.random.default_rng(13), pair_draw)
    assert (codes[first] != codes[second]).all()
    first, second = within_class_pairs(ClassIndex(codes), 500, np.random.default_rng(14), pair_draw, True)
    assert_array_equal(codes[first], codes[second])
