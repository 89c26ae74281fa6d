"""How time and memory grow: rows, features, nodes and classes doubled, a fit out of core, and one on a mapped file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import t

from bench.environments import LIBRARIES
from bench.measure import Contest, Row
from bench.tasks import Shape, Task, made_up

POINTS = 4
# How the tasks of points begin.
POINT = "growth_"
CONFIDENCE = 0.95
CELM = (replace(LIBRARIES[0], dtypes=("float64",)),)


def stream_name(rows: int) -> str:
    """The task of an out-of-core fit on so many rows."""
    return f"out_of_core_{rows}"


class Start(NamedTuple):
    """Where doubling starts, already by blocks of rows; rows and nodes of the fits out of core."""

    shape: Shape
    nodes: int
    stream_nodes: int
    few_rows: int
    many_rows: int


STARTS = {
    "full": Start(Shape(20_000, 500, 200, 5), 1000, 250, 200_000, 2_000_000),
    "small": Start(Shape(200, 50, 8, 2), 10, 10, 2_000, 8_000),
}


@dataclass(frozen=True)
class Exponent:
    """A power law fitted to doubled sizes: cost ∝ size^exponent, with its interval."""

    quantity: str
    cost: str
    exponent: float
    low: float
    high: float


def fitted_exponent(sizes: list[float], costs: list[float]) -> tuple[float, float, float]:
    """Slope of log cost on log size, and its confidence interval by Student's t with two degrees less than points."""
    x, z = np.log(sizes), np.log(np.maximum(costs, 1e-12))
    centred = x - x.mean()
    slope = float(centred @ z / (centred @ centred))
    residual = z - z.mean() - slope * centred
    freedom = len(x) - 2
    error = float(np.sqrt(residual @ residual / freedom / (centred @ centred)))
    reach = float(t.ppf(0.5 + CONFIDENCE / 2, freedom)) * error
    return slope, slope - reach, slope + reach


def series(size: str) -> Iterator[tuple[str, int, Shape, int]]:
    """Quantity, its size, and the shape and nodes of every point."""
    shape, nodes, *_ = STARTS[size]
    for power in range(POINTS):
        factor = 2**power
        yield "rows", shape.rows * factor, shape._replace(rows=shape.rows * factor), nodes
        yield "features", shape.features * factor, shape._replace(features=shape.features * factor), nodes
        yield "nodes", nodes * factor, shape, nodes * factor
        yield "classes", shape.classes * factor, shape._replace(classes=shape.classes * factor), nodes


def _written(folder: Path, shape: Shape) -> Path:
    target = folder / "-".join(map(str, shape))
    if not target.exists():
        target.mkdir(parents=True)
        for key, values in made_up(shape).items():
            np.save(target / f"{key}.npy", np.ascontiguousarray(values))
    return target


def doubled(contest: Contest, folder: Path, size: str) -> list[Row]:
    """Rows of all points of all series; float64 only."""
    rows: list[Row] = []
    for quantity, value, shape, nodes in series(size):
        task = Task(f"{POINT}{quantity}_{value}", "fit", quantity, nodes)
        rows += contest.rows(task, CELM, _written(folder, shape))
    return rows


def exponents(rows: Iterable[Row]) -> list[Exponent]:
    """What is fitted to the points among some rows, series by series."""
    points: dict[str, list[tuple[float, Row]]] = {}
    for row in (row for row in rows if row.task.startswith(POINT) and row.status == "ok"):
        quantity, _, value = row.task.removeprefix(POINT).rpartition("_")
        points.setdefault(quantity, []).append((float(value), row))
    found = []
    for quantity, measured in points.items():
        for cost in ("seconds", "peak_mb"):
            sizes, costs = ([value for value, _ in measured], [getattr(row, cost) for _, row in measured])
            if len(sizes) >= 3:
                found.append(Exponent(quantity, cost, *fitted_exponent(sizes, costs)))
    return found


def beyond_memory(contest: Contest, folder: Path, size: str) -> list[Row]:
    """Fits on a stream of few and of many rows, whose memory should be the same, and on rows mapped from a file."""
    shape, _, nodes, few, many = STARTS[size]
    data = _written(folder, shape)
    rows = []
    for total in (few, many):
        task = Task(stream_name(total), "out_of_core", "stream", nodes, rows=total)
        rows += contest.rows(task, CELM, data)
    mapped = _written(folder, shape._replace(rows=2 * shape.rows))
    return rows + contest.rows(Task("mapped_file", "fit", "file", STARTS[size].nodes), CELM, mapped, mapped=True)
