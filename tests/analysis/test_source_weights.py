"""How much of a pooled lead hangs on one source: in worlds where we know which one is precise."""

import numpy as np
import pytest

from celm.analysis.random_effects import FEWEST_SOURCES
from celm.analysis.source_weights import weighed
from celm.analysis.suite_leads import SetLead, pooled_lead


def sets(noises, effects=None, rounds=10):
    """Sets whose rounds spread as told around their effects."""
    rng = np.random.default_rng(3)
    effects = np.zeros(len(noises)) if effects is None else effects
    pairs = enumerate(zip(noises, effects, strict=True))
    return [
        SetLead(f"s{place}", f"s{place}", "table", False, effect + noise * rng.standard_normal(rounds), 0.5, 1e-6)
        for place, (noise, effect) in pairs
    ]


def test_a_precise_source_has_the_weight_and_all_alike_give_it_back():
    leads = sets([0.02] * 11 + [0.0002])
    found, (pooled, _) = weighed(leads), pooled_lead(leads)
    assert found.heaviest == "s11"
    assert found.share > 0.9
    assert found.effective < 1.3
    means = np.array([one.rounds.mean() for one in leads])
    assert found.alike.effect == pytest.approx(means.mean())
    assert found.alike.high - found.alike.low > 5 * (pooled.high - pooled.low)
    assert found.without.high - found.without.low > 3 * (pooled.high - pooled.low)


def test_sources_of_one_precision_weigh_alike():
    found = weighed(sets([0.01] * 30, rounds=400))
    assert found.effective > 29
    assert found.share < 0.05
    assert found.alike.effect == pytest.approx(found.without.effect, abs=2e-4)


def test_the_heaviest_source_is_left_out_of_what_is_said_without_it():
    leads = sets([0.01] * 9 + [0.0002], effects=[0.0] * 9 + [0.5])
    assert weighed(leads).without.effect == pytest.approx(pooled_lead(leads[:-1])[0].effect)


def test_nothing_is_said_where_one_source_fewer_could_not_be_pooled():
    assert weighed(sets([0.01] * FEWEST_SOURCES)) is None
    assert weighed(sets([0.01] * (FEWEST_SOURCES + 1))) is not None
