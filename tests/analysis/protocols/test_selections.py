"""Every selection against what the harness chooses itself, and against loops over small surfaces."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.protocols.selections import SELECTIONS, blocks_of, selected, surface_of

COUNTS, EXPONENTS, ROUNDS = [5, 10, 15], [-1, 2], 20


def _text(numbers):
    return " ".join(map(str, numbers))


def _grid(text):
    return [[int(word) for word in text.split()][4 * place : 4 * place + 4] for place in range(3)]


@pytest.fixture(scope="module")
def records():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "dataset": dataset, "model": model, "round": r, "counts": COUNTS, "n_test": 40, "exponents": EXPONENTS,
            "held_out": _text(rng.integers(50, 60, 12)), "tested": _text(rng.integers(20, 40, 12)),
            "plain": _text(rng.integers(20, 40, 3)),
        }
        for dataset in ("wdbc", "mdd_kar")
        for model in ("elm", "selm")
        for r in range(ROUNDS)
    )  # fmt: skip


@pytest.fixture(scope="module")
def chosen(records):
    return selected(records).set_index(["selection", "dataset", "model", "round"])


def _row(records, dataset, model, number):
    here = records[(records["dataset"] == dataset) & (records["model"] == model) & (records["round"] == number)]
    row = here.iloc[0].to_dict()
    return {**row, "held_out": _grid(row["held_out"]), "tested": _grid(row["tested"])}


def test_every_selection_has_every_round(chosen):
    assert len(chosen) == len(SELECTIONS) * 2 * 2 * ROUNDS


@pytest.mark.parametrize("model", ["elm", "selm"])
def test_selections_of_single_rounds_are_what_a_loop_finds(records, chosen, model):
    for number in range(ROUNDS):
        row = _row(records, "wdbc", model, number)
        own = [int(np.argmax(held)) for held in row["held_out"]]
        held = [row["held_out"][i][j] for i, j in enumerate(own)]
        hits = [row["tested"][i][j] for i, j in enumerate(own)]
        expected = {"joint": int(np.argmax(held)), "largest": 2, "best_on_test": int(np.argmax(hits))}
        for name, place in expected.items():
            found = chosen.loc[(name, "wdbc", model, number)]
            assert found["n_hidden"] == COUNTS[place]
            assert found["lam"] == pytest.approx(10.0 ** (own[place] - 1))
            assert found["accuracy"] == hits[place] / 40


def _by_count(records):
    """The same surfaces as records of every node count, as the reading one_choice_for_all_rounds keeps them."""
    return pd.DataFrame(
        {
            **row[["dataset", "model", "round", "n_test", "exponents"]].to_dict(),
            "n_hidden": L, "cv_correct": _grid(row["held_out"])[place], "test_correct": _grid(row["tested"])[place],
        }
        for _, row in records.iterrows()
        for place, L in enumerate(COUNTS)
    )  # fmt: skip


def test_one_for_all_is_the_choice_of_every_ten_rounds(records, chosen):
    for block in (range(10), range(10, 20)):
        expected = chosen_for_all_rounds(_by_count(records[records["round"].isin(block)]))
        expected = expected[expected["chosen"].eq(True)].set_index(["dataset", "model", "round"])
        for place, row in expected.iterrows():
            found = chosen.loc[("one_for_all", *place)]
            assert (found["n_hidden"], found["accuracy"]) == (row["n_hidden"], row["accuracy"])
            assert found["lam"] == pytest.approx(row["lam"])


def test_the_figure_gives_a_count_per_model_or_one_per_set(records, chosen):
    here = records[(records["dataset"] == "mdd_kar") & (records["round"] < 10)]
    mean = {
        model: np.mean([np.array(text.split(), float) for text in rows["plain"]], axis=0)
        for model, rows in here.groupby("model")
    }
    own, common = COUNTS[int(np.argmax(mean["selm"]))], COUNTS[int(np.argmax(mean["elm"] + mean["selm"]))]
    assert set(chosen.loc["best_of_figure"].loc["mdd_kar"].loc["selm"]["n_hidden"].iloc[:10]) == {own}
    for model in ("elm", "selm"):
        found = chosen.loc["common_of_figure"].loc["mdd_kar"].loc[model]
        assert set(found["n_hidden"].iloc[:10]) == {common}
        row, place = _row(records, "mdd_kar", model, 3), COUNTS.index(common)
        assert found.loc[3, "accuracy"] == row["tested"][place][int(np.argmax(row["held_out"][place]))] / 40


def test_rounds_come_in_tens_and_a_rest_joins_the_last():
    assert blocks_of(100)[-1] == slice(90, 100)
    assert len(blocks_of(100)) == 10
    assert blocks_of(25) == [slice(0, 10), slice(10, 25)]
    assert blocks_of(4) == [slice(0, 4)]


def test_double_rounds_and_mixed_counts_are_named(records):
    elm = records[(records["dataset"] == "wdbc") & (records["model"] == "elm")]
    with pytest.raises(ValueError, match="wdbc elm has 21 records for 20 rounds"):
        surface_of(pd.concat([elm, elm.iloc[:1]]))
    with pytest.raises(ValueError, match="wdbc elm has 239 numbers in held_out, its counts and λ need 240"):
        surface_of(elm.assign(held_out=[elm["held_out"].iloc[0][3:], *elm["held_out"].iloc[1:]]))
    mixed = elm.copy()
    mixed["counts"] = [COUNTS] * 19 + [[5, 10, 20]]
    with pytest.raises(ValueError, match="different node counts"):
        surface_of(mixed)
