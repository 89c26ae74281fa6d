"""Fig 6: hidden outputs in the plane, a panel per model; every point is the digit it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from celm.base.names import MODELS, in_order, model_label
from celm.render.figures.canvas import look, new_figure
from celm.render.style import CLASS_COLORS

COLUMNS = 3
POINT_COLUMNS = ["model", "point", "label", "x", "y"]


def plane_points(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per model and point (model, point, label, x, y) from the records that keep their points."""
    kept = frame[frame["plane_x"].notna()]
    parts = [
        pd.DataFrame({"label": row["plane_label"], "x": row["plane_x"], "y": row["plane_y"]})
        .rename_axis("point")
        .reset_index()
        .assign(model=row["model"])
        for _, row in kept.iterrows()
    ]
    order = in_order(list(kept["model"]), MODELS)
    points = pd.concat(parts, ignore_index=True)[POINT_COLUMNS]
    return points.sort_values(["model", "point"], key=lambda c: c.map(order.index) if c.name == "model" else c)


def class_style(place: int, label: object) -> tuple[str, str]:
    """Colour and marker of a class: the sign it is called by, so that it is read in grey print too."""
    return CLASS_COLORS[place % len(CLASS_COLORS)], f"${label}$"


def heart(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The point (of N × 2) nearest to half of the others: inside a class even where that lies in two pieces."""
    distances = np.sort(np.linalg.norm(points[:, None] - points, axis=2), axis=1)
    return points[distances[:, : len(points) // 2 + 1].mean(axis=1).argmin()]


def _draw_plane(axes: Axes, points: pd.DataFrame, places: Mapping[object, int]) -> None:
    """Every point as the sign of its class, and that sign large at the heart of the class."""
    halo = [withStroke(linewidth=2.0, foreground="white")]
    for label, rows in points.groupby("label"):
        color, marker = class_style(places[label], label)
        axes.plot(
            rows["x"], rows["y"], linestyle="none", color=color, marker=marker,
            markersize=2.6, markeredgewidth=0.1, rasterized=True,
        )  # fmt: skip
        x, y = heart(rows[["x", "y"]].to_numpy(float))
        text: dict[str, Any] = {"color": color, "fontsize": 11, "weight": "bold", "ha": "center", "va": "center"}
        axes.text(x, y, str(label), path_effects=halo, zorder=5, **text)
    axes.set(aspect="equal", adjustable="datalim", xticks=[], yticks=[])
    axes.margins(0.03)
    axes.spines[:].set_visible(True)


@look()
def draw_planes(points: pd.DataFrame, notes: Mapping[str, str]) -> Figure:
    """A panel per model of ``points`` (as :func:`plane_points` makes them), its note under its name."""
    models = in_order(list(points["model"].unique()), MODELS)
    n_rows = -(-len(models) // COLUMNS)
    figure = new_figure(2.4 * COLUMNS, 2.65 * n_rows)
    axes = list(figure.subplots(n_rows, COLUMNS, squeeze=False).flat)
    places = {label: place for place, label in enumerate(sorted(points["label"].unique()))}
    for ax, model in zip(axes, models, strict=False):
        _draw_plane(ax, points[points["model"] == model], places)
        ax.set_title(f"{model_label(model)}\n{notes[model]}")
    for ax in axes[len(models) :]:
        ax.set_axis_off()
    return figure
