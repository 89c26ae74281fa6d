"""Every published number of the three tables gets a verdict, from whatever records there are."""

import sys

import pandas as pd
import pytest

from celm.study.store import LocalStore
from experiments import readings
from experiments.analyses.published_numbers import RANKING, VERDICTS
from experiments.config.entries import options
from experiments.config.studies import composed_study, is_named
from experiments.readings import TABLES, run_readings
from experiments.results import Records, Results


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "results", tmp_path / "runs")


def judged(results, table):
    analysis = next(one for one in VERDICTS if one.name == f"{table}_verdicts")
    return analysis.findings(Records(results))


def verdicts_of(results, table):
    return judged(results, table).verdicts


def ranking_of(results, table):
    ranked = RANKING.findings(Records(results))
    return ranked[ranked["experiment"] == table].set_index("reading")


def publish(results, experiment, cells):
    """Cells as {(data set, model, round): {node count: accuracy}}, every count chosen."""
    documents = {
        str(key): {
            "key": str(key),
            "status": "ok",
            "seconds": 0.1,
            "provenance": {},
            "shared": dict(zip(("dataset", "model", "round"), key, strict=True)),
            "records": [{"n_hidden": n, "accuracy": accuracy, "chosen": True} for n, accuracy in counts.items()],
        }
        for key, counts in cells.items()
    }
    results.published.write(experiment, documents, {"planned_cells": len(documents)})


def test_the_79_published_cells_have_a_verdict_before_anything_is_run(results):
    found = pd.concat([verdicts_of(results, name) for name in ("table1", "table2", "table3")])
    assert len(found) == 79
    assert set(found["verdict"]) == {"not run"}
    assert not found.duplicated(["dataset", "model", "n_hidden"]).any()


def test_a_part_of_table2_is_judged_on_its_rounds(results):
    publish(
        results, "table2", {("mnist", "elm", r): {1000: 0.9295 + r / 1000, 2000: 0.90 + r / 1000} for r in range(2)}
    )
    publish(results, "table2_readings+pixels", {("mnist", "elm", 0): {1000: 0.935}})
    found = verdicts_of(results, "table2").set_index(["model", "n_hidden"])
    assert found.loc[("elm", "1000"), ["verdict", "rounds"]].tolist() == ["reproduced", 2]
    assert found.loc[("elm", "2000"), ["verdict", "reading", "reading_nodes"]].tolist() == [
        *("unexplained", "pixels", "1000"),
    ]
    assert found.loc[("elm", "2000"), "reading_mean"] == pytest.approx(0.9005 + 0.935 - 0.93)
    assert found.loc[("ml_elm", "700-700-1000"), "verdict"] == "not run"
    ranked = ranking_of(results, "table2")
    assert ranked.loc["pixels", ["cells", "rounds"]].tolist() == [1, 1]
    assert ranked.loc["unit_norm", "cells"] == 0


def test_a_table_needs_only_the_chosen_rows(results):
    shared = {"dataset": "wdbc", "model": "elm", "round": 0}
    rows = [{"n_hidden": n, "accuracy": 0.9 + n / 1000, "chosen": n == 70} for n in (60, 70, 80)]
    document = {"key": "k", "status": "ok", "seconds": 1, "provenance": {}, "shared": shared, "records": rows}
    results.published.write("table1", {"k": document}, {})
    assert verdicts_of(results, "table1").set_index(["dataset", "model"]).loc[("wdbc", "elm"), "accuracy_mean"] == 0.97


@pytest.mark.parametrize("experiment", TABLES)
def test_every_reading_of_a_table_has_a_file_and_a_name_that_can_be_published(experiment):
    study = TABLES[experiment]
    assert set(study.readings) <= set(options("reading"))
    assert len(set(study.readings)) == len(study.readings)
    assert all(is_named(study.study_of(name)) for name in study.readings)


