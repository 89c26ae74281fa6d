"""Pages: which panel holds what."""

import numpy as np
import pandas as pd

from celm.base.names import model_label
from celm.render.figures import Panel, draw_cutoffs, draw_panels, draw_spiral


def curves_of(mean, rank=5.0):
    rows = [
        {"model": model, "n_hidden": n, "accuracy_mean": mean, "ci_low": mean - 0.01, "ci_high": mean + 0.01,
         "rank_mean": rank, "rounds": 10}
        for model in ("elm", "cdelm")
        for n in (10, 20, 30)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def heights(axes, model):
    (line,) = [line for line in axes.get_lines() if line.get_label() == model_label(model)]
    return set(line.get_ydata())


def test_spiral_has_its_data_on_top_and_its_curves_below():
    points = pd.DataFrame({"x": [0.5, -0.5, 1.0], "y": [0.1, -0.1, -1.0], "arm": [0, 1, 1]})
    top, bottom = draw_spiral(points, curves_of(0.75)).axes
    assert top.get_position().y0 > bottom.get_position().y0
    shown = np.vstack([line.get_xydata() for line in top.get_lines()])
    np.testing.assert_array_equal(shown, points[["x", "y"]])
    assert heights(bottom, "elm") == {0.75}


def test_every_panel_has_its_own_curves_and_title():
    shown = [Panel(f"panel {i}", curves_of(0.5 + i / 10)) for i in range(3)]
    figure = draw_panels(shown, columns=2)
    assert [axes.get_title() for axes in figure.axes] == ["panel 0", "panel 1", "panel 2", ""]
    assert [heights(axes, "cdelm") for axes in figure.axes[:3]] == [{0.5}, {0.6}, {0.7}]
    assert not figure.axes[3].axison
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [model_label("elm"), model_label("cdelm")]


def test_a_single_round_is_not_said_to_have_bands():
    alone = curves_of(0.5).assign(ci_low=np.nan, ci_high=np.nan, rounds=1)
    told = [
        draw_panels([Panel("panel", curves)], 1).legends[0].get_title().get_text() for curves in (curves_of(0.5), alone)
    ]
    assert ["bands are" in words for words in told] == [True, False]


def test_panels_are_comparable_when_asked():
    shown = [Panel("low", curves_of(0.2)), Panel("high", curves_of(0.9))]
    low, high = draw_panels(shown, columns=2, share_y=True).axes
    assert low.get_ylim() == high.get_ylim()


def test_cutoffs_share_their_scale_and_the_rank_is_the_first_ones():
    shown = {"matlab": curves_of(0.8, rank=7.0), "numpy": curves_of(0.9, rank=8.0), "none": curves_of(1.0, rank=9.0)}
    *accuracies, rank = draw_cutoffs(shown).axes
    assert [heights(axes, "elm") for axes in accuracies] == [{0.8}, {0.9}, {1.0}]
    assert len({axes.get_ylim() for axes in accuracies}) == 1
    assert heights(rank, "elm") == {7.0}
    assert not rank.collections


def test_panels_along_different_axes_are_all_labelled():
    shown = [Panel("a", curves_of(0.5), "Layer"), Panel("b", curves_of(0.6), "Module"), Panel("c", curves_of(0.7))]
    figure = draw_panels(shown, columns=2)
    assert [axes.get_xlabel() for axes in figure.axes[:3]] == ["Layer", "Module", "Hidden nodes"]
