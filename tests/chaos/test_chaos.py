"""A few faults of the long form, in real processes: nothing is lost or left behind, and it is said in words."""

import pytest

from chaos.faults import full_disk, two_runners, wrong_end
from chaos.kills import killed_runs
from chaos.runs import Ended, left_alone


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What the study gives when nothing happens to it."""
    return left_alone(tmp_path_factory.mktemp("alone"))


@pytest.mark.heavy
def test_a_killed_study_ends_as_one_that_was_left_alone(tmp_path, alone):
    sent, faults = killed_runs(tmp_path, 2, 7, alone)
    assert faults == []
    assert sent.total() == 2


@pytest.mark.heavy
@pytest.mark.parametrize("fault", [full_disk, two_runners])
def test_a_machine_that_fails_loses_nothing(tmp_path, alone, fault):
    assert fault(tmp_path, alone.content) == []


def test_an_end_that_is_not_the_expected_one_is_seen():
    assert wrong_end("full disk", Ended(1, "finished cells are kept"), 1, "finished cells are kept") == []
    assert wrong_end("full disk", Ended(0, "finished cells are kept"), 1, "finished cells are kept") != []
    assert wrong_end("full disk", Ended(1, "Traceback: finished cells are kept"), 1, "finished cells are kept") != []
