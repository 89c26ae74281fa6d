"""Verdicts and ranking in tables: counts first, what was carried is marked, what was fitted is called calibrated."""

import pandas as pd
import pytest

from celm.analysis.table_cells import judged_table
from celm.render.markdown import markdown
from experiments.analyses.published_numbers import MEANS, RANKING, TABLES, VERDICTS

NAN = float("nan")


def paper(*rows):
    """Rows of (data set, model, node count, accuracy)."""
    return pd.DataFrame(rows, columns=["dataset", "model", "n_hidden", "accuracy"])


def records(*rows, rounds=4):
    """Rows of (data set, model, node count, mean accuracy) as chosen records of so many rounds, .001 apart."""
    columns = ["dataset", "model", "n_hidden", "accuracy"]
    made = [
        {**dict(zip(columns, row, strict=True)), "accuracy": row[3] + 0.001 * (2 * r - rounds + 1), "round": r,
         "cell": f"{row}{r}", "chosen": True}
        for row in rows
        for r in range(rounds)
    ]  # fmt: skip
    return pd.DataFrame(made)


def told(published, default, readings, base=None):
    return markdown(VERDICTS[0].document(judged_table("table1", published, default, readings, base)))


def test_counts_come_first_and_every_cell_has_its_line():
    published = paper(("wdbc", "elm", None, 0.974), ("mdd_fou", "cdelm", None, 0.839), ("mdd_zer", "bp", None, 0.378))
    default = records(("wdbc", "elm", 50, 0.970), ("mdd_fou", "cdelm", 50, 0.815))
    text = told(published, default, {"raw_values": records(("mdd_fou", "cdelm", 50, 0.838))})
    assert "3 published cells: 1 reproduced, 1 explained, 0 unexplained, 1 not run." in text
    assert "| WDBC | ELM |  | 0.974 | 0.970 (4) | 0.966 to 0.974 | reproduced |  |  |  |" in text
    assert "| explained | raw_values | 0.838 (4) | 0.834 to 0.842 |" in text
    assert "| MDD-zer | BP |  | 0.378 |  |  | not run |  |  |  |" in text


def test_what_is_carried_is_marked_and_has_no_interval():
    published = paper(("cifar10", "elm", "7000", 0.645))
    default, base = records(("cifar10", "elm", 7000, 0.625)), records(("cifar10", "elm", 2000, 0.580))
    text = told(published, default, {"one_sided": records(("cifar10", "elm", 2000, 0.601), rounds=1)}, base)
    assert "| unexplained | one_sided | ≈ at 2000: 0.646 (1) | – |" in text


def test_a_table_built_on_fitted_choices_is_called_calibrated():
    (table,) = [table for table in TABLES if table.calibrated]
    (means,) = [one for one in MEANS if one.name == table.name]
    frames = {name: records(("mnist", "elm", 1000, 0.93)) for name in means.reads}
    frames[table.printed] = paper(("mnist", "elm", "1000", 0.93))
    found = means.find(frames)
    assert "published numbers: the scaling of the digits" in markdown(means.document(found))
    assert "published numbers: the scaling of the digits" in means.files(found)[f"tables/{table.name}.tex"]


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"cells": 0}, "| table1 | best_on_test | not run |  |  |  |  |  |  | yes |"),
        (
            {"cells": 1, "rounds": 10, "nodes": "", "distance": 0.01, "default_distance": 0.02, "gain": 0.01,
             "nearer_on": "WDBC", "explains": 0},
            "| table1 | best_on_test | 1 | 10 | 1.00 | 2.00 | +1.00 | WDBC | 0 | yes |",
        ),
    ],
)  # fmt: skip
def test_the_ranking_tells_points_and_who_sees_test_rows(row, line):
    whole = {"experiment": "table1", "reading": "best_on_test", "sees_test": True, **row}
    assert line in markdown(RANKING.document(pd.DataFrame([whole])))
