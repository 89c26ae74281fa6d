"""Columns of text: labels stay what they are, features are numbers or are refused by name."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import QuotedString

from celm.datasets.columns import Handling, read_columns, typed
from celm.datasets.dataset import DatasetError


def read(target=None, handling=None, **columns):
    return read_columns({name: list(values) for name, values in columns.items()}, target, handling or Handling(), "It")


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["1", "01", "1", "01"], ("01", "1")),
        (["1e300", "2e300", "1e300", "2e300"], ("1e300", "2e300")),
        (["10", "9", "2.0", "9", "10", "9"], ("2.0", "9", "10")),
        (["b", "10", "9", "b", "10", "9"], ("10", "9", "b")),
        (["9007199254740993", "9007199254740992"] * 2, ("9007199254740992", "9007199254740993")),
    ],
)
def test_no_two_labels_merge_and_numbers_sort_as_numbers(labels, classes) -> None:
    table = read(x=["1"] * len(labels), y=labels)
    assert table.classes == classes
    assert [table.classes[code] for code in table.arrays.y] == labels


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": ["1", "2"], "y": ["0", ""]}, "no label in row 2, column 'y'"),
        ({"a": ["1", "1"], "y": ["0.5", "1"]}, "numbers with fractions in its target column 'y'; .*target=COLUMN"),
        ({"a": ["u", "v"] * 20, "y": ["0.5", "1"] * 20}, "fractions in its target column 'y'.*dataset.target=a"),
        ({"a": ["1", "2"], "y": ["c", "c"]}, "at least two classes; its label 'y' is 'c' in every row"),
        ({"a": ["1", "2", "3"], "y": ["c", "d", "e"]}, "3 different values in 3 rows of its label 'y', more than half"),
        ({"y": ["c", "d"]}, "one column, 'y', where features and a label are needed"),
        ({"a": ["1", "1_000"], "y": ["c", "d"]}, "does not hold numbers: 'a' .for example '1_000'"),
        ({"a": ["1,5", "2"], "y": ["c", "d"]}, "'1,5'.; if that is a decimal comma, add dataset.decimal=comma"),
        ({"a": ["x" * 10**6, "2"], "y": ["c", "d"]}, "for example 'x{40}…'"),
        ({"a": ["1", "inf"], "y": ["c", "d"]}, "missing or infinite values in column 'a', row 2; fill or remove them."),
        ({"a": ["1", "?"], "y": ["c", "d"]}, "in column 'a', row 2; .*dataset.missing=median"),
        ({"a": ["", "?"], "y": ["c", "d"]}, "2 rows, the first is row 1"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_way_out(columns, message) -> None:
    with pytest.raises(DatasetError, match=message):
        read(**columns)


@pytest.mark.parametrize("gap", ["NULL", "NAN", "-nan", "#N/A", "<NA>", "n/a", "None"])
def test_a_gap_is_no_label_no_level_and_no_text(gap) -> None:
    with pytest.raises(DatasetError, match="no label in row 2"):
        read(a=["1", "2", "3"], y=["0", gap, "1"])
    table = read(handling=Handling("onehot", "median"), a=["1", gap, "3"], b=["u", gap, "v"], y=["0", "1", "1"])
    assert table.nominal == (1,)
    np.testing.assert_array_equal(table.arrays.X, [[1, 0], [np.nan, np.nan], [3, 1]])


def test_a_decimal_comma_leaves_labels_and_levels_alone() -> None:
    comma = Handling("onehot", decimal="comma")
    table = read(handling=comma, a=["1,5", "2", "-3,25"], b=["u,v", "u.v", "u"], y=["x,1", "x.1", "x.1"])
    np.testing.assert_array_equal(table.arrays.X[:, 0], [1.5, 2, -3.25])
    assert sorted(set(table.arrays.X[:, 1])) == [0, 1, 2]
    assert table.classes == ("x,1", "x.1")
    with pytest.raises(DatasetError, match="numbers with fractions"):
        read(handling=comma, a=["1", "2"], y=["0,5", "1,5"])


@pytest.mark.parametrize("odd", ["1.234", "1.234,5"])
def test_with_decimal_commas_a_point_is_no_part_of_a_number(odd) -> None:
    with pytest.raises(DatasetError, match=rf"{odd}.*; with dataset.decimal=comma a number has no point: .*thousands"):
        read(handling=Handling(decimal="comma"), a=["0,5", odd], y=["c", "d"])


def test_commas_between_thousands_are_told_from_decimal_ones() -> None:
    with pytest.raises(DatasetError, match=r"add dataset.decimal=comma; commas between thousands must be removed\."):
        read(a=["1,234", "12"], y=["c", "d"])
    with pytest.raises(DatasetError, match=r"; commas between thousands must be removed\."):
        read(a=["1,234.5", "12"], y=["c", "d"])
    with pytest.raises(DatasetError, match=r"add dataset.decimal=comma\."):
        read(a=["1,25", "12"], y=["c", "d"])


@pytest.mark.parametrize(
    "name", ["Age (years)", "a,b", "größe", "it's", 'a "b"', "1", "null", "[x]", "a=b", "kind", "x y"]
)
@pytest.mark.parametrize("key", ["target", "drop"])
def test_a_line_that_is_told_can_be_typed(name, key) -> None:
    (word,) = shlex.split(typed(key, name))
    (override,) = OverridesParser.create().parse_overrides([word])
    value = override.value()
    if key == "drop":
        (value,) = value
    assert (value.text if isinstance(value, QuotedString) else value) == name


@pytest.mark.parametrize("values", [["3e200", "1", "0"], ["1e-200", "0", "-2e-180"]])
def test_a_column_whose_squares_leave_the_range_is_refused(values) -> None:
    with pytest.raises(
        DatasetError, match=r"column 'a' of which the largest is .*between 1e-150 and 1e\+150\. Take another"
    ):
        read(a=values, y=["c", "d", "d"])
    assert read(a=["0", "0"], b=["1e100", "1e-200"], y=["c", "d"]).arrays.X.shape == (2, 2)


@pytest.mark.parametrize("odd", ["#DIV/0!", "-", "12%", "0x1F", "1'234", "2024-01-02", "na", "(5)"])
def test_few_odd_values_among_numbers_are_named_by_their_rows(odd) -> None:
    way = r"the others do: mend row 3, or leave a gap there and add dataset.missing=median\."
    with pytest.raises(DatasetError, match=f"'a' .for example '{re.escape(odd)}'.; {way}"):
        read(a=["1", "2", odd, "4", "5"], y=["c", "d", "c", "d", "d"])


def test_a_column_of_few_words_may_be_the_label() -> None:
    with pytest.raises(
        DatasetError, match=r"does not hold numbers: 'kind'.*; if it is the label, add dataset.target=kind"
    ):
        read(kind=["oak", "ash"] * 10, size=["1", "2", "3", "4"] * 5)


def test_what_a_file_says_cannot_move_the_cursor_of_a_terminal() -> None:
    with pytest.raises(DatasetError, match=r"its columns are red\\x1b\[2J, a\\u200b, größe, y\."):
        read(target="z", **{"red\x1b[2J": ["1"], "a\u200b": ["1"], "größe": ["2"], "y": ["3"]})


def test_an_unknown_target_gets_the_nearest() -> None:
    with pytest.raises(DatasetError, match=r"no column 'knd'; its columns are a, kind\. Did you mean 'kind'\?"):
        read(target="knd", a=["1", "2"], kind=["u", "v"])


def test_infinity_is_no_gap() -> None:
    with pytest.raises(DatasetError, match="missing or infinite"):
        read(handling=Handling(missing="median"), a=["1", "inf"], y=["c", "d"])


def test_a_column_of_gaps_alone_is_a_number_to_be_filled() -> None:
    table = read(handling=Handling("onehot", "median"), a=["", "NA"], b=["1", "2"], y=["c", "d"])
    assert table.nominal == ()
    assert np.isnan(table.arrays.X[:, 0]).all()
