"""Published cells keep their keys: whatever is added or moved, every experiment plans what its records were made of."""

import pandas as pd
import pytest

from celm.study import inputs
from experiments.config.entries import ROOT
from experiments.config.studies import composed_study

RECORDS = sorted((ROOT / "results" / "records").glob("*.csv"))


def fetched_data_are_not_read(dataset):
    assert dataset.name in ("spiral", "quadratic"), f"planning read {dataset.name}"
    return LOAD(dataset)


LOAD = inputs.load


def test_there_are_published_records():
    assert len(RECORDS) > 50


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_experiment_plans_its_published_cells_without_reading_data(path, monkeypatch):
    monkeypatch.setattr(inputs, "load", fetched_data_are_not_read)
    # A key of digits alone is quoted twice, so that nobody takes it for a number.
    published = set(pd.read_csv(path, usecols=["cell"], dtype=str)["cell"].str.strip('"').unique())
    planned = {cell.key for cell in composed_study(path.stem).plan()}
    assert published == planned
