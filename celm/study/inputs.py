"""What a model sees in a cell's round: the data set, its training and test rows, their features and folds."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from celm import datasets
from celm.base.files import cell_key
from celm.base.seeds import generator, seed_of
from celm.datasets.cache import cache_folder
from celm.datasets.dataset import Arrays, Form, as_dataset
from celm.datasets.noise import flipped_labels, noisy_rows
from celm.features.coates_ng import CoatesNgFeatures
from celm.features.column_encoder import ColumnEncoder
from celm.features.feature_cache import cached_features
from celm.features.scaling import SCALINGS
from celm.features.whitening import OffsetStandardizer
from celm.study.cells import Cell, Split
from celm.study.data_config import CoatesNgConfig, DatasetConfig, FeaturesConfig

Rows = npt.NDArray[np.intp]
Inputs = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def load(dataset: DatasetConfig) -> datasets.Dataset:
    """The data set of a config, loaded once per process."""
    params = json.dumps(dataset.params(), sort_keys=True)
    return _load(dataset.name, dataset.source, tuple(dataset.sources), params)


def planned_content(dataset: DatasetConfig) -> tuple[str, str]:
    """Name and digest of a config's data set; it is read only where its digest is not declared beforehand."""
    digest = datasets.declared_digest(dataset.name)
    if digest is not None:
        return dataset.name, digest
    data = load(dataset)
    return data.name, data.digest


def planned_form(dataset: DatasetConfig) -> Form:
    """The sizes of a config's data set, likewise."""
    return datasets.declared_form(dataset.name) or load(dataset).form


@lru_cache(maxsize=8)
def _load(name: str, source: str | None, sources: tuple[str, ...], params: str) -> datasets.Dataset:
    return datasets.load(name, source=source, sources=sources or None, params=json.loads(params))


_handed_over: dict[str, datasets.Dataset] = {}


def hand_over(data: datasets.Dataset) -> None:
    """Give this process a data set by its digest, so that it need not load it; spoilt content is refused."""
    received = as_dataset(
        data.name, Arrays(data.X, data.y), data.classes, data.source, n_train=data.n_train, nominal=data.nominal
    )
    if received.digest != data.digest:
        raise datasets.DatasetError(f"{data.name} was spoilt on its way: digest {received.digest}, sent {data.digest}")
    _handed_over[data.digest] = received


def holds(digest: str) -> bool:
    """Whether this process was handed the data set of that digest."""
    return digest in _handed_over


def data_of(cell: Cell) -> datasets.Dataset:
    """The data set of a cell's round: what :func:`planned_data` has, or a generated set made afresh."""
    if not cell.split.redraw:
        return planned_data(cell)
    afresh: dict[str, Any] = {"seed": cell.role_seed("data")}
    return load(replace(cell.dataset, **afresh))


def planned_data(cell: Cell) -> datasets.Dataset:
    """The data set of a cell, handed over or loaded; its content must be what the cell was planned with."""
    data = _handed_over.get(cell.data_digest) or load(cell.dataset)
    if data.digest != cell.data_digest:
        raise datasets.DatasetError(
            f"{cell.dataset_name}: the plan was made with content {cell.data_digest}, here it is {data.digest}"
        )
    return data


def rows_of(cell: Cell, data: datasets.Dataset) -> tuple[Rows, Rows]:
    """Training and test rows of a cell's round: the same for every model, whatever runs before or beside it."""
    roles = (cell.data_role, cell.round)
    if data.n_train is None:
        train, test = datasets.split_rows(
            len(data.y),
            rng=generator(cell.seed, *roles, "split"),
            train_share=cell.split.train_share,
            stratify=data.y if cell.split.stratify else None,
            groups=groups_of(cell, data),
        )
    else:
        train, test = np.arange(data.n_train), np.arange(data.n_train, len(data.y))
        if cell.split.subset or cell.split.subset_test:
            rng = generator(cell.seed, *roles, "subset")
            train, test = rng.permutation(train), rng.permutation(test)
    return train[: cell.split.subset], test[: cell.split.subset_test]


def groups_of(cell: Cell, data: datasets.Dataset) -> Rows | None:
    """Which rows have equal inputs, where the study keeps those together."""
    return datasets.duplicate_groups(data.X) if cell.split.group_duplicates else None


