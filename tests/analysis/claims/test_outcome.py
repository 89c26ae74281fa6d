"""From intervals to verdicts, and from verdicts to words."""

import math

import numpy as np
import pytest

from celm.analysis.claims import Item, Measured, Region, asked, outcome_of, with_interval
from celm.analysis.claims.outcome import not_run
from celm.analysis.levels import ItemRounds


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.02, 0.05, "holds"), (0.01, 0.05, "holds"), (0.005, 0.05, "open"), (-0.01, 0.009, "fails")],
)
def test_an_interval_against_a_lower_edge(low, high, verdict):
    assert Region(at_least=0.01).bounds().verdict(low, high) == verdict


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(-0.01, 0.01, "holds"), (0.011, 0.02, "fails"), (-0.02, -0.011, "fails"), (-0.02, 0.005, "open"),
     (-0.02, 0.02, "open"), (math.nan, math.nan, "open")],
)  # fmt: skip
def test_an_interval_against_a_band(low, high, verdict):
    assert Region(-0.01, 0.01).bounds().verdict(low, high) == verdict


def test_decimals_are_compared_as_printed():
    difference = 0.727 - 0.647
    assert difference != 0.08
    assert Region(at_least=0.08).bounds().verdict(difference, difference) == "holds"


def test_the_pooled_effect_decides_and_items_are_counted_after_it():
    """Two items of three fail, the pooled effect holds: the claim holds, and says in how many items."""
    base = np.array([-0.001, 0.0, 0.001, 0.0])
    rounds = {"high": 0.2 + base, "low": -0.02 + base, "lower": -0.03 + base}
    items = [Item(name, float(values.mean()), 0.0, 0.0) for name, values in rounds.items()]
    drawn = tuple(ItemRounds(name, "wdbc", values, 0.5) for name, values in rounds.items())
    outcome = outcome_of(Measured(items, items[0], "points", rounds=drawn), Region(at_least=0.0))
    assert outcome.verdict == "holds"
    assert [holds for _, holds in outcome.numbers] == [True, False, False]
    assert outcome.pooled().effect == pytest.approx(0.05)
    assert outcome.beyond.verdict is None
    assert "1 independent sources (wdbc)" in outcome.beyond.reason


def test_the_sentence_tells_the_farthest_failure():
    items = [Item("near", 0.02, 0.015, 0.025), Item("far", -0.03, -0.04, -0.02), Item("wide", -0.09, -0.2, 0.02)]
    outcome = outcome_of(Measured(items, Item("mean", -0.03, -0.07, 0.01), "points"), Region(at_least=0.01))
    assert outcome.verdict == "open"
    assert "holds in 1 of 3, fails in 1, open in 1" in outcome.sentence
    assert "Farthest: far, -3.0 points (-4.0 to -2.0)" in outcome.sentence
    assert [holds for _, holds in outcome.numbers] == [True, False, None]
    assert outcome.pooled() == Item("pooled", -0.03, -0.07, 0.01)


def test_of_printed_numbers_one_that_fails_is_enough():
    items = [Item("a", 0.09, 0.09, 0.09), Item("b", 0.07, 0.07, 0.07)]
    found = Measured(items, Item("mean", 0.08, 0.08, 0.08), "points", exact=True)
    assert outcome_of(found, Region(at_least=0.08)).verdict == "fails"
    assert outcome_of(found._replace(exact=False), Region(at_least=0.08)).verdict == "holds"


def test_a_single_comparison_is_told_alone():
    item = Item("Spiral: ELM, 150 nodes", 0.8, 0.79, 0.81)
    outcome = outcome_of(Measured([item], item, "accuracy"), Region(0.75, 0.85))
    assert outcome.sentence == (
        "Spiral: ELM, 150 nodes: 0.800 (0.790 to 0.810); asked is at least 0.750 and at most 0.850."
    )


def test_one_round_is_open_and_has_no_interval():
    item = Item("one round", 2.0, math.nan, math.nan)
    outcome = outcome_of(Measured([item], item, "times"), Region(at_least=1.0))
    assert outcome.verdict == "open"
    assert (outcome.on_these_data.effect, outcome.on_these_data.low) == (2.0, None)
    assert with_interval(item, "times") == "2.00 times"


def test_words_of_units_and_edges():
    assert asked(Region(at_most=0.5), "share") == "at most 50 %"
    assert with_interval(Item("", 0.012, 0.004, 0.02), "points") == "+1.2 points (+0.4 to +2.0)"
    assert not_run("why").verdict == "not run"
    assert not_run("why").sentence == "why"
