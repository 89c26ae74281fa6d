"""Drawn command lines run or are refused in a sentence; the command tries many more."""

import pytest

from fuzz.command_line_runs import Outcome, fault_of, fuzz
from fuzz.command_lines import CommandLine, command_line

INPUTS = 60


def test_a_command_line_runs_or_is_refused_in_words():
    outcomes, faults = fuzz(seed=1, numbers=range(INPUTS))
    assert not faults, faults[:3]
    assert outcomes["accepted"] > INPUTS // 30
    assert outcomes["refused"] > INPUTS // 2


def test_a_command_line_is_drawn_again_from_its_seed():
    drawn = [command_line(3, index) for index in range(50)]
    assert drawn == [command_line(3, index) for index in range(50)]
    assert any(line.file is not None for line in drawn)


@pytest.mark.parametrize(
    ("outcome", "words", "wrong"),
    [
        (Outcome(2, "error: no", "", 0.1), ["rounds=abc"], ""),
        (Outcome(0, "10 cells", "", 0.1), ["rounds=3"], ""),
        (Outcome(0, "10 cells", "", 0.1), ["selection.nested=3"], "selection.nested=3 was accepted"),
        (Outcome(0, "10 cells", "", 0.1), ["rounds=abc"], "rounds=abc was accepted"),
        (Outcome(2, " ", "", 0.1), ["rounds=abc"], "without a word"),
        (Outcome(1, "no", "", 0.1), ["rounds=abc"], "exit code 1"),
        (Outcome(2, "Traceback (most recent", "", 0.1), ["rounds=abc"], "a traceback"),
        (Outcome(1, "", "KeyError: 3", 0.1), ["rounds=abc"], "KeyError"),
        (Outcome(2, "no", "", 99.0), ["rounds=abc"], "99 seconds"),
    ],
)
def test_what_a_command_line_must_not_do_is_seen(outcome, words, wrong):
    found = fault_of(CommandLine(words, None), outcome)
    assert (wrong in found) if wrong else found == ""
