"""A dry run: what is left, what it should take, what of that is a guess; for people, for logs, for programs."""

import json

import pytest

from experiments.dry_run import Expected, Forecast, in_one_line, joined, told
from experiments.run_end import VARIABLE
from fuzz.command_line_runs import ended

KNOWN, GUESS = Expected("k1", "wdbc elm round 0", 30.0, False), Expected("k2", "wdbc bp round 0", 90.0, True)
WORK = {"elm": KNOWN, "bp": GUESS}
FORESEEN = Forecast("table1", 5, [KNOWN, GUESS], 2)


@pytest.fixture(autouse=True)
def _loud(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


def test_a_line_per_cell_and_what_is_guessed():
    first, second, last = told(FORESEEN).splitlines()
    assert first.split() == ["k1", "30.0", "s", "wdbc", "elm", "round", "0"]
    assert "90.0 s (guess)  wdbc bp round 0" in second
    assert last.startswith("table1: 2 of 5 cells left, about 1 min 00 s on 2 processes: a guess for 1 of them")


def test_many_cells_are_a_line_for_all_rounds_of_a_model(monkeypatch):
    many = [cell._replace(label=f"wdbc {model} round {r}") for r in range(30) for model, cell in WORK.items()]
    *lines, last = told(FORESEEN._replace(cells=many, planned=60)).splitlines()
    assert [line.split() for line in lines] == [
        ["30", "cells", "900.0", "s", "wdbc", "elm"],
        ["30", "cells", "2700.0", "s", "(guess)", "wdbc", "bp"],
    ]
    assert "60 of 60 cells left" in last
    monkeypatch.setenv(VARIABLE, "json")
    assert len(json.loads(told(FORESEEN._replace(cells=many)))["cells"]) == 60


def test_nothing_is_called_a_guess_that_is_none_and_all_where_all_is():
    assert in_one_line(FORESEEN._replace(cells=[KNOWN])) == "table1: 1 of 5 cells left, about 15 s on 2 processes"
    assert ": a guess, nothing like" in in_one_line(FORESEEN._replace(cells=[GUESS]))


def test_jobs_of_a_sweep_are_summed():
    both = joined([FORESEEN, FORESEEN._replace(cells=[KNOWN])])
    assert (both.name, both.planned, both.seconds, both.jobs) == ("table1", 10, 75.0, 2)
    assert "3 of 10 cells left in 2 jobs" in in_one_line(both)


def run(folder, *words):
    own = ["dataset=wdbc", "n_hidden=[5]", "rounds=2", "dry_run=true", f"store={folder / 'runs'}"]
    end = ended([*words, *own, f"hydra.sweep.dir={folder / 'hydra'}"])
    assert end.code == 0, end.output
    return end.output


def test_json_is_one_object_alone_or_in_a_sweep(tmp_path):
    alone = json.loads(run(tmp_path, "--json", "model=elm"))
    assert (alone["planned"], alone["left"], alone["jobs"], alone["dry_run"]) == (2, 2, 1, True)
    assert [cell["label"] for cell in alone["cells"]] == ["wdbc elm round 0", "wdbc elm round 1"]
    total = sum(cell["seconds"] for cell in alone["cells"])
    assert alone["seconds"] == pytest.approx(total / alone["processes"], abs=0.1)
    printed = run(tmp_path, "--json", "-m", "model=elm,cdelm").splitlines()
    (line,) = [line for line in printed if line.startswith("{")]
    assert (json.loads(line)["left"], json.loads(line)["jobs"]) == (4, 2)
    assert not (tmp_path / "runs").exists()


def test_a_sweep_lists_its_jobs_and_ends_with_their_sum(tmp_path):
    printed = run(tmp_path, "-m", "model=elm,cdelm")
    assert "wdbc elm round 1" in printed
    assert "wdbc cdelm round 1" in printed
    assert "4 of 4 cells left in 2 jobs" in printed.splitlines()[-1]
    quiet = run(tmp_path, "--quiet", "-m", "model=elm,cdelm")
    assert "wdbc cdelm round 1" not in quiet
    assert "4 of 4 cells left in 2 jobs" in quiet.splitlines()[-1]


@pytest.mark.parametrize("several", [[], ["-m", "rounds=1,2"]], ids=["alone", "in a sweep"])
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["store=/dev/null"], "the store /dev/null cannot be written: Not a directory. Name another with store=FOLDER"),
        (["executor=dask", "executor.address=nonsense"], "executor=dask: no scheduler answers at nonsense"),
    ],
)
def test_what_a_run_would_refuse_is_refused(tmp_path, several, words, told):
    end = ended([*several, "n_hidden=[5]", "dry_run=true", *words, f"hydra.sweep.dir={tmp_path}"])
    assert end.code == 2
    assert told in end.output
