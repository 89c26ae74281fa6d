"""The ELM family shown in the plane (Fig 6): a hidden layer is drawn, test rows are mapped by it and embedded."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.manifold import trustworthiness

from celm.base.identity import filled, named
from celm.base.validation import as_generator, encode_labels
from celm.models.elm.embedding import Array, Plane, initial_layout, neighbour_accuracy, principal_scores, tsne_plane
from celm.models.elm.hidden import HiddenLayer
from celm.models.elm.options import OPTION_NAMES, WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.weights import check_strategy
from celm.study.cells import Cell, Record, Split
from celm.study.families.family import Family, Settings, seconds_since
from celm.study.study_config import ModelConfig, StudyConfig

# The round whose points are kept, and their precision: a plane is about 100 wide.
KEPT_ROUND, KEPT_DECIMALS = 0, 2


def embedding_settings(study: StudyConfig) -> Settings:
    """The readings of the weight draw and of the plane."""
    drawn = {name: value for name, value in named(study.elm).items() if name in OPTION_NAMES}
    return {**drawn, **named(study.embedding)}


def check_embedding(model: ModelConfig, settings: Settings) -> None:
    """The strategy must exist and its readings be in range."""
    check_strategy(model.strategy, "model.strategy", "config")
    _options(settings).check("config")


def _options(settings: Settings) -> WeightOptions:
    return filled(WeightOptions, settings)


def shown_rows(cell: Cell, n_test: int) -> Indices:
    """The test rows that a round shows: the same for every model."""
    points = cell.settings["points"]
    if points > n_test:
        raise ValueError(f"config: embedding.points must be at most the {n_test} test rows; got {points}.")
    return as_generator(cell.role_seed("shown rows")).choice(n_test, points, replace=False)


def start_layout(cell: Cell) -> Array:
    """Where the points of a round start: the same for every model."""
    return initial_layout(cell.settings["points"], as_generator(cell.role_seed("layout")))


def run_embedding(cell: Cell, split: Split) -> list[Record]:
    """One record per node count: how good the plane of its hidden outputs is; the first round keeps its points."""
    rows = shown_rows(cell, len(split.y_test))
    labels = split.y_test[rows]
    _, codes = encode_labels(labels, "embedding")
    records = []
    for L in cell.n_hidden:
        started = time.perf_counter()
        layer = _layer(cell, L).fit(split.X, split.y)
        record = {"n_hidden": L, "fit_seconds": seconds_since(started)}
        H = layer.transform(split.X_test[rows])
        plane = _plane(cell, H)
        k = cell.settings["neighbours"]
        record["accuracy"] = neighbour_accuracy(plane.points, codes, k)
        record["trustworthiness"] = float(trustworthiness(H, plane.points, n_neighbors=k))
        record["kl_divergence"] = plane.kl_divergence
        records.append(record | _kept(plane.points, labels) if cell.round == KEPT_ROUND else record)
    return records


def _layer(cell: Cell, n_hidden: int) -> HiddenLayer:
    strategy, options = str(cell.model.strategy), _options(cell.settings)
    return HiddenLayer(n_hidden, strategy=strategy, options=options, random_state=cell.role_seed("nodes"))


def _plane(cell: Cell, H: Array) -> Plane:
    pca = cell.settings["pca"]
    inputs = H if pca is None else principal_scores(H, pca)
    return tsne_plane(inputs, start_layout(cell), cell.settings["perplexity"], cell.settings["iterations"])


def _kept(points: Array, labels: npt.NDArray[Any]) -> Record:
    """The points of a plane as lists, so that it can be drawn from its record alone."""
    x, y = np.round(points, KEPT_DECIMALS).T.tolist()
    return {"plane_x": x, "plane_y": y, "plane_label": labels.tolist()}


ELM_EMBEDDING = Family(1, embedding_settings, check_embedding, run_embedding, has_curve=True)
RUNS = {"embed": {"elm": ELM_EMBEDDING}}
