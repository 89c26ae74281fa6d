"""Faults of kept data and archives: fetched anew, or an error says what to delete; one line of the table adds one."""

import hashlib
import shutil

import numpy as np
import pandas as pd
import pytest

import tests.faults.damage as do
from celm.datasets.archives import keep_archive, kept_archive
from celm.datasets.cache import array_path, write_arrays
from celm.datasets.dataset import Arrays, array_digest
from celm.datasets.openml_sets import OPENML_ORDER, OpenMLParams, load_openml
from celm.datasets.sources import FetchedSpec, Library, fetch

ARRAYS = Arrays(np.arange(12.0).reshape(4, 3), np.array([0, 1, 1, 0], dtype=np.uint8))
SPEC = FetchedSpec(
    name="tiny",
    classes=("no", "yes"),
    x_shape=(4, 3),
    x_dtype="f8",
    x_digest=array_digest(ARRAYS.X),
    y_digest=array_digest(ARRAYS.y),
    sources={"library": Library(lambda: ARRAYS)},
)


def data(part):
    def made(root):
        write_arrays(root, "tiny", ARRAYS)
        path = array_path(root, "tiny", part, SPEC.x_digest if part == "X" else SPEC.y_digest)
        shutil.copy(array_path(root, "tiny", "y", SPEC.y_digest), path.parent / "copy of y")

        def read():
            found = fetch(SPEC, SPEC.order, root)
            return [found.X.tolist(), str(found.X.dtype), found.y.tolist(), str(found.y.dtype)]

        return path, read

    return made


FEATURES = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["u", "v", "u"]})
LABELS = pd.Series(["x", "z", "x"], dtype="category", name="class")


def index(root):
    def read():
        found = load_openml(OpenMLParams(61, nominal="onehot"), OPENML_ORDER, root)
        return [found.X.tolist(), found.y.tolist(), found.classes, found.nominal, found.digest]

    read()
    (path,) = root.glob("openml-61*/index.json")
    return path, read


ARCHIVE = b"an archive of many sets"


def archive(root):
    digest = hashlib.sha256(ARCHIVE).hexdigest()

    def fetched():
        (root / "new").write_bytes(ARCHIVE)
        return keep_archive(root, root / "new", digest)

    return fetched(), lambda: (kept_archive(root, digest) or fetched()).read_bytes()


FILES = {
    "X": data("X"),
    "y": data("y"),
    "index": index,
    "archive": archive,
}

CORRUPT = "delete it to fetch it anew"

TABLE = [
    # Kept data: X, and y.
    ("X", do.gone, do.ABSENT),
    ("X", do.folder, CORRUPT),
    ("X", do.pipe, CORRUPT),
    ("X", do.nowhere, do.ABSENT),
    ("X", do.holds(""), CORRUPT),
    ("X", do.holds("X"), CORRUPT),
    ("X", do.cut(0.5), CORRUPT),
    ("X", do.cut(0.99), CORRUPT),
    ("X", do.flip(0.01), CORRUPT),
    ("X", do.flip(0.7), CORRUPT),
    ("X", do.flip(1, bit=128), CORRUPT),
    ("X", do.beside("copy of y"), CORRUPT),
    ("X", do.array(lambda X: X + 1e-12), CORRUPT),
    ("X", do.array(lambda X: X[::-1]), CORRUPT),
    ("X", do.array(lambda X: X[:, [1, 0, 2]]), CORRUPT),
    ("X", do.array(lambda X: X[:3]), CORRUPT),
    ("X", do.array(lambda X: X.astype("f4")), CORRUPT),
    ("X", do.array(lambda X: np.where(X == 5, np.nan, X)), CORRUPT),
    ("X", do.array(lambda X: -X), CORRUPT),
    ("X", do.array(lambda X: X.reshape(3, 4)), "dtypes and shapes"),
    ("X", do.array(lambda X: X.view("i8")), "dtypes and shapes"),
    ("X", do.array(lambda X: X.ravel()), "dtypes and shapes"),
    ("X", do.array(lambda X: np.asfortranarray(X)), do.HARMLESS),
    ("y", do.gone, do.ABSENT),
    ("y", do.holds(""), CORRUPT),
    ("y", do.cut(0.99), CORRUPT),
    ("y", do.flip(1), CORRUPT),
    ("y", do.array(lambda y: 1 - y), CORRUPT),
    ("y", do.array(lambda y: y[::-1] * 0), CORRUPT),
    ("y", do.array(lambda y: y.astype("i8")), CORRUPT),
    ("y", do.array(lambda y: y.view("i1")), "dtypes and shapes"),
    ("y", do.array(lambda y: y.astype(bool)), "dtypes and shapes"),
    ("y", do.array(lambda y: y[:, None]), "dtypes and shapes"),
    # What is said beside a set of OpenML: its digests, its classes and its nominal columns.
    ("index", do.laid_out, do.HARMLESS),
    ("index", do.gone, do.ABSENT),
    ("index", do.folder, CORRUPT),
    ("index", do.pipe, CORRUPT),
    ("index", do.holds(""), CORRUPT),
    ("index", do.holds("[]"), CORRUPT),
    ("index", do.holds("{}"), CORRUPT),
    ("index", do.holds(do.DEEP), CORRUPT),
    ("index", do.cut(0.5), CORRUPT),
    ("index", do.plain(do.swap(("classes", 0), ("classes", 1))), CORRUPT),
    ("index", do.plain(do.put([], "classes")), CORRUPT),
    ("index", do.plain(do.put([], "nominal")), CORRUPT),
    ("index", do.plain(do.put("0" * 64, "x_digest")), CORRUPT),
    ("index", do.plain(do.drop("y_digest")), CORRUPT),
    ("index", do.plain(do.drop("digest")), CORRUPT),
    ("index", do.signed(do.drop("classes")), CORRUPT),
    ("index", do.signed(do.put("0" * 64, "y_digest")), do.ABSENT),
    # An archive that many sets share: fetched again.
    ("archive", do.gone, do.ABSENT),
    ("archive", do.folder, "is not kept in the cache"),
    ("archive", do.pipe, do.ABSENT),
    ("archive", do.holds(""), do.ABSENT),
    ("archive", do.cut(0.5), do.ABSENT),
    ("archive", do.flip(0.5), do.ABSENT),
    ("archive", do.longer(b"\0"), do.ABSENT),
]


def test_every_file_is_damaged_in_many_ways():
    assert len(TABLE) >= 50
    assert {file for file, _, _ in TABLE} == set(FILES)


@pytest.mark.parametrize(("file", "done", "must"), TABLE, ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)])
def test_no_fault_changes_a_number_silently(survives, monkeypatch, file, done, must):
    monkeypatch.setattr("celm.datasets.openml_sets.openml_frame", lambda *_: (FEATURES, LABELS))
    survives(FILES[file], done, must)
