"""Fig 2: how a difference vector is made, ELM's weight vectors, and the constrained ones of CELM."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from celm.render.figures.canvas import look, new_figure
from celm.render.style import model_style

Array = npt.NDArray[np.float64]


class Illustration(NamedTuple):
    """What Fig 2 shows: samples (N × 2) and their classes, pairs and the weight vectors of two models (L × 2)."""

    X: Array
    codes: npt.NDArray[np.intp]
    starts: Array
    ends: Array
    elm: Array
    cdelm: Array


def illustration_data(shown: Illustration) -> pd.DataFrame:
    """The plotted numbers: samples as points (no end), pairs and weights as arrows from (x, y) to (end_x, end_y)."""
    nowhere = np.full_like(shown.X, np.nan)
    parts = [_rows("a", f"class {code + 1}", shown.X[rows], nowhere[rows]) for code, rows in _classes(shown)]
    parts.append(_rows("a", "difference", shown.starts, shown.ends))
    parts.append(_rows("b", "elm", np.zeros_like(shown.elm), shown.elm))
    parts.append(_rows("c", "cdelm", np.zeros_like(shown.cdelm), shown.cdelm))
    return pd.concat(parts, ignore_index=True)


def _classes(shown: Illustration) -> list[tuple[int, npt.NDArray[np.bool_]]]:
    return [(int(code), shown.codes == code) for code in np.unique(shown.codes)]


def _rows(panel: str, what: str, start: Array, end: Array) -> pd.DataFrame:
    columns = {"x": start[:, 0], "y": start[:, 1], "end_x": end[:, 0], "end_y": end[:, 1]}
    return pd.DataFrame({"panel": panel, "what": what, **columns})


def _arrows(axes: Axes, starts: Array, ends: Array, color: str, gap: float = 0.0) -> None:
    """Arrows that stop ``gap`` points before their end."""
    arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 0.8, "shrinkA": 0, "shrinkB": gap, "mutation_scale": 7}
    for start, end in zip(starts, ends, strict=True):
        axes.annotate("", xy=(end[0], end[1]), xytext=(start[0], start[1]), arrowprops=arrow, zorder=4)


def _draw_weights(axes: Axes, weights: Array, color: str, reach: float) -> None:
    _arrows(axes, np.zeros_like(weights), weights, color)
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="$w_1$", ylabel="$w_2$")


@look()
def draw_illustration(shown: Illustration) -> Figure:
    """Fig 2 in three panels; squares are class 1, circles class 2, as in the paper."""
    figure = new_figure(7.2, 2.65)
    left, middle, right = figure.subplots(1, 3)
    _arrows(left, shown.starts, shown.ends, model_style("cdelm").color, gap=3.0)
    for (code, rows), marker, color in zip(_classes(shown), "so", ("#ffffff", "#bbbbbb"), strict=True):
        points = {"marker": marker, "markerfacecolor": color, "markeredgecolor": "#222222", "linestyle": "none"}
        left.plot(shown.X[rows, 0], shown.X[rows, 1], label=f"class {code + 1}", markersize=4.5, zorder=3, **points)
    low, high = shown.X.min() - 0.25, shown.X.max() + 0.25
    left.set(title="(a) Differences of pairs", xlabel="$x_1$", ylabel="$x_2$")
    left.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    left.legend(loc="upper left", handlelength=1.0)
    reach = 1.08 * float(np.abs(np.vstack([shown.elm, shown.cdelm])).max())
    _draw_weights(middle, shown.elm, model_style("elm").color, reach)
    middle.set_title("(b) Weight vectors of ELM")
    _draw_weights(right, shown.cdelm, model_style("cdelm").color, reach)
    right.set_title("(c) Weight vectors of CDELM")
    return figure
