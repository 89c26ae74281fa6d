"""Random effects against a published meta-analysis, naive computations and simulated coverage."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.meta_regression import meta_regression, standardised
from celm.analysis.random_effects import (
    TAU2,
    SourceEffect,
    beyond_sources,
    by_source,
    independent_ranks,
    pooled_effect,
    resampled_variance,
    source_of,
    tau2_paule_mandel,
)
from celm.analysis.statistics import friedman

# Thirteen trials of the BCG vaccine (Colditz et al. 1994): cases and others among vaccinated and not, latitude.
BCG = np.array(
    [
        [4, 119, 11, 128, 44], [6, 300, 29, 274, 55], [3, 228, 11, 209, 42], [62, 13536, 248, 12619, 52],
        [33, 5036, 47, 5761, 13], [180, 1361, 372, 1079, 44], [8, 2537, 10, 619, 19], [505, 87886, 499, 87892, 13],
        [29, 7470, 45, 7232, 27], [17, 1699, 65, 1600, 42], [186, 50448, 141, 27197, 18], [5, 2493, 3, 2338, 33],
        [27, 16886, 29, 17825, 33],
    ],
    dtype=float,
)  # fmt: skip


@pytest.fixture(scope="module")
def bcg():
    a, b, c, d, latitude = BCG.T
    return np.log(a / (a + b)) - np.log(c / (c + d)), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d), latitude


@pytest.mark.parametrize(
    ("method", "tau2"), [("dersimonian_laird", 0.3088), ("paule_mandel", 0.3181), ("reml", 0.3132)]
)
def test_the_spread_between_trials_of_bcg(bcg, method, tau2):
    assert TAU2[method](*bcg[:2]) == pytest.approx(tau2, abs=6e-5)


def test_the_pooled_effect_of_bcg_with_hartung_and_knapp(bcg):
    found = pooled_effect(*bcg[:2])
    # As the R package metafor prints it: rma(yi, vi, test="knha").
    assert found[:4] == pytest.approx((-0.7145, -1.1084, -0.3206, 0.0019), abs=6e-5)
    assert found.i2 == pytest.approx(0.9222, abs=6e-5)
    assert found.predicted_low < found.low < found.high < found.predicted_high


def test_latitude_explains_most_of_bcg(bcg):
    found = meta_regression(*bcg[:2], {"latitude": bcg[2]})
    intercept, latitude = found.coefficients
    assert (intercept.value, latitude.value) == pytest.approx((0.2515, -0.0291), abs=6e-5)
    assert found.tau**2 == pytest.approx(0.0764, abs=6e-5)
    assert found.explained == pytest.approx(0.7563, abs=6e-5)
    assert latitude.high < 0


def test_a_regression_without_spread_and_with_equal_variances_is_least_squares():
    rng = np.random.default_rng(0)
    x = rng.normal(size=20)
    y = 1 + 2 * x + 0.1 * rng.normal(size=20)
    found = meta_regression(y, np.full(20, 1.0), {"x": x})
    X = np.column_stack([np.ones(20), x])
    beta, residual = np.linalg.lstsq(X, y)[:2]
    error = np.sqrt(residual[0] / 18 * np.linalg.inv(X.T @ X)[1, 1])
    assert found.tau == 0
    assert found.coefficients[1].value == pytest.approx(beta[1])
    half = (found.coefficients[1].high - found.coefficients[1].low) / 2
    assert half == pytest.approx(2.100922 * error, rel=1e-6)  # t of 18 degrees of freedom


def test_too_many_or_dependent_moderators_are_refused():
    y, v, x = np.arange(6.0), np.ones(6), np.arange(6.0)
    with pytest.raises(ValueError, match="got 6 sources and a, b"):
        meta_regression(y, v, {"a": x, "b": 2 * x})
    with pytest.raises(ValueError, match="at least 7 sources"):
        meta_regression(y, v, {"a": x, "b": x**2, "c": x**3, "d": x**4})


@pytest.mark.parametrize("method", list(TAU2))
def test_equal_effects_have_no_spread_between_sources(method):
    y = np.array([0.1, 0.11, 0.09, 0.1])
    assert TAU2[method](y, np.full(4, 1.0)) == 0


def test_paule_and_mandel_make_the_residuals_as_large_as_expected():
    y, v = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.3, 0.4])
    w = 1 / (v + tau2_paule_mandel(y, v))
    assert w @ (y - w @ y / w.sum()) ** 2 == pytest.approx(3)


def test_intervals_hold_the_mean_and_a_further_source_as_often_as_they_say():
    rng = np.random.default_rng(1)
    mean_held, next_held = [], []
    for _ in range(600):
        v = rng.uniform(0.02, 0.2, 8)
        found = pooled_effect(rng.normal(rng.normal(0, 1.0, 8), np.sqrt(v)), v, "paule_mandel")
        mean_held.append(found.low <= 0 <= found.high)
        next_held.append(found.predicted_low <= rng.normal(0, 1.0) <= found.predicted_high)
    assert np.mean(mean_held) == pytest.approx(0.95, abs=0.025)
    assert np.mean(next_held) == pytest.approx(0.95, abs=0.025)


def test_the_five_views_of_the_digits_are_one_source():
    effects = {f"mdd_{view}": (0.03, 4e-4) for view in ("fac", "fou", "kar", "pix", "zer")} | {"wdbc": (0.0, 1e-4)}
    digits, cancer = by_source(effects)
    assert (digits.source, digits.effect, len(digits.datasets)) == ("mdd", pytest.approx(0.03), 5)
    assert digits.variance == pytest.approx(4e-4)  # five views of the same rows are no more certain than one
    assert cancer.source == source_of("wdbc") == "wdbc"


def test_below_five_sources_nothing_is_said_and_the_reason_is():
    few = [SourceEffect(name, 0.1, 0.01, (name,)) for name in "abcd"]
    assert beyond_sources(few)[0] is None
    assert "4 independent sources (a, b, c, d)" in beyond_sources(few)[1]
    pooled, reason = beyond_sources([*few, SourceEffect("e", 0.2, 0.01, ("e",))])
    assert (pooled.sources, reason) == (5, "")
    assert "of z" in beyond_sources([*few, SourceEffect("z", 0.1, 0.0, ("z",))])[1]
    with pytest.raises(ValueError, match="three sources"):
        pooled_effect([0.1, 0.2], [1.0, 1.0])


def test_more_rounds_do_not_make_more_rows():
    rng = np.random.default_rng(2)
    ten, thousand = (resampled_variance(rng.normal(0, 1, n), 0.5) for n in (200, 20000))
    assert thousand == pytest.approx(0.5, rel=0.05)
    assert ten > 0.3
    with pytest.raises(ValueError, match="two rounds"):
        resampled_variance([1.0], 0.5)


def test_a_source_has_one_vote_in_the_ranks():
    table = pd.DataFrame(
        {"a": [0.9, 0.9, 0.9, 0.1, 0.2], "b": [0.8, 0.8, 0.8, 0.3, 0.4]},
        index=["mdd_fac", "mdd_kar", "mdd_pix", "wdbc", "iris"],
    )
    assert friedman(table).ranks["a"] < 1.5
    found = independent_ranks(table)
    assert found.datasets == 3
    assert found.ranks["a"] == pytest.approx(5 / 3)


def test_standardised_moderators_leave_out_what_does_not_vary():
    table = standardised(pd.DataFrame({"n": [1.0, 2.0, 3.0], "same": [1.0, 1.0, 1.0]}))
    assert list(table) == ["n"]
    np.testing.assert_allclose(table["n"], [-1, 0, 1])
