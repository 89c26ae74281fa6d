"""The page on records: its two lines run, and it names what the store writes."""

from pathlib import Path

from celm.study.store.checks import RULES
from celm.study.store.row_text import LAST_COLUMNS, SORT_COLUMNS, SURFACES

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_two_lines_for_pandas_give_one_row_per_round(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    exec(PAGE.partition("```python\n")[2].partition("```")[0], names)
    rows = names["frame"].groupby(["dataset", "model"]).size()
    assert set(rows) == {10}


def test_every_column_with_a_range_or_a_place_is_explained():
    assert all(f"`{column}`" in PAGE for column in {*RULES, *SORT_COLUMNS, *LAST_COLUMNS, *SURFACES})
