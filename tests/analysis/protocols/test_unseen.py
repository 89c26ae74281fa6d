"""Papers of rounds that the cutoffs have not seen: what is taken out judges nothing, and the share held is honest."""

import numpy as np
import pytest

from celm.analysis.protocols import Panel, SetPanel
from celm.analysis.protocols.unseen import set_apart, unseen_held


@pytest.mark.parametrize("shared", [True, False])
def test_ten_rounds_are_the_paper_and_the_others_are_left(world, shared):
    apart = set_apart(world, 3, np.random.default_rng(0), shared=shared)
    for one, left in zip(world.sets, apart.sets, strict=True):
        assert left.accuracy.shape == (12, 50, 7)
        taken = []
        for model in range(7):
            is_out = ~np.isin(one.accuracy[3, :, model], left.accuracy[3, :, model])
            assert is_out.sum() == 10
            assert left.published[model] == one.accuracy[3, is_out, model].mean().round(3)
            # Whoever wrote the paper, all protocols lose the same rounds.
            assert (np.isin(one.accuracy[5, :, model], left.accuracy[5, :, model]) == ~is_out).all()
            taken.append(is_out)
        assert all((is_out == taken[0]).all() for is_out in taken) is shared


@pytest.mark.parametrize("correlation", ["ours", "none"])
def test_a_protocol_is_held_in_nineteen_of_twenty_papers_that_its_cutoffs_have_not_seen(world, correlation):
    assert 0.90 <= unseen_held(world, 200, correlation=correlation) <= 0.98


def test_a_protocol_whose_rounds_are_of_two_kinds_is_held_in_fewer_than_its_cutoffs_promise():
    """One round in sixty ruins the paper that has it: cutoffs of the other rounds have never seen the like."""
    rng = np.random.default_rng(1)
    accuracy = 0.9 + 0.001 * rng.standard_normal((4, 60, 3)) + 0.01 * np.arange(4)[:, None, None]
    accuracy[:, 7] -= 0.4
    panel = Panel(("a", "b", "c", "d"), (SetPanel("set", ("elm", "cdelm", "selm"), accuracy, np.full(3, 0.9)),))
    assert unseen_held(panel, 120) < 0.9


def test_too_few_rounds_are_refused(make_world):
    with pytest.raises(ValueError, match="unseen_held: rounds must be a whole number of at least 40; got 39"):
        unseen_held(make_world(rounds=39), 5)
