"""Accuracy against hidden nodes on axes: a line per model, a band for the 95 % interval of its mean."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from celm.analysis.curve_means import models_of
from celm.render.style import model_style

# What a band means, wherever one is drawn.
BAND = "Mean over rounds; bands are 95 % intervals of the mean."
ONE_ROUND = "A single round: no intervals."


def draw_curves(axes: Axes, curves: pd.DataFrame, column: str = "accuracy") -> None:
    """A line per model, with a band for the 95 % interval of its mean; its look is the model's own."""
    for model in models_of([curves]):
        rows = curves[curves["model"] == model]
        style = model_style(model)
        counts, mean = rows["n_hidden"].to_numpy(float), rows[f"{column}_mean"].to_numpy(float)
        if column == "accuracy" and rows["ci_low"].notna().any():
            low, high = (rows[end].fillna(rows["accuracy_mean"]).to_numpy(float) for end in ("ci_low", "ci_high"))
            axes.fill_between(counts, low, high, color=style.color, alpha=0.13, linewidth=0)
        axes.plot(
            counts,
            mean,
            label=style.label,
            color=style.color,
            linestyle=style.line,
            marker=style.marker or None,
            linewidth=1.2,
            markersize=3.6,
            markevery=max(1, len(counts) // 15),
        )
