"""Curves with intervals and points in the plane as inline SVG: seen without scripts, alive with them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np

from celm.base.names import model_label
from celm.render.figures.planes import heart
from celm.render.style import CLASS_COLORS, model_style
from experiments.report.curves import Curve, CurveFigure, CurvePanel, Plane
from experiments.report.markup import Html, tag

# Size of a plot and of the room around its axes, in the units of its view box.
WIDTH, HEIGHT = 360, 250
LEFT, RIGHT, TOP, BOTTOM = 40, 18, 8, 34
PLANE = 300
DASHES = {"-": "", "--": "6 3", "-.": "7 3 2 3", ":": "2 3"}


class Scale:
    """From data to the plot: x and y of its axes and where they lie."""

    def __init__(self, panel: CurvePanel) -> None:
        counts = [count for curve in panel.curves.values() for count in curve.counts]
        lows = [low for curve in panel.curves.values() for low in curve.low]
        highs = [high for curve in panel.curves.values() for high in curve.high]
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


def curve_panel(panel: CurvePanel) -> Html:
    """One plot with its title; the numbers ride along for the script."""
    scale = Scale(panel)
    curves = [_curve(model, curve, scale) for model, curve in panel.curves.items()]
    view = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "aria-hidden": "true", **scale.attributes()}
    drawing = tag("svg", view, *_axes(scale), *curves, tag("g", {"class": "cursor"}))
    numbers = {model: [curve.counts, curve.mean, curve.low, curve.high] for model, curve in panel.curves.items()}
    place = {
        "class": "plot",
        "tabindex": "0",
        "role": "group",
        "aria-label": f"{panel.title}: accuracy against hidden nodes; arrow keys read the values",
        "data-curves": json.dumps(numbers, separators=(",", ":")),
    }
    plot = tag("div", place, drawing, tag("div", {"class": "tip", "role": "status"}))
    title = tag("figcaption", {}, f"{panel.title}, {panel.rounds} round{'s' if panel.rounds > 1 else ''}")
    return tag("figure", {}, title, plot)


def swatch(model: str) -> Html:
    """The line of a model for a legend."""
    style = model_style(model)
    line = tag("path", {"class": "line", "d": "M1 6H27", "stroke-dasharray": DASHES[style.line]})
    shapes = {"^": "M11 8.5h6l-3-5.5z", "x": "M11.5 3.5l5 5m0-5l-5 5"}
    sign = tag("path", {"class": "sign", "d": shapes[style.marker]}) if style.marker else ""
    return tag("svg", {"class": f"swatch m-{model}", "viewBox": "0 0 28 12", "aria-hidden": "true"}, line, sign)


def curve_figure(figure: CurveFigure) -> Html:
    """A figure of curves under one legend; its buttons show and hide a method in every panel."""
    models = list(dict.fromkeys(model for panel in figure.panels for model in panel.curves))
    pressed = {"type": "button", "aria-pressed": "true"}
    buttons = [tag("button", {**pressed, "data-model": model}, swatch(model), model_label(model)) for model in models]
    legend = tag("div", {"class": "legend", "role": "group", "aria-label": f"{figure.title}: methods shown"}, *buttons)
    plots = tag("div", {"class": "plots"}, *(curve_panel(panel) for panel in figure.panels))
    missing = [tag("p", {"class": "quiet"}, f"Not run: {', '.join(figure.missing)}.")] if figure.missing else []
    heading = tag("h3", {}, figure.title)
    return tag("div", {"class": "curves", "id": figure.name}, heading, *([legend, plots] if models else []), *missing)


def plane(shown: Plane) -> Html:
    """The points of one model, a colour per class, and the class's sign at its heart."""
    x, y, label = np.array(shown.x) * PLANE, np.array(shown.y) * PLANE, np.array(shown.label)
    parts, signs = [], []
    for place, one in enumerate(sorted(set(shown.label))):
        points = np.column_stack([x[label == one], y[label == one]])
        dots = "".join(f"M{a:.0f} {b:.0f}h0" for a, b in points)
        parts.append(tag("path", {"class": f"dots c-{place % len(CLASS_COLORS)}", "d": dots}))
        a, b = heart(points)
        signs.append(tag("text", {"x": f"{a:.0f}", "y": f"{b:.0f}", "dy": ".35em", "class": "mid"}, str(one)))
    name = model_label(shown.model)
    view = {"viewBox": f"-6 -6 {PLANE + 12} {PLANE + 12}", "role": "img", "aria-label": f"{name}: digits in the plane"}
    return tag("figure", {}, tag("figcaption", {}, name), tag("svg", view, *parts, *signs))
