"""Pages of curves: Fig 3 with its data, panels side by side (Fig 4, sweeps), and Fig 3 under three cutoffs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import AutoMinorLocator, MaxNLocator

from celm.analysis.curve_means import Panel
from celm.render.figures.accuracy_curves import BAND, ONE_ROUND, draw_curves
from celm.render.figures.canvas import look, new_figure

PAGE_WIDTH = 7.2
TITLE_CHARACTERS = 120
ARM_COLORS = ("#333333", "#e08a00")


def _legend(figure: Figure, axes: Sequence[Axes], columns: int) -> None:
    """One legend below all panels, each model once; it says what the bands are where there are any."""
    entries = {}
    for ax in axes:
        handles, labels = ax.get_legend_handles_labels()
        entries.update(dict(zip(labels, handles, strict=True)))
    legend = figure.legend(list(entries.values()), list(entries), loc="outside lower center", ncols=columns)
    told = BAND if any(ax.collections for ax in axes) else ONE_ROUND
    legend.set_title(told, prop=FontProperties(size=7))


def _label(axes: Axes, *, x: str | None = "Hidden nodes", y: bool = True) -> None:
    if x is not None:
        axes.set_xlabel(x)
    if y:
        axes.set_ylabel("Test accuracy")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.xaxis.set_minor_locator(AutoMinorLocator(5))


@look()
def draw_spiral(points: pd.DataFrame, curves: pd.DataFrame) -> Figure:
    """Fig 3: ``points`` (columns x, y, arm) on top, the accuracy curves below."""
    figure = new_figure(4.6, 7.2)
    top, bottom = figure.subplots(2, 1, height_ratios=[1.0, 1.0])
    for arm, color in enumerate(ARM_COLORS):
        rows = points[points["arm"] == arm]
        top.plot(rows["x"], rows["y"], ".", markersize=1.6, color=color, markeredgewidth=0, rasterized=True)
    top.set(aspect="equal", title=f"{len(points)} samples, two classes")
    top.set(xlabel="$x_1$", ylabel="$x_2$")
    reach = float(points[["x", "y"]].abs().to_numpy().max())
    top.set(xticks=np.linspace(-reach, reach, 5), yticks=np.linspace(-reach, reach, 5))
    top.grid(False)
    draw_curves(bottom, curves)
    _label(bottom)
    _legend(figure, [bottom], columns=2)
    return figure


@look()
def draw_panels(shown: Sequence[Panel], columns: int, *, share_y: bool = False) -> Figure:
    """Panels side by side, ``columns`` to a row, under one legend: Fig 4, and the small multiples of a sweep."""
    columns = min(columns, len(shown))
    n_rows = math.ceil(len(shown) / columns)
    figure = new_figure(PAGE_WIDTH if columns < 4 else 2.0 * columns, 2.2 * n_rows + 0.7)
    grid = figure.subplots(n_rows, columns, squeeze=False, sharey=share_y)
    axes = list(grid.flat)
    alike = len({panel.along for panel in shown}) == 1
    for place, ax in enumerate(axes):
        if place >= len(shown):
            ax.set_axis_off()
            continue
        draw_curves(ax, shown[place].curves)
        ax.set_title(textwrap.fill(shown[place].title, TITLE_CHARACTERS // columns))
        lowest = place + columns >= len(shown)
        _label(ax, x=shown[place].along if lowest or not alike else None, y=place % columns == 0)
    _legend(figure, axes, columns=3 if columns < 4 else 4)
    return figure


@look()
def draw_cutoffs(shown: Mapping[str, pd.DataFrame]) -> Figure:
    """The curves of Fig 3 under each cutoff of ``shown`` (title -> curves), and the rank under the first one."""
    figure = new_figure(PAGE_WIDTH, 6.0)
    axes = list(figure.subplots(2, 2).flat)
    lowest = min(curves[["accuracy_mean", "ci_low"]].min().min() for curves in shown.values())
    for place, (ax, (title, curves)) in enumerate(zip(axes[:3], shown.items(), strict=True)):
        draw_curves(ax, curves)
        ax.set(title=title, ylim=(lowest - 0.02, 1.02))
        _label(ax, x="Hidden nodes" if place > 1 else None, y=place != 1)
    first, curves = next(iter(shown.items()))
    full = [0.0, float(curves["n_hidden"].max())]
    axes[3].plot(full, full, color="#999999", linewidth=0.8, linestyle=":")
    draw_curves(axes[3], curves, column="rank")
    axes[3].set(title=f"Rank of H: {first}", ylabel="Numerical rank")
    _label(axes[3], y=False)
    _legend(figure, axes[:3], columns=3)
    return figure
