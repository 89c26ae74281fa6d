"""Faults of kept features and remembered choices: they are computed and made again; one line of the table adds one."""

import numpy as np
import pytest

import tests.faults.damage as do
from celm.features.coates_ng import CoatesNgFeatures
from celm.features.feature_cache import cached_features
from celm.study.choices import remembered
from tests.faults.cells import OTHER_DIGEST

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
    ("features", do.gone, do.ABSENT),
    ("features", do.nowhere, do.ABSENT),
    ("features", do.folder, AGAIN),
    ("features", do.pipe, AGAIN),
    ("features", do.holds(""), AGAIN),
    ("features", do.cut(0.5), AGAIN),
    ("features", do.cut(0.99), AGAIN),
    ("features", do.flip(0.01), AGAIN),
    ("features", do.flip(0.5), AGAIN),
    ("features", do.flip(1), AGAIN),
    ("features", do.longer(b"\0"), AGAIN),
    ("features", do.beside("other.npy"), AGAIN),
    ("features", do.array(lambda F: F[::-1]), AGAIN),
    ("features", do.array(lambda F: F[:7]), AGAIN),
    ("features", do.array(lambda F: F * 2), AGAIN),
    ("features", do.array(lambda F: F.astype("f8")), AGAIN),
    ("about features", do.laid_out, do.HARMLESS),
    ("about features", do.gone, AGAIN),
    ("about features", do.folder, AGAIN),
    ("about features", do.holds(""), AGAIN),
    ("about features", do.holds("[]"), AGAIN),
    ("about features", do.holds("null"), AGAIN),
    ("about features", do.holds(do.DEEP), AGAIN),
    ("about features", do.cut(0.5), AGAIN),
    ("about features", do.plain(do.put("0" * 64, "sha256")), AGAIN),
    ("about features", do.plain(do.drop("sha256")), AGAIN),
    ("about features", do.plain(do.put("other", "data")), AGAIN),
    ("about features", do.plain(do.put(2, "version")), AGAIN),
    ("about features", do.plain(do.put("0", "train_rows")), AGAIN),
    ("about features", do.plain(do.put(2, "parameters", "random_state")), AGAIN),
    ("about features", do.plain(do.drop("parameters", "patch_size")), AGAIN),
    ("about features", do.plain(do.put([[8, 3], "float32"], "shape")), AGAIN),
    # A remembered choice.
    ("choice", do.laid_out, do.HARMLESS),
    ("choice", do.gone, do.ABSENT),
    ("choice", do.nowhere, do.ABSENT),
    ("choice", do.folder, "choosing again"),
    ("choice", do.pipe, "choosing again"),
    ("choice", do.holds(""), "choosing again"),
    ("choice", do.holds("[]"), "does not carry its key"),
    ("choice", do.holds("{}"), "does not carry its key"),
    ("choice", do.holds('[{"lam": 1000.0}]'), "does not carry its key"),
    ("choice", do.holds(do.DEEP), "choosing again"),
    ("choice", do.cut(0.5), "choosing again"),
    ("choice", do.flip(0.5), "choosing again"),
    ("choice", do.beside("b.json"), "it is the choice of b"),
    ("choice", do.plain(do.put(1000.0, "choice", 0, "lam")), OTHER_DIGEST),
    ("choice", do.plain(do.put([], "choice")), OTHER_DIGEST),
    ("choice", do.plain(do.swap(("choice", 0), ("choice", 1))), OTHER_DIGEST),
    ("choice", do.plain(do.drop("digest")), "does not carry its key"),
    ("choice", do.signed(do.put("b", "key")), "it is the choice of b"),
    ("choice", do.signed(do.put([], "choice")), "not of the shape it names"),
    ("choice", do.signed(do.drop("choice", 1)), "not of the shape it names"),
    ("choice", do.signed(do.drop("choice", 0, "lam")), "not of the shape it names"),
    ("choice", do.signed(do.put(None, "choice")), "not of the shape it names"),
    ("choice", do.signed(do.put([], "shape")), "not of the shape it names"),
    ("choice", do.signed(do.put(1, "more")), "does not carry its key"),
    ("choice", do.signed(do.put(float("nan"), "choice", 0, "lam")), "Out of range float values"),
    ("choice", do.signed(do.put(float("inf"), "choice", 0, "lam")), "Out of range float values"),
]


def test_every_file_is_damaged_in_many_ways():
    assert len(TABLE) >= 50
    assert {file for file, _, _ in TABLE} == set(FILES)


@pytest.mark.parametrize(("file", "done", "must"), TABLE, ids=[f"{i}-{row[0]}" for i, row in enumerate(TABLE)])
def test_no_fault_changes_a_number_silently(survives, file, done, must):
    survives(FILES[file], done, must)
