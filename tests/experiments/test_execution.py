"""How long a study should still take: learned from the cells that are finished, guessed for the others."""

from types import SimpleNamespace

import pytest

from experiments.config.entries import model_config
from experiments.execution import Experience


def cell(model="elm", nodes=(100,)):
    return SimpleNamespace(dataset_name="wdbc", model=model_config(model), n_hidden=nodes, task="classify")


def finished(seconds, model="elm", status="ok"):
    shared = {"dataset": "wdbc", "model": model}
    return {"status": status, "shared": shared, "records": [{}] if status == "ok" else [], "seconds": seconds}


def test_cells_take_what_others_of_their_model_took():
    experience = Experience([finished(2.0), finished(4.0), finished(100.0, "bp")])
    assert experience.expect([cell(), cell()]) == pytest.approx(6.0)


def test_a_first_guess_gives_way_to_the_first_cell():
    experience = Experience([])
    guess = experience.expect([cell("linear_svm")])
    experience.learn(finished(77.0, "linear_svm"))
    assert guess < 77.0
    assert experience.expect([cell("linear_svm")]) == 77.0
    # What a cell of one model took says nothing about another.
    assert experience.expect([cell("r2svm")]) == Experience([]).expect([cell("r2svm")])


def test_a_failure_tells_nothing():
    assert Experience([finished(0.1, status="failed")]).expect([cell()]) == Experience([]).expect([cell()])


def test_many_nodes_are_guessed_to_take_longer():
    assert Experience([]).expect([cell(nodes=(7000,))]) > 10 * Experience([]).expect([cell()])
