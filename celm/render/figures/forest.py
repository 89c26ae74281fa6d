"""Leads set by set with their intervals, a panel per lead, groups of sets with their pooled lead below each."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from celm.base.names import dataset_label
from celm.render.figures.canvas import look, new_figure

ROW = 0.118
POOLED = "pooled"
COLORS = {"images": "#aa4499", "tables, fresh": "#332288", "tables, seen by trials": "#44aa99", "made up": "#777777"}
# Leads beyond this share of the widest ones are cut off, with an arrow in their place.
SHOWN = 0.96


def _limit(numbers: pd.DataFrame) -> float:
    """Points on either side that the axes show: nearly all estimates, with some room."""
    return max(1.0, 115 * float(numbers["effect"].abs().quantile(SHOWN)))


def _draw_set(axes: Axes, y: float, row: pd.Series, limit: float, color: str) -> None:
    low, high, effect = (100 * float(row[name]) for name in ("low", "high", "effect"))
    if abs(effect) > limit:
        side = 1 if effect > 0 else -1
        arrow = {"arrowstyle": "->", "color": color, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
        axes.annotate(f"{effect:+.0f}", (side * limit, y), xytext=(-9 * side, 0), textcoords="offset points",
                      ha="right" if side > 0 else "left", va="center", fontsize=5, color=color,
                      arrowprops=arrow)  # fmt: skip
        return
    axes.hlines(y, max(low, -limit), min(high, limit), color=color, linewidth=0.8, alpha=0.75)
    axes.plot(effect, y, marker="o", markersize=2.4, color=color, linestyle="none")


def _draw_pooled(axes: Axes, y: float, row: pd.Series, limit: float, color: str) -> None:
    """A diamond as wide as the interval of the mean; a thin line where a further set lies."""
    low, high, effect = (100 * float(row[name]) for name in ("low", "high", "effect"))
    if pd.isna(row["low"]):
        axes.plot(effect, y, marker="D", markersize=3.4, markerfacecolor="white", color=color, linestyle="none")
        return
    first, last = max(100 * float(row["predicted_low"]), -limit), min(100 * float(row["predicted_high"]), limit)
    axes.hlines(y, first, last, color="black", linewidth=0.6)
    corners_x, corners_y = [low, effect, high, effect], [y, y + 0.42, y, y - 0.42]
    axes.fill(corners_x, corners_y, facecolor=color, edgecolor="black", linewidth=0.5, zorder=3)


def _panel(axes: Axes, rows: pd.DataFrame, places: Mapping[tuple[str, str], int], limit: float, title: str) -> None:
    for _, row in rows.iterrows():
        draw = _draw_pooled if row["dataset"] == POOLED else _draw_set
        draw(axes, places[row["group"], row["dataset"]], row, limit, COLORS[row["group"]])
    axes.axvline(0.0, color="#555555", linewidth=0.7)
    axes.set(xlim=(-limit, limit), xlabel="points")
    axes.set_title(title, fontsize=7.5)
    axes.grid(False, axis="y")


@look()
def draw_forest(numbers: pd.DataFrame, panels: Mapping[str, str]) -> Figure:
    """``numbers``: lead, group, dataset (or "pooled"), effect, low, high, predicted_low, predicted_high, in order.

    ``panels``: lead -> title of its panel, from left to right.
    """
    keys = list(dict.fromkeys(zip(numbers["group"], numbers["dataset"], strict=True)))
    heights, y = {}, 0
    for place, key in enumerate(keys):
        y -= 2 if place and keys[place - 1][0] != key[0] else 1
        heights[key] = y
    figure = new_figure(7.2, ROW * -y + 1.15)
    every = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    limit = _limit(numbers[numbers["dataset"] != POOLED])
    for axes, (lead, title) in zip(every, panels.items(), strict=True):
        _panel(axes, numbers[numbers["lead"] == lead], heights, limit, title)
    names = [f"{key[0]}: together" if key[1] == POOLED else dataset_label(key[1]) for key in keys]
    every[0].set_yticks([heights[key] for key in keys], names, fontsize=5.5)
    every[0].set_ylim(y - 1, 0)
    for label, key in zip(every[0].get_yticklabels(), keys, strict=True):
        label.set_fontweight("bold" if key[1] == POOLED else "normal")
    for axes in every:
        axes.tick_params(axis="y", length=0)
    groups = list(dict.fromkeys(numbers["group"]))
    marks = [Line2D([], [], color=COLORS[group], marker="o", markersize=2.4, linewidth=0.8) for group in groups]
    figure.legend(marks, groups, loc="outside lower center", ncols=len(groups), fontsize=6.5)
    return figure
