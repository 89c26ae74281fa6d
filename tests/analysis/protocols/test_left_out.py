"""A set that no protocol fits hides one that fits all others: leaving it out shows it."""

import numpy as np
import pytest

from celm.analysis.protocols import Panel, calibrated, identify
from celm.analysis.protocols.identification import Cutoffs
from celm.analysis.protocols.left_out import possible_without, without_each_set
from celm.analysis.protocols.simulation import Papers

PAPERS = 60


@pytest.fixture(scope="module")
def odd(make_world, paper_of):
    """Numbers of protocol 4 on all sets but the second, where they lie five points off."""
    panel = paper_of(make_world(protocols=6, sets=3), 4)
    first, second, third = panel.sets
    return panel._replace(sets=(first, second._replace(published=second.published - 0.05), third))


@pytest.fixture(scope="module")
def found(odd):
    return without_each_set(odd, calibrated(odd, PAPERS), papers=PAPERS)


def test_a_protocol_fits_once_the_odd_set_is_left_out(odd, found):
    assert identify(odd, calibrated(odd, PAPERS)).most_probable is None
    assert [one.dataset for one in found] == [one.dataset for one in odd.sets]
    assert [one.found.most_probable for one in found] == [None, "protocol4", None]
    assert found[0].found.fails_on == found[2].found.fails_on == ("set1",)
    assert found[1].found.fails_on == ()


def test_it_is_what_a_panel_without_that_set_says(odd, found):
    for place, one in enumerate(found):
        rest = Panel(odd.protocols, tuple(each for at, each in enumerate(odd.sets) if at != place))
        told = identify(rest, calibrated(rest, PAPERS))
        assert (one.found.nearest, one.found.indistinguishable) == (told.nearest, told.indistinguishable)


def test_a_protocol_a_little_beyond_its_cutoff_over_all_sets_is_simulated_one_far_beyond_is_not():
    likelihood = np.array([[[0.0, 0.0], [-1.0, -1.0], [-9.0, -9.0]]])
    deviance = np.array([[[1.0, 1.0], [5.5, 9.0], [50.0, 50.0]]])
    cutoffs = Cutoffs(np.full(3, 5.0), np.full(3, 5.0), np.full((3, 2), 5.0))
    found = possible_without(Papers(likelihood, deviance), cutoffs)
    np.testing.assert_array_equal(found, [[True, True], [False, True], [False, False]])
