"""A user's own table: read as it is meant, or refused with the way out."""

from __future__ import annotations

import gzip
import logging

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from celm.datasets.dataset import DatasetError
from celm.datasets.own import CsvParams, load_csv

TABLE = "width,height,kind\n1,0.5,oak\n2,1.5,ash\n3,2.5,oak\n"


@pytest.fixture
def csv(tmp_path):
    def write(text: str, **params):
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


def test_digest_follows_the_data(csv) -> None:
    assert csv(TABLE).digest == csv(TABLE).digest != csv(TABLE.replace("2.5", "2.6")).digest


def test_what_was_read_is_said_with_the_way_to_another_label(tmp_path, caplog) -> None:
    wine = load_wine(as_frame=True).frame
    wine.to_csv(tmp_path / "wine.csv", index=False)
    with caplog.at_level(logging.INFO, "celm.datasets"):
        load_csv(CsvParams(str(tmp_path / "wine.csv")))
    said = "csv-wine: 178 rows, 13 features, label 'target' (3 classes); dataset.target=… changes it"
    assert caplog.messages == [said]


def test_a_label_in_the_first_column_is_noticed(tmp_path) -> None:
    wine = load_wine(as_frame=True).frame
    wine[["target", *wine.columns[:-1]]].to_csv(tmp_path / "wine.csv", index=False)
    with pytest.raises(DatasetError, match=r"121 different values in 178 rows of its label 'proline'.*target=target"):
        load_csv(CsvParams(str(tmp_path / "wine.csv")))
    assert len(load_csv(CsvParams(str(tmp_path / "wine.csv"), target="target")).classes) == 3


def test_a_column_that_counts_the_rows_is_told(csv, caplog) -> None:
    rows = [f"{i},{i % 3},{'uv'[i % 2]}" for i in range(12)]
    csv("\n".join(["id,a,kind", *rows]))
    assert "column 'id' counts the rows; 'dataset.drop=[id]' leaves it out" in caplog.text
    caplog.clear()
    csv("\n".join(["id,a,kind", *rows[::2], *rows[1::2]]))
    assert "counts the rows" not in caplog.text


def test_the_row_numbers_of_pandas_are_no_feature(tmp_path) -> None:
    pd.DataFrame({"a": [1, 2, 3, 4], "y": list("uvuv")}).to_csv(tmp_path / "t.csv")
    with pytest.raises(DatasetError, match=r"without a name \('Unnamed: 0'\).*'dataset.drop=\[\"Unnamed: 0\"\]'"):
        load_csv(CsvParams(str(tmp_path / "t.csv")))
    data = load_csv(CsvParams(str(tmp_path / "t.csv"), drop=["Unnamed: 0"]))
    np.testing.assert_array_equal(data.X, [[1], [2], [3], [4]])


def test_the_same_content_in_other_clothes_is_the_same(tmp_path) -> None:
    frame = pd.DataFrame({"a": [1.5, 2.25, 3.0], "y": ["u", "v", "u"]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "b.txt", index=False, sep=";", decimal=",")
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress((tmp_path / "a.csv").read_bytes()))
    (tmp_path / "d.tsv").write_text("\ufeff" + frame.to_csv(index=False, sep="\t"), encoding="utf-8")
    plain = load_csv(CsvParams(str(tmp_path / "a.csv")))
    others = [
        load_csv(CsvParams(str(tmp_path / name), decimal=decimal))
        for name, decimal in (("b.txt", "comma"), ("c.csv.gz", "point"), ("d.tsv", "point"))
    ]
    assert {data.digest for data in others} == {plain.digest}
    assert [data.name for data in others] == ["csv-b", "csv-c", "csv-d"]


def test_levels_and_gaps_stay_for_the_training_rows_to_decide(csv) -> None:
    text = "colour,size,y\nred,1,u\nblue,?,v\nred,,u\n,4,v\n"
    with pytest.raises(DatasetError, match=r"'colour' .for example 'red'.; .*dataset.nominal=onehot"):
        csv(text)
    with pytest.raises(DatasetError, match=r"column 'colour', row 4; .*dataset.missing=median"):
        csv(text, nominal="onehot")
    data = csv(text, nominal="onehot", missing="median")
    np.testing.assert_array_equal(data.X, [[1, 1], [0, np.nan], [1, np.nan], [np.nan, 4]])
    assert data.nominal == (0,)


