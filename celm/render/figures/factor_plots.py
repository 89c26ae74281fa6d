"""The factorial of the weights: a panel per data set, directions across, scales as marks, open marks for midpoints."""

from __future__ import annotations

import math
from itertools import product

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from celm.base.factors import BIASES, DIRECTIONS, SCALES
from celm.base.names import DATASETS, dataset_label, in_order
from celm.render.figures.canvas import look, new_figure
from celm.render.style import BIAS_LABELS, DIRECTION_LABELS, SCALE_STYLES

COLUMNS = 2
# Width that the marks of one direction take, of the 1 between directions.
SPREAD = 0.66
# Points below ELM that an axis shows: a mark further down would press all others together, so its value is written.
FLOOR = -12.0


def _draw_marks(axes: Axes, rows: pd.DataFrame) -> None:
    """One mark with its interval per combination, in points above ELM."""
    slots = list(product(SCALES, BIASES))
    for slot, (scale, bias) in enumerate(slots):
        marks = rows[(rows["scale"] == scale) & (rows["bias"] == bias)].set_index("direction").reindex(list(DIRECTIONS))
        x = [place + SPREAD * (slot / (len(slots) - 1) - 0.5) for place in range(len(marks))]
        style = SCALE_STYLES[scale]
        axes.vlines(x, 100 * marks["low"], 100 * marks["high"], color=style.color, linewidth=0.8, alpha=0.7)
        axes.plot(
            x, 100 * marks["above_elm"], linestyle="none", marker=style.marker, markersize=4.2, color=style.color,
            markerfacecolor=style.color if bias == "uniform" else "white",
        )  # fmt: skip
        for place, points in zip(x, 100 * marks["above_elm"], strict=True):
            if points < FLOOR:
                axes.annotate(f"{points:.0f}", (place, 0.0), xycoords=("data", "axes fraction"), xytext=(0, 16),
                              textcoords="offset points", ha="center", fontsize=6.5, color=style.color,
                              arrowprops={"arrowstyle": "->", "color": style.color, "shrinkB": 0})  # fmt: skip
    if 100 * rows["low"].min() < FLOOR:
        axes.set_ylim(bottom=FLOOR - 1.0)
    axes.axhline(0.0, color="#555555", linewidth=0.8, linestyle="--", zorder=0)
    axes.annotate("ELM", (1.0, 0.0), xycoords=("axes fraction", "data"), xytext=(2, 0), textcoords="offset points",
                  va="center", fontsize=7, color="#555555")  # fmt: skip
    axes.set_xticks(range(len(DIRECTIONS)), [DIRECTION_LABELS[name] for name in DIRECTIONS], fontsize=6.5)
    axes.tick_params(axis="x", length=0)
    axes.grid(False, axis="x")
    axes.set_xlim(-0.5, len(DIRECTIONS) - 0.5)


def _legend(figure: Figure) -> None:
    marks = [
        Line2D([], [], linestyle="none", marker=style.marker, color=style.color, label=style.label)
        for style in map(SCALE_STYLES.__getitem__, SCALES)
    ]
    faces = {"uniform": "#555555", "midpoint": "white"}
    marks += [
        Line2D(
            [], [], linestyle="none", marker="D", color="#555555", markerfacecolor=faces[bias], label=BIAS_LABELS[bias]
        )
        for bias in BIASES
    ]
    figure.legend(handles=marks, loc="outside lower center", ncols=len(marks), handlelength=1.0)


@look()
def draw_causes(numbers: pd.DataFrame) -> Figure:
    """``numbers`` (see :func:`celm.analysis.causes.accuracies`) holds all combinations, one node count per data set."""
    sets = in_order(list(numbers["dataset"].unique()), DATASETS)
    columns = min(COLUMNS, len(sets))
    n_rows = math.ceil(len(sets) / columns)
    figure = new_figure(3.6 * columns, 2.3 * n_rows + 0.4)
    axes = list(figure.subplots(n_rows, columns, squeeze=False).flat)
    for place, (ax, name) in enumerate(zip(axes, sets, strict=False)):
        rows = numbers[numbers["dataset"] == name]
        _draw_marks(ax, rows)
        elm = float((rows["accuracy_mean"] - rows["above_elm"]).iloc[0])
        ax.set_title(f"{dataset_label(name)}, {rows['n_hidden'].iloc[0]} nodes (ELM {elm:.3f})")
        if place % columns == 0:
            ax.set_ylabel("Points above ELM")
    for ax in axes[len(sets) :]:
        ax.set_axis_off()
    _legend(figure)
    return figure
