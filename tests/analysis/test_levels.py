"""The two verdicts on a claim against worlds in which it holds, fails, cannot be told or means nothing."""

import math

import numpy as np
import pytest

from celm.analysis.bounds import Bounds
from celm.analysis.levels import ItemRounds, beyond, not_run, on_items, on_these_data, vacuous
from celm.analysis.power import design_power, lacking_power, step_of, truths

SETS = ("wdbc", "iris", "wine", "glass", "sonar", "mdd_kar", "mdd_pix")


def items_of(effects, rounds=100, spread=0.01, seed=0, shared=0.5):
    """One item per data set with a split effect of its own."""
    rng = np.random.default_rng(seed)
    return [
        ItemRounds(f"{name}: lead", name, effect + spread * rng.standard_normal(rounds), shared)
        for name, effect in effects.items()
    ]


def test_the_pooled_effect_decides_and_items_are_counted():
    items = items_of({"wdbc": -0.02, "iris": 0.05, "wine": 0.05, "glass": 0.0})
    found = on_these_data(items, Bounds(at_least=0.0), registered=True)
    assert (found.verdict, found.holds, found.fails, found.open) == ("holds", 2, 1, 1)
    pooled = np.mean([item.rounds for item in items], axis=0)
    assert found.effect == pytest.approx(pooled.mean())
    half = 1.98421695 * pooled.std(ddof=1) / 10  # t of 99 degrees of freedom
    assert (found.low, found.high) == pytest.approx((pooled.mean() - half, pooled.mean() + half))
    assert found.document()["registered"] is True


@pytest.mark.parametrize(("effect", "verdict"), [(0.02, "holds"), (-0.02, "fails"), (0.0, "open")])
def test_three_worlds(effect, verdict):
    assert on_these_data(items_of(dict.fromkeys(SETS, effect)), Bounds(at_least=0.0)).verdict == verdict


def test_bounds_on_both_sides():
    items = items_of({"wdbc": 0.08})
    assert on_these_data(items, Bounds(0.07, 0.09)).verdict == "holds"
    assert on_these_data(items, Bounds(0.09, 0.11)).verdict == "fails"
    assert on_these_data(items, Bounds(0.0795, 0.0805)).verdict == "open"


def test_equal_methods_fail_a_lead_and_nothing_compared_is_not_run():
    same = [ItemRounds("a", "wdbc", np.zeros(10), 0.5)]
    assert on_these_data(same, Bounds(at_least=0.01)).verdict == "fails"
    assert on_these_data([], Bounds(0.0)).verdict == not_run("x").verdict == "not run"
    assert vacuous("nothing was changed").document()["verdict"] == "vacuous"


def test_effects_without_rounds_are_judged_by_their_intervals():
    found = on_items((0.5, 0.4, 0.6), [(0.7, 0.6, 0.8), (0.3, 0.2, 0.4), (0.5, 0.4, 0.6)], Bounds(at_least=0.55))
    assert (found.verdict, found.holds, found.fails, found.open) == ("open", 1, 1, 1)
    assert on_items((0.5, math.nan, math.nan), [], Bounds(at_least=0.0)).low is None


def test_two_rounds_of_a_curve_have_no_band():
    found = on_these_data([ItemRounds("a", "wdbc", curves_of(np.ones(3), rounds=2), 0.5)], Bounds(at_least=0.0))
    assert (found.verdict, found.open) == ("open", 1)
    assert "three rounds" in found.reason


def test_ratios_are_pooled_as_logarithms_and_told_as_ratios():
    rounds = np.log(2.0) + 0.1 * np.random.default_rng(0).standard_normal(50)
    found = on_these_data([ItemRounds("a", "wdbc", rounds, 0.0)], Bounds(at_least=1.5), "times")
    assert found.verdict == "holds"
    assert found.effect == pytest.approx(math.exp(rounds.mean()))
    assert found.low < found.effect < found.high
    told = beyond([ItemRounds("a", name, rounds, 0.0) for name in SETS], Bounds(at_least=1.5), "times")
    assert told.verdict is None
    assert "one machine" in told.reason


def curves_of(means, rounds=100, seed=0, spread=0.01):
    rng = np.random.default_rng(seed)
    return np.asarray(means) + spread * rng.standard_normal((rounds, len(means)))


