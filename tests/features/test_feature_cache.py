"""A feature file is computed once, found by its content, verified when read and never trusted when broken."""

import json
import logging
import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from celm.features.coates_ng import CoatesNgFeatures
from celm.features.feature_cache import cached_features, feature_settings, settings_digest

IMAGES = np.random.default_rng(0).integers(0, 256, (10, 9, 9, 1), dtype=np.uint8)
TRAIN = np.arange(6)
SETTINGS = CoatesNgFeatures(4, patch_size=3, n_patches=200, n_iterations=3, random_state=1)


@pytest.fixture
def fits(monkeypatch):
    """The row counts of every fit that happens."""
    counts, fit = [], CoatesNgFeatures.fit

    def counted(self, X, y=None):
        counts.append(len(X))
        return fit(self, X, y)

    monkeypatch.setattr(CoatesNgFeatures, "fit", counted)
    return counts


def test_computed_once_from_training_rows_then_read(tmp_path, fits, caplog):
    folder = tmp_path / "deep" / "cache"
    first = cached_features(IMAGES, TRAIN, SETTINGS, folder, "digest")
    again = cached_features(IMAGES, TRAIN, SETTINGS, folder, "digest")
    assert fits == [6]
    assert_array_equal(again, first)
    assert_array_equal(first, CoatesNgFeatures(**SETTINGS.get_params()).fit(IMAGES[:6]).transform(IMAGES))
    assert not hasattr(SETTINGS, "filters_")
    assert sorted(path.suffix for path in folder.iterdir()) == [".json", ".npy"]
    assert not caplog.records


@pytest.mark.parametrize(
    ("changes", "rows", "digest", "recomputed"),
    [
        ({"random_state": 2}, TRAIN, "digest", True),
        ({"alpha": 0.3}, TRAIN, "digest", True),
        ({}, np.arange(1, 7), "digest", True),
        ({}, TRAIN, "other data", True),
        ({"n_threads": 1}, TRAIN, "digest", False),
        ({"random_state": np.int64(1)}, TRAIN.tolist(), "digest", False),
    ],
)
def test_what_changes_the_numbers_changes_the_file(tmp_path, fits, changes, rows, digest, recomputed):
    cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    changed = CoatesNgFeatures(**{**SETTINGS.get_params(), **changes})
    cached_features(IMAGES, rows, changed, tmp_path, digest)
    assert len(fits) == 1 + recomputed


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda array, record: flip_a_byte(array),
        lambda array, record: array.write_bytes(array.read_bytes()[:50]),
        lambda array, record: record.unlink(),
        lambda array, record: record.write_text("{"),
        lambda array, record: record.write_text("[]"),
        lambda array, record: record.write_text(json.dumps({"other": 1})),
    ],
)
def test_a_damaged_file_is_computed_again_with_a_warning(tmp_path, fits, caplog, damage):
    first = cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    (array,), (record,) = tmp_path.glob("*.npy"), tmp_path.glob("*.json")
    damage(array, record)
    with caplog.at_level(logging.WARNING):
        assert_array_equal(cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest"), first)
    assert len(fits) == 2
    assert "computing them again" in caplog.text
    assert len(list(tmp_path.glob("*.npy.aside"))) == 1
    cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    assert len(fits) == 2


def test_features_of_other_settings_under_this_name_are_not_believed(tmp_path, fits, caplog):
    right = cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    (array,) = tmp_path.glob("*.npy")
    other = CoatesNgFeatures(**{**SETTINGS.get_params(), "random_state": 2})
    cached_features(IMAGES, TRAIN, other, tmp_path, "digest")
    (swapped,) = set(tmp_path.glob("*.npy")) - {array}
    for suffix in (".npy", ".json"):
        array.with_suffix(suffix).write_bytes(swapped.with_suffix(suffix).read_bytes())
    assert_array_equal(cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest"), right)
    assert "it holds the features of other settings" in caplog.text
    assert len(fits) == 3


def test_another_number_of_images_is_noticed(tmp_path, fits, caplog):
    cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    assert len(cached_features(IMAGES[:8], TRAIN, SETTINGS, tmp_path, "digest")) == 8
    assert "10 rows for 8 images" in caplog.text


def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    assert list(tmp_path.iterdir()) == []


def test_the_digest_ignores_the_order_of_the_settings():
    settings = feature_settings(SETTINGS, TRAIN, "digest")
    assert settings_digest(settings) == settings_digest(dict(reversed(settings.items())))


@pytest.mark.parametrize("state", [None, np.random.default_rng(0)])
def test_a_seed_that_cannot_be_written_down_is_refused(tmp_path, state):
    with pytest.raises(ValueError, match="random_state must be a whole number"):
        cached_features(IMAGES, TRAIN, CoatesNgFeatures(random_state=state), tmp_path, "digest")


@pytest.mark.parametrize("rows", [[], [0.5], [[0, 1]], [True, False], [-1], [10]])
def test_training_rows_must_be_indices(tmp_path, rows):
    with pytest.raises(ValueError, match="cached_features: train_rows must be"):
        cached_features(IMAGES, rows, SETTINGS, tmp_path, "digest")


def test_a_cache_that_cannot_be_written_is_gone_on_without(tmp_path, fits, caplog):
    (tmp_path / "file").write_text("no folder")
    features = cached_features(IMAGES, TRAIN, SETTINGS, tmp_path / "file" / "cache", "digest")
    assert features.shape[0] == len(IMAGES)
    assert "going on without it" in caplog.text


@pytest.mark.parametrize("ending", [".npy", ".json"])
def test_a_pipe_in_the_cache_is_not_waited_for(tmp_path, fits, ending):
    first = cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest")
    (path,) = tmp_path.glob(f"*{ending}")
    path.unlink()
    os.mkfifo(path)
    assert_array_equal(cached_features(IMAGES, TRAIN, SETTINGS, tmp_path, "digest"), first)
    assert len(fits) == 2
