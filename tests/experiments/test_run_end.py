"""The end of a run: words that answer, one line, or an object that a program reads."""

import json
import logging
import sys

import pandas as pd
import pytest

from celm.base.names import dataset_label
from experiments.run_end import VARIABLE, Ending, best_of, duration, hushed, last_words, logs_aside, mode, with_mode

END = Ending("table1", 20, 18, 5, ["wdbc elm round 1"], 200.4, {"wdbc": ("selm", 0.97)}, "runs/table1", "")


@pytest.fixture(autouse=True)
def _loud(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


def test_flags_are_taken_off_and_switch_the_bar_off():
    assert with_mode(["experiment=table1"]) == ["experiment=table1"]
    assert with_mode(["--json", "experiment=table1"]) == ["experiment=table1", "progress=false"]
    assert mode() == "json"
    assert with_mode(["--quiet", "progress=true"]) == ["progress=true"]
    assert mode() == "quiet"


def test_another_word_is_refused(monkeypatch):
    monkeypatch.setenv(VARIABLE, "loud")
    with pytest.raises(ValueError, match="must be quiet or json"):
        mode()


def test_words_say_what_ran_how_long_what_is_best_where_and_what_next():
    text = last_words(END)
    for part in (
        "18 of 20 cells",
        "5 ran now in 3 min 20 s",
        f"0.970 on {dataset_label('wdbc')}",
        "runs/table1",
        "runs the failed cells again",
    ):
        assert part in text
    assert "without only= runs the models that are left" in last_words(END._replace(failed=[]))
    whole = END._replace(failed=[], finished=20)
    assert "more rounds" in last_words(whole._replace(compared="x is not published yet"))
    assert "index.html" in last_words(whole._replace(compared="In 1 of 1 published cells"))


def test_json_is_one_object_and_quiet_one_line(monkeypatch):
    monkeypatch.setenv(VARIABLE, "json")
    assert json.loads(last_words(END))["best"] == {"wdbc": {"model": "selm", "accuracy": 0.97}}
    monkeypatch.setenv(VARIABLE, "quiet")
    assert last_words(END) == "table1: 18 of 20 cells in 3 min 20 s, 1 failed"


def test_a_quiet_run_prints_nothing_else_and_logs_aside(monkeypatch, capsys):
    handler = logging.StreamHandler(sys.stdout)
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    with hushed():
        print("table")
    logs_aside()
    assert handler.stream is sys.stdout
    monkeypatch.setenv(VARIABLE, "quiet")
    with hushed():
        print("another")
    logs_aside()
    assert handler.stream is sys.stderr
    assert capsys.readouterr().out == "table\n"


def test_the_best_of_every_set():
    rows = [("a", "elm", 0.9), ("a", "selm", 0.95), ("b", "elm", 0.5)]
    summary = pd.DataFrame(rows, columns=["dataset", "model", "accuracy_mean"])
    assert best_of(summary) == {"a": ("selm", 0.95), "b": ("elm", 0.5)}
    assert best_of(pd.DataFrame()) == {}


def test_durations_are_as_exact_as_one_plans_by():
    assert [duration(s) for s in (0.4, 59.6, 61, 3600, 7265)] == [
        "0 s",
        "1 min 00 s",
        "1 min 01 s",
        "1 h 00 min",
        "2 h 01 min",
    ]
