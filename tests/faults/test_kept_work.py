"""Faults of kept features and remembered choices: they are computed and made again; one line of the table adds one."""

import numpy as np
import pytest

from celm.features.coates_ng import CoatesNgFeatures
from celm.features.feature_cache import cached_features
from celm.study.choices import remembered
from tests.faults.cells import OTHER_DIGEST
from tests.faults.damage import (
    ABSENT,
    DEEP,
    HARMLESS,
    array,
    beside,
    cut,
    drop,
    flip,
    folder,
    gone,
    holds,
    laid_out,
    longer,
    nowhere,
    pipe,
    plain,
    put,
    signed,
    swap,
)

IMAGES = np.random.default_rng(0).integers(0, 256, (8, 5, 5, 1), dtype=np.uint8)


def features(suffix):
    def made(root):
        def read(seed=1):
            encoder = CoatesNgFeatures(3, patch_size=3, n_patches=60, n_iterations=2, random_state=seed)
            return cached_features(IMAGES, np.arange(5), encoder, root, "digest").tolist()

        read(2)
        (other,) = root.glob(f"*{suffix}")
        other.rename(root / f"other{suffix}")
        read()
        (path,) = (found for found in root.glob(f"coates*{suffix}") if found.name != other.name)
        return path, read

    return made


def choice(root):
    made = [{"lam": 10.0, "selection_seconds": 0.5}, {"lam": 1.0, "selection_seconds": 0.5}]
    remembered("b", lambda: made[::-1], 2)
    remembered("a", lambda: made, 2)
    return root / "choices" / "a.json", lambda: remembered("a", lambda: made, 2)


FILES = {
    "features": features(".npy"),
    "about features": features(".json"),
    "choice": choice,
}

AGAIN = "computing them again"

TABLE = [
    # Kept features, and what is said beside them.
    ("features", gone, ABSENT),
    ("features", nowhere, ABSENT),
    ("features", folder, AGAIN),
    ("features", pipe, AGAIN),
    ("features", holds(""), AGAIN),
    ("features", cut(0.5), AGAIN),
    ("features", cut(0.99), AGAIN),
    ("features", flip(0.01), AGAIN),
    ("features", flip(0.5), AGAIN),
    ("features", flip(1), AGAIN),
    ("features", longer(b"\0"), AGAIN),
    ("features", beside("other.npy"), AGAIN),
    ("features", array(lambda F: F[::-1]), AGAIN),
    ("features", array(lambda F: F[:7]), AGAIN),
    ("features", array(lambda F: F * 2), AGAIN),
    ("features", array(lambda F: F.astype("f8")), AGAIN),
    ("about features", laid_out, HARMLESS),
    ("about features", gone, AGAIN),
    ("about features", folder, AGAIN),
    ("about features", holds(""), AGAIN),
    ("about features", holds("[]"), AGAIN),
    ("about features", holds("null"), AGAIN),
    ("about features", holds(DEEP), AGAIN),
    ("about features", cut(0.5), AGAIN),
    ("about features", plain(put("0" * 64, "sha256")), AGAIN),
    ("about features", plain(drop("sha256")), AGAIN),
    ("about features", plain(put("other", "data")), AGAIN),
    ("about features", plain(put(2, "version")), AGAIN),
    ("about features", plain(put("0", "train_rows")), AGAIN),
    ("about features", plain(put(2, "parameters", "random_state")), AGAIN),
    ("about features", plain(drop("parameters", "patch_size")), AGAIN),
    ("about features", plain(put([[8, 3], "float32"], "shape")), AGAIN),
    # A remembered choice.
    ("choice", laid_out, HARMLESS),
    ("choice", gone, ABSENT),
    ("choice", nowhere, ABSENT),
    ("choice", folder, "choosing again"),
    ("choice", pipe, "choosing again"),
    ("choice", holds(""), "choosing again"),
    ("choice", holds("[]"), "does not carry its key"),
    ("choice", holds("{}"), "does not carry its key"),
    ("choice", holds('[{"lam": 1000.0}]'), "does not carry its key"),
    ("choice", holds(DEEP), "choosing again"),
    ("choice", cut(0.5), "choosing again"),
    ("choice", flip(0.5), "choosing again"),
    ("choice", beside("b.json"), "it is the choice of b"),
    ("choice", plain(put(1000.0, "choice", 0, "lam")), OTHER_DIGEST),
    ("choice", plain(put([], "choice")), OTHER_DIGEST),
    ("choice", plain(swap(("choice", 0), ("choice", 1))), OTHER_DIGEST),
    ("choice", plain(drop("digest")), "does not carry its key"),
    ("choice", signed(put("b", "key")), "it is the choice of b"),
    ("choice", signed(put([], "choice")), "not of the shape it names"),
    ("choice", signed(drop("choice", 1)), "not of the shape it names"),
    ("choice", signed(drop("choice", 0, "lam")), "not of the shape it names"),
    ("choice", signed(put(None, "choice")), "not of the shape it names"),
    ("choice", signed(put([], "shape")), "not of the shape it names"),
    ("choice", signed(put(1, "more")), "does not carry its key"),
    ("choice", signed(put(float("nan"), "choice", 0, "lam")), "Out of range float values"),
    ("choice", signed(put(float("inf"), "choice", 0, "lam")), "Out of range float values"),
]


def test_every_file_is_damaged_in_many_ways():
    assert len(TABLE) >= 50
    assert {file for file, _, _ in TABLE} == set(FILES)


@pytest.mark.parametrize(("file", "done", "must"), TABLE, ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)])
def test_no_fault_changes_a_number_silently(survives, file, done, must):
    survives(FILES[file], done, must)
