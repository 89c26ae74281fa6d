"""Exported splits: the rows that a published round had, classes from one, ours beside."""

import importlib.util
from pathlib import Path

import numpy as np
from scipy.io import loadmat, savemat

from celm.study.runner import split_of
from experiments.config.studies import composed_study
from experiments.results import Results

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("export_splits", ROOT / "scripts" / "export_splits.py")
SCRIPT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(SCRIPT)


def test_a_file_holds_the_rows_of_its_round_and_our_accuracies(tmp_path):
    (one,) = SCRIPT.exported("table1", ["wdbc"], 1, Results())
    savemat(tmp_path / "one.mat", one.content())
    found = loadmat(tmp_path / "one.mat")
    cell = next(cell for cell in composed_study("table1").plan() if (cell.dataset.name, cell.round) == ("wdbc", 0))
    split = split_of(cell)
    assert np.array_equal(found["X"], split.X)
    assert set(np.unique(found["y"])) == {1, 2}
    assert len(found["X_test"]) == len(found["y_test"]) == len(split.y_test)
    assert [str(name[0]) for name in found["models"].ravel()] == list(one.ours)
    assert all(0.9 < value <= 1.0 for value in found["ours"].ravel())


def test_how_the_authors_functions_are_called_is_printed():
    """Classes are whole numbers: beside them features would be rounded, so they are made doubles first."""
    told = SCRIPT.example(Path("splits") / "mdd_pix_0.mat")
    assert "load('splits/mdd_pix_0.mat')" in told
    assert "[double(s.y), s.X]" in told
    assert "CSELM(train, test, 1, 200, 'sig', 10^100)" in told
    assert "SELM.m is RSELM" in told
