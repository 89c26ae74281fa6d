"""Cells of Fig 6: what all models of a round share, what a record keeps, and that it survives publication."""

from dataclasses import replace

import numpy as np
import pytest

from celm.render.figures import plane_points
from celm.study.data_config import DatasetConfig
from celm.study.families.embedding_family import shown_rows, start_layout
from celm.study.family_config import ELMProtocol, EmbeddingProtocol
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.store import LocalStore, PublishedStore, differing, load_frame
from celm.study.study_config import ModelConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[40])
SMALL = EmbeddingProtocol(points=60, pca=5, perplexity=8.0, iterations=300, neighbours=5)
STUDY = StudyConfig(name="planes", task="embed", rounds=2, embedding=SMALL)


def cells_of(study=STUDY, models=("elm", "cdelm")):
    return plan(study, [WDBC], [ModelConfig(name, "elm", name) for name in models])


@pytest.fixture(scope="module")
def documents():
    return {cell.key: run_cell(cell, 1) for cell in cells_of()}


def test_all_models_of_a_round_show_the_same_rows_from_the_same_layout():
    elm, elm_next, cdelm, _ = cells_of()
    np.testing.assert_array_equal(shown_rows(elm, 190), shown_rows(cdelm, 190))
    np.testing.assert_array_equal(start_layout(elm), start_layout(cdelm))
    assert len(set(shown_rows(elm, 190))) == 60
    assert not np.array_equal(shown_rows(elm, 190), shown_rows(elm_next, 190))
    assert not np.array_equal(start_layout(elm), start_layout(elm_next))


def test_more_points_than_test_rows_fail_by_name():
    with pytest.raises(ValueError, match=r"embedding\.points must be at most the 59 test rows; got 60"):
        shown_rows(cells_of()[0], 59)


@pytest.mark.parametrize(
    "change",
    [{"embedding": replace(SMALL, pca=None)}, {"embedding": replace(SMALL, iterations=301)}, {"n_hidden": 41}],
)
def test_what_changes_a_plane_changes_the_key(change):
    assert cells_of()[0].key != cells_of(replace(STUDY, **change))[0].key


def test_readings_of_the_readout_do_not_touch_a_plane():
    assert cells_of()[0].key == cells_of(replace(STUDY, elm=ELMProtocol(cutoff="numpy", targets="binary")))[0].key


def test_a_record_holds_the_numbers_of_its_plane(documents):
    for document in documents.values():
        assert document["status"] == "ok", document.get("traceback")
        (record,) = document["records"]
        assert 0.7 < record["accuracy"] <= 1.0
        assert 0.7 < record["trustworthiness"] <= 1.0
        assert 0 < record["kl_divergence"] < 5
        assert record["n_hidden"] == 40
        assert ("plane_x" in record) == (document["shared"]["round"] == 0)


def test_a_plane_without_principal_components_is_another(documents):
    cell = cells_of(replace(STUDY, embedding=replace(SMALL, pca=None)))[0]
    (record,) = run_cell(cell, 1)["records"]
    assert record["plane_x"] != documents[cells_of()[0].key]["records"][0]["plane_x"]


def test_points_survive_both_stores(documents, tmp_path):
    local, published = LocalStore(tmp_path / "local"), PublishedStore(tmp_path / "published")
    for document in documents.values():
        local.write(document)
    published.write("planes", local.documents("planes"), {})
    again = published.documents("planes")
    assert differing(documents, again) == []
    points = plane_points(load_frame(again.values()))
    for cell in cells_of()[::2]:
        (record,) = documents[cell.key]["records"]
        rows = points[points["model"] == cell.model.name]
        assert (rows["x"].tolist(), rows["y"].tolist()) == (record["plane_x"], record["plane_y"])
        assert rows["label"].tolist() == record["plane_label"]
        assert rows["point"].tolist() == list(range(60))
    assert points.groupby("point")["label"].nunique().eq(1).all()
