"""How figures look and how they become files: the same numbers give the same bytes."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.style import context

LOOK: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.titlesize": 8.5,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "pdf.fonttype": 42,
    "svg.hashsalt": "celm",
}
# No dates and no program versions: a regenerated file differs only where its picture does.
METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
DOTS_PER_INCH = 200

# Tells every step of putting letters into a PDF.
logging.getLogger("fontTools").setLevel(logging.WARNING)


@contextmanager
def look() -> Iterator[None]:
    """Inside it, figures are drawn and saved in the style of the project, whatever the user's matplotlib settings."""
    with context(["default", LOOK], after_reset=True):
        yield


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that many inches, drawn by Agg, that no global state knows of."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def figure_files(figure: Figure, numbers: pd.DataFrame) -> dict[str, bytes]:
    """The bytes of every file of a figure by ending: png, svg, pdf and the plotted numbers as csv."""
    files = {}
    for ending, metadata in METADATA.items():
        buffer = io.BytesIO()
        with look():
            figure.savefig(buffer, format=ending, dpi=DOTS_PER_INCH, metadata=metadata)
        files[ending] = buffer.getvalue()
    files["csv"] = numbers.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()
    return files
