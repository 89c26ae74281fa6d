"""What a run says and stamps where its experiment is registered, and what the check prints."""

import pytest

import experiments.registration.standing as stamps
from celm.study.executors import EXECUTORS
from celm.study.runner import run_cell
from celm.study.store import LocalStore
from experiments.config.studies import composed_study
from experiments.execution import run_study
from experiments.registration.__main__ import check
from experiments.registration.entries import registrations
from experiments.registration.history import History
from experiments.registration.standing import run_faults, standing
from tests.experiments.registration.worlds import ANALYSIS


def test_a_run_says_why_its_records_will_not_count(world):
    one, history = registrations(world.root)["wide"], History(world.root)
    assert run_faults(one, history, world.head(), []) == []
    assert run_faults(one, history, f"{world.head()}+changes", []) == ["the tree has uncommitted changes"]
    assert run_faults(one, history, "unknown", []) == ["the commit is not known"]
    early = {"provenance": {"commit": world.head()}}
    assert run_faults(one, history, world.head(), [early]) == [
        "1 finished cells did not run under it; force=true reruns them"
    ]
    world.change(ANALYSIS, "max", "min")
    assert ANALYSIS in run_faults(one, history, world.head(), [])[0]
    assert standing(one, history).answer is False


def test_a_registered_run_stamps_its_records_and_strict_refuses_an_unclean_tree(world, monkeypatch, caplog):
    one = registrations(world.root)["wide"]
    monkeypatch.setattr(stamps, "ROOT", world.root)
    monkeypatch.setattr(stamps, "registration_of", lambda experiment: one if experiment == "suite" else None)
    monkeypatch.setattr(stamps, "commit", world.head)
    assert stamps.stamp_of("table1", [], strict=True) == {}
    assert stamps.stamp_of("suite", [], strict=True) == {"registration": one.stamp()}
    assert caplog.text == ""
    monkeypatch.setattr(stamps, "commit", lambda: f"{world.head()}+changes")
    assert stamps.stamp_of("suite", [], strict=False) == {"registration": one.stamp()}
    assert "its records will not count as registered under wide: the tree has uncommitted changes" in caplog.text
    with pytest.raises(ValueError, match="strict=true refuses"):
        stamps.stamp_of("suite", [], strict=True)


def test_records_of_a_run_carry_what_they_ran_under(world, monkeypatch, tmp_path):
    one = registrations(world.root)["wide"]
    monkeypatch.setattr(stamps, "ROOT", world.root)
    monkeypatch.setattr(stamps, "registration_of", lambda _: one)
    monkeypatch.setitem(EXECUTORS, "local", lambda cells, _: (run_cell(cell, 1) for cell in cells))
    small = ["scale=smoke", "model=elm", f"store={tmp_path}", "progress=false", "executor.threads=1"]
    study = composed_study("fig3", small)
    outcome = run_study(study)
    stored = LocalStore(tmp_path).documents(study.config.name)
    assert stored.keys() == outcome.finished.keys() != set()
    assert {document["provenance"]["registration"]["digest"] for document in stored.values()} == {one.digest}
    study.config.strict = True
    world.change(ANALYSIS, "max", "min")
    with pytest.raises(ValueError, match="strict=true refuses"):
        run_study(study)


def test_check_tells_all_and_is_quiet_where_nothing_is_registered(world, tmp_path, capsys):
    assert check(world.results, tmp_path) == []
    assert "nothing is registered" in capsys.readouterr().out
    assert [found.answer for found in check(world.results, world.root)] == [True]
    world.run()
    assert [found.answer for found in check(world.results, world.root)] == [True, True]
    world.change(ANALYSIS, "max", "min")
    assert [found.answer for found in check(world.results, world.root)] == [False, False]
    assert f"wide, suite: {ANALYSIS} changed since" in capsys.readouterr().out
