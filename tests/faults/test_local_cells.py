"""Faults of a local cell: it is set aside and run again, or read as it was; one line of the table adds one."""

import shutil

import pytest

import tests.faults.damage as do
from celm.study.store import LocalStore
from tests.faults.cells import CELLS, NO_DIGEST, ONE, OTHER_DIGEST, THREE, TWO


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
    ("cell", do.laid_out, do.HARMLESS),
    ("cell", do.gone, do.ABSENT),
    ("cell", do.nowhere, "set aside"),
    ("cell", do.folder, "set aside"),
    ("cell", do.pipe, "is not a regular file"),
    ("cell", do.holds(""), "set aside"),
    ("cell", do.holds("null"), NO_DIGEST),
    ("cell", do.holds("[]"), NO_DIGEST),
    ("cell", do.holds("{}"), NO_DIGEST),
    ("cell", do.holds("7"), NO_DIGEST),
    ("cell", do.holds('"a cell"'), NO_DIGEST),
    ("cell", do.holds(b"\xff\xfe\x00"), "set aside"),
    ("cell", do.holds(b"\x00" * 4096), "set aside"),
    ("cell", do.holds(do.DEEP), "set aside"),
    ("cell", do.cut(0.99), "set aside"),
    ("cell", do.cut(0.5), "set aside"),
    ("cell", do.cut(0.01), "set aside"),
    ("cell", do.longer(b"}"), "set aside"),
    ("cell", do.longer(b"\n\n"), do.HARMLESS),
    ("cell", do.flip(0.1), "set aside"),
    ("cell", do.flip(0.3), "set aside"),
    ("cell", do.flip(0.5), "set aside"),
    ("cell", do.flip(0.7), "set aside"),
    ("cell", do.flip(0.9), "set aside"),
    ("cell", do.beside(f"{TWO}.json"), f"it is the file of cell {TWO}"),
    ("cell", do.beside(f"{THREE}.json"), f"it is the file of cell {THREE}"),
    # A number changed by hand.
    ("cell", do.plain(do.put(0.6, "records", 0, "accuracy")), OTHER_DIGEST),
    ("cell", do.plain(do.put(0.76, "records", 1, "accuracy")), OTHER_DIGEST),
    ("cell", do.plain(do.put(2.0, "records", 1, "lam")), OTHER_DIGEST),
    ("cell", do.plain(do.put(0.51, "records", 1, "cv_accuracy")), OTHER_DIGEST),
    ("cell", do.plain(do.put(0.2, "records", 1, "fit_seconds")), OTHER_DIGEST),
    ("cell", do.plain(do.put(21, "records", 1, "n_train")), OTHER_DIGEST),
    ("cell", do.plain(do.swap(("records", 0, "accuracy"), ("records", 1, "accuracy"))), OTHER_DIGEST),
    ("cell", do.plain(do.swap(("records", 0, "chosen"), ("records", 1, "chosen"))), OTHER_DIGEST),
    ("cell", do.plain(do.put([3, 5], "records", 0, "cv_correct")), OTHER_DIGEST),
    ("cell", do.plain(do.drop("records", 0)), OTHER_DIGEST),
    ("cell", do.plain(do.double("records", 0)), OTHER_DIGEST),
    ("cell", do.plain(do.put("failed", "status")), OTHER_DIGEST),
    ("cell", do.plain(do.put("3.11 def", "code")), OTHER_DIGEST),
    ("cell", do.plain(do.put("d", "provenance", "commit")), OTHER_DIGEST),
    ("cell", do.plain(do.put(0.5, "seconds")), OTHER_DIGEST),
    ("cell", do.plain(do.drop("digest")), NO_DIGEST),
    ("cell", do.plain(do.put("", "digest")), OTHER_DIGEST),
    ("cell", do.plain(do.put(None, "digest")), OTHER_DIGEST),
    ("cell", do.text('"accuracy": 0.75', '"accuracy": 0.5, "accuracy": 0.65'), OTHER_DIGEST),
    # Values that no cell can have, whatever its digest.
    ("cell", do.signed(do.put(7, "records", 0, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(-1, "records", 0, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(1.0001, "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(True, "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put("0.75", "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put([0.75], "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(float("nan"), "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(float("inf"), "records", 1, "accuracy")), NOT_A_SHARE),
    ("cell", do.signed(do.put(None, "records", 1, "accuracy")), "a record has no accuracy or r2"),
    ("cell", do.signed(do.drop("records", 1, "accuracy")), "a record has no accuracy or r2"),
    ("cell", do.signed(do.put(1.5, "records", 1, "cv_accuracy")), "cv_accuracy must be a share"),
    ("cell", do.signed(do.put(2, "records", 1, "balanced_accuracy")), "balanced_accuracy must be a share"),
    ("cell", do.signed(do.put(2, "records", 1, "trustworthiness")), "trustworthiness must be a share"),
    ("cell", do.signed(do.put(1.5, "records", 1, "r2")), "r2 must be a number of at most 1"),
    ("cell", do.signed(do.put(-0.1, "records", 1, "rmse")), "rmse must be a number of at least 0"),
    ("cell", do.signed(do.put(-0.1, "records", 1, "kl_divergence")), "kl_divergence must be"),
    ("cell", do.signed(do.put(0, "records", 1, "lam")), "lam must be a positive number"),
    ("cell", do.signed(do.put(-1.0, "records", 1, "lam")), "lam must be a positive number"),
    ("cell", do.signed(do.put(float("inf"), "records", 1, "lam")), "lam must be a positive number"),
    ("cell", do.signed(do.put("1.0", "records", 1, "lam")), "lam must be a positive number"),
    ("cell", do.signed(do.put("no", "records", 1, "lam_at_edge")), "lam_at_edge must be true or false"),
    ("cell", do.signed(do.put(1, "records", 1, "chosen")), "chosen must be true or false"),
    ("cell", do.signed(do.put("yes", "records", 1, "chosen")), "chosen must be true or false"),
    ("cell", do.signed(do.put(0, "records", 1, "n_train")), "n_train must be a whole number"),
    ("cell", do.signed(do.put(20.5, "records", 1, "n_train")), "n_train must be a whole number"),
    ("cell", do.signed(do.put(-5, "records", 1, "n_test")), "n_test must be a whole number"),
    ("cell", do.signed(do.put(0, "records", 1, "stage")), "stage must be a whole number"),
    ("cell", do.signed(do.put(0, "records", 1, "epochs")), "epochs must be a whole number"),
    ("cell", do.signed(do.put(-1, "records", 1, "rank")), "rank must be a whole number"),
    ("cell", do.signed(do.put(-0.1, "records", 1, "fit_seconds")), "fit_seconds must be seconds of at least 0"),
    ("cell", do.signed(do.put("fast", "records", 1, "predict_seconds")), "predict_seconds must be seconds"),
    ("cell", do.signed(do.put(float("nan"), "records", 1, "another")), "another must be a finite number"),
    ("cell", do.signed(do.put(float("nan"), "shared", "another")), "another must be a finite number"),
    ("cell", do.signed(do.put(5.5, "records", 0, "n_hidden")), "n_hidden must be"),
    # Records that are not those of the cell.
    ("cell", do.signed(do.put(6, "records", 0, "n_hidden")), "node counts"),
    ("cell", do.signed(do.put("5", "records", 0, "n_hidden")), "node counts"),
    ("cell", do.signed(do.put(None, "records", 0, "n_hidden")), "node counts"),
    ("cell", do.signed(do.put(10, "records", 0, "n_hidden")), "stands in it twice"),
    ("cell", do.signed(do.drop("records", 0)), "it has records of 1 node counts, planned were 2"),
    ("cell", do.signed(do.double("records", 0)), "stands in it twice"),
    ("cell", do.signed(do.put([], "records")), "its records are not a list of at least one"),
    ("cell", do.signed(do.put([1, 2], "records")), "its records are not a list of at least one"),
    ("cell", do.signed(do.put({}, "records")), "it has no records of the right kind"),
    ("cell", do.plain(do.put(True, "records", 0, "chosen")), OTHER_DIGEST),
    ("cell", do.signed(do.put(None, "records", 1, "chosen")), "must be the chosen one, 0 are"),
    ("cell", do.signed(do.put(False, "records", 1, "chosen")), "must be the chosen one, 0 are"),
    ("cell", do.signed(do.put(3, "records", 0, "round")), "its round is 3, by its identity 0"),
    ("cell", do.signed(do.put("mnist", "records", 0, "dataset")), "its dataset is 'mnist', by its identity 'wdbc'"),
    ("cell", do.signed(do.put("bp", "records", 1, "model")), "its model is 'bp', by its identity 'elm'"),
    ("cell", do.signed(do.put(3, "shared", "round")), "its round is 3, by its identity 0"),
    ("cell", do.signed(do.put("bp", "shared", "model")), "its model is 'bp', by its identity 'elm'"),
    ("cell", do.signed(do.put("mnist", "shared", "dataset")), "its dataset is 'mnist'"),
    ("cell", do.signed(do.put(2, "shared", "seed")), "its seed is 2, by its identity 1"),
    ("cell", do.signed(do.drop("shared", "seed")), "its seed is None, by its identity 1"),
    ("cell", do.signed(do.drop("shared", "round")), "its round is None, by its identity 0"),
    ("cell", do.signed(do.drop("shared", "dataset")), "its dataset is None"),
    ("cell", do.signed(do.put({}, "shared")), "by its identity"),
    ("cell", do.signed(do.put(3, "identity", "round")), "its key is not that of its identity"),
    ("cell", do.signed(do.put([5], "identity", "n_hidden")), "its key is not that of its identity"),
    ("cell", do.signed(do.drop("identity", "seed")), "its key is not that of its identity"),
    ("cell", do.signed(do.put(TWO, "key")), "its key is not that of its identity"),
    ("cell", do.signed(do.put("fig4", "experiment")), "it is a cell of fig4"),
    # A document that is none.
    ("cell", do.signed(do.put("done", "status")), "its status is 'done'"),
    ("cell", do.signed(do.drop("status")), "it has no status"),
    ("cell", do.signed(do.drop("provenance")), "it has no provenance"),
    ("cell", do.signed(do.put([], "provenance")), "it has no provenance"),
    ("cell", do.signed(do.put(-1, "seconds")), "its seconds are -1"),
    ("cell", do.signed(do.put(float("nan"), "seconds")), "its seconds are nan"),
    ("cell", do.signed(do.put(True, "seconds")), "it has no seconds"),
    ("cell", do.signed(do.put("1", "seconds")), "it has no seconds"),
    ("cell", do.signed(do.put(7, "code")), "its code is 7"),
    ("cell", do.signed(do.put(7, "key")), "it has no key"),
    ("cell", do.signed(do.put([], "identity")), "it has no identity"),
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
