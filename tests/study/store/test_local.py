"""Local cells: whole or not at all, believed when digest, key and values agree, else set aside and run again."""

import json
import os

import pytest

from celm.base.files import cell_key, set_aside, write_whole
from celm.study.store import LocalStore, load_frame, merged


def test_key_depends_on_content_not_on_order():
    assert cell_key({"a": 1, "b": [1, 2]}) == cell_key({"b": [1, 2], "a": 1})
    assert cell_key({"a": 1}) != cell_key({"a": 2})
    assert cell_key({"a": 1}) != cell_key({"a": "1"})


def test_local_store_gives_back_what_it_took(tmp_path, document):
    store, doc = LocalStore(tmp_path), document()
    store.write(doc)
    assert store.documents("table1") == {doc["key"]: doc}
    assert store.experiments() == ["table1"]
    assert store.documents("nothing") == {}


def test_a_half_written_cell_is_set_aside_and_not_a_cell(tmp_path, document, caplog):
    store, good = LocalStore(tmp_path), document("good")
    store.write(good)
    bad = tmp_path / "table1" / "cells" / "bad.json"
    bad.write_text('{"key": "bad", "rec')
    assert set(store.documents("table1")) == {good["key"]}
    assert caplog.text.count("will be run again") == 1
    assert "bad.json was set aside as bad.json.aside" in caplog.text
    assert not bad.exists()
    assert bad.with_name("bad.json.aside").read_text() == '{"key": "bad", "rec'


def test_a_cell_of_an_earlier_version_without_a_digest_is_set_aside(tmp_path, document, caplog):
    doc = document()
    path = tmp_path / "table1" / "cells" / f"{doc['key']}.json"
    write_whole(path, json.dumps(doc))
    assert LocalStore(tmp_path).documents("table1") == {}
    assert "it carries no digest" in caplog.text
    LocalStore(tmp_path).write(doc)
    assert LocalStore(tmp_path).documents("table1") == {doc["key"]: doc}


def test_what_is_set_aside_is_never_overwritten(tmp_path):
    path = tmp_path / "cell.json"
    for content in ("one", "two", "three"):
        path.write_text(content)
        set_aside(path)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {
        "cell.json.aside": "one",
        "cell.json.aside-2": "two",
        "cell.json.aside-3": "three",
    }
    set_aside(path)  # another process has moved it already


def test_one_record_may_hold_the_surface_of_all_node_counts(tmp_path, document, caplog):
    whole, part = (document(records=[{"n_hidden": 5, "accuracy": 0.5, "counts": counts}]) for counts in ([5, 10], [5]))
    LocalStore(tmp_path).write(whole)
    assert list(LocalStore(tmp_path).documents("table1")) == [whole["key"]]
    LocalStore(tmp_path).write(part)
    assert LocalStore(tmp_path).documents("table1") == {}
    assert "it has records of 1 node counts, planned were 2" in caplog.text


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


def test_failed_cells_are_kept_but_not_published_or_framed(tmp_path, document):
    failed = {**document("bad"), "status": "failed", "records": [], "error": "ValueError: no"}
    LocalStore(tmp_path).write(failed)
    assert LocalStore(tmp_path).documents("table1")[failed["key"]]["error"] == "ValueError: no"
    assert load_frame([failed]).empty
    assert merged({}, {failed["key"]: failed}, [failed["key"]]) == {}
