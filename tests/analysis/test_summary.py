"""Means of cells are plain functions of the tidy frame."""

import io

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from celm.analysis.summary import (
    chosen_rows,
    columns_of,
    counts_stand_alone,
    interval,
    summarise,
    table_summary,
    to_csv,
)


def frame_of(**accuracies):
    rows = [
        {
            "dataset": name.split("__")[0],
            "model": name.split("__")[1],
            "round": i,
            "n_hidden": 100 + i,
            "accuracy": value,
            "chosen": True,
            "fit_seconds": 0.01,
            "selection_seconds": 0.2,
            "threads": 1,
            "lam_at_edge": i == 0,
        }
        for name, values in accuracies.items()
        for i, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


PAPER = pd.DataFrame({"dataset": ["wdbc"], "model": ["elm"], "accuracy": [0.974], "train_seconds": [0.01]})
FRAME = frame_of(wdbc__elm=[0.97, 0.98, 0.99], wdbc__cdelm=[0.95, 0.96, 0.97], mdd_fac__elm=[0.9, 0.9, 0.93])


def test_interval_is_students_t():
    values = pd.Series([0.97, 0.98, 0.99, 0.96])
    low, high = interval(values)
    expected = stats.t.interval(0.95, 3, loc=values.mean(), scale=stats.sem(values))
    assert (low, high) == pytest.approx(expected)
    assert np.isnan(interval(pd.Series([0.9]))).all()


def test_one_row_per_cell_with_the_documented_columns():
    summary = summarise(FRAME, PAPER)
    assert list(summary.columns) == columns_of("accuracy")
    assert list(zip(summary["dataset"], summary["model"], strict=True)) == [
        ("wdbc", "elm"),
        ("wdbc", "cdelm"),
        ("mdd_fac", "elm"),
    ]
    row = summary.iloc[0]
    assert row["accuracy_mean"] == pytest.approx(0.98)
    assert row["accuracy_std"] == pytest.approx(0.01)
    assert row["difference"] == pytest.approx(0.006)
    assert row["rounds"] == 3
    assert row["n_hidden"] == 101
    assert row["lam_at_edge"] == pytest.approx(1 / 3)
    assert np.isnan(summary.iloc[1]["paper"])


def test_rows_that_were_not_chosen_do_not_count():
    others = FRAME.assign(chosen=False, accuracy=0.0)
    both = pd.concat([FRAME, others])
    pd.testing.assert_frame_equal(summarise(both, PAPER), summarise(FRAME, PAPER))
    assert len(chosen_rows(both)) == len(FRAME)
    assert len(chosen_rows(FRAME.drop(columns="chosen"))) == len(FRAME)


def test_curves_have_one_row_per_node_count():
    curve = FRAME.drop(columns="chosen").assign(n_hidden=lambda f: 50 + 50 * f["round"])
    summary = summarise(curve, by=("n_hidden",))
    assert len(summary) == 9
    assert set(summary["n_hidden"]) == {50, 100, 150}


def test_counts_stand_alone_where_none_or_several_were_chosen():
    assert not counts_stand_alone(FRAME.assign(cell=range(len(FRAME))))
    assert counts_stand_alone(FRAME.assign(cell="same"))
    assert counts_stand_alone(FRAME.drop(columns="chosen"))
    assert counts_stand_alone(FRAME.assign(n_hidden="700-700-1000"))
    assert not counts_stand_alone(pd.DataFrame())


def test_a_model_of_stages_has_one_row_that_says_how_many():
    cells = frame_of(wdbc__r2svm=[0.9, 0.8]).assign(cell=["a", "b"])
    stages = pd.concat([cells.assign(stage=k, chosen=k == 3, accuracy=k / 4, n_hidden=np.nan) for k in (1, 2, 3)])
    assert not counts_stand_alone(stages)
    summary = summarise(stages)
    assert list(summary.columns) == [*columns_of("accuracy"), "stage"]
    assert (summary["stage"].tolist(), summary["accuracy_mean"].tolist()) == ([3], [0.75])
    assert "stage" not in summarise(FRAME)


def test_a_paper_without_times_leaves_their_column_empty():
    summary = summarise(FRAME, PAPER.drop(columns="train_seconds"))
    assert summary["paper"].iloc[0] == 0.974
    assert summary["paper_seconds"].isna().all()


def test_a_table_of_several_chosen_counts_has_a_row_for_each():
    both = pd.concat([FRAME.assign(n_hidden=1000), FRAME.assign(n_hidden=2000)]).assign(cell="same")
    paper = PAPER.assign(n_hidden="2000")
    summary = table_summary(both, paper).set_index(["dataset", "model", "n_hidden"])
    assert len(summary) == 6
    assert summary["paper"].dropna().to_dict() == {("wdbc", "elm", "2000"): 0.974}


def test_empty_frame_gives_an_empty_table():
    assert summarise(pd.DataFrame()).empty


def test_csv_reads_back():
    summary = summarise(FRAME, PAPER)
    back = pd.read_csv(io.StringIO(to_csv(summary)))
    assert list(back.columns) == columns_of("accuracy")
    np.testing.assert_allclose(back["accuracy_mean"], summary["accuracy_mean"], rtol=1e-5)


def test_a_study_of_numbers_is_summarised_by_its_r2():
    frame = pd.DataFrame({"dataset": "d", "model": "elm", "round": [0, 1], "n_hidden": 5, "r2": [0.5, 0.7]})
    summary = summarise(frame.assign(chosen=True))
    assert summary["r2_mean"].tolist() == [pytest.approx(0.6)]
    assert "accuracy_mean" not in summary
