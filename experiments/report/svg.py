"""Curves with intervals and points in the plane as inline SVG: seen without scripts, alive with them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from celm.analysis.curve_means import Panel
from celm.base.names import model_label
from celm.render.figures.planes import heart
from celm.render.style import CLASS_COLORS, model_style
from experiments.report.markup import Html, tag

# Size of a plot and of the room around its axes, in the units of its view box.
WIDTH, HEIGHT = 360, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 18, 8, 34
PLANE = 300
DASHES = {"-": "", "--": "6 3", "-.": "7 3 2 3", ":": "2 3"}


class Curve(NamedTuple):
    """Mean accuracy of one model with its 95 % interval, at every node count."""

    counts: list[int]
    mean: list[float]
    low: list[float]
    high: list[float]


def curves_of(panel: Panel) -> dict[str, Curve]:
    """The curves of a panel by model; where a single round has no interval, its limits are the mean."""
    found = {}
    for model, rows in panel.curves.groupby("model", sort=False):
        mean = rows["accuracy_mean"]
        ends = (mean, rows["ci_low"].fillna(mean), rows["ci_high"].fillna(mean))
        numbers = (np.round(values.to_numpy(float), 4).tolist() for values in ends)
        found[str(model)] = Curve([int(count) for count in rows["n_hidden"]], *numbers)
    return found


class Scale:
    """From data to the plot: x and y of its axes and where they lie."""

    def __init__(self, curves: Iterable[Curve]) -> None:
        curves = list(curves)
        counts = [count for curve in curves for count in curve.counts]
        lows = [low for curve in curves for low in curve.low]
        highs = [high for curve in curves for high in curve.high]
        self.left, self.right = min(counts), max(counts)
        self.bottom, self.top = max(0.0, min(lows)), min(1.0, max(highs))

    def x(self, count: float) -> float:
        """Where a node count stands."""
        return LEFT + (count - self.left) / ((self.right - self.left) or 1) * (WIDTH - LEFT - RIGHT)

    def y(self, accuracy: float) -> float:
        """Where an accuracy stands; what an interval has beyond the axis ends at it."""
        share = (min(max(accuracy, self.bottom), self.top) - self.bottom) / ((self.top - self.bottom) or 1)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def attributes(self) -> dict[str, str]:
        """The axes and their place, for the script that finds the values under the pointer."""
        axes = (self.left, self.right, self.bottom, self.top)
        place = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, TOP)
        return {"data-axes": json.dumps(axes), "data-place": json.dumps(place)}


def ticks(low: float, high: float, about: int) -> list[float]:
    """Round numbers between two ends, about so many."""
    step = 10 ** math.floor(math.log10((high - low) / about or 1))
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= about)
    first = math.ceil(low / step - 1e-9)
    return [round(n * step, 10) for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _line(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _axes(scale: Scale) -> list[Html]:
    parts = []
    for value in ticks(scale.bottom, scale.top, 5):
        y = f"{scale.y(value):.1f}"
        parts.append(tag("path", {"class": "grid", "d": f"M{LEFT} {y}H{WIDTH - RIGHT}"}))
        parts.append(tag("text", {"x": str(LEFT - 5), "y": y, "dy": ".32em", "class": "end"}, f"{value:.3g}"))
    for value in ticks(scale.left, scale.right, 6):
        x = f"{scale.x(value):.1f}"
        parts.append(tag("text", {"x": x, "y": str(HEIGHT - BOTTOM + 14), "class": "mid"}, f"{value:g}"))
    middle = str((LEFT + WIDTH - RIGHT) // 2)
    parts.append(tag("text", {"x": middle, "y": str(HEIGHT - 4), "class": "mid"}, "hidden nodes"))
    return parts


def _curve(model: str, curve: Curve, scale: Scale) -> Html:
    """A line, its interval as a band, and a sign at every few points."""
    style = model_style(model)
    x = [scale.x(count) for count in curve.counts]
    upper = [(a, scale.y(b)) for a, b in zip(x, curve.high, strict=True)]
    lower = [(a, scale.y(b)) for a, b in zip(x, curve.low, strict=True)]
    mean = [(a, scale.y(b)) for a, b in zip(x, curve.mean, strict=True)]
    parts = [
        tag("path", {"class": "band", "d": _line(upper + lower[::-1]) + "Z"}),
        tag("path", {"class": "line", "d": _line(mean), "stroke-dasharray": DASHES[style.line]}),
    ]
    if style.marker:
        signs = mean[:: max(1, len(mean) // 12)]
        shape = "m-3 2.5h6l-3-5.5z" if style.marker == "^" else "m-2.5-2.5l5 5m0-5l-5 5"
        parts.append(tag("path", {"class": "sign", "d": "".join(f"M{a:.1f} {b:.1f}{shape}" for a, b in signs)}))
    return tag("g", {"class": f"curve m-{model}", "data-model": model}, *parts)


def curve_panel(panel: Panel) -> Html:
    """One plot with its title; the numbers ride along for the script."""
    found = curves_of(panel)
    scale, rounds = Scale(found.values()), int(panel.curves["rounds"].max())
    curves = [_curve(model, curve, scale) for model, curve in found.items()]
    view = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "aria-hidden": "true", **scale.attributes()}
    drawing = tag("svg", view, *_axes(scale), *curves, tag("g", {"class": "cursor"}))
    numbers = {model: [curve.counts, curve.mean, curve.low, curve.high] for model, curve in found.items()}
    place = {
        "class": "plot",
        "tabindex": "0",
        "role": "group",
        "aria-label": f"{panel.title}: accuracy against hidden nodes; arrow keys read the values",
        "data-curves": json.dumps(numbers, separators=(",", ":")),
    }
    plot = tag("div", place, drawing, tag("div", {"class": "tip", "role": "status"}))
    title = tag("figcaption", {}, f"{panel.title}, {rounds} round{'s' if rounds > 1 else ''}")
    return tag("figure", {}, title, plot)


def swatch(model: str) -> Html:
    """The line of a model for a legend."""
    style = model_style(model)
    line = tag("path", {"class": "line", "d": "M1 6H27", "stroke-dasharray": DASHES[style.line]})
    shapes = {"^": "M11 8.5h6l-3-5.5z", "x": "M11.5 3.5l5 5m0-5l-5 5"}
    sign = tag("path", {"class": "sign", "d": shapes[style.marker]}) if style.marker else ""
    return tag("svg", {"class": f"swatch m-{model}", "viewBox": "0 0 28 12", "aria-hidden": "true"}, line, sign)


def curve_figure(name: str, title: str, panels: Sequence[Panel]) -> Html:
    """A figure of curves under one legend; its buttons show and hide a method in every panel."""
    models = list(dict.fromkeys(model for panel in panels for model in panel.curves["model"]))
    pressed = {"type": "button", "aria-pressed": "true"}
    buttons = [tag("button", {**pressed, "data-model": model}, swatch(model), model_label(model)) for model in models]
    legend = tag("div", {"class": "legend", "role": "group", "aria-label": f"{title}: methods shown"}, *buttons)
    plots = tag("div", {"class": "plots"}, *map(curve_panel, panels))
    return tag("div", {"class": "curves", "id": name}, tag("h3", {}, title), legend, plots)


def in_a_square(points: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Points in the plane, their shape kept, inside a square of 0 to 1 whose y points down."""
    xy = points[["x", "y"]].to_numpy(float)
    size = float(np.ptp(xy, axis=0).max()) or 1.0
    square: npt.NDArray[np.float64] = np.round(0.5 + (xy - (xy.max(axis=0) + xy.min(axis=0)) / 2) / size, 4)
    square[:, 1] = 1 - square[:, 1]
    return square


def plane(model: str, shown: pd.DataFrame) -> Html:
    """The points of one model (columns x, y, label), a colour per class, and the class's sign at its heart."""
    places, label = in_a_square(shown) * PLANE, shown["label"].to_numpy(int)
    parts, signs = [], []
    for place, one in enumerate(np.unique(label)):
        points = places[label == one]
        dots = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in points)
        parts.append(tag("path", {"class": f"dots c-{place % len(CLASS_COLORS)}", "d": dots}))
        a, b = heart(points)
        signs.append(tag("text", {"x": f"{a:.0f}", "y": f"{b:.0f}", "dy": ".35em", "class": "mid"}, str(one)))
    name = model_label(model)
    view = {"viewBox": f"-6 -6 {PLANE + 12} {PLANE + 12}", "role": "img", "aria-label": f"{name}: digits in the plane"}
    return tag("figure", {}, tag("figcaption", {}, name), tag("svg", view, *parts, *signs))
