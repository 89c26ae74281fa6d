"""Open ends: every study that has such a number is a try, and a reading reaches it by its interval alone."""

from __future__ import annotations

import pandas as pd
import pytest

from experiments.papers.celm.analyses.open_ends import CITED, LARGE, OPEN_ENDS, TABLES, find

PRINTED = {name: TABLES[name].printed for name in ("table1", "table3")}
FAC = ("mdd_fac", "linear_svm")


def printed() -> dict[str, pd.DataFrame]:
    cells = {
        "table1": [("mdd_kar", "bp", 0.4), (*FAC, 0.965)],
        "table3": [("cifar10", "dcn", 0.672), ("cifar10", "r2svm", 0.693)],
    }
    columns = ["dataset", "model", "accuracy"]
    return {PRINTED[table]: pd.DataFrame(rows, columns=columns) for table, rows in cells.items()}


def study(dataset, model, accuracies) -> pd.DataFrame:
    rounds = range(len(accuracies))
    rows = {"dataset": dataset, "model": model, "round": rounds, "n_hidden": None, "accuracy": accuracies}
    return pd.DataFrame({**rows, "chosen": True})


def of_fac(**studies):
    names = {"default": "table1", "stratified": TABLES["table1"].study_of("stratified")}
    frames = {names[name]: study(*FAC, accuracies) for name, accuracies in studies.items()}
    return find({**printed(), **frames})[1]


def test_the_nearest_try_is_named_first():
    end = of_fac(default=[0.985, 0.985], stratified=[0.95, 0.95])
    assert [one.name for one in end.tries] == ["stratified", "default"]
    assert end.standing == "not identified"


@pytest.mark.parametrize(
    ("name", "accuracies", "standing"),
    [
        ("default", [0.9702, 0.9703], "reached"),
        ("stratified", [0.9702, 0.9703], "not identified"),
        ("stratified", [0.96, 0.98], "reached"),
        ("default", [0.98, 0.98], "not identified"),
    ],
)
def test_a_reading_reaches_a_number_by_its_interval_and_the_default_by_the_margin_too(name, accuracies, standing):
    assert of_fac(**{name: accuracies}).standing == standing


def test_a_number_without_a_try_is_not_run():
    ends = find(printed())
    assert {end.standing for end in ends} == {"not run"}
    assert OPEN_ENDS.document is not None
    assert OPEN_ENDS.document(ends)


def test_the_quoted_number_is_tried_by_the_shape_it_is_quoted_for():
    last = find({**printed(), LARGE: study("mnist", "ml_elm", [0.985])})[-1]
    assert (last.paper, last.tries[0].mean, last.standing) == (CITED, 0.985, "reached")
