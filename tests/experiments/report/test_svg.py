"""Curves as SVG: the axes hold every interval, ticks are round, a line passes through its means."""

import re

import pytest

from experiments.report.curves import Curve, CurveFigure, CurvePanel, Plane
from experiments.report.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Scale,
    curve_figure,
    curve_panel,
    plane,
    ticks,
)

CURVE = Curve([5, 10, 15], mean=[0.5, 0.7, 0.9], low=[0.4, 0.6, 0.8], high=[0.6, 0.8, 1.02])
PANEL = CurvePanel("WDBC", 3, {"elm": CURVE})


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
    scale = Scale(PANEL)
    assert (scale.x(5), scale.x(15)) == (LEFT, WIDTH - RIGHT)
    assert (scale.y(0.4), scale.y(1.0)) == (HEIGHT - BOTTOM, TOP)
    assert scale.y(1.02) == TOP  # no accuracy is above one


def test_a_line_passes_through_its_means():
    scale = Scale(PANEL)
    path = re.search(r'class="line" d="M([^"]+)"', curve_panel(PANEL))
    points = [tuple(map(float, pair.split())) for pair in path[1].split("L")]
    expected = [(scale.x(n), scale.y(a)) for n, a in zip([5, 10, 15], [0.5, 0.7, 0.9], strict=True)]
    assert points == [pytest.approx(point, abs=0.06) for point in expected]


def test_a_single_node_count_has_a_place():
    assert Scale(CurvePanel("x", 1, {"elm": Curve([5], [0.5], [0.5], [0.5])})).x(5) == LEFT


def test_a_figure_without_records_says_what_is_missing():
    text = curve_figure(CurveFigure("fig5", "Fig 5", [], ["fig5a", "fig5b"]))
    assert "Not run: fig5a, fig5b." in text
    assert "<svg" not in text


def test_a_plane_has_a_dot_per_point_and_a_sign_per_class():
    text = plane(Plane("elm", [0.0, 1.0, 0.5], [0.0, 0.5, 1.0], [7, 3, 7]))
    assert text.count("h0") == 3
    assert re.findall(r">(\d)</text>", text) == ["3", "7"]
