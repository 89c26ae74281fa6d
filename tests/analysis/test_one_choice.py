"""One choice for all rounds is that of the mean over rounds; test rows have no part in it."""

import pandas as pd
import pytest

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.summary import summarise


def frame(*rows, model="elm"):
    """Rows of (round, node count, held-out rows correct per λ, test rows correct per λ)."""
    found = pd.DataFrame(rows, columns=["round", "n_hidden", "cv_correct", "test_correct"])
    found["exponents"] = [[-1, 1]] * len(found)
    return found.assign(dataset="wdbc", model=model, n_test=10, accuracy=-1.0)


# Alone, round 0 would take 10 nodes with λ = 1 (9 correct) and round 1 would take 5 nodes with λ = 0.1 (9 correct).
TWO_ROUNDS = frame(
    (0, 5, [2, 4, 7], [0, 0, 6]),
    (0, 10, [1, 9, 2], [9, 9, 9]),
    (1, 5, [9, 3, 7], [0, 0, 8]),
    (1, 10, [1, 2, 6], [9, 9, 9]),
)


def test_the_best_mean_wins_though_no_round_would_choose_it():
    found = chosen_for_all_rounds(TWO_ROUNDS)
    chosen = found[found["chosen"].eq(True)]
    assert list(chosen["n_hidden"]) == [5, 5]
    assert list(chosen["lam"]) == [10.0, 10.0]
    assert list(chosen["accuracy"]) == [0.6, 0.8]
    assert summarise(found)["accuracy_mean"].tolist() == pytest.approx([0.7])


def test_rounds_that_exist_decide():
    chosen = chosen_for_all_rounds(TWO_ROUNDS[TWO_ROUNDS["round"] == 0])
    assert chosen[chosen["chosen"].eq(True)][["n_hidden", "lam"]].to_numpy().tolist() == [[10, 1.0]]


def test_ties_go_to_fewer_nodes_then_to_the_stronger_penalty():
    found = chosen_for_all_rounds(frame((0, 10, [9, 1, 9], [1, 2, 3]), (0, 5, [1, 9, 9], [4, 5, 6])))
    assert found[found["chosen"].eq(True)][["n_hidden", "lam", "accuracy"]].to_numpy().tolist() == [[5, 1.0, 0.5]]


def test_models_choose_for_themselves():
    other = frame((0, 5, [9, 0, 0], [7, 0, 0]), model="cdelm")
    found = summarise(chosen_for_all_rounds(pd.concat([TWO_ROUNDS, other], ignore_index=True)))
    assert found.set_index("model")["accuracy_mean"].to_dict() == pytest.approx({"elm": 0.7, "cdelm": 0.7})


def test_other_frames_stay_as_they_are():
    plain = pd.DataFrame({"dataset": ["wdbc"], "accuracy": [0.5]})
    assert chosen_for_all_rounds(plain) is plain
