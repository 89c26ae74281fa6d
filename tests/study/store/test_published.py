"""The published store: what goes in comes out, files that do not churn, bulk beside them, digests that are checked."""

import json
import lzma

import pytest

from celm.study.store import PublishedStore, StoreError, differing, load_frame, merged, published_frame


@pytest.fixture
def document(document):
    """A cell under a short key: the published store does not know identities."""
    return lambda name="k1", **words: {**document(name, **words), "key": name}


def test_published_store_round_trip_and_constants(tmp_path, document):
    published = PublishedStore(tmp_path)
    documents = {"k1": document("k1"), "k2": document("k2", model="cdelm", accuracies=((10, 1 / 3),))}
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


def test_what_a_data_set_or_a_model_shares_stands_in_the_manifest(tmp_path, document):
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


def test_the_chosen_rows_can_be_read_alone(tmp_path, document):
    store = PublishedStore(tmp_path)
    curve = document("k2", model="cdelm")
    for record in curve["records"]:
        record["chosen"] = None
    store.write("table1", {"k1": document(), "k2": curve}, {})
    found = store.documents("table1", chosen_alone=True)
    assert [record["n_hidden"] for record in found["k1"]["records"]] == [10]
    assert [record["n_hidden"] for record in found["k2"]["records"]] == [5, 10]
    assert len(store.documents("table1")["k1"]["records"]) == 2


def test_publishing_again_changes_no_byte(tmp_path, document):
    published = PublishedStore(tmp_path)
    documents = {key: document(key, round_=i) for i, key in enumerate(["k3", "k1", "k2"])}
    published.write("table1", documents, {})
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    published.write("table1", published.documents("table1"), {})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_published_rows_are_sorted(tmp_path, document):
    published = PublishedStore(tmp_path)
    published.write("table1", {str(i): document(str(i), round_=9 - i) for i in range(10)}, {})
    rounds = [row.split(",")[2] for row in (tmp_path / "table1.csv").read_text().splitlines()[1:]]
    assert [int(r) for r in rounds] == sorted(int(r) for r in rounds)


def test_merged_prefers_published_and_keeps_only_planned(document):
    published, local = {"a": document("a")}, {"a": document("a", seconds=9.0), "b": document("b"), "c": document("c")}
    chosen = merged(published, local, ["a", "b"])
    assert set(chosen) == {"a", "b"}
    assert chosen["a"]["seconds"] == 0.25


def test_stages_of_a_cell_are_told_apart_and_keep_their_order_when_published(tmp_path, document):
    stages = [{"stage": k, "n_hidden": None, "accuracy": k / 12, "candidates": [{"C": 0.5}]} for k in range(1, 13)]
    cell = document("a", records=stages)
    published = PublishedStore(tmp_path)
    published.write("table3", {"a": cell}, {})
    back = published.documents("table3")
    assert not differing({"a": cell}, back)
    assert [record["stage"] for record in back["a"]["records"]] == list(range(1, 13))
    assert back["a"]["records"][0]["candidates"] == [{"C": 0.5}]
    changed = document("a", records=[*stages[:3], {**stages[3], "accuracy": 0.0}, *stages[4:]])
    assert [pair.ours["stage"] for pair in differing({"a": changed}, back)] == [4]


