"""Accuracy against hidden nodes with intervals, and points in the plane: what the page draws of the figures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from celm.render.figures import Panel, panels, plane_points
from celm.study.store import PublishedStore, load_frame

# Figures of curves: name -> title, and the experiments whose panels it shows with a letter before each.
CURVES: dict[str, tuple[str, dict[str, str]]] = {
    "fig3": ("Fig 3: the spiral", {"fig3": "as stated: ", "fig3+spiral_quarter": "2.25 turns, a quarter in size: "}),
    "fig4": ("Fig 4: six UCI sets", {"fig4": ""}),
    "fig5": ("Fig 5: MNIST and CIFAR-10", {"fig5a": "(a) ", "fig5b": "(b) "}),
}
PLANES = "fig6"


class Curve(NamedTuple):
    """Mean accuracy of one model with a 95 % interval over rounds, at every node count."""

    counts: list[int]
    mean: list[float]
    low: list[float]
    high: list[float]


class CurvePanel(NamedTuple):
    """One plot: its title, how many rounds its means are over, and a curve per model."""

    title: str
    rounds: int
    curves: Mapping[str, Curve]


class CurveFigure(NamedTuple):
    """A figure of the paper as panels; ``missing`` are its experiments without published records."""

    name: str
    title: str
    panels: list[CurvePanel]
    missing: list[str]


class Plane(NamedTuple):
    """Hidden outputs of one model in the plane, scaled to a square of 0 to 1, and the class of every point."""

    model: str
    x: list[float]
    y: list[float]
    label: list[int]


def complete_frame(results: Path, experiment: str) -> pd.DataFrame:
    """The published records of an experiment of which every planned cell is there, otherwise none."""
    store = PublishedStore(results / "records")
    documents = store.documents(experiment)
    if not documents or len(documents) < store.manifest(experiment)["planned_cells"]:
        return load_frame([])
    return load_frame(documents.values())


def curve_figures(results: Path) -> list[CurveFigure]:
    """The figures of curves, from the published records."""
    figures = []
    for name, (title, experiments) in CURVES.items():
        frames = {experiment: complete_frame(results, experiment) for experiment in experiments}
        shown = [
            _panel(panel._replace(title=f"{experiments[experiment]}{panel.title}"))
            for experiment, frame in frames.items()
            if not frame.empty
            for panel in panels(frame)
        ]
        figures.append(CurveFigure(name, title, shown, [name for name, frame in frames.items() if frame.empty]))
    return figures


def _panel(panel: Panel) -> CurvePanel:
    curves = {model: _curve(rows) for model, rows in panel.curves.groupby("model", sort=False)}
    return CurvePanel(panel.title, int(panel.curves["rounds"].max()), {str(model): c for model, c in curves.items()})


def _curve(rows: pd.DataFrame) -> Curve:
    mean = rows["accuracy_mean"].to_numpy(float)
    rounds = rows["rounds"].to_numpy(float)
    quantile = stats.t.ppf(0.975, np.maximum(rounds - 1, 1))
    half = np.nan_to_num(quantile * rows["accuracy_std"].to_numpy(float) / np.sqrt(rounds))
    numbers = (np.round(values, 4).tolist() for values in (mean, mean - half, mean + half))
    return Curve([int(count) for count in rows["n_hidden"]], *numbers)


def planes(results: Path) -> list[Plane]:
    """The planes of Fig 6 that its records keep the points of."""
    frame = complete_frame(results, PLANES)
    if frame.empty:
        return []
    points = plane_points(frame)
    return [_plane(str(model), rows) for model, rows in points.groupby("model", sort=False)]


def _plane(model: str, points: pd.DataFrame) -> Plane:
    x, y = points["x"].to_numpy(float), points["y"].to_numpy(float)
    size = max(np.ptp(x), np.ptp(y)) or 1.0
    x, y = (0.5 + (values - (values.max() + values.min()) / 2) / size for values in (x, y))
    return Plane(model, np.round(x, 4).tolist(), np.round(1 - y, 4).tolist(), points["label"].astype(int).tolist())
