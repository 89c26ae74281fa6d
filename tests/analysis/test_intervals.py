"""Intervals of rounds against textbook formulas and simulated coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from celm.analysis.intervals import (
    Estimate,
    equivalence,
    holm_decisions,
    mean_estimate,
    pooled_per_round,
    prediction_interval,
    region_p,
    simultaneous,
)
from celm.analysis.statistics import paired_t


def test_the_mean_of_rounds_has_the_plain_t_interval():
    values = np.random.default_rng(0).normal(0.02, 0.01, 12)
    ours, scipys = mean_estimate(values), stats.ttest_1samp(values, 0.0).confidence_interval(0.95)
    np.testing.assert_allclose([ours.low, ours.high], scipys)
    assert ours[:3] == pytest.approx(paired_t(values)[:3])


def test_one_round_has_no_interval_and_equal_rounds_have_one_of_width_zero():
    assert math.isnan(mean_estimate([0.3]).low)
    assert mean_estimate([0.3, 0.3, 0.3])[:3] == pytest.approx((0.3, 0.3, 0.3))


def test_pooling_per_round_keeps_the_dependence_of_items_that_share_their_splits():
    rng = np.random.default_rng(1)
    split = rng.normal(0, 1, 200)
    items = {name: split + 0.1 * rng.normal(0, 1, 200) for name in "abc"}
    pooled = mean_estimate(pooled_per_round(items))
    naive = mean_estimate(np.concatenate(list(items.values())))
    assert pooled.mean == pytest.approx(naive.mean)
    assert pooled.error > 1.6 * naive.error
    with pytest.raises(ValueError, match="the same rounds"):
        pooled_per_round({"a": [1.0, 2.0], "b": [1.0]})


def test_a_region_is_decided_as_by_the_interval_when_there_is_one_item():
    rng = np.random.default_rng(2)
    seen = set()
    for shift in np.linspace(-3, 3, 40):
        estimate = mean_estimate(rng.normal(shift, 1, 10))
        inside = -1 <= estimate.low and estimate.high <= 1
        outside = estimate.high < -1 or estimate.low > 1
        expected = True if inside else False if outside else None
        assert holm_decisions([estimate], -1, 1) == [expected]
        seen.add(expected)
    assert seen == {True, False, None}


def test_region_p_values_are_those_of_the_one_sided_tests():
    values = np.random.default_rng(3).normal(0.5, 1, 15)
    inside, outside = region_p(mean_estimate(values), 0.0)
    assert inside == pytest.approx(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)
    assert outside == pytest.approx(stats.ttest_1samp(values, 0.0, alternative="less").pvalue)


def test_equal_rounds_on_the_edge_lie_inside():
    assert holm_decisions([mean_estimate([0.0, 0.0])], least=0.0) == [True]
    assert holm_decisions([mean_estimate([-1e-3, -1e-3])], least=0.0) == [False]
    assert holm_decisions([mean_estimate([0.5])], least=0.0) == [None]


def test_holm_keeps_the_chance_of_any_false_decision_at_five_percent():
    rng = np.random.default_rng(4)
    # All true effects lie just outside of "at least zero": every True would be false.
    wrong = sum(
        any(decision is True for decision in holm_decisions([mean_estimate(row) for row in draw], least=0.0))
        for draw in rng.normal(-1e-9, 1, (1500, 8, 10))
    )
    assert wrong / 1500 < 0.035  # one-sided: half of five percent
    assert wrong > 0


def test_holm_decides_more_than_dividing_the_level_by_the_number_of_items():
    sure, nearly = Estimate(9.0, 0, 0, 1.0, 60), Estimate(2.1, 0, 0, 1.0, 60)
    assert holm_decisions([sure, nearly], least=0.0) == [True, True]
    assert min(1, 2 * 2 * region_p(nearly, 0.0)[0]) > 0.05


def _correlated(rng, rounds, columns, rho):
    common = rng.standard_normal((rounds, 1))
    return np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.standard_normal((rounds, columns))


@pytest.mark.parametrize(("rounds", "columns", "rho"), [(10, 20, 0.7), (60, 20, 0.7), (10, 5, 0.0)])
def test_simultaneous_limits_hold_all_at_once_in_95_percent(rounds, columns, rho):
    rng = np.random.default_rng(5)
    held = 0
    for draw in range(300):
        band = simultaneous(_correlated(rng, rounds, columns, rho), draws=600, seed=draw)
        held += bool(np.all((band.low <= 0) & (0 <= band.high)))
    assert 0.90 <= held / 300 <= 0.995


def test_simultaneous_limits_are_wider_than_single_ones_and_narrower_than_bonferroni_when_columns_agree():
    rng = np.random.default_rng(6)
    n, columns = 100, 40
    band = simultaneous(_correlated(rng, n, columns, 0.95))
    single = stats.t.ppf(0.975, n - 1)
    bonferroni = stats.t.ppf(1 - 0.025 / columns, n - 1)
    assert single < band.quantile < bonferroni - 0.3
    one = simultaneous(rng.standard_normal((n, 1)))
    assert one.quantile == pytest.approx(single, rel=0.05)


def test_the_smallest_lead_on_a_curve_takes_its_limits_from_the_whole_band():
    table = np.random.default_rng(7).normal([0.05, 0.01, 0.03], 0.01, (50, 3))
    band = simultaneous(table)
    mean, low, high = band.smallest()
    assert (mean, low, high) == (band.mean[1], band.low.min(), band.high.min())
    assert low < mean < high
    assert simultaneous(table).low.tolist() == band.low.tolist()  # the seed is fixed


def test_columns_that_do_not_vary_have_no_width_and_three_rounds_are_needed():
    table = np.column_stack([np.full(5, 1.0), np.random.default_rng(8).normal(size=5)])
    band = simultaneous(table)
    assert band.low[0] == band.high[0] == 1.0
    with pytest.raises(ValueError, match=r"shape \(2, 1\)"):
        simultaneous([[1.0], [2.0]])


def test_equivalence_has_both_errors():
    values = np.random.default_rng(9).normal(0.95, 0.01, 100)
    found = equivalence(values, 0.953, margin=0.01)
    error = math.sqrt(values.var(ddof=1) * (1 / 100 + 1 / 10) + 0.001**2 / 12)
    d = values.mean() - 0.953
    p = max(stats.t.sf((d + 0.01) / error, 99), stats.t.sf((0.01 - d) / error, 99))
    assert found.p == pytest.approx(p)
    assert (found.low, found.high) == pytest.approx(
        (d - stats.t.ppf(0.95, 99) * error, d + stats.t.ppf(0.95, 99) * error)
    )
    assert equivalence(values, 0.953, 0.01, paper_rounds=None).p < found.p
    verdicts = [equivalence(values, paper, 0.01).verdict for paper in (0.951, 0.961, 0.98)]
    assert verdicts == ["equivalent", "open", "different"]
    assert equivalence([0.95], 0.95, 0.01).verdict == "open"


def test_the_prediction_interval_holds_95_percent_of_other_ten_round_means():
    rng = np.random.default_rng(10)
    held = []
    for _ in range(2000):
        low, high = prediction_interval(rng.normal(0, 1, 10))
        held.append(low <= rng.normal(0, 1, 10).mean() <= high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)
    # The confidence interval alone would hold far fewer: the paper's own ten rounds have an error too.
    assert all(math.isnan(limit) for limit in prediction_interval([0.5]))
