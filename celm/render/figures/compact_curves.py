"""Small models at a glance: accuracy against nodes, against the time of one row, and of a row in a batch."""

from __future__ import annotations

from typing import Literal

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from celm.analysis.curve_means import models_of
from celm.render.figures.canvas import look, new_figure
from celm.render.style import model_style

# What runs along the axes, and its column.
ALONG = {
    "Hidden nodes": "n_hidden",
    "Milliseconds for one row": "row_ms",
    "Microseconds for a row of a batch": "batch_us",
}
DRAWN: Literal[":"] = ":"


@look()
def draw_compact(curves: pd.DataFrame) -> Figure:
    """``curves`` as :func:`~celm.analysis.small_models.compact_curves` has them: kept nodes whole, drawn dotted."""
    figure = new_figure(7.2, 3.6)
    axes = figure.subplots(1, len(ALONG), sharey=True)
    for model in models_of([curves]):
        rows, style = curves[curves["model"] == model], model_style(model)
        for ax, column in zip(axes, ALONG.values(), strict=True):
            # The time of one row hangs more on the moment than on the nodes: points, not a way from one to the next.
            alone = column == "row_ms"
            marker, line = (style.marker or "o", "none") if alone else (style.marker, style.line)
            shape = {"color": style.color, "marker": marker, "linestyle": line, "linewidth": 1.2, "markersize": 3}
            ax.plot(rows[column], rows["accuracy"], label=style.label if column == "n_hidden" else None, **shape)
        axes[0].plot(rows["n_hidden"], rows["drawn_accuracy"], color=style.color, linewidth=0.9, linestyle=DRAWN)
    for ax, words in zip(axes, ALONG, strict=True):
        ax.set(xlabel=words, xscale="log")
        ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        ax.xaxis.set_minor_formatter(NullFormatter())
    axes[0].set_ylabel("Test accuracy")
    handles, labels = axes[0].get_legend_handles_labels()
    handles += [Line2D([], [], color="#555555", linewidth=1.1), Line2D([], [], color="#555555", linestyle=DRAWN)]
    labels += ["the most useful nodes", "nodes as drawn"]
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure
