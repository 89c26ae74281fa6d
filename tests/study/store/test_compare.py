"""Two versions of a cell are compared in every column that a table can read, times alone left out."""

import pytest

from celm.study.store import differing


def pair_of(document, **changes):
    first, second = document(), document()
    second["records"][1].update(changes)
    return {first["key"]: first}, {second["key"]: second}


def test_equal_cells_do_not_differ(document):
    assert differing(*pair_of(document)) == []


@pytest.mark.parametrize(
    "changes", [{"accuracy": 0.7}, {"chosen": False}, {"cv_accuracy": 0.5}, {"lam": 10.0}, {"rank": 9}, {"epochs": 3}]
)
def test_every_measured_column_is_compared(document, changes):
    (found,) = differing(*pair_of(document, **changes))
    assert found.columns == tuple(changes)
    assert (found.ours["n_hidden"], found.ours["dataset"]) == (10, "wdbc")


def test_times_and_threads_are_not_compared(document):
    assert differing(*pair_of(document, fit_seconds=3.0, selection_seconds=2.0, threads=2)) == []


def test_a_setting_that_only_a_newer_version_names_is_no_difference(document):
    ours, theirs = pair_of(document)
    next(iter(ours.values()))["shared"]["penalty"] = "ridge"
    assert differing(ours, theirs) == []
    next(iter(theirs.values()))["shared"]["penalty"] = "none"
    assert {found.columns for found in differing(ours, theirs)} == {("penalty",)}


def test_records_that_only_one_version_has_are_named(document):
    ours, theirs = document(), document()
    theirs["records"] = theirs["records"][:1]
    (lacking,) = differing({"k": ours}, {"k": theirs})
    assert (lacking.ours["n_hidden"], lacking.theirs, lacking.columns) == (10, {}, ("accuracy",))
    (further,) = differing({"k": theirs}, {"k": ours})
    assert (further.ours["n_hidden"], further.ours["dataset"]) == (10, "wdbc")
    assert further.told() == "accuracy None and 0.75"


def test_long_values_are_told_short(document):
    (found,) = differing(*pair_of(document, cv_correct=list(range(100))))
    assert len(found.told()) < 80