def test_a_curve_holds_only_if_its_whole_band_does():
    above, crossing = np.full(20, 0.02), np.r_[np.full(19, 0.02), -0.02]
    items = [ItemRounds(name, "wdbc", curves_of(above, seed=seed), 0.5) for seed, name in enumerate("ab")]
    assert on_these_data(items, Bounds(at_least=-0.005)).verdict == "holds"
    spoiled = [*items, ItemRounds("c", "wdbc", curves_of(crossing), 0.5)]
    found = on_these_data(spoiled, Bounds(at_least=-0.005))
    assert (found.holds, found.fails) == (2, 1)
    assert on_these_data(spoiled[-1:], Bounds(at_least=-0.005)).verdict == "fails"


def test_a_mean_curve_a_hair_above_the_edge_is_open_where_a_point_estimate_would_hold():
    few = ItemRounds("a", "wdbc", curves_of(np.full(20, 0.0), rounds=10), 0.5)
    assert few.rounds.mean(axis=0).min() > -0.01
    assert on_these_data([few], Bounds(at_least=-0.01)).verdict == "open"


def test_curves_over_different_counts_pool_their_smallest_leads():
    sizes = {"wdbc": 20, "mdd_kar": 40}
    items = [ItemRounds("a", name, curves_of(np.full(size, 0.03)), 0.5) for name, size in sizes.items()]
    found = on_these_data(items, Bounds(at_least=0.0))
    assert found.verdict == "holds"
    assert found.low < found.effect < found.high


def test_beyond_needs_five_sources_and_counts_the_digits_once():
    uci = ["wdbc", *(f"mdd_{view}" for view in ("fac", "fou", "kar", "pix", "zer"))]
    few = beyond(items_of(dict.fromkeys(uci, 0.02)), Bounds(0.0))
    assert few.verdict is None
    assert few.sources == 2
    assert "2 independent sources (wdbc, mdd)" in few.reason
    enough = beyond(items_of(dict(zip(SETS, (0.03, 0.02, 0.025, 0.03, 0.02, 0.03, 0.03), strict=True))), Bounds(0.0))
    assert (enough.verdict, enough.sources) == ("holds", 6)
    assert enough.predicted_low < enough.low < enough.effect < enough.high < enough.predicted_high


def test_more_rounds_do_not_decide_what_more_sources_must():
    spread = dict(zip(SETS, (0.06, -0.04, 0.05, -0.03, 0.04, 0.0, 0.0), strict=True))
    items = items_of(spread, rounds=1000)
    assert on_these_data(items, Bounds(at_least=0.0)).verdict == "holds"
    assert beyond(items, Bounds(at_least=0.0)).verdict == "open"
    single = [ItemRounds("a", name, np.array([0.1]), 0.5) for name in SETS]
    assert "single round" in beyond(single, Bounds(0.0)).reason


def test_power_is_that_of_the_t_test():
    items = items_of({"wdbc": 0.3}, rounds=4000, spread=0.04, seed=1)
    found = design_power(items, Bounds(at_least=0.0), rounds=100)
    # A step of a point at a standard error of .4 points: 1.984 of 2.5 standard errors are used up.
    assert found.holds == pytest.approx(0.70, abs=0.04)
    assert found.fails == pytest.approx(0.70, abs=0.04)
    assert found.deviation == pytest.approx(0.04, rel=0.1)
    assert design_power(items, Bounds(at_least=0.0), rounds=400).least > 0.99


def test_two_sided_claims_are_tried_in_their_middle_and_ratios_a_tenth_away():
    assert truths(Bounds(0.07, 0.09), "points") == pytest.approx((0.08, 0.06))
    assert truths(Bounds(at_most=0.02), "points") == pytest.approx((0.01, 0.03))
    assert step_of(Bounds(at_least=math.log(2.0)), "times") == pytest.approx(math.log(1.1))


def test_curves_have_a_power_and_noise_takes_it_away():
    quiet = [ItemRounds("a", "wdbc", curves_of(np.linspace(0, 0.05, 8), rounds=30), 0.5)]
    loud = [quiet[0]._replace(rounds=10 * quiet[0].rounds)]
    bounds = Bounds(at_least=-0.005)
    powers = {"quiet": design_power(quiet, bounds, draws=200), "loud": design_power(loud, bounds, draws=200)}
    assert powers["quiet"].least > 0.95
    assert lacking_power(powers) == ["loud"]
    with pytest.raises(ValueError, match="three exploratory rounds"):
        design_power([quiet[0]._replace(rounds=quiet[0].rounds[:2])], bounds)
