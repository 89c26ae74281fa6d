"""Cells of the paper's tables: all of them, with the verdict of the file and the rounds of the records."""

import math

import pandas as pd
import pytest

from celm.study.store import PublishedStore
from experiments.report.cells import TABLES, StaleResults, cells_of, count_text, of_the_paper


def by_place(cells):
    return {(cell.dataset, cell.model, cell.column): cell for cell in cells}


def test_an_empty_folder_has_all_79_cells_not_run(tmp_path):
    cells = [cell for table in TABLES for cell in of_the_paper(cells_of(table, tmp_path))]
    assert len(cells) == 79
    assert {cell.verdict for cell in cells} == {"not run"}
    assert all(not math.isnan(cell.paper) and math.isnan(cell.ours) for cell in cells)
    assert sum(cell.cited for cell in cells) == 3


def test_a_cell_has_the_rounds_at_the_chosen_count_and_the_verdict_of_the_file(results):
    cell = by_place(cells_of("table1", results))["wdbc", "elm", ""]
    assert (cell.verdict, cell.paper, cell.ours) == ("reproduced", 0.974, pytest.approx(0.97))
    assert [(one.round, one.n_hidden, one.accuracy) for one in cell.rounds] == [
        (0, "50", pytest.approx(0.96)),
        (1, "51", pytest.approx(0.98)),
    ]
    assert (cell.seconds, cell.selection_seconds, cell.paper_seconds) == pytest.approx((0.02, 0.3, 0.01))
    assert cell.n_hidden == "50.5"


def test_the_reading_beside_a_cell_is_told(results):
    cells = by_place(cells_of("table1", results))
    assert cells["wdbc", "linear_svm", ""].reading == "svm_max_label"
    assert cells["wdbc", "linear_svm", ""].reading_mean == 0.63
    assert cells["mdd_kar", "elm", ""].reading == ""


def test_a_model_that_the_paper_does_not_have_is_not_counted(results):
    cells = cells_of("table1", results)
    assert by_place(cells)["wdbc", "normalized_elm", ""].verdict == "ours alone"
    assert len(of_the_paper(cells)) == 54


def test_verdicts_older_than_the_records_are_refused(results, publish_table1):
    publish_table1(results, {("wdbc", "elm"): 0.93})
    with pytest.raises(StaleResults, match=r"0\.97 for wdbc elm .* have 0\.93"):
        cells_of("table1", results)


def test_records_that_nobody_judged_are_refused(results):
    (results / "tables" / "table1_verdicts.csv").unlink()
    with pytest.raises(StaleResults, match=r"no tables/table1_verdicts\.csv"):
        cells_of("table1", results)


def test_a_table_with_several_node_counts_keeps_them_apart(tmp_path):
    counts = {1000: 0.92, 2000: 0.95}
    records = [{"n_hidden": n, "accuracy": value, "chosen": True} for n, value in counts.items()]
    deep = [{"n_hidden": "700-700-1000", "accuracy": 0.96, "chosen": True}]
    common = {"status": "ok", "seconds": 0.1, "provenance": {}}
    documents = {
        model: {**common, "key": model, "shared": {"dataset": "mnist", "model": model, "round": 0}, "records": rows}
        for model, rows in {"elm": records, "ml_elm": deep}.items()
    }
    PublishedStore(tmp_path / "records").write("table2", documents, {"planned_cells": 2})
    rows = [
        {"model": "elm", "n_hidden": "1000", "accuracy_mean": 0.92, "verdict": "reproduced"},
        {"model": "elm", "n_hidden": "2000", "accuracy_mean": 0.95, "verdict": "unexplained"},
        {"model": "ml_elm", "n_hidden": "700-700-1000", "accuracy_mean": 0.96, "verdict": "reproduced"},
        {"model": "selm", "n_hidden": "1000", "verdict": "not run"},
    ]
    blank = {"dataset": "mnist", **dict.fromkeys(["reading", "reading_mean", "reading_low", "reading_high"])}
    (tmp_path / "tables").mkdir()
    pd.DataFrame([{**blank, **row} for row in rows]).to_csv(tmp_path / "tables" / "table2_verdicts.csv", index=False)
    cells = by_place(cells_of("table2", tmp_path))
    assert len(cells) == 15
    assert [cells["mnist", "elm", n].ours for n in ("1000", "2000")] == pytest.approx([0.92, 0.95])
    assert cells["mnist", "elm", "2000"].verdict == "unexplained"
    assert cells["mnist", "ml_elm", "700-700-1000"].ours == pytest.approx(0.96)
    assert cells["mnist", "selm", "1000"].verdict == "not run"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1000.0, "1000"), ("1000", "1000"), (57.5, "57.5"), ("700-700-1000", "700-700-1000"), (None, ""), (math.nan, "")],
)
def test_counts_are_written_as_the_paper_writes_them(value, text):
    assert count_text(value) == text
