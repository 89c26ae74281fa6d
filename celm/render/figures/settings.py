"""The map of spiral settings: one block per statement of the paper, one square per setting."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from celm.render.figures.canvas import look, new_figure

# A distance this large is drawn white; a statement that is met is drawn in full colour.
FARTHEST = 0.3
FULL = (0.13, 0.40, 0.67)


def shade(distance: float) -> tuple[float, float, float]:
    """From full blue (statement met, distance 0) to white (:data:`FARTHEST` or more)."""
    white = min(1.0, 0.35 + 0.65 * distance / FARTHEST) if distance > 0 else 0.0
    red, green, blue = (channel + (1.0 - channel) * white for channel in FULL)
    return red, green, blue


def _draw_block(axes: Axes, rows: pd.DataFrame, value: str, distance: str) -> None:
    """Turns across, scales down; each square tells the measured value and is shaded by its distance."""
    turns, scales = sorted(rows["turns"].unique()), sorted(rows["scale"].unique())
    for _, row in rows.iterrows():
        x, y = turns.index(row["turns"]), scales.index(row["scale"])
        met = row[distance] == 0
        axes.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=shade(row[distance]), edgecolor="white"))
        ink, weight = ("white", "bold") if met else ("#222222", "normal")
        text = f"{round(row[value], 3) + 0.0:.3f}".replace("0.", ".", 1)
        axes.text(x, y, text, ha="center", va="center", fontsize=6.5, color=ink, weight=weight)
    axes.set(xlim=(-0.5, len(turns) - 0.5), ylim=(-0.5, len(scales) - 0.5))
    axes.set_xticks(range(len(turns)), [f"{turn:g}" for turn in turns])
    axes.set_yticks(range(len(scales)), [f"× {scale:g}" for scale in scales])
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)


@look()
def draw_settings(scores: pd.DataFrame, statements: Mapping[str, tuple[str, str]]) -> Figure:
    """``scores`` has a row per setting (turns, scale, noise, inner_radius); ``statements`` maps what the paper says
    to the columns of the value measured and of its distance.
    """
    columns = sorted(scores[["noise", "inner_radius"]].drop_duplicates().itertuples(index=False, name=None))
    figure = new_figure(1.9 * len(columns) + 0.8, 1.35 * len(statements) + 0.9)
    parts = figure.subfigures(len(statements), 1, squeeze=False)[:, 0]
    for place, (part, (statement, names)) in enumerate(zip(parts, statements.items(), strict=True)):
        part.suptitle(statement, fontsize=8, x=0.01, ha="left")
        axes = part.subplots(1, len(columns), squeeze=False, sharey=True)[0]
        for ax, (noise, radius) in zip(axes, columns, strict=True):
            chosen = scores[(scores["noise"] == noise) & (scores["inner_radius"] == radius)]
            _draw_block(ax, chosen, *names)
            if place == 0:
                ax.set_title(f"noise {noise:g}, inner radius {radius:g}", fontsize=7)
            if place == len(statements) - 1:
                ax.set_xlabel("turns")
        axes[0].set_ylabel("data scale")
    return figure
