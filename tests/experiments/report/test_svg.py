"""Curves as SVG: the axes hold every interval, ticks are round, a line passes through its means."""

import re

import numpy as np
import pandas as pd
import pytest

from celm.analysis.curve_means import Panel
from experiments.report.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Curve,
    Scale,
    curve_figure,
    curve_panel,
    curves_of,
    in_a_square,
    plane,
    ticks,
)

CURVE = Curve([5, 10, 15], mean=[0.5, 0.7, 0.9], low=[0.4, 0.6, 0.8], high=[0.6, 0.8, 1.02])
PANEL = Panel(
    "WDBC",
    pd.DataFrame(
        {"model": "elm", "n_hidden": CURVE.counts, "accuracy_mean": CURVE.mean, "ci_low": CURVE.low,
         "ci_high": CURVE.high, "rounds": 3}
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("ends", "about", "expected"),
    [
        ((0.43, 1.0), 5, [0.6, 0.8, 1.0]),
        ((5, 200), 6, [50, 100, 150, 200]),
        ((0.93, 0.978), 5, [0.93, 0.94, 0.95, 0.96, 0.97]),
        ((100, 2000), 6, [500, 1000, 1500, 2000]),
    ],
)
def test_ticks_are_round_and_inside(ends, about, expected):
    assert ticks(*ends, about) == pytest.approx(expected)


def test_the_axes_reach_from_the_lowest_to_the_highest_interval():
    scale = Scale([CURVE])
    assert (scale.x(5), scale.x(15)) == (LEFT, WIDTH - RIGHT)
    assert (scale.y(0.4), scale.y(1.0)) == (HEIGHT - BOTTOM, TOP)
    assert scale.y(1.02) == TOP  # no accuracy is above one


def test_a_line_passes_through_its_means():
    scale = Scale([CURVE])
    path = re.search(r'class="line" d="M([^"]+)"', curve_panel(PANEL))
    points = [tuple(map(float, pair.split())) for pair in path[1].split("L")]
    expected = [(scale.x(n), scale.y(a)) for n, a in zip([5, 10, 15], [0.5, 0.7, 0.9], strict=True)]
    assert points == [pytest.approx(point, abs=0.06) for point in expected]


def test_a_single_node_count_has_a_place():
    assert Scale([Curve([5], [0.5], [0.5], [0.5])]).x(5) == LEFT


def test_the_curves_of_a_panel_are_its_means_and_intervals_and_a_single_round_has_none():
    assert curves_of(PANEL) == {"elm": CURVE}
    once = Panel("x", PANEL.curves.assign(ci_low=np.nan, ci_high=np.nan))
    assert curves_of(once)["elm"].low == curves_of(once)["elm"].high == CURVE.mean


def test_a_figure_has_a_plot_per_panel_under_one_legend():
    text = curve_figure("fig4", "Fig 4", [PANEL, PANEL._replace(title="MDD-fac")])
    assert text.count('class="plot"') == 2
    assert text.count('data-model="elm"') - text.count('<g class="curve') == 1
    assert "WDBC, 3 rounds" in text


POINTS = pd.DataFrame({"x": [0.0, 10.0, 5.0], "y": [0.0, 5.0, 5.0], "label": [7, 3, 7]})


def test_planes_fill_a_square_and_keep_their_shape():
    square = in_a_square(POINTS)
    assert square[:, 0].tolist() == [0.0, 1.0, 0.5]
    assert square[:, 1].tolist() == [0.75, 0.25, 0.25]  # the picture's y points down


def test_a_plane_has_a_dot_per_point_and_a_sign_per_class():
    text = plane("elm", POINTS)
    assert text.count("h0") == 3
    assert re.findall(r">(\d)</text>", text) == ["3", "7"]
