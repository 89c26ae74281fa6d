"""Every selection against what the harness chooses itself, and against loops over small surfaces."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.protocols.selections import SEES_TEST, SELECTIONS, blocks_of, selected, surface_of

COUNTS, EXPONENTS, ROUNDS = [5, 10, 15], [-1, 2], 20


@pytest.fixture(scope="module")
def records():
    rng = np.random.default_rng(0)
    rows = [
        {
            "dataset": dataset, "model": model, "round": r, "n_hidden": L, "n_test": 40, "exponents": EXPONENTS,
            "cv_correct": rng.integers(50, 60, 4).tolist(), "test_correct": rng.integers(20, 40, 4).tolist(),
        }
        for dataset in ("wdbc", "mdd_kar")
        for model in ("elm", "selm")
        for r in range(ROUNDS)
        for L in COUNTS
    ]  # fmt: skip
    curves = [
        {**{key: row[key] for key in ("dataset", "model", "round", "n_hidden")}, "accuracy": rng.random()}
        for row in rows
    ]
    return pd.DataFrame(rows), pd.DataFrame(curves)


@pytest.fixture(scope="module")
def chosen(records):
    return selected(*records).set_index(["selection", "dataset", "model", "round"])


def _row(records, dataset, model, number, L):
    rows = records[0]
    here = rows[(rows["dataset"] == dataset) & (rows["model"] == model) & (rows["round"] == number)]
    return here[here["n_hidden"] == L].iloc[0]


def test_every_selection_has_every_round(chosen):
    assert len(chosen) == len(SELECTIONS) * 2 * 2 * ROUNDS
    assert set(SEES_TEST) < set(SELECTIONS)


@pytest.mark.parametrize("model", ["elm", "selm"])
def test_selections_of_single_rounds_are_what_a_loop_finds(records, chosen, model):
    for number in range(ROUNDS):
        rows = [_row(records, "wdbc", model, number, L) for L in COUNTS]
        own = [int(np.argmax(row["cv_correct"])) for row in rows]
        held = [row["cv_correct"][j] for row, j in zip(rows, own, strict=True)]
        hits = [row["test_correct"][j] for row, j in zip(rows, own, strict=True)]
        expected = {"joint": int(np.argmax(held)), "largest": 2, "best_on_test": int(np.argmax(hits))}
        for name, place in expected.items():
            found = chosen.loc[(name, "wdbc", model, number)]
            assert found["n_hidden"] == COUNTS[place]
            assert found["lam"] == pytest.approx(10.0 ** (own[place] - 1))
            assert found["accuracy"] == hits[place] / 40


def test_one_for_all_is_the_choice_of_every_ten_rounds(records, chosen):
    for block in (range(10), range(10, 20)):
        ten = records[0][records[0]["round"].isin(block)]
        expected = chosen_for_all_rounds(ten)
        expected = expected[expected["chosen"].eq(True)].set_index(["dataset", "model", "round"])
        for place, row in expected.iterrows():
            found = chosen.loc[("one_for_all", *place)]
            assert (found["n_hidden"], found["accuracy"]) == (row["n_hidden"], row["accuracy"])
            assert found["lam"] == pytest.approx(row["lam"])


def test_the_figure_gives_a_count_per_model_or_one_per_set(records, chosen):
    curves = records[1][(records[1]["dataset"] == "mdd_kar") & (records[1]["round"] < 10)]
    own = curves[curves["model"] == "selm"].groupby("n_hidden")["accuracy"].mean().idxmax()
    common = curves.groupby("n_hidden")["accuracy"].mean().idxmax()
    assert set(chosen.loc["best_of_figure"].loc["mdd_kar"].loc["selm"]["n_hidden"].iloc[:10]) == {own}
    for model in ("elm", "selm"):
        found = chosen.loc["common_of_figure"].loc["mdd_kar"].loc[model]
        assert set(found["n_hidden"].iloc[:10]) == {common}
        row = _row(records, "mdd_kar", model, 3, common)
        assert found.loc[3, "accuracy"] == row["test_correct"][int(np.argmax(row["cv_correct"]))] / 40


def test_rounds_come_in_tens_and_a_rest_joins_the_last():
    assert blocks_of(100)[-1] == slice(90, 100)
    assert len(blocks_of(100)) == 10
    assert blocks_of(25) == [slice(0, 10), slice(10, 25)]
    assert blocks_of(4) == [slice(0, 4)]


def test_holes_are_named(records):
    surfaces, curves = records
    with pytest.raises(ValueError, match="wdbc elm has 59 records for 20 rounds of 3"):
        surface_of(surfaces[(surfaces["dataset"] == "wdbc") & (surfaces["model"] == "elm")].iloc[1:])
    with pytest.raises(ValueError, match="no curve without a penalty of selm on wdbc"):
        selected(surfaces, curves[curves["model"] == "elm"])
    with pytest.raises(ValueError, match="wdbc elm lacks rounds"):
        selected(surfaces, curves[curves["round"] != 3])
