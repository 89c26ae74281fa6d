"""Faults of a local cell: it is set aside and run again, or read as it was; one line of the table adds one."""

import shutil

import pytest

from celm.study.store import LocalStore
from tests.faults.cells import CELLS, NO_DIGEST, ONE, OTHER_DIGEST, THREE, TWO
from tests.faults.damage import (
    ABSENT,
    DEEP,
    HARMLESS,
    beside,
    cut,
    double,
    drop,
    flip,
    folder,
    gone,
    holds,
    laid_out,
    longer,
    nowhere,
    pipe,
    plain,
    put,
    signed,
    swap,
    text,
)


def run_again(root):
    """The local cells after a run that makes what is not there."""
    store = LocalStore(root)
    for key in CELLS.keys() - store.documents("table1").keys():
        store.write(CELLS[key])
    return store.documents("table1")


def local_cells(root):
    run_again(root)
    return root / "table1" / "cells" / f"{ONE}.json", lambda: run_again(root)


FILES = {
    "cell": local_cells,
}

NOT_A_SHARE = "accuracy must be a share from 0 to 1"

TABLE = [
    # A local cell: the file itself.
    ("cell", laid_out, HARMLESS),
    ("cell", gone, ABSENT),
    ("cell", nowhere, "set aside"),
    ("cell", folder, "set aside"),
    ("cell", pipe, "is not a regular file"),
    ("cell", holds(""), "set aside"),
    ("cell", holds("null"), NO_DIGEST),
    ("cell", holds("[]"), NO_DIGEST),
    ("cell", holds("{}"), NO_DIGEST),
    ("cell", holds("7"), NO_DIGEST),
    ("cell", holds('"a cell"'), NO_DIGEST),
    ("cell", holds(b"\xff\xfe\x00"), "set aside"),
    ("cell", holds(b"\x00" * 4096), "set aside"),
    ("cell", holds(DEEP), "set aside"),
    ("cell", cut(0.99), "set aside"),
    ("cell", cut(0.5), "set aside"),
    ("cell", cut(0.01), "set aside"),
    ("cell", longer(b"}"), "set aside"),
    ("cell", longer(b"\n\n"), HARMLESS),
    ("cell", flip(0.1), "set aside"),
    ("cell", flip(0.3), "set aside"),
    ("cell", flip(0.5), "set aside"),
    ("cell", flip(0.7), "set aside"),
    ("cell", flip(0.9), "set aside"),
    ("cell", beside(f"{TWO}.json"), f"it is the file of cell {TWO}"),
    ("cell", beside(f"{THREE}.json"), f"it is the file of cell {THREE}"),
    # A number changed by hand.
    ("cell", plain(put(0.6, "records", 0, "accuracy")), OTHER_DIGEST),
    ("cell", plain(put(0.76, "records", 1, "accuracy")), OTHER_DIGEST),
    ("cell", plain(put(2.0, "records", 1, "lam")), OTHER_DIGEST),
    ("cell", plain(put(0.51, "records", 1, "cv_accuracy")), OTHER_DIGEST),
    ("cell", plain(put(0.2, "records", 1, "fit_seconds")), OTHER_DIGEST),
    ("cell", plain(put(21, "records", 1, "n_train")), OTHER_DIGEST),
    ("cell", plain(swap(("records", 0, "accuracy"), ("records", 1, "accuracy"))), OTHER_DIGEST),
    ("cell", plain(swap(("records", 0, "chosen"), ("records", 1, "chosen"))), OTHER_DIGEST),
    ("cell", plain(put([3, 5], "records", 0, "cv_correct")), OTHER_DIGEST),
    ("cell", plain(drop("records", 0)), OTHER_DIGEST),
    ("cell", plain(double("records", 0)), OTHER_DIGEST),
    ("cell", plain(put("failed", "status")), OTHER_DIGEST),
    ("cell", plain(put("3.11 def", "code")), OTHER_DIGEST),
    ("cell", plain(put("d", "provenance", "commit")), OTHER_DIGEST),
    ("cell", plain(put(0.5, "seconds")), OTHER_DIGEST),
    ("cell", plain(drop("digest")), NO_DIGEST),
    ("cell", plain(put("", "digest")), OTHER_DIGEST),
    ("cell", plain(put(None, "digest")), OTHER_DIGEST),
    ("cell", text('"accuracy": 0.75', '"accuracy": 0.5, "accuracy": 0.65'), OTHER_DIGEST),
    # Values that no cell can have, whatever its digest.
    ("cell", signed(put(7, "records", 0, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(-1, "records", 0, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(1.0001, "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(True, "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put("0.75", "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put([0.75], "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(float("nan"), "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(float("inf"), "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", signed(put(None, "records", 1, "accuracy")), "a record has no accuracy or r2"),
    ("cell", signed(drop("records", 1, "accuracy")), "a record has no accuracy or r2"),
    ("cell", signed(put(1.5, "records", 1, "cv_accuracy")), "cv_accuracy must be a share"),
    ("cell", signed(put(2, "records", 1, "balanced_accuracy")), "balanced_accuracy must be a share"),
    ("cell", signed(put(2, "records", 1, "trustworthiness")), "trustworthiness must be a share"),
    ("cell", signed(put(1.5, "records", 1, "r2")), "r2 must be a number of at most 1"),
    ("cell", signed(put(-0.1, "records", 1, "rmse")), "rmse must be a number of at least 0"),
    ("cell", signed(put(-0.1, "records", 1, "kl_divergence")), "kl_divergence must be"),
    ("cell", signed(put(0, "records", 1, "lam")), "lam must be a positive number"),
    ("cell", signed(put(-1.0, "records", 1, "lam")), "lam must be a positive number"),
    ("cell", signed(put(float("inf"), "records", 1, "lam")), "lam must be a positive number"),
    ("cell", signed(put("1.0", "records", 1, "lam")), "lam must be a positive number"),
    ("cell", signed(put("no", "records", 1, "lam_at_edge")), "lam_at_edge must be true or false"),
    ("cell", signed(put(1, "records", 1, "chosen")), "chosen must be true or false"),
    ("cell", signed(put("yes", "records", 1, "chosen")), "chosen must be true or false"),
    ("cell", signed(put(0, "records", 1, "n_train")), "n_train must be a whole number"),
    ("cell", signed(put(20.5, "records", 1, "n_train")), "n_train must be a whole number"),
    ("cell", signed(put(-5, "records", 1, "n_test")), "n_test must be a whole number"),
    ("cell", signed(put(0, "records", 1, "stage")), "stage must be a whole number"),
    ("cell", signed(put(0, "records", 1, "epochs")), "epochs must be a whole number"),
    ("cell", signed(put(-1, "records", 1, "rank")), "rank must be a whole number"),
    ("cell", signed(put(-0.1, "records", 1, "fit_seconds")), "fit_seconds must be seconds of at least 0"),
    ("cell", signed(put("fast", "records", 1, "predict_seconds")), "predict_seconds must be seconds"),
    ("cell", signed(put(float("nan"), "records", 1, "another")), "another must be a finite number"),
    ("cell", signed(put(float("nan"), "shared", "another")), "another must be a finite number"),
    ("cell", signed(put(5.5, "records", 0, "n_hidden")), "n_hidden must be"),
    # Records that are not those of the cell.
    ("cell", signed(put(6, "records", 0, "n_hidden")), "node counts"),
    ("cell", signed(put("5", "records", 0, "n_hidden")), "node counts"),
    ("cell", signed(put(None, "records", 0, "n_hidden")), "node counts"),
    ("cell", signed(put(10, "records", 0, "n_hidden")), "stands in it twice"),
    ("cell", signed(drop("records", 0)), "it has records of 1 node counts, planned were 2"),
    ("cell", signed(double("records", 0)), "stands in it twice"),
    ("cell", signed(put([], "records")), "its records are not a list of at least one"),
    ("cell", signed(put([1, 2], "records")), "its records are not a list of at least one"),
    ("cell", signed(put({}, "records")), "it has no records of the right kind"),
    ("cell", plain(put(True, "records", 0, "chosen")), OTHER_DIGEST),
    ("cell", signed(put(None, "records", 1, "chosen")), "must be the chosen one, 0 are"),
    ("cell", signed(put(False, "records", 1, "chosen")), "must be the chosen one, 0 are"),
    ("cell", signed(put(3, "records", 0, "round")), "its round is 3, by its identity 0"),
    ("cell", signed(put("mnist", "records", 0, "dataset")), "its dataset is 'mnist', by its identity 'wdbc'"),
    ("cell", signed(put("bp", "records", 1, "model")), "its model is 'bp', by its identity 'elm'"),
    ("cell", signed(put(3, "shared", "round")), "its round is 3, by its identity 0"),
    ("cell", signed(put("bp", "shared", "model")), "its model is 'bp', by its identity 'elm'"),
    ("cell", signed(put("mnist", "shared", "dataset")), "its dataset is 'mnist'"),
    ("cell", signed(put(2, "shared", "seed")), "its seed is 2, by its identity 1"),
    ("cell", signed(drop("shared", "seed")), "its seed is None, by its identity 1"),
    ("cell", signed(drop("shared", "round")), "its round is None, by its identity 0"),
    ("cell", signed(drop("shared", "dataset")), "its dataset is None"),
    ("cell", signed(put({}, "shared")), "by its identity"),
    ("cell", signed(put(3, "identity", "round")), "its key is not that of its identity"),
    ("cell", signed(put([5], "identity", "n_hidden")), "its key is not that of its identity"),
    ("cell", signed(drop("identity", "seed")), "its key is not that of its identity"),
    ("cell", signed(put(TWO, "key")), "its key is not that of its identity"),
    ("cell", signed(put("fig4", "experiment")), "it is a cell of fig4"),
    # A document that is none.
    ("cell", signed(put("done", "status")), "its status is 'done'"),
    ("cell", signed(drop("status")), "it has no status"),
    ("cell", signed(drop("provenance")), "it has no provenance"),
    ("cell", signed(put([], "provenance")), "it has no provenance"),
    ("cell", signed(put(-1, "seconds")), "its seconds are -1"),
    ("cell", signed(put(float("nan"), "seconds")), "its seconds are nan"),
    ("cell", signed(put(True, "seconds")), "it has no seconds"),
    ("cell", signed(put("1", "seconds")), "it has no seconds"),
    ("cell", signed(put(7, "code")), "its code is 7"),
    ("cell", signed(put(7, "key")), "it has no key"),
    ("cell", signed(put([], "identity")), "it has no identity"),
]


def test_every_file_is_damaged_in_many_ways():
    assert len(TABLE) >= 100
    assert {file for file, _, _ in TABLE} == set(FILES)


@pytest.mark.parametrize(("file", "done", "must"), TABLE, ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)])
def test_no_fault_changes_a_number_silently(survives, file, done, must):
    survives(FILES[file], done, must)


def test_a_cell_in_the_folder_of_another_experiment_is_not_believed(tmp_path, caplog):
    path, _ = local_cells(tmp_path)
    (tmp_path / "fig4" / "cells").mkdir(parents=True)
    shutil.copy(path, tmp_path / "fig4" / "cells" / path.name)
    assert LocalStore(tmp_path).documents("fig4") == {}
    assert "it is a cell of table1" in caplog.text


def test_a_copy_of_a_cell_under_another_name_is_not_a_second_one(tmp_path, caplog):
    path, _ = local_cells(tmp_path)
    shutil.copy(path, path.with_name(f"{path.stem} (copy).json"))
    assert LocalStore(tmp_path).documents("table1") == CELLS
    assert f"it is the file of cell {ONE}" in caplog.text
