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


@pytest.mark.parametrize("pair", [("1", "1.0"), ("01", "1"), ("Yes", "yes")])
def test_labels_that_differ_in_their_writing_alone(pair) -> None:
    one, other = pair
    assert doubts_of(a=["1", "2", "2", "1"], y=[one, other] * 2) == [f"labels {one!r} and {other!r} are two classes"]


def test_row_numbers() -> None:
    counting = [str(n) for n in range(12)]
    assert doubts_of(a=counting, b=["5"] * 12, y=["u", "v"] * 6) == [
        "column 'a' counts the rows; 'dataset.drop=[a]' leaves it out"
    ]
