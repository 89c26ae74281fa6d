"""Sums that carry their rounding: the order of additions does not show, and the exact sum comes out, rounded."""

from fractions import Fraction

import numpy as np
import pytest
from dask.sizeof import sizeof
from hypothesis import given, settings
from hypothesis import strategies as st

from celm.dask.carried import COLUMNS, Sums, added, rounded
from celm.dask.tasks import Layer
from celm.linalg.gram import FoldGrams
from celm.linalg.precision import Seen


def partition(seed, n_folds=2, n_hidden=COLUMNS + 3):
    rng = np.random.default_rng(seed)
    grams = [np.asfortranarray(rng.normal(size=(n_hidden, n_hidden)) * 10.0 ** rng.integers(-6, 6)) for _ in range(2)]
    moments = [np.asfortranarray(rng.normal(size=(n_hidden, 3))) for _ in range(n_folds)]
    return Sums(FoldGrams(grams, moments, [seed, 1]), seen=Seen(seed + 1, float(seed), 1.0))


def arrays(sums):
    return [*sums.total.grams, *sums.total.moments]


def in_groups(parts, sizes):
    """Added group by group, as workers add their own, and the groups at the end."""
    groups, left = [], list(parts)
    for size in sizes:
        groups.append(added(left[:size]))
        left = left[size:]
    return rounded(added([*groups, *left]))


@settings(max_examples=20, deadline=None)
@given(order=st.permutations(range(9)), sizes=st.lists(st.integers(1, 3), max_size=3))
def test_order_and_groups_do_not_show(order, sizes):
    parts = [partition(seed) for seed in range(9)]
    expected = rounded(added(parts))
    found = in_groups([parts[number] for number in order], sizes)
    for ours, theirs in zip(arrays(found), arrays(expected), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert found.total.n_rows == expected.total.n_rows == [36, 9]
    assert found.seen == expected.seen == Seen(45, 8.0, 9.0)


def test_the_sum_is_the_exact_one_rounded():
    parts = [partition(seed) for seed in range(30)]
    total = rounded(added(parts)).total.grams[0]
    for place in ((0, 0), (5, COLUMNS + 1), (COLUMNS + 2, 1)):
        exact = sum((Fraction(part.total.grams[0][place]) for part in parts), Fraction(0))
        assert total[place] == float(exact)
    plain = sum(part.total.grams[0] for part in parts)
    assert not np.array_equal(total, plain)


def test_parts_are_left_as_they_were():
    one, other = partition(1), partition(2)
    before = [array.copy() for array in arrays(one)]
    both = added([one, other])
    assert both.lost is not None
    for array, earlier in zip(arrays(one), before, strict=True):
        np.testing.assert_array_equal(array, earlier)


@pytest.mark.parametrize("n_parts", [1, 2])
def test_what_was_not_seen_of_all_rows_is_not_told_of_any(n_parts):
    parts = [Sums(partition(seed).total) for seed in range(n_parts)]
    assert rounded(added(parts)).seen is None


def test_dask_knows_how_large_sums_and_layers_are():
    one = partition(1)
    whole = sum(array.nbytes for array in arrays(one))
    assert sizeof(one) == whole
    assert sizeof(added([one, one])) == 2 * whole
    assert sizeof(Layer(np.zeros((10, 20)), np.zeros(20))) == 8 * 220
