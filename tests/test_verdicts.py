"""A verdict per published cell: reached, explained by a reading that was run, or open."""

import numpy as np
import pandas as pd
import pytest

from celm.verdicts import cell_verdicts, contains, to_markdown, within_margin


def summary(*rows):
    columns = ["dataset", "model", "accuracy_mean", "ci_low", "ci_high", "paper"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(difference=frame["accuracy_mean"] - frame["paper"])


def verdict_of(default, **readings):
    return cell_verdicts(default, readings).iloc[0]


def test_an_interval_holds_what_rounds_to_its_edge():
    assert contains(0.9604, 0.97, 0.960)
    assert not contains(0.9606, 0.97, 0.960)
    assert contains(0.95, 0.9596, 0.960)


def test_margins_differ_by_data_set():
    assert within_margin("mdd_fac", 0.010)
    assert not within_margin("mdd_fac", -0.011)
    assert within_margin("wdbc", -0.015)
    assert not within_margin("wdbc", 0.016)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("mdd_kar", "elm", 0.95, 0.94, 0.96, 0.958), "reproduced"),
        (("mdd_kar", "elm", 0.95, 0.949, 0.951, 0.958), "reproduced"),
        (("mdd_kar", "elm", 0.90, 0.85, 0.95, 0.945), "reproduced"),
        (("mdd_kar", "elm", 0.90, 0.89, 0.91, 0.945), "unexplained"),
    ],
)
def test_reproduced_by_interval_or_margin(row, expected):
    assert verdict_of(summary(row))["verdict"] == expected


def test_a_gap_is_explained_only_by_a_reading_whose_interval_holds_the_paper():
    default = summary(("mdd_fou", "cdelm", 0.815, 0.81, 0.82, 0.839))
    near = summary(("mdd_fou", "cdelm", 0.836, 0.835, 0.837, 0.839))
    wide = summary(("mdd_fou", "cdelm", 0.833, 0.825, 0.841, 0.839))
    found = verdict_of(default, near=near)
    assert (found["verdict"], found["reading"]) == ("unexplained", "near")
    found = verdict_of(default, near=near, wide=wide)
    assert (found["verdict"], found["reading"]) == ("explained", "wide")
    assert found["reading_mean"] == 0.833


def test_readings_of_other_cells_explain_nothing():
    default = summary(("mdd_fou", "cdelm", 0.815, 0.81, 0.82, 0.839))
    other = summary(("mdd_fou", "selm", 0.839, 0.83, 0.84, 0.84), ("mdd_kar", "cdelm", 0.839, 0.83, 0.84, 0.84))
    found = verdict_of(default, other=other)
    assert found["verdict"] == "unexplained"
    assert pd.isna(found["reading"])


def test_cells_the_paper_does_not_have_get_no_verdict():
    assert cell_verdicts(summary(("wdbc", "normalized_elm", 0.9, 0.89, 0.91, np.nan)), {}).empty


def test_markdown_counts_and_names():
    default = summary(("wdbc", "elm", 0.97, 0.96, 0.98, 0.974), ("mdd_fou", "cdelm", 0.815, 0.81, 0.82, 0.839))
    reading = summary(("mdd_fou", "cdelm", 0.838, 0.83, 0.845, 0.839))
    text = to_markdown(cell_verdicts(default, {"raw_values": reading}), "Title")
    assert "2 published cells: 1 reproduced, 1 explained, 0 unexplained." in text
    assert "| WDBC | ELM | 0.974 | 0.970 | 0.960 to 0.980 | reproduced |  |  |  |" in text
    assert "| explained | raw_values | 0.838 | 0.830 to 0.845 |" in text
