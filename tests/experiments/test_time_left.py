"""The time left: first rounds apart, guesses at the pace of this machine."""

from types import SimpleNamespace

import pytest

from experiments.time_left import Experience, first_guess


def cell(model="selm", round=1, guess=1.0, n_hidden=(50,)):
    about = SimpleNamespace(seconds=guess)
    named = SimpleNamespace(name=model, about=about)
    return SimpleNamespace(dataset_name="wdbc", model=named, round=round, task="classify", n_hidden=n_hidden)


def finished(seconds, model="selm", round=1, status="ok"):
    record = {"dataset": "wdbc", "model": model, "round": round}
    return {"status": status, "shared": {}, "records": [record], "seconds": seconds}


def test_the_round_that_carries_the_choice_does_not_speak_for_the_others():
    experience = Experience([finished(144.0, round=0), finished(3.0), finished(5.0)])
    assert experience.expect([cell(), cell()]) == pytest.approx(8.0)
    assert experience.expect([cell(round=0)]) == pytest.approx(144.0)


def test_a_round_of_the_other_kind_is_better_than_a_guess():
    assert Experience([finished(7.0, round=0)]).expect([cell(guess=100.0)]) == 7.0


def test_guesses_take_the_pace_of_this_machine_once_enough_cells_have_finished():
    experience = Experience([], {("wdbc", "bp"): [10.0, 30.0]})
    assert experience.expect([cell("bp")]) == 20.0
    for number in range(3):
        experience.learn(finished(4.0, f"m{number}"), cell(f"m{number}", guess=2.0))
    assert experience.expect([cell("bp")]) == 40.0
    experience.learn(finished(1e6, "bp", status="failed"), cell("bp"))
    assert experience.expect([cell("bp")]) == 40.0


def test_layers_of_many_nodes_are_guessed_by_their_nodes():
    assert first_guess(cell(n_hidden=(7000,))) == pytest.approx(70.0)