def test_readings_of_table2_run_at_its_smaller_count_in_three_rounds():
    cells = composed_study("table2_readings+sums_doubled").plan()
    assert {cell.n_hidden for cell in cells} == {(1000,)}
    assert {cell.model.name for cell in cells} == {"cselm", "rselm", "cmelm"}
    assert len(cells) == 9
    assert {cell.experiment for cell in cells} == {"table2_readings+sums_doubled"}


def test_readings_of_table3_are_carried_from_fewer_nodes(results):
    publish(results, "table3", {("cifar10", "elm", 0): {7000: 0.625}, ("cifar10", "linear_svm", 0): {None: 0.66}})
    publish(results, "table3_readings", {("cifar10", "elm", 0): {2000: 0.58}})
    publish(
        results,
        "table3_readings+one_sided",
        {("cifar10", "elm", 0): {2000: 0.60}, ("cifar10", "linear_svm", 0): {None: 0.61}},
    )
    found = verdicts_of(results, "table3").set_index("model")
    assert found.loc["elm", ["verdict", "reading", "reading_nodes"]].tolist() == ["unexplained", "one_sided", "2000"]
    assert found.loc["elm", "reading_mean"] == pytest.approx(0.645)
    assert found.loc["linear_svm", ["verdict", "reading", "reading_nodes"]].tolist() == ["unexplained", "one_sided", ""]
    assert found.loc["dcn", "verdict"] == "not run"
    assert ranking_of(results, "table3").loc["one_sided", "cells"] == 2


def test_readings_of_the_cited_systems_run_at_their_own_size_in_three_rounds():
    for reading, model in {"r2svm_cumulative": "r2svm", "dcn_elm_scale": "dcn"}.items():
        default = [cell for cell in composed_study("table3").plan() if cell.model.name == model]
        changed = composed_study(f"table3_readings+{reading}").plan()
        assert {cell.model.name for cell in changed} == {model}
        assert [cell.round for cell in changed] == [cell.round for cell in default] == [0, 1, 2]


def test_a_reading_runs_is_stored_and_judged(results):
    small = ["scale=smoke", f"store={results.runs}", "progress=false", "executor.workers=1", "executor.threads=1"]
    assert not run_readings("table2", ["samples_doubled"], small)
    (name,) = LocalStore(results.runs).experiments()
    assert name == "table2_readings+samples_doubled-smoke"
    documents = LocalStore(results.runs).documents(name)
    assert {document["status"] for document in documents.values()} == {"ok"}
    assert {document["shared"]["sample_scale"] for document in documents.values()} == {2.0}


def told(monkeypatch, capsys, *arguments, results=None):
    monkeypatch.setattr(sys, "argv", ["readings", *arguments])
    monkeypatch.setattr(readings, "Results", lambda: results)
    readings.main()
    return capsys.readouterr().out


def test_the_command_writes_every_verdict_and_the_ranking(results, monkeypatch, capsys):
    out = told(monkeypatch, capsys, "--no-run", results=results)
    assert "table1: 54 cells, 54 not run" in out
    assert "table3: 10 cells, 10 not run" in out
    written = {path.name for path in (results.folder / "tables").iterdir()}
    assert written == {
        *(f"{table}_verdicts.{ending}" for table in TABLES for ending in ("csv", "md")),
        *("readings.csv", "readings.md"),
    }


def test_the_command_can_judge_one_table(results, monkeypatch, capsys):
    assert told(monkeypatch, capsys, "table2", "--no-run", results=results) == "table2: 15 cells, 15 not run\n"
    assert not (results.folder / "tables" / "table1_verdicts.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "pixels"], "--only needs an experiment"),
        (["table2", "--only", "raw_values"], "table2 has no reading raw_values; it has pixels"),
    ],
)
def test_a_reading_of_another_table_is_refused(monkeypatch, capsys, arguments, message):
    with pytest.raises(SystemExit):
        told(monkeypatch, capsys, *arguments)
    assert message in capsys.readouterr().err
