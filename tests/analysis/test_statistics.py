"""Tests on paired rounds and on ranks: against numbers worked out by hand, and against scipy where it agrees."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from celm.analysis.statistics import cliques, critical_difference, friedman, holm, overlap, paired_t, wilcoxon_p

finite = st.floats(-1, 1, allow_nan=False)


def test_plain_paired_t_is_students():
    values = [0.01, 0.03, 0.02, 0.05, -0.01]
    found = paired_t(values)
    known = stats.ttest_1samp(values, 0.0)
    assert found.mean == pytest.approx(0.02)
    assert found.p == pytest.approx(known.pvalue)
    assert [found.low, found.high] == pytest.approx(list(known.confidence_interval(0.95)))


def test_corrected_t_by_hand():
    """Differences 1, 2, 3: s² = 1; with n_test/n_train = 1/2 the variance of the mean is 1/3 + 1/2 = 5/6."""
    found = paired_t([1.0, 2.0, 3.0], shared=0.5)
    t = 2.0 / np.sqrt(5 / 6)
    assert found.p == pytest.approx(2 * stats.t.sf(t, 2))
    assert found.high - 2.0 == pytest.approx(4.302652729911275 * np.sqrt(5 / 6))
    assert found.low == pytest.approx(4.0 - found.high)


@given(st.lists(finite, min_size=2, max_size=12), st.floats(0.0, 1.0))
def test_the_correction_never_narrows_an_interval_and_p_agrees_with_it(values, shared):
    plain, corrected = paired_t(values), paired_t(values, shared)
    assert corrected.high - corrected.low >= plain.high - plain.low - 1e-12
    if abs(corrected.p - 0.05) > 1e-6:
        assert (corrected.p < 0.05) == (corrected.low > 0 or corrected.high < 0)


def test_equal_differences_and_a_single_round():
    assert paired_t([0.25] * 4)[:4] == (0.25, 0.25, 0.25, 0.0)
    assert paired_t([0.0] * 4).p == 1.0
    assert np.isnan(paired_t([0.25]).low)


def test_random_splits_overlap_and_official_ones_do_not():
    rows = pd.DataFrame({"n_train": [379, 379], "n_test": [190, 190], "official_split": False})
    assert overlap(rows) == pytest.approx(190 / 379)
    assert overlap(rows.assign(official_split=True)) == 0.0


def test_wilcoxon_by_hand():
    """All ten positive: two of 1024 signs are as extreme. One negative of rank 1: four of them."""
    assert wilcoxon_p(np.arange(1, 11)) == pytest.approx(2 / 1024)
    assert wilcoxon_p([-1, *range(2, 11)]) == pytest.approx(4 / 1024)
    assert wilcoxon_p([0.0, 0.0]) == 1.0
    # Ranks 1.5, 1.5, 3 with signs + + −: sums reach 3 in 5 of 8 ways from either side.
    assert wilcoxon_p([1.0, 1.0, -2.0]) == 1.0


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=12, unique=True), st.integers(0, 2**12 - 1))
def test_wilcoxon_without_ties_is_scipys_exact_one(sizes, signs):
    values = [size if signs >> place & 1 else -size for place, size in enumerate(sizes)]
    assert wilcoxon_p(values) == pytest.approx(stats.wilcoxon(values, method="exact").pvalue)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_lies_between_the_raw_p_and_bonferroni(p_values):
    adjusted = holm(p_values)
    assert all(p <= a <= min(1.0, len(p_values) * p) + 1e-12 for p, a in zip(p_values, adjusted, strict=True))
    order = np.argsort(p_values)
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()


def ranked(rows):
    return pd.DataFrame(rows, columns=["a", "b", "c"])


def test_friedman_is_scipys_and_iman_davenport_by_hand():
    table = ranked([[0.9, 0.8, 0.7], [0.9, 0.7, 0.8], [0.95, 0.9, 0.1], [0.5, 0.6, 0.4]])
    found = friedman(table)
    assert found.chi2 == pytest.approx(stats.friedmanchisquare(*(table[name] for name in table)).statistic)
    assert found.ranks == pytest.approx({"a": 1.25, "b": 2.0, "c": 2.75})
    # χ² = 4.5: F = 3 · 4.5 / (4 · 2 − 4.5).
    assert found.F == pytest.approx(13.5 / 3.5)
    assert found.p_F == pytest.approx(stats.f.sf(13.5 / 3.5, 2, 6))


def test_friedman_with_ties_is_scipys():
    table = ranked([[0.9, 0.9, 0.7], [0.9, 0.7, 0.8], [0.5, 0.5, 0.5], [0.5, 0.6, 0.4]])
    known = stats.friedmanchisquare(*(table[name] for name in table)).statistic
    assert friedman(table).chi2 == pytest.approx(known)


def test_friedman_at_its_edges():
    same = friedman(ranked([[0.5, 0.5, 0.5]] * 3))
    assert (same.chi2, same.p_F) == (0.0, 1.0)
    clear = friedman(ranked([[0.9, 0.8, 0.7]] * 5))
    assert clear.F == np.inf
    assert clear.p_F == 0.0
    with pytest.raises(ValueError, match="at least two data sets and two methods; got 1 and 3"):
        friedman(ranked([[1, 2, 3]]))


def test_nemenyis_difference_is_demsars():
    """Demšar (2006): four classifiers on 14 data sets, q = 2.569, critical difference 1.25."""
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)


def test_cliques_are_the_largest_groups_within_the_difference():
    ranks = {"a": 1.0, "b": 1.8, "c": 2.6, "d": 4.0}
    assert cliques(ranks, 1.0) == [("a", "b"), ("b", "c")]
    assert cliques(ranks, 2.0) == [("a", "b", "c"), ("c", "d")]
    assert cliques(ranks, 0.5) == []
