"""Bars on the rows of a run: each met at its bound and missed beyond it, within one precision, and left as a table."""

from __future__ import annotations

import pytest

from bench.bars import all_bars, as_markdown, spoken
from bench.measure import Row
from bench.tasks import all_tasks

STREAMS = ("few", "many")


def judged(*rows):
    measured = [Row(task, library, dtype=dtype, seconds=seconds) for task, library, dtype, seconds in rows]
    return all_bars(measured, all_tasks([], "full"), STREAMS)


@pytest.mark.parametrize(
    ("task", "library", "least", "most"),
    [
        ("fit_200", "limit", 1.29, 1.31),
        ("fit_1000", "limit", 1.09, 1.11),
        ("mnist_2000", "limit", 1.09, 1.11),
        ("predict_7000", "limit", 1.14, 1.16),
        ("fit_200", "pyrcn", 0.99, 1.01),
        ("predict_one_row", "validation", 1.00014, 1.00016),
    ],
)
def test_a_bar_is_met_up_to_its_bound(task, library, least, most):
    for ours, met in ((least, True), (most, False)):
        (bar,) = judged((task, "celm", "float64", ours), (task, library, "float64", 1.0))
        assert bar.met == met


def test_choices_are_compared_with_a_fit_and_with_the_textbook():
    fit, choice = ("choice_lambda", "one fit", "float64", 1.0), "choice_lambda"
    assert [judged(fit, (choice, "celm", "float64", s))[0].met for s in (1.59, 1.61)] == [True, False]
    assert judged(("fit_1000", "celm", "float64", 1.0), (choice, "celm", "float64", 1.0)) == []
    table = ("choice_table1", "celm", "float64", 1.0)
    slower, twenty = judged(table, ("choice_table1", "naive", "float64", 19.9))
    assert (slower.met, twenty.met) == (True, False)


def test_single_precision_is_compared_with_mixed_precision_and_across_precisions_with_double():
    ours = ("fit_1000", "celm", "float64", 2.0), ("fit_1000", "celm", "mixed", 1.0)
    bars = judged(*ours, ("fit_1000", "a", "float64", 2.5), ("fit_1000", "b", "float32", 0.9))
    assert [(bar.what, bar.met) for bar in bars] == [
        ("float64: seconds over those of a float64", True),
        ("float64: seconds over those of b float32, single against double", False),
        ("mixed: seconds over those of b float32", False),
        ("mixed: times as fast as a float64", True),
        ("mixed: times as fast as b float32", False),
    ]


def test_the_textbook_has_a_bar_of_its_own_beside_that_of_the_fastest_library():
    ours, rows = ("fit_1000", "celm", "mixed", 1.0), (("naive", 1.0), ("a", 1.9))
    bars = judged(ours, ("fit_1000", "celm", "float64", 1.5), *(("fit_1000", name, "float64", s) for name, s in rows))
    assert [(bar.what, bar.met) for bar in bars] == [
        ("float64: seconds over those of a float64", True),
        ("float64: seconds over those of naive, no library", False),
        ("mixed: times as fast as a float64", True),
    ]


def test_memory_may_not_grow_with_the_rows():
    for peak, met in ((10.9, True), (11.1, False)):
        rows = [Row("few", "celm", seconds=1.0, peak_mb=10.0), Row("many", "celm", seconds=9.0, peak_mb=peak)]
        assert [bar.met for bar in all_bars(rows, [], STREAMS)] == [met]


def test_a_table_and_lines_say_which_bars_were_met():
    bars = judged(("fit_200", "celm", "float64", 2.0), ("fit_200", "limit", "float64", 1.0))
    assert (
        as_markdown(bars).splitlines()[2] == "| fit_200 | seconds over the limit's | 2 | at most 1.3 | missed |  |  |"
    )
    assert spoken(bars).endswith("0 of 1 bars met")


def test_what_was_not_measured_has_no_bar():
    assert judged(("fit_200", "celm", "float64", None), ("fit_200", "limit", "float64", 1.0)) == []


def test_a_bar_on_a_row_whose_turns_are_far_apart_says_so():
    rows = [
        Row("fit_200", library, seconds=seconds, next_best=next_best)
        for library, seconds, next_best in (("celm", 1.0, 1.02), ("limit", 1.0, 1.1), ("hpelm", 2.0, 1.6))
    ]
    told = {bar.what.split(":")[0]: bar.cells()[-2] for bar in all_bars(rows, all_tasks([], "full"), STREAMS)}
    assert told == {"seconds over the limit's": "", "float64": "unsteady"}


def test_a_bar_tells_what_both_rows_answered_right_ours_first():
    rows = [
        Row("fit_1000", name, dtype=d, seconds=s, accuracy=a)
        for name, d, s, a in (("a", "float64", 2.0, 0.9), ("celm", "float64", 1.0, 0.5), ("celm", "mixed", 1.0, 0.6))
    ]
    told = {bar.what: bar.accuracies for bar in all_bars(rows, all_tasks([], "full"), STREAMS)}
    assert told == {
        "float64: seconds over those of a float64": "0.500 / 0.900",
        "mixed: times as fast as a float64": "0.600 / 0.900",
    }
