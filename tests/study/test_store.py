"""The stores: whole or not at all, what goes in comes out, and published files that do not churn."""

import json
import os

import pytest

from celm.base.files import cell_key, write_whole
from celm.study.store import LocalStore, PublishedStore, differing, load_frame, merged


def document(key="k1", dataset="wdbc", model="elm", round_=0, accuracies=((5, 0.5), (10, 0.75)), **more):
    return {
        "experiment": "table1",
        "key": key,
        "status": "ok",
        "seconds": 0.25,
        "shared": {"dataset": dataset, "model": model, "round": round_, "threads": 1, "features": "per_feature"},
        "records": [{"n_hidden": L, "accuracy": a, "chosen": L == 10, "rank": None} for L, a in accuracies],
        "provenance": {"cpu": "a", "commit": "c"},
        **more,
    }


def test_key_depends_on_content_not_on_order():
    assert cell_key({"a": 1, "b": [1, 2]}) == cell_key({"b": [1, 2], "a": 1})
    assert cell_key({"a": 1}) != cell_key({"a": 2})
    assert cell_key({"a": 1}) != cell_key({"a": "1"})


def test_local_store_gives_back_what_it_took(tmp_path):
    store = LocalStore(tmp_path)
    store.write(document())
    assert store.documents("table1") == {"k1": document()}
    assert store.experiments() == ["table1"]
    assert store.documents("nothing") == {}


def test_a_half_written_cell_is_not_a_cell(tmp_path, caplog):
    store = LocalStore(tmp_path)
    store.write(document("good"))
    (tmp_path / "table1" / "cells" / "bad.json").write_text('{"key": "bad", "rec')
    assert set(store.documents("table1")) == {"good"}
    assert "bad.json" in caplog.text


def test_write_whole_leaves_the_old_file_when_it_fails(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, "old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_published_store_round_trip_and_constants(tmp_path):
    published = PublishedStore(tmp_path)
    documents = {"k1": document("k1"), "k2": document("k2", model="cdelm", accuracies=((5, 1 / 3),))}
    published.write("table1", documents, {"title": "Table I"})
    manifest = published.manifest("table1")
    assert manifest["constants"]["features"] == "per_feature"
    assert manifest["constants"]["rank"] is None
    assert manifest["cells"] == 2
    assert manifest["rows"] == 3
    header = (tmp_path / "table1.csv").read_text().splitlines()[0].split(",")
    assert "features" not in header
    back = published.documents("table1")
    assert not differing(documents, back)
    assert back["k2"]["records"][0]["accuracy"] == 1 / 3
    assert back["k1"]["records"][1]["chosen"] is True
    assert back["k1"]["provenance"] == {"cpu": "a", "commit": "c"}
    frames = [load_frame(docs.values()).sort_values(["cell", "n_hidden"]) for docs in (documents, back)]
    assert list(frames[0]["accuracy"]) == list(frames[1]["accuracy"])


def test_what_a_data_set_or_a_model_shares_stands_in_the_manifest(tmp_path):
    documents = {}
    for i, (dataset, model) in enumerate([("wdbc", "elm"), ("wdbc", "bp"), ("mnist", "elm"), ("mnist", "bp")]):
        doc = document(f"k{i}", dataset=dataset, model=model, round_=i)
        doc["shared"] |= {"data_digest": f"digest of {dataset}", "targets": f"targets of {model}"}
        documents[f"k{i}"] = doc
    published = PublishedStore(tmp_path)
    published.write("table1", documents, {})
    manifest = published.manifest("table1")
    assert manifest["by_dataset"]["mnist"] == {"data_digest": "digest of mnist"}
    assert manifest["by_model"]["bp"] == {"targets": "targets of bp"}
    header = (tmp_path / "table1.csv").read_text().splitlines()[0].split(",")
    assert not {"data_digest", "targets"} & set(header)
    record = published.documents("table1")["k3"]["records"][0]
    assert (record["data_digest"], record["targets"]) == ("digest of mnist", "targets of bp")


def test_the_chosen_rows_can_be_read_alone(tmp_path):
    store = PublishedStore(tmp_path)
    curve = document("k2", model="cdelm")
    for record in curve["records"]:
        record["chosen"] = None
    store.write("table1", {"k1": document(), "k2": curve}, {})
    found = store.documents("table1", chosen_alone=True)
    assert [record["n_hidden"] for record in found["k1"]["records"]] == [10]
    assert [record["n_hidden"] for record in found["k2"]["records"]] == [5, 10]
    assert len(store.documents("table1")["k1"]["records"]) == 2


def test_publishing_again_changes_no_byte(tmp_path):
    published = PublishedStore(tmp_path)
    documents = {key: document(key, round_=i) for i, key in enumerate(["k3", "k1", "k2"])}
    published.write("table1", documents, {})
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    published.write("table1", published.documents("table1"), {})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_published_rows_are_sorted(tmp_path):
    published = PublishedStore(tmp_path)
    published.write("table1", {str(i): document(str(i), round_=9 - i) for i in range(10)}, {})
    rounds = [row.split(",")[2] for row in (tmp_path / "table1.csv").read_text().splitlines()[1:]]
    assert [int(r) for r in rounds] == sorted(int(r) for r in rounds)


def test_failed_cells_are_kept_but_not_published_or_framed(tmp_path):
    failed = {**document("bad"), "status": "failed", "records": [], "error": "ValueError: no"}
    LocalStore(tmp_path).write(failed)
    assert json.loads((tmp_path / "table1" / "cells" / "bad.json").read_text())["error"] == "ValueError: no"
    assert load_frame([failed]).empty
    assert merged({}, {"bad": failed}, ["bad"]) == {}


def test_merged_prefers_published_and_keeps_only_planned():
    published, local = {"a": document("a")}, {"a": document("a", seconds=9.0), "b": document("b"), "c": document("c")}
    chosen = merged(published, local, ["a", "b"])
    assert set(chosen) == {"a", "b"}
    assert chosen["a"]["seconds"] == 0.25


def test_differing_names_the_rows():
    theirs = document("a", accuracies=((5, 0.5), (10, 0.7)))
    pairs = differing({"a": document("a")}, {"a": theirs})
    assert [(ours["n_hidden"], ours["accuracy"], other["accuracy"]) for ours, other in pairs] == [(10, 0.75, 0.7)]
    assert pairs[0][0]["dataset"] == "wdbc"
    missing = differing({"a": document("a")}, {"a": document("a", accuracies=((5, 0.5),))})
    assert [other["accuracy"] for _, other in missing] == [None]


def test_stages_of_a_cell_are_told_apart_and_keep_their_order_when_published(tmp_path):
    stages = [{"stage": k, "n_hidden": None, "accuracy": k / 12, "candidates": [{"C": 0.5}]} for k in range(1, 13)]
    cell = document("a", records=stages)
    published = PublishedStore(tmp_path)
    published.write("table3", {"a": cell}, {})
    back = published.documents("table3")
    assert not differing({"a": cell}, back)
    assert [record["stage"] for record in back["a"]["records"]] == list(range(1, 13))
    assert back["a"]["records"][0]["candidates"] == [{"C": 0.5}]
    changed = document("a", records=[*stages[:3], {**stages[3], "accuracy": 0.0}, *stages[4:]])
    assert [ours["stage"] for ours, _ in differing({"a": changed}, back)] == [4]
