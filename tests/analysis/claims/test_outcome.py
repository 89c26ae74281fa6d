"""From intervals to verdicts, and from verdicts to words."""

import math

import pytest

from celm.analysis.claims import Item, Measured, Region, asked, outcome_of, with_interval
from celm.analysis.claims.outcome import combined, not_run


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [(0.02, 0.05, True), (0.01, 0.05, True), (0.005, 0.05, None), (-0.01, 0.009, False), (math.nan, math.nan, None)],
)
def test_an_interval_against_a_lower_edge(low, high, holds):
    assert Region(at_least=0.01).holds(Item("", 0.03, low, high)) is holds


@pytest.mark.parametrize(
    ("low", "high", "holds"),
    [(-0.01, 0.01, True), (0.011, 0.02, False), (-0.02, -0.011, False), (-0.02, 0.005, None), (-0.02, 0.02, None)],
)
def test_an_interval_against_a_band(low, high, holds):
    assert Region(-0.01, 0.01).holds(Item("", 0.0, low, high)) is holds


def test_decimals_are_compared_as_printed():
    difference = 0.727 - 0.647
    assert difference != 0.08
    assert Region(at_least=0.08).holds(Item("", difference, difference, difference))


@pytest.mark.parametrize(
    ("counts", "verdict"),
    [
        ((3, 0, 0), "reproduced"),
        ((2, 0, 1), "partly"),
        ((2, 1, 0), "partly"),
        ((0, 1, 2), "not reproduced"),
        ((0, 3, 0), "not reproduced"),
        ((0, 0, 3), "undecided"),
    ],
)
def test_many_comparisons_make_one_verdict(counts, verdict):
    assert combined(*counts) == verdict


def test_the_sentence_tells_the_farthest_failure():
    items = [Item("near", 0.02, 0.015, 0.025), Item("far", -0.03, -0.04, -0.02), Item("wide", -0.09, -0.2, 0.02)]
    outcome = outcome_of(Measured(items, Item("mean", -0.03, -0.07, 0.01), "points"), Region(at_least=0.01))
    assert outcome.verdict == "partly"
    assert "holds in 1 of 3, fails in 1, open in 1" in outcome.sentence
    assert "Farthest: far, -3.0 points (-4.0 to -2.0)" in outcome.sentence
    assert [holds for _, holds in outcome.numbers] == [True, False, None]
    assert (outcome.effect, outcome.low, outcome.high) == (-0.03, -0.07, 0.01)


def test_a_single_comparison_is_told_alone():
    item = Item("Spiral: ELM, 150 nodes", 0.8, 0.79, 0.81)
    outcome = outcome_of(Measured([item], item, "accuracy"), Region(0.75, 0.85))
    assert outcome.sentence == (
        "Spiral: ELM, 150 nodes: 0.800 (0.790 to 0.810); asked is at least 0.750 and at most 0.850."
    )


def test_one_round_is_undecided_and_has_no_interval():
    item = Item("one round", 2.0, math.nan, math.nan)
    outcome = outcome_of(Measured([item], item, "times"), Region(at_least=1.0))
    assert outcome.verdict == "undecided"
    assert (outcome.effect, outcome.low) == (2.0, None)
    assert with_interval(item, "times") == "2.00 times"


def test_words_of_units_and_edges():
    assert asked(Region(at_most=0.5), "share") == "at most 50 %"
    assert with_interval(Item("", 0.012, 0.004, 0.02), "points") == "+1.2 points (+0.4 to +2.0)"
    assert not_run("why")[:2] == ("not run", "why")
