"""What analyses make is written from complete records alone, without fitting anything."""

import sys

import pandas as pd
import pytest

from celm.base.files import cell_key
from celm.models.elm.weights import FACTORIAL
from experiments import publish as command
from experiments.analysis import Analysis, analyses
from experiments.publish import belongs, has_output, publish, write_local
from experiments.results import Results


def documents(models):
    return {
        f"{dataset} {model} {round_}": {
            "key": f"{dataset} {model} {round_}",
            "status": "ok",
            "seconds": 0.1,
            "provenance": {"commit": "abc"},
            "shared": {"dataset": dataset, "model": model, "round": round_},
            "records": [{"n_hidden": n, "accuracy": 0.5 + round_ / 10, "rank": n} for n in (5, 10)],
        }
        for dataset in ("wdbc", "mdd_fac")
        for model in models
        for round_ in range(2)
    }


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "results", tmp_path / "runs")


def written(results, name):
    return pd.read_csv(results.folder / f"{name}.csv")


def test_a_published_figure_is_drawn_from_its_records(results):
    published = documents(["elm", "cdelm"])
    results.published.write("fig4", published, {"planned_cells": len(published)})
    publish("figures", ["fig4"], results, "published")
    numbers = written(results, "figures/fig4")
    assert list(numbers["panel"].unique()) == ["WDBC", "MDD-fac"]
    assert numbers["accuracy_mean"].to_numpy() == pytest.approx(0.55)
    assert (numbers["rounds"] == 2).all()


def finished_here(results, models):
    """Cells of Fig 4 in the local store; their keys."""
    keys = set()
    for document in documents(models).values():
        identity = dict(document["shared"])
        keys.add(cell_key(identity))
        cell = {"key": cell_key(identity), "experiment": "fig4", "label": document["key"], "identity": identity}
        results.local.write({**document, **cell})
    return keys


def reading(*names, needs=None):
    return Analysis(name="one", about="One", reads=names, find=len, needs=needs)


@pytest.mark.parametrize(
    ("one", "ran", "is_theirs"),
    [
        (reading("fig4"), ["fig4"], True),
        (reading("fig4"), ["fig3"], False),
        (reading("fig4", "fig3"), ["fig4"], False),
        (reading("fig4", "fig3", needs=("fig4",)), ["fig4"], True),
        (reading("table1", "celm/table1"), ["table1"], True),
        (reading("celm/table1"), ["table1"], False),
        (reading("a", "b", "c", needs=()), ["a"], False),
        (reading("a", "b", "c", needs=()), ["a", "b"], True),
        (reading(needs=()), ["a"], False),
    ],
)
def test_an_analysis_belongs_to_the_studies_that_it_needs(one, ran, is_theirs):
    assert belongs(one, ran) is is_theirs


def test_table1_alone_is_nothing_that_its_readings_could_be_compared_with():
    readings = analyses()["protocol_readings"]
    assert not belongs(readings, ["table1"])
    assert belongs(readings, [name for name in readings.reads if "/" not in name])


def test_a_local_run_shows_what_belongs_to_it_beside_its_records_and_publishes_nothing(results, monkeypatch):
    """Cells of a run under runs/: the figure that reads them is drawn there, results/ stays as it was."""
    planned = finished_here(results, ["elm", "cdelm"])
    monkeypatch.setattr("experiments.results.planned_keys", lambda _: planned)
    write_local(["fig4"], results)
    assert {path.name for path in (results.runs / "figures").glob("*.csv")} >= {"fig4.csv"}
    assert set(pd.read_csv(results.runs / "figures" / "fig4.csv")["rounds"]) == {2}
    assert not results.folder.exists()


def test_a_local_run_that_is_not_whole_is_told_and_draws_nothing(results, monkeypatch, capsys):
    planned = finished_here(results, ["elm"])
    monkeypatch.setattr("experiments.results.planned_keys", lambda _: {*planned, "one more"})
    write_local(["fig4"], results)
    assert "fig4: only 4 of 5 cells are in the local store" in capsys.readouterr().out
    assert not (results.runs / "figures").exists()


def test_nothing_is_drawn_from_a_part_of_the_records(results, capsys):
    published = documents(["elm"])
    results.published.write("fig4", published, {"planned_cells": len(published) + 1})
    publish("figures", ["fig4", "fig3"], results, "published")
    told = capsys.readouterr().out
    assert "fig4: only 4 of 5 cells are in the published store" in told
    assert "fig3: needs all cells of fig3 in the published store" in told
    assert not (results.folder / "figures").exists()


# Analyses that judge printed numbers say "not run" of every one of them; the illustration needs no records.
VERDICTS = {f"{name}_verdicts" for name in ("table1", "table2", "table3", "ciw_mnist")}
WITHOUT_RECORDS = {"fig2", "claims", "open_ends", "power", "readings", *VERDICTS}


