"""The critical-difference diagram: mean ranks of methods on a line, bars over those that do not differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from celm.base.names import model_label
from celm.render.figures.canvas import look, new_figure
from celm.render.style import model_style

ROW = 0.55


@look()
def draw_ranks(ranks: Mapping[str, float], difference: float, groups: Sequence[Sequence[str]], title: str) -> Figure:
    """``ranks`` by model (1 is best), Nemenyi's ``difference`` as a scale, a bar under every group within it."""
    ordered = sorted(ranks, key=lambda model: ranks[model])
    left, right = ordered[: (len(ordered) + 1) // 2], ordered[(len(ordered) + 1) // 2 :][::-1]
    first, last = 1.0, float(len(ordered))
    top = 0.6 + 0.28 * len(groups)
    height = top + ROW * len(left) + 0.3
    figure = new_figure(7.2, 0.42 * height + 1.0)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(first - 2.6, last + 2.6), ylim=(-height, 1.5), title=title)
    _axis(axes, first, last)
    axes.plot([first, first + difference], [1.0, 1.0], color="black", linewidth=1.5, marker="|", markersize=5)
    scale = f"critical difference {difference:.2f}"
    axes.text(first + difference / 2, 1.1, scale, ha="center", va="bottom", fontsize=7)
    for place, group in enumerate(groups):
        y = -0.35 - 0.28 * place
        ends = [min(ranks[model] for model in group) - 0.04, max(ranks[model] for model in group) + 0.04]
        axes.plot(ends, [y, y], color="#444444", linewidth=3.0, solid_capstyle="butt")
    for side, models in (("right", left), ("left", right)):
        for place, model in enumerate(models):
            _name(axes, model, ranks[model], -top - ROW * place, first - 0.3 if side == "right" else last + 0.3, side)
    return figure


def _axis(axes: Axes, first: float, last: float) -> None:
    axes.plot([first, last], [0, 0], color="black", linewidth=0.9)
    for tick in range(int(first), int(last) + 1):
        axes.plot([tick, tick], [0, 0.12], color="black", linewidth=0.9)
        axes.text(tick, 0.18, str(tick), ha="center", va="bottom", fontsize=7)


def _name(axes: Axes, model: str, rank: float, y: float, x: float, side: str) -> None:
    """A line from a mean rank to its name at the edge; ``side`` is how the name is aligned."""
    color = model_style(model).color
    axes.plot([rank, rank, x], [0, y, y], color=color, linewidth=0.9)
    text = f"{model_label(model)} {rank:.2f}" if side == "right" else f"{rank:.2f} {model_label(model)}"
    axes.text(x + (-0.08 if side == "right" else 0.08), y, text, ha=side, va="center", fontsize=7.5)
