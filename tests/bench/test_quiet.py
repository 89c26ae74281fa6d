"""Times are published from a quiet machine alone: what its loop may tell, and what it may not."""

import pytest

from bench import quiet
from bench.measure import Row
from bench.quiet import Calibration, busy, calibrate, complaints, settle, unsettled
from celm.base.threads import n_cores

CALM = Calibration(1.0, 0.1)


def test_a_quiet_machine_may_publish():
    assert complaints("fit", (CALM, Calibration(1.1, 0.1)), 1.0) == []


@pytest.mark.parametrize(
    ("around", "words"),
    [
        ((Calibration(1.0, 0.5), CALM), "fit: others kept 50% of the cores busy"),
        ((CALM, Calibration(1.0, 0.5)), "fit: others kept 50% of the cores busy"),
        ((CALM, Calibration(1.3, 0.0)), "fit: the same loop took 1.30 times its best"),
        ((Calibration(1.3, 0.0), CALM), "fit: the same loop took 1.30 times its best"),
    ],
)
def test_a_busy_machine_is_told_what_is_wrong(around, words):
    (complaint,) = complaints("fit", around, 1.0)
    assert words in complaint


@pytest.mark.parametrize(("spreads", "told"), [([1.1, None], False), ([1.2, 1.5, None], True)])
def test_a_task_with_turns_far_apart_is_told_with_the_worst_of_them(spreads, told):
    found = unsettled("draw", [Row("draw", "celm", dtype=f"dtype {spread}", next_best=spread) for spread in spreads])
    assert len(found) == told
    assert all("second best turn of celm dtype 1.5 (draw) took 1.50 times the best" in words for words in found)


def test_unsteady_turns_of_a_peer_do_not_keep_our_own_from_being_published():
    assert not unsettled("draw", [Row("draw", "celm", next_best=1.01), Row("draw", "hpelm", next_best=3.0)])


def test_the_best_turn_of_the_loop_counts(monkeypatch):
    ticks = iter([0.0, 5.0, 5.0, 6.0, 6.0, 8.0])
    monkeypatch.setattr(quiet.time, "perf_counter", lambda: next(ticks))
    monkeypatch.setattr(quiet, "busy", lambda: 0.3)
    assert calibrate(turns=3) == Calibration(1.0, 0.3)


def test_others_at_work_are_seen_and_one_s_own_past_is_not(monkeypatch, tmp_path):
    """Of 400 ticks between two looks, 100 were work and 300 none, whatever came before."""
    looks = iter(["cpu 900 0 80 20 0 0 0 0 0 0\ncpu0 1", "cpu 950 10 110 300 20 0 0 10 0 0\ncpu0 1"])
    monkeypatch.setattr(quiet, "STAT", tmp_path / "stat")
    (tmp_path / "stat").touch()
    monkeypatch.setattr(quiet.Path, "read_text", lambda self, encoding: next(looks))
    assert busy(glance=0.0) == pytest.approx(100 / 400)
    monkeypatch.setattr(quiet, "STAT", tmp_path / "nothing")
    monkeypatch.setattr(quiet.os, "getloadavg", lambda: (3.0 * n_cores(), 0.0, 0.0))
    assert busy() == 3.0


def test_others_that_end_are_waited_for(monkeypatch):
    seen = iter([1.0, 0.4, 0.1, 9.0])
    monkeypatch.setattr(quiet, "busy", lambda: next(seen))
    settle(patience=60.0)
    assert next(seen) == 9.0
    monkeypatch.setattr(quiet, "busy", lambda: 1.0)
    settle(patience=0.0)
