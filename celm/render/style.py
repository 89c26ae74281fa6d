"""Colours, lines and markers: of models as their entries say, of classes, and of the factors of the weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from celm.base.names import model_label


class ModelStyle(NamedTuple):
    """How a model is called and drawn."""

    label: str
    color: str
    line: str = "-"
    marker: str = ""


# What is told of the models, in the order in which they are shown: see :func:`celm.base.names.tell_models`.
STYLES: dict[str, ModelStyle] = {}
UNKNOWN_COLOR, UNKNOWN_LINE = "#7f7f7f", ":"

# Ten classes in the plane: Paul Tol's muted scheme and its grey, told apart by colour-blind readers.
CLASS_COLORS = (
    "#332288",
    "#cc6677",
    "#117733",
    "#88ccee",
    "#aa4499",
    "#999933",
    "#882255",
    "#44aa99",
    "#ddaa33",
    "#777777",
)

# The levels of the factors of the weights: directions by name; scales by colour, lightness and marker, light to dark.
DIRECTION_LABELS: dict[str, str] = {
    "random": "random",
    "gaussian": "Gaussian,\ndata covariance",
    "samples": "samples",
    "class_sums": "class\nsums",
    "class_differences": "class\ndifferences",
}
SCALE_STYLES: dict[str, ModelStyle] = {
    "none": ModelStyle("as drawn", "#e69f00", marker="o"),
    "l2": ModelStyle("l2 norm 1", "#1e90ff", marker="^"),
    "squared": ModelStyle("over squared norm", "#1a1a6e", marker="s"),
}
BIAS_LABELS: dict[str, str] = {"uniform": "uniform bias", "midpoint": "midpoint bias"}


def tell_styles(styles: Mapping[str, ModelStyle]) -> None:
    """Make the models of ``styles`` all whose colours are known."""
    STYLES.clear()
    STYLES.update(styles)


def model_style(name: str) -> ModelStyle:
    """How a model is drawn; one of which nothing was told is dotted grey under its own name."""
    return STYLES.get(name, ModelStyle(model_label(name), UNKNOWN_COLOR, UNKNOWN_LINE))