@pytest.mark.parametrize("name", sorted(analyses().keys() - WITHOUT_RECORDS))
def test_an_analysis_without_records_says_which_it_needs_and_writes_nothing(results, name, capsys):
    for what in command.WRITERS:
        if has_output(analyses()[name], what):
            publish(what, [name], results, "published")
            told = capsys.readouterr().out
            assert told.startswith(f"{name}: needs all cells of ")
            assert analyses()[name].reads[-1] in told or "needs" in told
    assert not results.folder.exists()


def plane_documents(rounds):
    settings = {"pca": 50, "points": 2, "perplexity": 30.0, "iterations": 1000, "neighbours": 10}
    found = {}
    for model in ("elm", "cdelm"):
        for round_ in range(rounds):
            kept = {"plane_x": [1.25, -2.0], "plane_y": [0.5, 3.0], "plane_label": [7, 0]} if round_ == 0 else {}
            measures = {"accuracy": 0.8 + round_ / 10, "trustworthiness": 0.9, "kl_divergence": 1.5}
            found[f"{model} {round_}"] = {
                "key": f"{model} {round_}",
                "status": "ok",
                "seconds": 0.1,
                "provenance": {"commit": "abc"},
                "shared": {"dataset": "mnist", "model": model, "round": round_, **settings},
                "records": [{"n_hidden": 10000, **measures, **kept}],
            }
    return found


def test_fig6_and_its_table_are_made_from_published_records_alone(results):
    published = plane_documents(rounds=2)
    results.published.write("fig6", published, {"planned_cells": len(published)})
    publish("figures", ["fig6"], results, "published")
    publish("tables", ["fig6"], results, "published")
    points = written(results, "figures/fig6")
    assert points[points["model"] == "cdelm"][["label", "x", "y"]].to_numpy().tolist() == [[7, 1.25, 0.5], [0, -2, 3]]
    table = written(results, "tables/fig6")
    assert list(table["accuracy_mean"]) == pytest.approx([0.85, 0.85])
    assert set(table["experiment"]) == {"fig6"}
    assert "| ELM, 10000 nodes | 0.850 ± 0.635 |" in (results.folder / "tables" / "fig6.md").read_text()


def test_causes_are_written_for_the_data_sets_that_are_complete(results):
    found = documents(FACTORIAL)
    for document in found.values():
        document["records"] = [record | {"n_train": 20, "n_test": 10} for record in document["records"]]
    results.published.write("causes_mdd", found, {"planned_cells": len(found)})
    publish("tables", ["causes"], results, "published")
    publish("figures", ["causes"], results, "published")
    assert set(written(results, "tables/causes")["dataset"]) == {"wdbc", "mdd_fac"}
    text = (results.folder / "tables" / "causes.md").read_text(encoding="utf-8")
    assert "0 of 2 data sets have a gap" in text
    assert len(written(results, "figures/causes")) == 2 * 2 * len(FACTORIAL)


def test_statistics_and_ranks_are_made_from_complete_tables(results):
    published = documents(["elm", "orthogonal_elm", "cdelm", "selm", "linear_svm"])
    for key, document in published.items():
        better = 0.1 if document["shared"]["model"] in ("cdelm", "selm") else len(key) / 1e4
        document["records"] = [
            {"n_hidden": 5, "accuracy": 0.8 + better, "chosen": True, "n_train": 200, "n_test": 100},
            {"n_hidden": 10, "accuracy": 0.1, "chosen": False, "n_train": 200, "n_test": 100},
        ]
    results.published.write("table1", published, {"planned_cells": len(published)})
    publish("tables", ["statistics"], results, "published")
    table = written(results, "tables/statistics")
    assert set(table["baseline"]) == {"elm", "orthogonal_elm"}
    assert len(table) == 2 * 2 * 2
    assert (table["difference"] > 0.09).all()
    text = (results.folder / "tables" / "statistics.md").read_text(encoding="utf-8")
    assert "| WDBC | SELM | Orthogonal ELM (best other) | +" in text
    publish("figures", ["critical_difference"], results, "published")
    ranks = written(results, "figures/critical_difference")
    assert list(ranks["model"]) == ["cdelm", "selm", "orthogonal_elm", "elm"]
    assert list(ranks["mean_rank"]) == [1.5, 1.5, 3.0, 4.0]


def told(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["publish", *arguments])
    command.main()
    return capsys.readouterr().out


def test_the_command_lists_every_analysis_with_what_it_tells(monkeypatch, capsys):
    lines = told(monkeypatch, capsys, "list").splitlines()
    assert [line.split()[0] for line in lines] == sorted(analyses())
    assert all(analyses()[line.split()[0]].about in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figures", "statistics"], "no analysis 'statistics' has figures; those that do are causes, "),
        (["tables", "nothing"], "no analysis 'nothing' has tables"),
        (["records", "nothing"], "no experiment 'nothing' under conf/experiment"),
    ],
)
def test_an_unknown_name_is_refused(monkeypatch, capsys, arguments, message):
    with pytest.raises(SystemExit):
        told(monkeypatch, capsys, *arguments)
    assert message in capsys.readouterr().err
