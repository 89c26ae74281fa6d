"""What can be read but is hardly meant so is said in a sentence."""

from __future__ import annotations

import pytest

from celm.datasets.columns import Handling, read_columns
from celm.datasets.doubts import doubts


def doubts_of(handling=None, **columns):
    handling = handling or Handling("onehot")
    return list(doubts(columns, read_columns(columns, None, handling, "It"), handling))


def test_an_ordinary_table_raises_none() -> None:
    assert doubts_of(a=["1", "2", "3"], b=["u", "v", "u"], y=["0", "1", "1"]) == []


def test_numbers_that_a_single_text_makes_levels() -> None:
    column = [str(n / 2) for n in range(9)] + ["<0.5"]
    (doubt,) = doubts_of(a=column, y=["u", "v"] * 5)
    assert doubt == "column 'a' has one column per level, 10 of them: '<0.5' is no number"
    assert doubts_of(a=["1", "2", "3 or more", "none"] * 2, y=["u", "v"] * 4) == []


@pytest.mark.parametrize("pair", [("1", "1.0"), ("01", "1"), ("Yes", "yes"), ("a", "a\u200b"), ("e\u0301", "é")])
def test_labels_that_differ_in_their_writing_alone(pair) -> None:
    one, other = pair
    assert doubts_of(a=["1", "2", "2", "1"], y=[one, other] * 2) == [f"labels {one!a} and {other!a} are two classes"]


def test_a_label_of_one_row() -> None:
    labels = ["u", "v"] * 6 + ["total"]
    assert doubts_of(a=["1", "2", "3"] * 4 + ["24"], y=labels) == [
        "label 'total' stands in one row: it is learnt or asked, never both"
    ]


@pytest.mark.parametrize(
    "counting",
    [range(12), range(1000, 1012), range(11, -1, -1), [f"{n}.0" for n in range(12)]],
    ids=["0, 1, 2", "1000, 1001", "backwards", "with a point"],
)
def test_row_numbers(counting) -> None:
    assert doubts_of(a=[str(n) for n in counting], b=["5", "6", "6"] * 4, y=["u", "v"] * 6) == [
        "column 'a' counts the rows; 'dataset.drop=[a]' leaves it out"
    ]


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (["5"] * 12, "column 'a' is the same in every row"),
        (["", "NA"] * 6, "column 'a' holds nothing but gaps"),
        ([str(10**18 + n * n) for n in range(12)], "column 'a' has longer numbers than a float holds"),
        ([f"2020-01-{n + 10}" for n in range(12)], "column 'a' has another level in every row"),
    ],
    ids=["constant", "gaps", "long numbers", "dates"],
)
def test_columns_that_tell_nothing_or_other_than_they_say(column, words) -> None:
    (doubt,) = doubts_of(Handling("onehot", "median"), a=column, b=["5", "6", "6"] * 4, y=["u", "v"] * 6)
    assert doubt.startswith(words)


def test_long_numbers_that_stay_apart_raise_none() -> None:
    column = [f"0.{n}234567890123456789" for n in range(1, 7)] * 2
    assert doubts_of(a=column, b=["5", "6", "6"] * 4, y=["u", "v"] * 6) == []


def test_the_label_again_in_other_words() -> None:
    y = ["u", "v", "w"] * 4
    assert doubts_of(a=["0", "1", "2"] * 4, b=["5", "6", "7", "5"] * 3, y=y) == [
        "column 'a' says the label in other words; 'dataset.drop=[a]' leaves it out"
    ]
    assert doubts_of(a=["0", "1", "2", "3", "1", "2"] * 2, y=y) == [], "finer than the label, as a real one may be"
