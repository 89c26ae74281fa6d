"""A long form that was stopped goes on where it was; a block with a fault is not counted."""

import json
from collections import Counter
from pathlib import Path

import pytest

from fuzz.tried import Tried, try_all


def test_what_was_tried_is_kept_and_not_tried_again(tmp_path):
    seen = []

    def block(part, numbers):
        seen.extend((part, number) for number in numbers)
        return Counter(answered=len(numbers)), []

    try_all(Tried(tmp_path / "kept.json"), {"a": 5, "b": 2}, 2, block)
    assert [part for part, _ in seen] == ["a", "a", "b", "b", "a", "a", "a"]
    try_all(Tried(tmp_path / "kept.json"), {"a": 5, "b": 7}, 2, block)
    assert sorted(seen) == [("a", i) for i in range(5)] + [("b", i) for i in range(7)]
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert kept["parts"] == {"a": {"answered": 5}, "b": {"answered": 7}}
    assert len(kept["commits"]) == 1


def test_what_is_done_is_begun_anew(tmp_path):
    tried = []
    for _ in range(2):
        try_all(
            Tried(tmp_path / "kept.json"), {"a": 2}, 1, lambda _, numbers: (Counter(ok=1), tried.extend(numbers) or [])
        )
    assert tried == [0, 1, 0, 1]
    assert Tried(tmp_path / "kept.json").count("a") == 2


def test_a_block_with_a_fault_ends_it_and_is_not_counted(tmp_path, capsys):
    def block(part, numbers):
        return Counter(answered=len(numbers)), ["it broke"] if 4 in numbers else []

    with pytest.raises(SystemExit, match="1 faults in a, numbers 3 to 5"):
        try_all(Tried(tmp_path / "kept.json"), {"a": 9}, 3, block)
    assert "it broke" in capsys.readouterr().out
    assert Tried(tmp_path / "kept.json").count("a") == 3


@pytest.mark.parametrize("text", ["3", "[]", '{"parts": {"a": 3}}', "{}", "{"])
def test_a_file_that_holds_no_counts_is_named(tmp_path, text):
    (tmp_path / "kept.json").write_text(text)
    with pytest.raises(ValueError, match=r"kept\.json|Expecting"):
        Tried(tmp_path / "kept.json")


def test_a_file_that_cannot_be_written_is_named_before_the_first_block():
    with pytest.raises(NotADirectoryError, match="/dev/null"):
        Tried(Path("/dev/null/x"))
