"""Protocols beside the paper: bias against RMS of every one, what chance would reach shaded."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from celm.render.figures.canvas import look, new_figure

CHANCE, KEPT, OTHER = "#bbbbbb", "#1a1a6e", "#e69f00"


@look()
def draw_protocols(fits: pd.DataFrame, chance: Mapping[str, float], named: Mapping[str, str]) -> Figure:
    """Columns name, bias, rms, kept of ``fits``, in points; ``chance``: bias, rms_low, rms_high of random numbers.

    ``named``: protocols that are written out, by the words before their name.
    """
    figure = new_figure(7.0, 4.2)
    axes = figure.subplots()
    corner, size = (-chance["bias"], chance["rms_low"]), (2 * chance["bias"], chance["rms_high"] - chance["rms_low"])
    words = "95 % of random papers, ±3 points"
    axes.add_patch(Rectangle(corner, *size, color=CHANCE, alpha=0.5, linewidth=0, label=words))
    for kept, color, marker, label in ((False, OTHER, "o", "told apart from the paper"), (True, KEPT, "s", "kept")):
        rows = fits[fits["kept"] == kept]
        axes.scatter(rows["bias"], rows["rms"], c=color, marker=marker, s=18, label=f"{label} ({len(rows)})", zorder=3)
    for name, told in named.items():
        row = fits[fits["name"] == name].iloc[0]
        # Below all points, where nothing else is drawn, with a line to its own.
        line = {"arrowstyle": "-", "linewidth": 0.5, "shrinkB": 2}
        place = (row["bias"], 0.6 * float(fits["rms"].min()))
        axes.annotate(f"{told}: {name}", (row["bias"], row["rms"]), place, fontsize=7, ha="center", arrowprops=line)
    axes.axvline(0.0, color="black", linewidth=0.6)
    axes.set(xlabel="bias, ours − paper, points", ylabel="RMS, points", ylim=(0.0, None))
    # A ground of its own, so that no line runs through its words.
    axes.legend(fontsize=7, frameon=True, framealpha=1.0, edgecolor="none", loc="upper right")
    return figure
