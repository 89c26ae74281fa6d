"""Accuracy against the spread of pre-activations: a panel per data set, a line per direction, models as marks."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from celm.base.names import DATASETS, dataset_label, in_order, short_label
from celm.render.figures.canvas import look, new_figure
from celm.render.style import DIRECTION_LABELS, model_style

COLUMNS = 4
COLORS = dict(zip(DIRECTION_LABELS, ("#d1202a", "#ff7f0e", "#1a1a6e", "#1e90ff", "#2ca02c"), strict=True))
# Models that are marked at the spread they have, and their marks.
MARKED = {"elm": "o", "cdelm": "s", "cselm": "^", "selm": "D", "covariance_scaled": "*", "elm_scaled": "P"}


def _draw_lines(axes: Axes, rows: pd.DataFrame) -> None:
    for (direction, bias), line in rows.groupby(["direction", "bias"], sort=False):
        color, plain = COLORS[str(direction)], bias == "uniform"
        axes.plot(line["spread"], line["accuracy"], color=color, linewidth=1.4 if plain else 0.8,
                  linestyle="-" if plain else ":", zorder=2)  # fmt: skip
        if plain:
            axes.fill_between(line["spread"], line["low"], line["high"], color=color, alpha=0.15, linewidth=0)


def _draw_marks(axes: Axes, marks: pd.DataFrame) -> None:
    for _, row in marks.iterrows():
        color = model_style(row["model"]).color
        axes.plot(row["spread"], row["accuracy"], marker=MARKED[row["model"]], markersize=6, color=color,
                  markeredgecolor="black", markeredgewidth=0.6, linestyle="none", zorder=4)  # fmt: skip


def _legend(figure: Figure, marked: list[str]) -> None:
    lines = [
        Line2D([], [], color=COLORS[name], label=label.replace("\n", " ")) for name, label in DIRECTION_LABELS.items()
    ]
    lines.append(Line2D([], [], color="#555555", linestyle=":", label="midpoint bias"))
    lines += [
        Line2D([], [], linestyle="none", marker=MARKED[name], color=model_style(name).color, label=short_label(name))
        for name in marked
    ]
    figure.legend(handles=lines, loc="outside lower center", ncols=4, handlelength=1.8)


@look()
def draw_spread(curves: pd.DataFrame, marks: pd.DataFrame) -> Figure:
    """``curves`` and ``marks`` as :mod:`celm.analysis.spread_curves` makes them, one node count per data set."""
    sets = in_order(list(curves["dataset"].unique()), DATASETS)
    columns = min(COLUMNS, len(sets))
    n_rows = math.ceil(len(sets) / columns)
    figure = new_figure(max(4.8, 2.4 * columns), 1.9 * n_rows + 0.9)
    axes = list(figure.subplots(n_rows, columns, squeeze=False).flat)
    shown = marks[marks["model"].isin(MARKED)]
    for place, (ax, name) in enumerate(zip(axes, sets, strict=False)):
        rows = curves[curves["dataset"] == name]
        _draw_lines(ax, rows)
        _draw_marks(ax, shown[shown["dataset"] == name])
        ax.set_xscale("log")
        ax.set_title(f"{dataset_label(name)}, {rows['n_hidden'].iloc[0]} nodes")
        if place % columns == 0:
            ax.set_ylabel("Accuracy")
        if place >= len(sets) - columns:
            ax.set_xlabel("Spread of pre-activations")
    for ax in axes[len(sets) :]:
        ax.set_axis_off()
    _legend(figure, [name for name in MARKED if name in set(shown["model"])])
    return figure
