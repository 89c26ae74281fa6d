"""Features computed once per (data, settings, seed), kept as a verified file and read back afterwards."""

from __future__ import annotations

import hashlib
import json
import logging
import numbers
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from celm.base.files import check_regular, read_json, set_aside
from celm.features.coates_ng import CoatesNgFeatures
from celm.features.patches import Images, check_images

#: Raise it when the same settings begin to give other numbers: files of an earlier version are then left alone.
VERSION = 1

#: Parameters that change how long the encoding takes, not what it gives.
SPEED_ONLY = ("n_threads", "progress")

log = logging.getLogger(__name__)


def feature_settings(features: CoatesNgFeatures, train_rows: npt.NDArray[np.intp], data_digest: str) -> dict[str, Any]:
    """All that decides the features, as plain values: parameters with the seed, training rows, data."""
    parameters = {name: value for name, value in features.get_params().items() if name not in SPEED_ONLY}
    if not isinstance(features.random_state, numbers.Integral):
        raise ValueError(
            "cached_features: random_state must be a whole number, so that the file can be found again; "
            f"got {features.random_state!r}."
        )
    rows = hashlib.sha256(np.ascontiguousarray(train_rows, dtype="<i8").tobytes()).hexdigest()
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in parameters.items()}
    return {"version": VERSION, "parameters": plain, "train_rows": rows, "data": data_digest}


def settings_digest(settings: dict[str, Any]) -> str:
    """The sha256 of the settings, whatever the order in which they are written."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def cached_features(
    images: npt.ArrayLike,
    train_rows: npt.ArrayLike,
    features: CoatesNgFeatures,
    cache_dir: str | os.PathLike[str],
    data_digest: str,
) -> npt.NDArray[np.float32]:
    """The features of all images (N × F, not standardised), learned on ``images[train_rows]`` alone.

    images : N × H × W × C
    train_rows : whole-number indices of the training images
    features : the settings, with a whole-number ``random_state``; it is cloned and stays unfitted
    cache_dir : folder of the ``.npy`` file and of the ``.json`` beside it (sha256 of the file and its settings)
    data_digest : names the content of ``images``

    A file that fails its check, or that holds other features, is set aside with a warning and computed again.
    """
    images = check_images(images, "cached_features")
    rows = _checked_rows(train_rows, len(images))
    settings = feature_settings(features, rows, data_digest)
    path = Path(cache_dir) / f"coates-ng-{settings_digest(settings)[:32]}.npy"
    stored = _read(path, len(images), settings)
    if stored is not None:
        return stored
    computed = _computed(clone(features), images, rows)
    try:
        _write(path, computed, settings)
    except OSError as error:
        log.warning("features are not kept, %s cannot be written (%s): going on without it", path.parent, error)
    return computed


def _computed(features: CoatesNgFeatures, images: Images, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
    leading = np.array_equal(rows, np.arange(len(rows)))
    features.fit(images[: len(rows)] if leading else images[rows])
    return features.transform(images)


def _checked_rows(train_rows: npt.ArrayLike, n_images: int) -> npt.NDArray[np.intp]:
    rows = np.asarray(train_rows)
    if rows.ndim != 1 or rows.dtype.kind not in "ui" or len(rows) == 0:
        raise ValueError(
            "cached_features: train_rows must be a list of whole-number indices, at least one; "
            f"got {rows.dtype} of shape {rows.shape}."
        )
    if rows.min() < 0 or rows.max() >= n_images:
        raise ValueError(
            f"cached_features: train_rows must be indices of 0 to {n_images - 1}; got {rows.min()} to {rows.max()}."
        )
    return rows.astype(np.intp)


def _read(path: Path, n_images: int, settings: dict[str, Any]) -> npt.NDArray[np.float32] | None:
    """The stored features, or None when there are none that can be trusted."""
    if not path.exists():
        return None
    try:
        return _believed(path, n_images, settings)
    except (OSError, ValueError, KeyError, TypeError) as error:
        set_aside(path.with_suffix(".json"))
        aside = set_aside(path)
        log.warning("cached features %s were set aside as %s (%s): computing them again", path, aside.name, error)
        return None


def _believed(path: Path, n_images: int, settings: dict[str, Any]) -> npt.NDArray[np.float32]:
    """The features in a file; a ValueError says why they cannot be believed."""
    record = read_json(path.with_suffix(".json"))
    check_regular(path)
    if {name: record[name] for name in settings} != json.loads(json.dumps(settings)):
        raise ValueError("it holds the features of other settings, rows or data")
    if record["sha256"] != _file_digest(path):
        raise ValueError("its digest is not the one recorded beside it")
    stored: npt.NDArray[np.float32] = np.load(path, allow_pickle=False)
    if len(stored) != n_images:
        raise ValueError(f"it holds {len(stored)} rows for {n_images} images")
    if [list(stored.shape), stored.dtype.name] != record.get("shape", [list(stored.shape), "float32"]):
        raise ValueError(f"it holds {stored.dtype.name} of shape {stored.shape}, not what is recorded beside it")
    return stored


def _write(path: Path, features: npt.NDArray[np.float32], settings: dict[str, Any]) -> None:
    """Both files appear whole or not at all; a reader between the two sees a mismatch and computes for itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".unfinished-") as folder:
        array, record = Path(folder, path.name), Path(folder, path.with_suffix(".json").name)
        np.save(array, features, allow_pickle=False)
        content = {"sha256": _file_digest(array), "shape": [list(features.shape), features.dtype.name], **settings}
        record.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        os.replace(array, path)
        os.replace(record, path.with_suffix(".json"))


def _file_digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
