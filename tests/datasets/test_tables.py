"""Text tables become the arrays that their column numbers describe; what does not fit is named."""

from __future__ import annotations

import numpy as np
import pytest

from celm.datasets import tables
from celm.datasets.dataset import SourceError
from celm.datasets.tables import Columns, Layout, evenly, fields_of, indicators, numbers, read_table

KEEL = b"""@relation trees
@attribute kind {oak, ash, elm}
@data
oak, 1.5, 7, yes
% a comment

ash, 2, 8, no
elm, ?, 9, no
oak, 3e1, 9, yes
"""


def test_a_table_by_hand() -> None:
    X, y = read_table(fields_of(KEEL, Layout.of("comma")), Columns(0, nominal=(1,), drop=(3,)), ["no", "yes"])
    # Levels in sorted order (ash, oak), of which two need one column; the row with a gap is left out.
    np.testing.assert_array_equal(X, [[1, 1.5], [0, 2], [1, 30]])
    np.testing.assert_array_equal(y, [1, 0, 1])
    assert (X.dtype, y.dtype) == (np.float64, np.uint8)


def test_a_dropped_column_may_have_gaps() -> None:
    X, _ = read_table(fields_of(KEEL, Layout.of("comma")), Columns(4, nominal=(1,), drop=(2,)), ["no", "yes"])
    np.testing.assert_array_equal(X, [[0, 0, 1, 7], [1, 0, 0, 8], [0, 1, 0, 9], [0, 0, 1, 9]])


def test_regression_target_in_front_with_decimal_commas() -> None:
    rows = fields_of(b"y;a;b\n1,5;2;3\n-2,25;4;5\n", Layout.of("semicolon header decimal-comma"))
    X, y = read_table(rows, Columns(1, (), ()), [])
    np.testing.assert_array_equal(y, [1.5, -2.25])
    np.testing.assert_array_equal(X, [[2, 3], [4, 5]])
    assert y.dtype == np.float64


@pytest.mark.parametrize(("layout", "line"), [("space", b"  1   2 3 \n"), ("tab", b"1\t2\t3\n"), ("comma", b"1,2,3\n")])
def test_separators(layout, line) -> None:
    assert fields_of(line, Layout.of(layout)) == [["1", "2", "3"]]


def test_more_rows_than_the_limit_are_thinned_evenly(monkeypatch) -> None:
    monkeypatch.setattr(tables, "MAX_ROWS", 4)
    rows = [[str(i), "0"] for i in range(10)]
    X, _ = read_table(rows, Columns(0, (), ()), ["0"])
    np.testing.assert_array_equal(X[:, 0], [0, 2, 5, 7])
    assert evenly(rows, 10) == rows


def test_indicators_sum_to_one_from_three_levels_on() -> None:
    np.testing.assert_array_equal(indicators(["b", "a", "c"]), [[0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert indicators(["a", "a"]).shape == (2, 0)


def test_column_numbers() -> None:
    assert numbers("1 3-5") == (1, 3, 4, 5)
    assert numbers("") == ()
    with pytest.raises(ValueError, match="column numbers are written as 1 3-5; got '1,2'"):
        numbers("1,2")


@pytest.mark.parametrize(
    ("content", "columns", "classes", "message"),
    [
        (b"1,2\n3\n", Columns(0, (), ()), ["2"], "has 1 fields in row 2, 2 in its first"),
        (b"\n", Columns(0, (), ()), ["2"], "holds no rows"),
        (b"a,2\n", Columns(0, (), ()), ["2"], "not a number in column 1: .*'a'"),
        (b"inf,2\n", Columns(0, (), ()), ["2"], "not finite in column 1"),
        (b"1,5\n", Columns(0, (), ()), ["2", "3"], "the label '5', known are 2, 3"),
        (b"1,5\n", Columns(0, (7,), ()), ["5"], "has 2 columns, too few"),
    ],
)
def test_what_does_not_fit_is_named(content, columns, classes, message) -> None:
    with pytest.raises(SourceError, match=message):
        read_table(fields_of(content, Layout.of("comma")), columns, classes)


def test_unknown_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="layout 'pipe': a separator of comma, semicolon, tab, space"):
        Layout.of("pipe")
