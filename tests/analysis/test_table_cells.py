"""Cells of a published table: all of them, with the verdict and the rounds of one and the same mean."""

import math

import pandas as pd
import pytest

from celm.analysis.table_cells import judged_table, of_the_paper

PAPER = pd.DataFrame(
    [("wdbc", "elm", 0.974, 0.01), ("wdbc", "linear_svm", 0.628, 0.5), ("mdd_kar", "elm", 0.91, 0.02)],
    columns=["dataset", "model", "accuracy", "train_seconds"],
)


def records(dataset, model, mean, n_hidden=50, rounds=2):
    return [
        {"dataset": dataset, "model": model, "round": r, "n_hidden": n, "accuracy": accuracy, "chosen": chosen,
         "fit_seconds": 0.02, "selection_seconds": 0.3, "cell": f"{dataset}{model}{r}"}
        for r in range(rounds)
        for n, accuracy, chosen in ((n_hidden + r, mean + 0.01 * (2 * r - 1), True), (10, 0.1, False))
    ]  # fmt: skip


FRAME = pd.DataFrame(
    [*records("wdbc", "elm", 0.97), *records("wdbc", "linear_svm", 0.95), *records("wdbc", "normalized_elm", 0.96)]
)
READ = pd.DataFrame(records("wdbc", "linear_svm", 0.63))


def by_place(cells):
    return {(cell.dataset, cell.model, cell.column): cell for cell in cells}


@pytest.fixture
def table():
    return judged_table("table1", PAPER, FRAME, {"svm_max_label": READ, "absent": pd.DataFrame()})


def test_before_anything_is_run_every_cell_is_there_and_not_run():
    cells = judged_table("table1", PAPER, pd.DataFrame(), {}).cells
    assert [cell.verdict for cell in cells] == ["not run"] * 3
    assert all(not math.isnan(cell.paper) and math.isnan(cell.ours) for cell in cells)


def test_a_cell_has_the_rounds_at_the_chosen_count_and_its_verdict(table):
    cell = by_place(table.cells)["wdbc", "elm", ""]
    assert (cell.verdict, cell.paper, cell.ours) == ("reproduced", 0.974, pytest.approx(0.97))
    assert [(one.round, one.n_hidden, one.accuracy) for one in cell.rounds] == [
        (0, "50", pytest.approx(0.96)),
        (1, "51", pytest.approx(0.98)),
    ]
    assert (cell.seconds, cell.selection_seconds, cell.paper_seconds) == pytest.approx((0.02, 0.3, 0.01))
    assert cell.n_hidden == "50.5"


def test_the_mean_of_a_cell_is_that_of_its_verdict_and_of_the_summary(table):
    means = {(row["dataset"], row["model"]): row["accuracy_mean"] for _, row in table.summary.iterrows()}
    judged = table.verdicts.set_index(["dataset", "model"])["accuracy_mean"].dropna()
    cells = {(cell.dataset, cell.model): cell.ours for cell in table.cells if cell.rounds}
    assert cells == means
    assert judged.to_dict() == {place: means[place] for place in judged.index}


def test_the_reading_beside_a_cell_is_told(table):
    cells = by_place(table.cells)
    explained = cells["wdbc", "linear_svm", ""]
    assert (explained.verdict, explained.reading, explained.reading_mean) == (
        "explained",
        "svm_max_label",
        pytest.approx(0.63),
    )
    assert cells["wdbc", "elm", ""].reading == ""
    assert cells["mdd_kar", "elm", ""].verdict == "not run"


def test_a_model_that_the_paper_does_not_have_is_not_counted(table):
    assert by_place(table.cells)["wdbc", "normalized_elm", ""].verdict == "ours alone"
    assert len(of_the_paper(table.cells)) == 3


def test_a_table_with_several_node_counts_keeps_them_apart():
    counts = ("1000", "2000")
    paper = pd.DataFrame(
        [("mnist", "elm", "1000", 0.93), ("mnist", "elm", "2000", 0.93), ("mnist", "ml_elm", "700-700-1000", 0.968),
         ("mnist", "selm", "1000", 0.96)],
        columns=["dataset", "model", "n_hidden", "accuracy"],
    )  # fmt: skip
    shared = {"dataset": "mnist", "round": 0, "chosen": True}
    frame = pd.DataFrame(
        [
            {**shared, "model": "elm", "n_hidden": 1000, "accuracy": 0.925, "cell": "a"},
            {**shared, "model": "elm", "n_hidden": 2000, "accuracy": 0.95, "cell": "a"},
            {**shared, "model": "ml_elm", "n_hidden": "700-700-1000", "accuracy": 0.96, "cell": "b"},
        ]
    )
    cells = by_place(judged_table("table2", paper, frame, {}).cells)
    assert [cells["mnist", "elm", n].ours for n in counts] == [0.925, 0.95]
    assert [cells["mnist", "elm", n].verdict for n in counts] == ["reproduced", "unexplained"]
    assert cells["mnist", "ml_elm", "700-700-1000"].ours == 0.96
    assert cells["mnist", "selm", "1000"].verdict == "not run"