def test_what_was_tried_and_not_chosen_lies_compressed_beside(tmp_path, document):
    published = PublishedStore(tmp_path)
    published.write("table1", {"k1": document()}, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table1.csv", "table1.json", "table1.unchosen.csv.xz"]
    assert (tmp_path / "table1.csv").read_text().splitlines()[1].startswith("wdbc,elm,0,10,0.75,true")
    unpacked = lzma.decompress((tmp_path / "table1.unchosen.csv.xz").read_bytes()).decode()
    assert unpacked.splitlines()[1].startswith("wdbc,elm,0,5,0.5,false")
    shape = published.manifest("table1")["files"]["table1.unchosen.csv.xz"]
    assert (shape["rows"], shape["columns"]) == (1, unpacked.splitlines()[0].split(","))


def test_surfaces_lie_beside_and_come_back_with_their_rows(tmp_path, document):
    records = [{"n_hidden": L, "accuracy": 0.5, "cv_correct": [L, 2], "test_correct": [3, L]} for L in (5, 10)]
    published = PublishedStore(tmp_path)
    published.write("table1", {"k1": document(records=records)}, {})
    assert "correct" not in (tmp_path / "table1.csv").read_text()
    for alone in (False, True):
        back = published.documents("table1", chosen_alone=alone)["k1"]["records"]
        assert [(row["cv_correct"], row["test_correct"]) for row in back] == [([5, 2], [3, 5]), ([10, 2], [3, 10])]


def test_the_surface_of_all_node_counts_lies_beside_too(tmp_path, document):
    surfaces = {"held_out": "1 2", "tested": "3 4", "plain": "5 6"}
    record = {"n_hidden": 5, "accuracy": 0.5, "counts": [5, 10], **surfaces}
    published = PublishedStore(tmp_path)
    published.write("protocols", {"k1": document(records=[record])}, {})
    assert "held_out" not in (tmp_path / "protocols.csv").read_text()
    (back,) = published.documents("protocols")["k1"]["records"]
    assert {name: back[name] for name in record} == record


def test_bulk_that_a_later_publication_has_not_is_gone(tmp_path, document):
    published = PublishedStore(tmp_path)
    published.write("table1", {"k1": document()}, {})
    published.write("table1", {"k1": document(accuracies=((10, 0.75),))}, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table1.csv", "table1.json"]
    assert published.unlisted() == []


def test_bulk_packed_by_another_xz_is_left_as_it_is(tmp_path, document):
    published = PublishedStore(tmp_path)
    published.write("table1", {"k1": document()}, {})
    path = tmp_path / "table1.unchosen.csv.xz"
    other = lzma.compress(lzma.decompress(path.read_bytes()), preset=0)
    path.write_bytes(other)
    published.write("table1", {"k1": document()}, {})
    assert path.read_bytes() == other
    assert len(published.documents("table1")["k1"]["records"]) == 2


def test_words_that_look_like_numbers_stay_words(tmp_path, document):
    published = PublishedStore(tmp_path)
    cells = {key: {**document(model=model), "key": key} for key, model in {"1e5": "true", "0012": "[1]"}.items()}
    published.write("table1", cells, {})
    back = published.documents("table1")
    assert {key: doc["records"][0]["model"] for key, doc in back.items()} == {"1e5": "true", "0012": "[1]"}


def test_a_cell_that_cannot_be_is_not_published(tmp_path, document):
    with pytest.raises(StoreError, match="cell k1 cannot be published: accuracy must be a share"):
        PublishedStore(tmp_path).write("table1", {"k1": document(accuracies=((5, 0.5), (10, 1.5)))}, {})
    assert not list(tmp_path.iterdir())


def test_half_a_csv_is_an_error_that_names_the_file(tmp_path, document):
    PublishedStore(tmp_path).write("table1", {str(i): document(str(i), round_=i) for i in range(4)}, {})
    path = tmp_path / "table1.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    for alone in (False, True):
        with pytest.raises(StoreError, match=r"table1\.csv: its content is not what its manifest's digest says"):
            PublishedStore(tmp_path).documents("table1", chosen_alone=alone)


def test_an_experiment_that_is_not_there_has_no_documents_but_a_missing_half_is_an_error(tmp_path, document):
    published = PublishedStore(tmp_path)
    assert published.documents("table1") == {}
    published.write("table1", {"k1": document()}, {})
    (tmp_path / "table1.csv").unlink()
    with pytest.raises(StoreError, match=r"table1\.csv cannot be read"):
        published.documents("table1")
    published.write("table1", {"k1": document()}, {})
    (tmp_path / "table1.json").unlink()
    with pytest.raises(StoreError, match=r"table1\.json: the manifest of table1\.csv is missing"):
        published.documents("table1")


def test_the_first_format_is_refused_by_name(tmp_path, document):
    published = PublishedStore(tmp_path)
    published.write("table1", {"k1": document()}, {})
    path = tmp_path / "table1.json"
    path.write_text(json.dumps({k: v for k, v in json.loads(path.read_text()).items() if k != "format"}))
    with pytest.raises(StoreError, match=r"table1\.json is of format None, this code reads format 2"):
        published.documents("table1")


def test_a_frame_has_what_the_tables_read(tmp_path, document):
    PublishedStore(tmp_path).write("table1", {"k1": document()}, {})
    assert published_frame("table1", tmp_path)["accuracy"].tolist() == [0.75]
    assert published_frame("table1", tmp_path, chosen_alone=False)["accuracy"].tolist() == [0.5, 0.75]
    with pytest.raises(ValueError, match=r"no records of 'table9' in .*; there are table1"):
        published_frame("table9", tmp_path)
