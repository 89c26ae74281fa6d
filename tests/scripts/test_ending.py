"""Every script explains itself, and refuses words that make no sense before any work."""

import os
import runpy
import sys
from pathlib import Path

import pytest
from ending import end_in_words, place

SCRIPTS = {path.stem: path for path in (Path(__file__).resolve().parents[2] / "scripts").glob("*.py")}
SCRIPTS.pop("ending")


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    monkeypatch.setattr(os, "environ", os.environ.copy())


def ended(monkeypatch, capsys, name, *words):
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *words])
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(SCRIPTS[name]), run_name="__main__")
    out, err = capsys.readouterr()
    return caught.value.code, out + err


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_every_script_has_help_and_refuses_other_words(monkeypatch, capsys, name):
    code, said = ended(monkeypatch, capsys, name, "--help")
    assert code == 0
    assert name in said
    for word in ("--zzz", "zzz"):
        code, said = ended(monkeypatch, capsys, name, word)
        assert code == 2, word
        assert "usage" in said or "FOLDER" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("bench_curve --repeat 0", "--repeat: it must be a whole number of at least 1; got '0'"),
        ("bench_curve --dataset zzz", "error: unknown data set 'zzz'"),
        ("bench_dask --rows -5", "--rows: it must be a whole number of at least 1; got '-5'"),
        ("bench_dask --out /dev/null/x", "--out: no file can be written at '/dev/null/x': Not a directory"),
        ("bench_solver --hidden-gb nan", "--hidden-gb: it must be a number above 0; got 'nan'"),
        ("many_nodes --lam abc", "--lam: it must be a number above 0; got 'abc'"),
        ("check_container --steps zzz", "--steps: no step has one of the words ['zzz']"),
        ("check_container --limit -1", "--limit: it must be a number above 0; got -1"),
        ("check_wheel a b", "one wheel must be named; got 2"),
        ("export_splits --rounds 0", "--rounds: it must be a whole number of at least 1; got '0'"),
        ("sparse_memory --rows 50 --features 9 --density 0.5 --strategy zzz", "strategy must be one of"),
        ("trial_scales --models elm,zzz", "trial: --models must be one of elm, "),
    ],
)
def test_words_that_make_no_sense(monkeypatch, capsys, words, told):
    code, said = ended(monkeypatch, capsys, *words.split())
    assert told in said
    assert code == 2


def test_what_it_starts_is_not_asked_for_our_kernels(monkeypatch):
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    end_in_words(lambda: None)
    assert "OPENBLAS_CORETYPE" not in os.environ


def test_a_file_is_written_where_it_can_be(tmp_path):
    assert place(str(tmp_path / "new" / "x.json")) == tmp_path / "new" / "x.json"
    assert list(tmp_path.iterdir()) == []
