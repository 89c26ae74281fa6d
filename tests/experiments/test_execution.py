"""How long a study should still take: learned from the cells that are finished, guessed for the others."""

from types import SimpleNamespace

import pytest

from celm.study.choices import remembered
from celm.study.data_config import DatasetConfig
from celm.study.runner import first_round, plan, run_cell
from celm.study.store import LocalStore
from celm.study.study_config import ModelConfig, StudyConfig
from experiments.config.entries import model_config
from experiments.execution import Experience, finished_cells


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


@pytest.fixture
def stored(tmp_path):
    """A study of two rounds whose cells are finished."""
    config = StudyConfig(name="small", rounds=2, store=str(tmp_path / "runs"))
    cells = plan(config, [DatasetConfig(name="wdbc", n_hidden=[5])], [ModelConfig("elm", "elm", "elm")])
    documents = [run_cell(one, 1) for one in cells]
    for document in documents:
        LocalStore(config.store).write(document)
    return config, cells, documents


def by_other_code(config, document):
    LocalStore(config.store).write({**document, "code": document["code"].split(" ")[0] + " of another day"})


def test_cells_made_by_other_code_are_told_and_strict_refuses_them(stored, caplog):
    config, cells, documents = stored
    assert len(finished_cells(config, cells)) == 2
    assert not caplog.records
    by_other_code(config, documents[0])
    assert len(finished_cells(config, cells)) == 2
    assert "small: 1 cells were made by other code; force=true reruns them" in caplog.text
    config.strict = True
    with pytest.raises(ValueError, match="strict=true refuses them"):
        finished_cells(config, cells)


def test_a_cell_without_a_digest_of_its_source_is_not_called_other_code(stored, caplog):
    config, cells, documents = stored
    LocalStore(config.store).write({name: value for name, value in documents[0].items() if name != "code"})
    config.strict = True
    assert len(finished_cells(config, cells)) == 2
    assert not caplog.records


def test_a_forced_run_believes_neither_cells_nor_remembered_choices(stored, tmp_path, monkeypatch):
    monkeypatch.setenv("CELM_CACHE", str(tmp_path / "cache"))
    config, cells, _ = stored
    key = first_round(cells[1]).key
    remembered(key, lambda: [{"lam": 1.0}])
    config.force = config.dry_run = True
    assert finished_cells(config, cells) == {}
    assert remembered(key, lambda: [{"lam": 2.0}]) == [{"lam": 1.0}]
    config.dry_run = False
    assert finished_cells(config, cells) == {}
    assert remembered(key, lambda: [{"lam": 2.0}]) == [{"lam": 2.0}]
