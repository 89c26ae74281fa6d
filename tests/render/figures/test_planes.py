"""Fig 6: every point is drawn where its record says, as the digit it stands for."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb

from celm.base.names import model_label
from celm.render.figures import draw_planes, plane_points
from celm.render.figures.planes import heart
from celm.render.style import CLASS_COLORS

ROWS = [
    {"model": "cdelm", "round": 0, "plane_x": [1.0, 2.0, 5.0], "plane_y": [0.5, 0.0, -1.0], "plane_label": [3, 3, 7]},
    {"model": "cdelm", "round": 1, "plane_x": None, "plane_y": None, "plane_label": None},
    {"model": "elm", "round": 0, "plane_x": [9.0, 8.0, 7.0], "plane_y": [1.0, 1.0, 2.0], "plane_label": [3, 3, 7]},
]


def test_points_come_from_the_round_that_keeps_them_in_the_papers_order():
    points = plane_points(pd.DataFrame(ROWS))
    assert list(points["model"]) == ["elm"] * 3 + ["cdelm"] * 3
    assert list(points["x"]) == [9.0, 8.0, 7.0, 1.0, 2.0, 5.0]
    assert list(points["label"]) == [3, 3, 7] * 2


def test_a_panel_per_model_draws_classes_as_their_digits_in_one_colour_each():
    figure = draw_planes(plane_points(pd.DataFrame(ROWS)), {"elm": "bad", "cdelm": "good"})
    elm, cdelm, empty = figure.axes
    assert elm.get_title() == f"{model_label('elm')}\nbad"
    assert cdelm.get_title() == f"{model_label('cdelm')}\ngood"
    assert not empty.axison
    for ax in (elm, cdelm):
        assert [line.get_marker() for line in ax.get_lines()] == ["$3$", "$7$"]
        assert [line.get_color() for line in ax.get_lines()] == list(CLASS_COLORS[:2])
        assert [text.get_text() for text in ax.texts] == ["3", "7"]
    np.testing.assert_array_equal(cdelm.get_lines()[0].get_xydata(), [[1.0, 0.5], [2.0, 0.0]])
    assert cdelm.texts[0].get_position() == (1.0, 0.5)


def test_the_heart_of_a_class_in_two_pieces_is_inside_the_larger_one():
    small = np.random.default_rng(0).normal(-10, 1, size=(40, 2))
    large = np.random.default_rng(1).normal(+10, 1, size=(60, 2))
    place = heart(np.vstack([small, large]))
    assert place.tolist() in large.tolist()
    assert np.abs(place - 10).max() < 1


def test_ten_classes_have_ten_colours():
    assert len({to_rgb(color) for color in CLASS_COLORS}) == 10
