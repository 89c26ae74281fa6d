"""Figures are drawn from complete records alone, without fitting anything."""

import pandas as pd
import pytest

from celm.models.elm.weights import FACTORIAL
from celm.study.store import PublishedStore
from experiments import publish
from experiments.config.schema import register

register()


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
def stores(tmp_path, monkeypatch):
    for name in ("RECORDS", "RUNS", "RESULTS"):
        monkeypatch.setattr(publish, name, tmp_path / name.lower())
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    return tmp_path


def test_a_published_figure_is_drawn_from_its_records(stores):
    published = documents(["elm", "cdelm"])
    PublishedStore(publish.RECORDS).write("fig4", published, {"planned_cells": len(published)})
    publish.publish_figures(["fig4"], "published")
    numbers = pd.read_csv(stores / "results" / "figures" / "fig4.csv")
    assert list(numbers["panel"].unique()) == ["WDBC", "MDD-fac"]
    assert numbers["accuracy_mean"].to_numpy() == pytest.approx(0.55)
    assert (numbers["rounds"] == 2).all()


def test_nothing_is_drawn_from_a_part_of_the_records(stores, capsys):
    published = documents(["elm"])
    PublishedStore(publish.RECORDS).write("fig4", published, {"planned_cells": len(published) + 1})
    publish.publish_figures(["fig4", "fig3"], "published")
    told = capsys.readouterr().out
    assert "fig4: only 4 of 5 cells are in the published store" in told
    assert "fig3: needs all cells of fig3 in the published store" in told
    assert not (stores / "results").exists()


def test_the_map_needs_its_records(stores, capsys):
    publish.publish_spiral_map("published")
    assert "spiral_map" in capsys.readouterr().out
    assert not (stores / "results").exists()


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


def test_fig6_and_its_table_are_made_from_published_records_alone(stores):
    published = plane_documents(rounds=2)
    PublishedStore(publish.RECORDS).write("fig6", published, {"planned_cells": len(published)})
    publish.publish_figures(["fig6"], "published")
    publish.publish_planes("published")
    points = pd.read_csv(stores / "results" / "figures" / "fig6.csv")
    assert points[points["model"] == "cdelm"][["label", "x", "y"]].to_numpy().tolist() == [[7, 1.25, 0.5], [0, -2, 3]]
    table = pd.read_csv(stores / "results" / "tables" / "fig6.csv")
    assert list(table["accuracy_mean"]) == pytest.approx([0.85, 0.85])
    assert set(table["experiment"]) == {"fig6"}
    assert "| ELM, 10000 nodes | 0.850 ± 0.635 |" in (stores / "results" / "tables" / "fig6.md").read_text()


def test_the_table_of_fig6_needs_its_records(stores, capsys):
    publish.publish_planes("published")
    assert "fig6" in capsys.readouterr().out
    assert not (stores / "results").exists()


def test_image_features_are_told_as_far_as_their_sweeps_are_complete(stores, capsys):
    publish.publish_features("published")
    assert "features: the table needs all cells of codebook or feature_seeds" in capsys.readouterr().out
    found = {
        str(atoms): {
            "key": str(atoms),
            "status": "ok",
            "seconds": 0.1,
            "provenance": {"commit": "abc"},
            "shared": {"dataset": "cifar10", "model": "linear_svm", "round": 0, "features_n_atoms": atoms,
                       "features_draw": 0, "features_two_sided": True, "features_grid": 2},
            "records": [{"accuracy": 0.6 + atoms / 1000}],
        }
        for atoms in (25, 50)
    }  # fmt: skip
    PublishedStore(publish.RECORDS).write("codebook", found, {"planned_cells": len(found)})
    publish.publish_features("published")
    text = (stores / "results" / "tables" / "features.md").read_text()
    assert "| 25 | 200 | 0.6250 |\n| 50 | 400 | 0.6500 |" in text
    assert "draws" not in text
    assert set(pd.read_csv(stores / "results" / "tables" / "features.csv")["experiment"]) == {"codebook"}


def test_causes_are_written_for_the_data_sets_that_are_complete(stores, capsys):
    publish.publish_causes("published")
    assert "causes: the table needs all cells of causes_mdd or causes_mnist" in capsys.readouterr().out
    found = documents(FACTORIAL)
    for document in found.values():
        document["records"] = [record | {"n_train": 20, "n_test": 10} for record in document["records"]]
    PublishedStore(publish.RECORDS).write("causes_mdd", found, {"planned_cells": len(found)})
    publish.publish_causes("published")
    table = pd.read_csv(stores / "results" / "tables" / "causes.csv")
    assert set(table["dataset"]) == {"wdbc", "mdd_fac"}
    assert "0 of 2 data sets have a gap" in (stores / "results" / "tables" / "causes.md").read_text(encoding="utf-8")
    publish.publish_figures(["causes"], "published")
    assert len(pd.read_csv(stores / "results" / "figures" / "causes.csv")) == 2 * 2 * len(FACTORIAL)


def test_statistics_and_ranks_are_made_from_complete_tables(stores, capsys):
    publish.publish_statistics("published")
    assert "statistics: needs all cells of table1" in capsys.readouterr().out
    published = documents(["elm", "orthogonal_elm", "cdelm", "selm", "linear_svm"])
    for key, document in published.items():
        better = 0.1 if document["shared"]["model"] in ("cdelm", "selm") else len(key) / 1e4
        document["records"] = [
            {"n_hidden": 5, "accuracy": 0.8 + better, "chosen": True, "n_train": 200, "n_test": 100},
            {"n_hidden": 10, "accuracy": 0.1, "chosen": False, "n_train": 200, "n_test": 100},
        ]
    PublishedStore(publish.RECORDS).write("table1", published, {"planned_cells": len(published)})
    publish.publish_statistics("published")
    table = pd.read_csv(stores / "results" / "tables" / "statistics.csv")
    assert set(table["baseline"]) == {"elm", "orthogonal_elm"}
    assert len(table) == 2 * 2 * 2
    assert (table["difference"] > 0.09).all()
    publish.publish_figures(["critical_difference"], "published")
    ranks = pd.read_csv(stores / "results" / "figures" / "critical_difference.csv")
    assert list(ranks["model"]) == ["cdelm", "selm", "orthogonal_elm", "elm"]
    assert list(ranks["mean_rank"]) == [1.5, 1.5, 3.0, 4.0]
