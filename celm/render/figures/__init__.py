"""Figures: tidy frame -> the numbers that are plotted -> a matplotlib figure -> PNG, SVG, PDF. Nothing is fitted."""

from celm.analysis.curve_means import Panel, curve_data, curves_along, has_curves, panel_numbers, panels
from celm.render.figures.accuracy_curves import BAND
from celm.render.figures.canvas import figure_files
from celm.render.figures.compact_curves import draw_compact
from celm.render.figures.factor_plots import draw_causes
from celm.render.figures.forest import draw_forest
from celm.render.figures.illustration import Illustration, draw_illustration, illustration_data
from celm.render.figures.pages import draw_cutoffs, draw_panels, draw_spiral
from celm.render.figures.planes import draw_planes, plane_points
from celm.render.figures.ranks import draw_ranks
from celm.render.figures.settings import draw_settings
from celm.render.figures.spread_plots import draw_spread

__all__ = [
    "BAND",
    "Illustration",
    "Panel",
    "curve_data",
    "curves_along",
    "draw_causes",
    "draw_compact",
    "draw_cutoffs",
    "draw_forest",
    "draw_illustration",
    "draw_panels",
    "draw_planes",
    "draw_ranks",
    "draw_settings",
    "draw_spiral",
    "draw_spread",
    "figure_files",
    "has_curves",
    "illustration_data",
    "panel_numbers",
    "panels",
    "plane_points",
]
