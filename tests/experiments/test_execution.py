"""How long a study should still take: learned from the cells that are finished, guessed for the others."""

from types import SimpleNamespace

import pytest

from celm.datasets import DatasetError
from celm.study.choices import remembered
from celm.study.data_config import DatasetConfig
from celm.study.planning import plan
from celm.study.runner import first_round, run_cell
from celm.study.store import LocalStore, PublishedStore
from celm.study.study_config import ModelConfig, StudyConfig
from experiments import execution
from experiments.config.entries import model_config
from experiments.config.studies import composed_study
from experiments.execution import finished_cells, run_study
from experiments.time_left import Experience


def cell(model="elm", nodes=(100,)):
    named = model_config(model)
    return SimpleNamespace(dataset_name="wdbc", model=named, n_hidden=nodes, task="classify", round=0)


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


def test_published_cells_are_asked_for_their_seconds_alone(tmp_path):
    """What others took is read from the rows of a table: no bulk is unpacked for a guess, no cell is put together."""
    folder = composed_study("table1").config.published
    store, told = PublishedStore(folder), PublishedStore(folder).cell_seconds("table1_second_seed")
    whole = store.documents("table1_second_seed", chosen_alone=True).values()
    mine = [
        doc["seconds"] for doc in whole if (doc["records"][0]["dataset"], doc["records"][0]["model"]) == ("wdbc", "elm")
    ]
    assert told["wdbc", "elm"].seconds == mine
    assert told["wdbc", "elm"].nodes == 100
    assert told["wdbc", "linear_svm"].nodes == 0
    assert Experience([], {("wdbc", "elm"): mine}).expect([cell()]) == pytest.approx(sum(mine) / len(mine))
    assert PublishedStore(tmp_path).cell_seconds("table1") == {}


def test_records_to_go_on_from_must_be_there(tmp_path):
    study = composed_study("table1", ["resume=published", f"published={tmp_path / 'none'}", "rounds=1"])
    with pytest.raises(ValueError, match="resume=published needs a folder of records"):
        finished_cells(study.config, study.plan())


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


@pytest.fixture
def two_sets(tmp_path, monkeypatch):
    """A study of iris and wine, and a way to make some of its sets impossible to have."""

    def study(*lost):
        def data_of(cell):
            if cell.dataset_name in lost:
                raise DatasetError(f"{cell.dataset_name} could not be loaded: the wheel does not hold it.")

        monkeypatch.setattr(execution, "data_of", data_of)
        words = ["grid.datasets=[iris,wine]", "grid.models=[linear_ridge,elm]", "executor.workers=1", "progress=false"]
        return composed_study("suite", [*words, "scale=smoke", "rounds=1", "grid.few=false", f"store={tmp_path}"])

    return study


def test_a_set_that_cannot_be_had_stops_no_other_and_the_store_keeps_the_reason(two_sets, tmp_path, caplog):
    study = two_sets("wine")
    outcome = run_study(study)
    assert {document["shared"]["dataset"] for document in outcome.finished.values()} == {"iris"}
    assert {document["label"] for document in outcome.failed} == {"wine linear_ridge round 0", "wine elm round 0"}
    assert "wine could not be loaded: the wheel does not hold it. Its cells are left out" in caplog.text
    kept = LocalStore(str(tmp_path)).documents(study.config.name)
    reasons = {document["error"] for document in kept.values() if document["status"] == "failed"}
    assert reasons == {"DatasetError: wine could not be loaded: the wheel does not hold it."}


def test_where_nothing_can_be_had_that_is_the_error(two_sets):
    with pytest.raises(DatasetError, match="iris could not be loaded"):
        run_study(two_sets("iris", "wine"))
