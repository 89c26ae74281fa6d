"""A user's own data: what is read, what is refused, and what is kept."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from celm.datasets.dataset import DatasetError
from celm.datasets.own import OPENML_ORDER, CsvParams, OpenMLParams, load_csv, load_openml

TABLE = "width,height,kind\n1,0.5,oak\n2,1.5,ash\n3,2.5,oak\n"


@pytest.fixture
def csv(tmp_path):
    def write(text: str, **params: str):
        path = tmp_path / "trees.csv"
        path.write_text(text)
        return load_csv(CsvParams(str(path), **params))

    return write


def test_last_column_is_the_label_and_classes_are_sorted(csv) -> None:
    data = csv(TABLE)
    assert (data.name, data.source, data.n_train) == ("csv-trees", "file", None)
    assert data.classes == ("ash", "oak")
    np.testing.assert_array_equal(data.X, [[1, 0.5], [2, 1.5], [3, 2.5]])
    assert data.X.dtype == np.float64
    np.testing.assert_array_equal(data.y, [1, 0, 1])


def test_target_by_name_and_other_separator(csv) -> None:
    data = csv("kind;width\nb;1\na;2\n", target="kind", separator=";")
    np.testing.assert_array_equal(data.X, [[1], [2]])
    np.testing.assert_array_equal(data.y, [1, 0])


def test_numeric_labels_sort_as_numbers(csv) -> None:
    data = csv("x,label\n1,10\n2,9\n3,2.0\n")
    assert data.classes == ("2", "9", "10")
    np.testing.assert_array_equal(data.y, [2, 1, 0])


def test_digest_follows_the_data(csv) -> None:
    assert csv(TABLE).digest == csv(TABLE).digest != csv(TABLE.replace("2.5", "2.6")).digest


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,y\n1,red,0\n2,blue,1\n", "feature column that does not hold numbers: 'b' .for example 'red'"),
        ("a,b,y\n1,,0\n2,3,1\n", "missing or infinite values in column 'b', row 1; fill or remove"),
        ("a,b,y\n1,inf,0\n2,3,1\n1,,1\n", "missing or infinite values in column 'b', 2 rows, the first is row 1"),
        ("a,b,y\n1,2,0\n2,3,\n", "no label in row 2, column 'y'"),
        ("a,b,y\n1,2,0.5\n2,3,1\n", "numbers with fractions in its target column 'y'"),
        ("a,b,y\n1,2,c\n2,3,c\n", "at least two classes"),
        ("a;b;y\n1;2;c\n", "has one column.*is ',' the right separator"),
        ("", "cannot be read.*Check dataset.path and dataset.separator"),
        ("a,y\n1,2,3\n1,2,3,4\n", "cannot be read"),
    ],
)
def test_refusals_name_the_column(csv, text, message) -> None:
    with pytest.raises(DatasetError, match=message):
        csv(text)


def test_unknown_target_and_missing_file(csv, tmp_path) -> None:
    with pytest.raises(
        DatasetError, match=r"no column 'knd'; its columns are width, height, kind\. Did you mean 'kind'"
    ):
        csv(TABLE, target="knd")
    with pytest.raises(DatasetError, match=r"nowhere\.csv cannot be read"):
        load_csv(CsvParams(str(tmp_path / "nowhere.csv")))


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (CsvParams, {"path": 5}, "csv: path must be a text"),
        (CsvParams, {"path": "a", "separator": ""}, "csv: separator must be a text"),
        (CsvParams, {"path": "a", "target": 3}, "csv: target must be a text"),
        (OpenMLParams, {"id": 0}, "openml: id must be a whole number of at least 1"),
        (OpenMLParams, {"id": "61"}, "openml: id must be a whole number"),
        (OpenMLParams, {"id": 61, "target": ""}, "openml: target must be a text"),
    ],
)
def test_wrong_parameters_are_named(kind, values, message) -> None:
    with pytest.raises(ValueError, match=message):
        kind(**values)


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
