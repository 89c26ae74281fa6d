"""The tasks of the benchmark: what is timed, on which data, and the data themselves as files that any Python reads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Task:
    """What is timed: a ``kind`` of work with so many hidden nodes on the data called ``data``."""

    name: str
    kind: str
    data: str
    nodes: int
    strategy: str = "elm"
    rows: int = 0


class Shape(NamedTuple):
    """Rows to learn from and to predict, features, and classes (0: regression) of made-up data."""

    rows: int
    new_rows: int
    features: int
    classes: int


SHAPES = {
    "full": {
        "clusters": Shape(20_000, 5_000, 784, 10),
        "small_clusters": Shape(1_333, 667, 64, 10),
        "curve": Shape(20_000, 5_000, 784, 0),
    },
    # To see that everything runs.
    "small": {
        "clusters": Shape(400, 100, 12, 3),
        "small_clusters": Shape(150, 60, 6, 3),
        "curve": Shape(400, 100, 12, 0),
    },
}
NODES_DIVISOR = {"full": 1, "small": 20}
SIZES = tuple(SHAPES)


def all_tasks(strategies: list[str], size: str) -> list[Task]:
    """All tasks at a size, in the order of the table; their names are those of the full size."""
    wanted: list[tuple[Any, ...]] = [
        *((f"fit_{nodes}", "fit", "clusters", nodes) for nodes in (200, 1000, 4000)),
        *((f"mnist_{nodes}", "fit", "mnist", nodes) for nodes in (1000, 2000)),
        ("choice_lambda", "choice_lambda", "clusters", 1000),
        ("choice_table1", "choice_table1", "small_clusters", 200),
        ("choice_scale", "choice_scale", "clusters", 1000),
        *((f"predict_{nodes}", "predict", "clusters", nodes) for nodes in (200, 1000, 7000)),
        ("predict_one_row", "predict_one_row", "clusters", 200),
        *((f"draw_{name}", "draw", "clusters", 1000, name) for name in strategies),
        ("regression_1000", "fit", "curve", 1000),
    ]
    made = [Task(*each) for each in wanted]
    return [Task(t.name, t.kind, t.data, t.nodes // NODES_DIVISOR[size], t.strategy) for t in made]


def made_up(shape: Shape, seed: int = 0) -> dict[str, Array]:
    """Rows around three centres per class, not separable by planes; or a smooth function of the rows with noise."""
    rng = np.random.default_rng(seed)
    total = shape.rows + shape.new_rows
    if shape.classes:
        y: Array = rng.integers(0, shape.classes, total)
        centres = rng.standard_normal((shape.classes, 3, shape.features)) * np.sqrt(20.0 / shape.features)
        X = centres[y, rng.integers(0, 3, total)]
        X += rng.standard_normal(X.shape)
    else:
        X = rng.standard_normal((total, shape.features))
        planes = X @ rng.standard_normal((shape.features, 3)) / np.sqrt(shape.features)
        y = np.sin(planes).sum(axis=1) + 0.1 * rng.standard_normal(total)
    return _split(X, y, shape.rows)


def mnist() -> dict[str, Array]:
    """The digits with their official split, pixels over 255."""
    from celm.datasets import load

    data = load("mnist")
    if data.n_train is None:
        raise ValueError("bench: MNIST must come with its official split; got none.")
    return _split(data.X.reshape(len(data.y), -1) / 255.0, data.y, data.n_train)


def _split(X: Array, y: Array, rows: int) -> dict[str, Array]:
    return {"X": X[:rows], "y": y[:rows], "X_new": X[rows:], "y_new": y[rows:]}


def write_data(folder: Path, name: str, size: str) -> Path:
    """Put the arrays of a data set under ``folder/name`` and return that folder."""
    arrays = mnist() if name == "mnist" else made_up(SHAPES[size][name])
    if name == "mnist" and size == "small":
        arrays = {key: values[:400] for key, values in arrays.items()}
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    for key, values in arrays.items():
        np.save(target / f"{key}.npy", np.ascontiguousarray(values))
    return target
