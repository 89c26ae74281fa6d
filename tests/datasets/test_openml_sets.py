"""Data of OpenML by their id: asked for once, kept whole, told apart by target and handling."""

from __future__ import annotations

import os
import sys

import numpy as np
import pandas as pd
import pytest

from celm.datasets.dataset import DatasetError
from celm.datasets.openml_sets import OPENML_ORDER, OpenMLParams, load_openml


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"id": 0}, "openml: id must be a whole number of at least 1"),
        ({"id": "61"}, "openml: id must be a whole number"),
        ({"id": 61, "target": ""}, "openml: target must be a text"),
        ({"id": 61, "missing": "mean"}, "openml: missing must be one of refuse, median; got 'mean'"),
    ],
)
def test_wrong_parameters_are_named(values, message) -> None:
    with pytest.raises(ValueError, match=message):
        OpenMLParams(**values)


FEATURES = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0, 1, 0]})
LABELS = pd.Series(["x", "z", "x"], dtype="category", name="class")


def test_openml_is_asked_once_then_cached(stub_openml, monkeypatch, tmp_path) -> None:
    asked = stub_openml(FEATURES, LABELS)
    first = load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)
    monkeypatch.setitem(sys.modules, "openml", None)
    second = load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)
    assert asked == [61]
    assert (first.source, second.source, second.name) == ("openml", "cache", "openml-61")
    assert first.digest == second.digest
    assert second.classes == ("x", "z")
    np.testing.assert_array_equal(second.y, [0, 1, 0])


def test_targets_are_kept_apart(stub_openml, tmp_path) -> None:
    stub_openml(FEATURES, LABELS)
    default = load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)
    stub_openml(FEATURES, LABELS.cat.rename_categories({"x": "q"}))
    other = load_openml(OpenMLParams(61, "other"), OPENML_ORDER, tmp_path)
    assert other.source == "openml"
    assert (default.classes, other.classes) == (("x", "z"), ("q", "z"))
    assert load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path).classes == ("x", "z")


@pytest.mark.parametrize("spoiled", ["index.json", "X-*.npy"])
def test_corrupt_copy_is_fetched_anew_with_a_warning(stub_openml, tmp_path, caplog, spoiled) -> None:
    asked = stub_openml(FEATURES, LABELS)
    load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)
    (path,) = (tmp_path / "openml-61").glob(spoiled)
    path.write_bytes(b"{")
    assert load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path).source == "openml"
    assert asked == [61, 61]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path).source == "cache"


def test_openml_unreachable_names_both_sources(monkeypatch, tmp_path) -> None:
    monkeypatch.setitem(sys.modules, "openml", None)
    with pytest.raises(
        DatasetError, match=r"data set openml-61 could not be loaded(.|\n)*cache: no copy(.|\n)*openml: "
    ):
        load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)


def test_openml_nominal_feature_is_named(stub_openml, tmp_path) -> None:
    stub_openml(FEATURES.assign(c=pd.Series(["p", "q", "p"], dtype="category")), LABELS)
    with pytest.raises(DatasetError, match="data set openml-61 has a feature column that does not hold numbers: 'c'"):
        load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path)


def test_openml_without_a_writable_cache(stub_openml, tmp_path, caplog) -> None:
    stub_openml(FEATURES, LABELS)
    (tmp_path / "file").touch()
    assert load_openml(OpenMLParams(61), ("openml",), tmp_path / "file" / "cache").source == "openml"
    assert "not kept in the cache" in caplog.text


def test_levels_and_gaps_are_kept_for_the_training_rows_to_fill(stub_openml, monkeypatch, tmp_path) -> None:
    frame = pd.DataFrame({"a": [1.5, np.nan, 3.0], "c": pd.Series(["p", "q", "p"], dtype="category")})
    stub_openml(frame, LABELS)
    params = OpenMLParams(61, nominal="onehot", missing="median")
    first = load_openml(params, OPENML_ORDER, tmp_path)
    monkeypatch.setitem(sys.modules, "openml", None)
    second = load_openml(params, OPENML_ORDER, tmp_path)
    np.testing.assert_array_equal(first.X, [[1.5, 0], [np.nan, 1], [3, 0]])
    assert (second.source, second.nominal, second.digest) == ("cache", (1,), first.digest)


def test_a_pipe_in_the_cache_is_passed_over(stub_openml, tmp_path) -> None:
    stub_openml(FEATURES, LABELS)
    (tmp_path / "openml-61").mkdir()
    os.mkfifo(tmp_path / "openml-61" / "index.json")
    assert load_openml(OpenMLParams(61), OPENML_ORDER, tmp_path).source == "openml"
