"""Cells by equivalence: both errors count, cited numbers have none, and picking among readings finds chance numbers."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.cell_equivalence import by_default, chance_explained, equivalence_counts, under_protocol
from celm.analysis.table_cells import Round, TableCell, judged_table


def cell(paper, rounds, **others):
    shown = tuple(Round(place, "50", value, 0.1) for place, value in enumerate(rounds))
    return TableCell(
        "table1", **{"dataset": "mdd_kar", "model": "elm", "n_hidden": "50", **others}, paper=paper, rounds=shown
    )


STEADY = 0.95 + 0.001 * np.array([-1, 0, 1, 0, 1, -1, 0, 0, 1, -1])


def test_the_same_number_is_equivalent_and_a_far_one_different():
    assert by_default(cell(0.951, STEADY)).verdict == "equivalent"
    assert by_default(cell(0.930, STEADY)).verdict == "different"
    assert by_default(cell(0.930, STEADY[:0])) is None


def test_an_interval_that_holds_the_number_is_not_enough():
    """Wide rounds hold almost any number; that does not make it the same."""
    wide = 0.95 + 0.03 * np.array([-1, 0, 1, 0, 1, -1, 0, 0, 1, -1])
    assert by_default(cell(0.951, wide)).verdict == "open"


def test_a_cited_number_has_no_error_of_its_own():
    spread = 0.95 + 0.012 * np.array([-1, 0, 1, 0, 1, -1, 0, 0, 1, -1])
    ours, cited = by_default(cell(0.951, spread)), by_default(cell(0.951, spread, cited=True))
    assert cited.high - cited.low < ours.high - ours.low


def test_counts_and_a_protocol_speak_of_the_cells_they_have():
    cells = [cell(0.951, STEADY), cell(0.9, [], model="bp")]
    assert equivalence_counts([by_default(one) for one in cells]) == {
        "equivalent": 1, "different": 0, "open": 0, "not run": 1,
    }  # fmt: skip
    found = under_protocol(cells, "minmax/joint/text", {("mdd_kar", "elm"): STEADY - 0.05})
    assert found.counts()["different"] == 1
    assert list(found.cells) == [("mdd_kar", "elm")]


def frame(level, rounds=4):
    return pd.DataFrame(
        [
            {"dataset": "mdd_kar", "model": "elm", "n_hidden": 50, "round": r, "accuracy": level + 0.002 * (r - 1.5),
             "chosen": True, "cell": f"{r}"}
            for r in range(rounds)
        ]
    )  # fmt: skip


def test_more_readings_explain_more_random_numbers():
    paper = pd.DataFrame({"dataset": ["mdd_kar"], "model": ["elm"], "accuracy": [0.95]})
    plain = chance_explained(judged_table("table1", paper, frame(0.95), {}))
    readings = {f"r{shift}": frame(0.95 + shift) for shift in (-0.02, 0.02)}
    assert plain == pytest.approx(0.34, abs=0.02)
    assert chance_explained(judged_table("table1", paper, frame(0.95), readings)) > plain + 0.1
    assert np.isnan(chance_explained(judged_table("table1", paper, pd.DataFrame(), {})))
