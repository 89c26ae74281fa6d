"""Columns of text: labels stay what they are, features are numbers or are refused by name."""

from __future__ import annotations

import numpy as np
import pytest

from celm.datasets.columns import Handling, read_columns
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
