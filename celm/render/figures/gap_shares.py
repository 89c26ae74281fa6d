"""What closes how much of a gap: one row per data set, from the baseline at 0 to the best method at 100 per cent."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from celm.base.names import dataset_label
from celm.render.figures.canvas import look, new_figure
from celm.render.style import ModelStyle

# Beyond so many per cent an interval is cut, with an arrow's head in its place.
LEFT, RIGHT = -45.0, 165.0


@look()
def draw_shares(shares: pd.DataFrame, styles: Mapping[str, ModelStyle], ends: tuple[str, str]) -> Figure:
    """``shares`` has dataset, name, share, share_low, share_high, gap; ``styles`` a look per name, ``ends`` two."""
    sets = list(dict.fromkeys(shares["dataset"]))
    figure = new_figure(7.2, 0.42 * len(sets) + 1.15)
    axes = figure.subplots()
    for place, words in zip((0.0, 100.0), ends, strict=True):
        axes.axvline(place, color="#555555", linewidth=0.9)
        axes.text(place, -0.95, words, ha="center", va="bottom", fontsize=8, color="#333333")
    offsets = [0.22 * (place - (len(styles) - 1) / 2) for place in range(len(styles))]
    for (name, style), offset in zip(styles.items(), offsets, strict=True):
        rows = shares[shares["name"] == name].set_index("dataset").loc[sets]
        low, high = (100 * rows[column].clip(LEFT / 100, RIGHT / 100) for column in ("share_low", "share_high"))
        places = [place + offset for place in range(len(sets))]
        axes.hlines(places, low, high, color=style.color, linewidth=1.3)
        axes.plot(
            100 * rows["share"],
            places,
            style.marker,
            color=style.color,
            markersize=5.5,
            linestyle="",
            label=style.label,
        )
    gaps = shares.drop_duplicates("dataset").set_index("dataset")["gap"]
    axes.set_yticks(range(len(sets)), [f"{dataset_label(name)}  (gap {100 * gaps[name]:.1f} points)" for name in sets])
    axes.set(xlim=(LEFT, RIGHT), ylim=(len(sets) - 0.5, -0.85), xlabel="share of the gap that is closed, per cent")
    axes.grid(visible=False, axis="y")
    figure.legend(loc="outside lower center", ncols=len(styles), handlelength=1.2)
    return figure
