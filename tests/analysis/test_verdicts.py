"""A verdict per published cell: reached, explained by a reading that was run, or open."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.verdicts import cell_verdicts, contains, count_text, published_cells, within_margin


def summary(*rows, rounds=10):
    """Rows of (data set, model, node count, mean, low, high)."""
    columns = ["dataset", "model", "n_hidden", "accuracy_mean", "ci_low", "ci_high"]
    return pd.DataFrame(rows, columns=columns).assign(rounds=rounds)


def paper(*rows):
    """Rows of (data set, model, accuracy), or with the node count between the last two."""
    with_counts = len(rows[0]) == 4
    columns = ["dataset", "model", *(["n_hidden"] if with_counts else []), "accuracy"]
    return pd.DataFrame(rows, columns=columns)


def verdict_of(published, default, base=None, **readings):
    return cell_verdicts(published, default, readings, base).iloc[0]


FOU = paper(("mdd_fou", "cdelm", 0.839))
LOW = summary(("mdd_fou", "cdelm", 100.0, 0.815, 0.81, 0.82))


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
    ("mean", "low", "high", "published", "expected"),
    [
        (0.95, 0.94, 0.96, 0.958, "reproduced"),
        (0.95, 0.949, 0.951, 0.958, "reproduced"),
        (0.90, 0.85, 0.95, 0.945, "reproduced"),
        (0.90, 0.89, 0.91, 0.945, "unexplained"),
        (0.95, np.nan, np.nan, 0.958, "reproduced"),
        (0.90, np.nan, np.nan, 0.945, "unexplained"),
    ],
)
def test_reproduced_by_interval_or_margin(mean, low, high, published, expected):
    default = summary(("mdd_kar", "elm", 50.0, mean, low, high))
    assert verdict_of(paper(("mdd_kar", "elm", published)), default)["verdict"] == expected


def test_a_gap_is_explained_only_by_a_reading_whose_interval_holds_the_paper():
    near = summary(("mdd_fou", "cdelm", 5.0, 0.836, 0.835, 0.837))
    wide = summary(("mdd_fou", "cdelm", 5.0, 0.833, 0.825, 0.841), rounds=3)
    found = verdict_of(FOU, LOW, near=near)
    assert (found["verdict"], found["reading"]) == ("unexplained", "near")
    found = verdict_of(FOU, LOW, near=near, wide=wide)
    assert (found["verdict"], found["reading"]) == ("explained", "wide")
    assert (found["reading_mean"], found["reading_rounds"], found["reading_nodes"]) == (0.833, 3, "")


def test_a_single_round_is_the_nearest_but_explains_nothing():
    once = summary(("mdd_fou", "cdelm", 5.0, 0.839, np.nan, np.nan), rounds=1)
    found = verdict_of(FOU, LOW, once=once)
    assert (found["verdict"], found["reading"]) == ("unexplained", "once")


def test_readings_of_other_cells_explain_nothing():
    other = summary(("mdd_fou", "selm", 5.0, 0.839, 0.83, 0.84), ("mdd_kar", "cdelm", 5.0, 0.839, 0.83, 0.84))
    found = verdict_of(FOU, LOW, other=other)
    assert found["verdict"] == "unexplained"
    assert pd.isna(found["reading"])


def test_every_published_cell_has_a_verdict_and_no_other_has():
    published = paper(("wdbc", "bp", 0.972), ("mdd_fou", "cdelm", 0.839), ("wdbc", "elm", 0.974))
    default = summary(("wdbc", "normalized_elm", 5.0, 0.9, 0.89, 0.91), ("wdbc", "elm", 5.0, 0.97, 0.96, 0.98))
    found = cell_verdicts(published, default, {"a": default})
    assert found[["dataset", "model", "verdict"]].to_numpy().tolist() == [
        ["wdbc", "bp", "not run"],
        ["wdbc", "elm", "reproduced"],
        ["mdd_fou", "cdelm", "not run"],
    ]
    assert list(found["rounds"]) == [0, 10, 0]


def test_nothing_run_is_no_error():
    assert verdict_of(FOU, summary())["verdict"] == "not run"


def test_node_counts_are_told_apart():
    published = paper(("mnist", "elm", "1000", 0.930), ("mnist", "elm", "2000", 0.947), ("mnist", "ml_elm", "7-9", 0.9))
    default = summary(
        ("mnist", "elm", "2000", 0.99, 0.98, 0.999),
        ("mnist", "elm", 1000.0, 0.93, 0.92, 0.94),
        ("mnist", "ml_elm", "7-9", 0.9, 0.89, 0.91),
    )
    found = cell_verdicts(published, default, {})
    assert list(found["n_hidden"]) == ["1000", "2000", "7-9"]
    assert list(found["verdict"]) == ["reproduced", "unexplained", "reproduced"]


def test_counts_in_words_are_not_compared():
    published = paper(("cifar10", "r2svm", "60 layers", 0.693), ("cifar10", "linear_svm", np.nan, 0.647))
    assert [cell["n_hidden"] for cell in published_cells(published)] == ["", ""]
    found = cell_verdicts(published, summary(("cifar10", "r2svm", 60, 0.695, 0.69, 0.7)), {})
    assert list(found["verdict"]) == ["reproduced", "not run"]
    assert [count_text(value) for value in (7000.0, 5, None, np.nan, "7-9", 100000.0)] == [
        *("7000", "5", "", "", "7-9", "100000"),
    ]


CIFAR = paper(("cifar10", "elm", "7000", 0.645))
AT_7000 = summary(("cifar10", "elm", 7000.0, 0.625, 0.624, 0.626))
AT_2000 = summary(("cifar10", "elm", 2000.0, 0.580, np.nan, np.nan), rounds=1)


def test_a_reading_at_another_node_count_is_carried_by_what_it_changes_there():
    reading = summary(("cifar10", "elm", 2000.0, 0.601, 0.59, 0.61))
    found = verdict_of(CIFAR, AT_7000, AT_2000, one_sided=reading)
    assert found["reading_mean"] == pytest.approx(0.625 + 0.601 - 0.580)
    assert (found["verdict"], found["reading"], found["reading_nodes"]) == ("unexplained", "one_sided", "2000")
    assert pd.isna(found["reading_low"])
    assert pd.isna(verdict_of(CIFAR, AT_7000, one_sided=reading)["reading"])


def test_what_it_changes_can_be_seen_in_the_table_itself():
    published = paper(("mnist", "elm", "2000", 0.947))
    default = summary(("mnist", "elm", "1000", 0.92, 0.91, 0.93), ("mnist", "elm", "2000", 0.93, 0.929, 0.931))
    found = verdict_of(published, default, pixels=summary(("mnist", "elm", "1000", 0.935, 0.934, 0.936)))
    assert found["reading_mean"] == pytest.approx(0.945)
    assert found["reading_nodes"] == "1000"