def test_codes_of_levels_and_numbers_are_different_content(csv) -> None:
    nominal = csv("a,y\np,u\nq,v\np,u\n", nominal="onehot")
    numbers = csv("a,y\n0,u\n1,v\n0,u\n", nominal="onehot")
    np.testing.assert_array_equal(nominal.X, numbers.X)
    assert nominal.digest != numbers.digest


def test_a_dropped_column_must_be_there(csv) -> None:
    with pytest.raises(DatasetError, match=r"no column 'heigt' to drop; its columns are .*Did you mean 'height'\?"):
        csv(TABLE, drop=["heigt"])


def test_a_dropped_column_is_no_target(csv) -> None:
    with pytest.raises(DatasetError, match=r"column 'kind' is the target, and dataset\.drop leaves it out"):
        csv(TABLE, drop=["kind"], target="kind")
    with pytest.raises(DatasetError, match=r"has no column left: dataset\.drop leaves all of them out"):
        csv(TABLE, drop=["width", "height", "kind"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b,y,\n1,2,u,\n2,3,v,\n", "and without a value: every line has a separator too many; leave it out"),
        ("a,b,\n1,2,u\n2,3,v\n", "the last one, which is the label unless dataset.target names another; name it"),
        (",b,y\n1,2,u\n2,3,v\n", "as pandas writes its row numbers"),
    ],
    ids=["separators", "label", "row numbers"],
)
def test_a_column_without_a_name_is_told_for_what_it_may_be(csv, text, words) -> None:
    with pytest.raises(DatasetError, match=rf"a column without a name \('Unnamed: \d'\), {words}"):
        csv(text)


def test_rows_that_are_all_equal_are_refused_at_the_start(csv) -> None:
    with pytest.raises(DatasetError, match="has the same features in every row"):
        csv("a,b,y\n1,2,u\n1,2,v\n1,2,u\n")


def test_a_header_that_is_said_not_to_be_there(csv) -> None:
    with pytest.raises(DatasetError, match=r"if the first line names the columns, leave dataset\.header=false out"):
        csv(TABLE + "4,3.5,oak\n5,1.0,ash\n6,1.5,ash\n", header=False)


def test_decimal_points_where_commas_are_said_to_be(csv) -> None:
    with pytest.raises(
        DatasetError, match=r"a number has no point: remove those between thousands, or leave it out\.$"
    ):
        csv("a,b,y\n1.25,2,u\n2.5,3,v\n", decimal="comma")


def test_a_long_label_is_not_quoted_whole(csv) -> None:
    with pytest.raises(DatasetError, match="needs at least two classes") as caught:
        csv("a,b,y\n" + f"1,2,{'u' * 9000}\n" * 3)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("address", ["https://host/t.csv", "s3://bucket/t.csv", "file:///t.csv"])
def test_an_address_is_no_file_of_this_machine(address) -> None:
    with pytest.raises(DatasetError, match=f"{address} is an address; dataset.path must name a file of this machine"):
        load_csv(CsvParams(address))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"path": 5}, "csv: path must be a text"),
        ({"path": ""}, "csv: path must name a file, on a command line as dataset.path=my.csv"),
        ({"path": "a", "separator": ""}, "csv: separator must be one of auto, comma, semicolon, tab, pipe"),
        ({"path": "a", "target": 3}, "csv: target must be a text"),
        ({"path": "a", "decimal": ","}, "csv: decimal must be one of point, comma"),
        ({"path": "a", "nominal": "ordinal"}, "csv: nominal must be one of refuse, onehot"),
        ({"path": "a", "header": "no"}, "csv: header must be true or false"),
        ({"path": "a", "drop": [""]}, "csv: drop must be a text"),
    ],
)
def test_wrong_parameters_are_named(values, message) -> None:
    with pytest.raises(ValueError, match=message):
        CsvParams(**values)
