"""Fig 3: the spiral and its curves, with all our models, on the spiral that was calibrated, and under three cutoffs."""

from __future__ import annotations

from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from celm.datasets.spiral import SpiralParams, make_spiral
from celm.render.figures import Panel, curve_data, draw_cutoffs, draw_spiral, panel_numbers
from experiments.analysis import Analysis, Frames, Picture
from experiments.papers.celm.analyses.paper_curves import of_the_paper
from experiments.report.svg import curve_figure

STATED, QUARTER = "fig3", "fig3+spiral_quarter"
TITLES = {
    STATED: "stated range, shape calibrated: Spiral",
    QUARTER: "2.25 turns, a quarter in size (calibrated): Spiral",
}
CUTOFFS = {
    STATED: "MATLAB's cutoff, max(size)·eps(‖H‖)",
    "fig3+numpy_cutoff": "Cutoff 1e-15·‖H‖, numpy's",
    "fig3+no_cutoff": "No cutoff, plain least squares",
}


class Spiral(NamedTuple):
    """The points of a spiral (x, y, arm), and the panels of curves on it."""

    points: pd.DataFrame
    panels: list[Panel]


def spiral_points(frame: pd.DataFrame) -> pd.DataFrame:
    """The spiral that some records were made on, drawn again from what they say of it."""
    first = frame.iloc[0]
    settings: dict[str, Any] = {field.name: first[f"dataset_{field.name}"].item() for field in fields(SpiralParams)}
    data = make_spiral(SpiralParams(**settings))
    points: pd.DataFrame = pd.DataFrame({"x": data.X[:, 0], "y": data.X[:, 1], "arm": data.y})
    return points


def find(frames: Frames, *, extended: bool) -> Spiral:
    """The curves of every study given, and the points of the first."""
    shown = {name: frame if extended else of_the_paper(frame) for name, frame in frames.items()}
    panels = [Panel(TITLES[name], curve_data(frame)) for name, frame in shown.items()]
    return Spiral(spiral_points(next(iter(frames.values()))), panels)


def drawn(found: Spiral, *, extended: bool) -> Picture:
    """The spiral on top, its curves below."""
    first = found.panels[0]._replace(title="Spiral")
    others = {} if extended else {"points": found.points}
    return Picture(draw_spiral(found.points, first.curves), panel_numbers([first]), others)


def cutoffs(frames: Frames) -> list[Panel]:
    """The curves under three cutoffs of the pseudo-inverse."""
    return [Panel(title, curve_data(of_the_paper(frames[name]))) for name, title in CUTOFFS.items()]


def drawn_cutoffs(panels: list[Panel]) -> Picture:
    """The three, and the rank of H."""
    return Picture(draw_cutoffs({panel.title: panel.curves for panel in panels}), panel_numbers(panels))


def spiral_figure(name: str, study: str, about: str) -> Analysis[Spiral]:
    """The figure of one study with the paper's models."""
    find_, draw = partial(find, extended=False), partial(drawn, extended=False)
    return Analysis(name=name, about=about, reads=(study,), find=find_, picture=draw)


FIG3 = spiral_figure("fig3", STATED, "Fig 3: the spiral in the stated range, its shape calibrated")
FIG3_QUARTER = spiral_figure(
    "fig3_quarter", QUARTER, "Fig 3 on the spiral that was chosen by what the paper says of it: calibrated"
)
FIG3_EXTENDED = Analysis(
    name="fig3_extended",
    about="Fig 3: the spiral, with normalized ELM",
    reads=(STATED, QUARTER),
    needs=(STATED,),
    find=partial(find, extended=True),
    picture=partial(drawn, extended=True),
    section=lambda found: curve_figure("fig3", "Fig 3: the spiral", found.panels),
    chapter="Curves",
)
FIG3_CUTOFF = Analysis(
    name="fig3_cutoff",
    about="Fig 3 under three cutoffs of the pseudo-inverse, with the numerical rank of H",
    reads=tuple(CUTOFFS),
    find=cutoffs,
    picture=drawn_cutoffs,
    chapter="Figures",
)