def check_features(features: FeaturesConfig) -> None:
    """Raise a ValueError naming the first setting of the features that is out of range; reads no data."""
    features.check([*SCALINGS, CoatesNgConfig().name])
    if isinstance(features, CoatesNgConfig):
        _encoder(features, 1, 0).check_parameters()


def _encoder(features: CoatesNgConfig, n_images: int, seed: int) -> CoatesNgFeatures:
    """The unfitted image features of a config, to be learned on so many images."""
    n_patches = n_images * features.patches_per_image
    return CoatesNgFeatures(**features.encoding(), n_patches=n_patches, progress=sys.stderr.isatty(), random_state=seed)


def split_of(cell: Cell) -> Split:
    """The rows of a cell's round as the model sees them, and the fold of every training row."""
    data = data_of(cell)
    train, test = rows_of(cell, data)
    X, X_test = _inputs(cell, data, train, test)
    rng = generator(cell.seed, cell.data_role, cell.round, "folds")
    groups = groups_of(cell, data)
    together = None if groups is None else groups[train]
    folds = datasets.fold_ids(len(train), cell.settings.get("n_folds", 3), rng, together)
    return _with_noise(cell, Split(X, data.y[train], X_test, data.y[test], folds))


def _with_noise(cell: Cell, split: Split) -> Split:
    """Noise on the inputs or labels of training rows where the study asks for some: the same for every model."""
    roles = (cell.seed, cell.data_role, cell.round)
    if cell.split.label_noise:
        split = split._replace(y=flipped_labels(split.y, cell.split.label_noise, generator(*roles, "label noise")))
    if cell.split.input_noise:
        split = split._replace(X=noisy_rows(split.X, cell.split.input_noise, generator(*roles, "input noise")))
    return split


# The last inputs: with an official split every round and model of a large data set sees the same ones.
_last_inputs: dict[str, Inputs] = {}


def _inputs(cell: Cell, data: datasets.Dataset, train: Rows, test: Rows) -> Inputs:
    rows = hashlib.sha256(train.tobytes() + test.tobytes()).hexdigest()
    key = cell_key({"data": data.digest, "features": cell.features.settings(), "rows": rows, "seed": cell.seed})
    if key not in _last_inputs:
        _last_inputs.clear()
        if isinstance(cell.features, CoatesNgConfig):
            X, X_test = _encoded(cell.features, cell.seed, data, train, test)
        else:
            X, X_test = _scaled(cell.features, data, train, test)
        _last_inputs[key] = np.asarray(X, dtype=np.float64), np.asarray(X_test, dtype=np.float64)
    return _last_inputs[key]


def _scaled(features: FeaturesConfig, data: datasets.Dataset, train: Rows, test: Rows) -> Inputs:
    """Rows of numbers, scaled as the training rows (or, in a reading, all rows) say; images are laid out flat."""
    X = data.X.reshape(len(data.X), -1)
    known = slice(None) if features.fit_on == "all" else train
    if data.nominal or not np.isfinite(X).all():
        X = ColumnEncoder(data.nominal).fit(X[known]).transform(X)
    scaler = SCALINGS[features.name]().fit(X[known])
    return scaler.transform(X[train]), scaler.transform(X[test])


def _encoded(features: CoatesNgConfig, seed: int, data: datasets.Dataset, train: Rows, test: Rows) -> Inputs:
    """Image features learned on the training images alone, computed once and kept in the cache folder."""
    encoder = _encoder(features, len(train), seed_of(seed, data.name, "image features", features.draw))
    shown = np.concatenate([train, test])
    whole = np.array_equal(shown, np.arange(len(data.X)))
    digest = data.digest if whole else cell_key({"data": data.digest, "rows": shown.tolist()})
    images = data.X if whole else data.X[shown]
    encoded = cached_features(images, np.arange(len(train)), encoder, cache_folder() / "features", digest)
    scaler = OffsetStandardizer(features.standard_offset) if features.scaling is None else SCALINGS[features.scaling]()
    scaler.fit(encoded[: len(train)])
    return scaler.transform(encoded[: len(train)]), scaler.transform(encoded[len(train) :])
