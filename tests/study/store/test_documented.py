"""The page on records: its two lines run, and it names what the store writes."""

from dataclasses import fields
from pathlib import Path

import pytest

from celm.study.data_config import SCHEMAS, CoatesNgConfig
from celm.study.store import PublishedStore, published_frame
from celm.study.store.checks import RULES
from celm.study.store.row_text import LAST_COLUMNS, SORT_COLUMNS, SURFACES
from experiments.config.origins import default_keys

ROOT = Path(__file__).resolve().parents[3]
STORE = PublishedStore(ROOT / "results" / "records")
PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


def test_the_two_lines_for_pandas_give_one_row_per_round(monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {}
    exec(PAGE.partition("```python\n")[2].partition("```")[0], names)
    rows = names["frame"].groupby(["dataset", "model"]).size()
    assert set(rows) == {10}


def columns_of(manifest):
    shared = [manifest["constants"], *manifest["by_dataset"].values(), *manifest["by_model"].values()]
    files = [described["columns"] for described in manifest["files"].values()]
    return {column for part in (*shared, *files) for column in part}


# The last part of a key that a study has, or a parameter of data or features.
SETTINGS = {
    *(key.rpartition(".")[2] for key in default_keys()),
    *(f"features_{entry.name}" for entry in fields(CoatesNgConfig)),
    *(f"dataset_{name}" for kind in SCHEMAS.values() for name in kind().params()),
}


@pytest.mark.parametrize("experiment", STORE.experiments())
def test_every_column_of_every_published_record_is_explained(experiment):
    columns = columns_of(STORE.manifest(experiment)) - SETTINGS
    assert {"dataset", "cell"} <= columns
    assert {"accuracy", "r2"} & columns
    assert [column for column in sorted(columns) if f"`{column}`" not in PAGE] == []


def test_the_example_of_what_chosen_means_is_what_the_records_say():
    def mean(frame):
        return frame[(frame["dataset"] == "mdd_fou") & (frame["model"] == "cdelm")]["accuracy"].mean()

    every = published_frame("table1", STORE.folder, chosen_alone=False)
    assert f"it is {mean(every):.3f}, where".replace(" 0.", " .") in PAGE
    assert f"Table I has {mean(every[every['chosen'] != False]):.3f}.".replace(" 0.", " .") in PAGE  # noqa: E712


def test_every_column_with_a_range_or_a_place_is_explained():
    assert all(f"`{column}`" in PAGE for column in {*RULES, *SORT_COLUMNS, *LAST_COLUMNS, *SURFACES})
