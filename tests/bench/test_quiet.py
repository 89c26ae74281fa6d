"""Times are published from a quiet machine alone: what its loop may tell, and what it may not."""

import numpy as np
import pytest

from bench import quiet
from bench.quiet import Calibration, calibrate, complaints, settle

CALM = Calibration(1.0, 1.05, 0.1)


def test_a_quiet_machine_may_publish():
    assert complaints(CALM, Calibration(1.1, 1.2, 5.0)) == []


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (Calibration(1.0, 1.0, 0.5), CALM, "load per core was 0.50"),
        (Calibration(1.0, 1.2, 0.0), CALM, "1.20 times its best before the run"),
        (CALM, Calibration(1.0, 1.5, 0.0), "1.50 times its best after the run"),
        (CALM, Calibration(1.3, 1.3, 0.0), "1.30 times as long at one end"),
    ],
)
def test_a_busy_machine_is_told_what_is_wrong(before, after, words):
    (complaint,) = complaints(before, after)
    assert words in complaint


@pytest.mark.parametrize(("slow_rounds", "refused"), [(1, False), (3, True)])
def test_a_hiccup_is_forgiven_and_a_neighbour_is_not(monkeypatch, slow_rounds, refused):
    """Turns of one second, but for rounds in which all take two."""
    turns = np.ones((5, 3))
    turns[:slow_rounds] = 2.0
    ends = np.cumsum(turns.ravel())
    ticks = iter(np.column_stack([ends - turns.ravel(), ends]).ravel())
    monkeypatch.setattr(quiet.time, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(quiet, "load", lambda: 0.0)
    found = calibrate(rounds=5, turns=3, pause=0.0)
    assert (found.best, found.median) == (1.0, 2.0 if refused else 1.0)
    assert bool(complaints(found, Calibration(1.0, 1.0, 0.0))) == refused


def test_a_load_that_falls_is_waited_for(monkeypatch):
    loads = iter([1.0, 0.4, 0.1, 9.0])
    monkeypatch.setattr(quiet, "load", lambda: next(loads))
    settle(patience=60.0, glance=0.0)
    assert next(loads) == 9.0
    monkeypatch.setattr(quiet, "load", lambda: 1.0)
    settle(patience=0.0, glance=0.0)
