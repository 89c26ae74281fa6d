"""The map of spiral settings: every distance by hand, and the rule that ranks them."""

import pandas as pd
import pytest

from celm.analysis.spiral_map import (
    STATEMENTS,
    celm_distance,
    closest,
    drop_distance,
    elm_distance,
    lead_distance,
    place_of,
    scored,
)
from celm.render.figures import draw_settings
from celm.render.figures.settings import shade


@pytest.mark.parametrize(("accuracy", "distance"), [(1.0, 0.0), (0.99, 0.0), (0.97, 0.03), (0.5, 0.5)])
def test_distance_from_perfect(accuracy, distance):
    assert celm_distance(accuracy) == pytest.approx(distance)


@pytest.mark.parametrize(("accuracy", "distance"), [(0.8, 0.0), (0.84, 0.0), (0.9, 0.1), (1.0, 0.2), (0.6, 0.2)])
def test_distance_from_the_stated_accuracy_of_elm(accuracy, distance):
    assert elm_distance(accuracy) == pytest.approx(distance)


@pytest.mark.parametrize(("drop", "distance"), [(0.1, 0.0), (0.02, 0.0), (0.0, 0.02), (-0.1, 0.12)])
def test_distance_from_a_fall(drop, distance):
    assert drop_distance(drop) == pytest.approx(distance)


@pytest.mark.parametrize(("lead", "distance"), [(0.1, 0.0), (0.02, 0.0), (0.0, 0.02), (-0.1, 0.12)])
def test_distance_from_a_lead(lead, distance):
    assert lead_distance(lead) == pytest.approx(distance)


def test_more_statements_met_is_closer_then_the_smaller_distance(three_spirals):
    scores = scored(three_spirals)
    assert list(zip(scores["turns"], scores["scale"], scores["met"], strict=True)) == [
        (2.0, 0.25, 4),
        (2.0, 1.0, 3),
        (3.0, 1.0, 3),
    ]
    first, second, third = (row for _, row in scores.iterrows())
    assert first["distance"] == 0
    assert second["distance"] == pytest.approx(0.2)
    assert third["distance"] == pytest.approx(0.33)
    assert third["worst_celm"] == pytest.approx(0.67)
    assert third["elm"] == pytest.approx(0.82)
    assert third["orthogonal_drop"] == pytest.approx(0.65 - 0.6)
    assert third["orthogonal_peak_at"] == 50
    assert third["lead"] == pytest.approx(((0.67 - 0.61) + (1.0 - 0.82)) / 2)


def test_the_stated_range_leaves_shrunk_data_out(three_spirals):
    scores = scored(three_spirals)
    assert closest(scores, stated_range=False)["scale"] == 0.25
    assert closest(scores, stated_range=True)[["turns", "scale"]].tolist() == [2.0, 1.0]


def test_scores_do_not_depend_on_the_order_of_records(three_spirals):
    pd.testing.assert_frame_equal(
        scored(three_spirals), scored(three_spirals.sample(frac=1.0, random_state=3)), check_exact=True
    )


def test_the_place_of_a_setting(three_spirals):
    scores = scored(three_spirals)
    default = {"turns": 3.0, "noise": 0.0, "scale": 1.0, "inner_radius": 0.02, "seed": 0}
    assert place_of(scores, default) == 3
    assert place_of(scores, {**default, "turns": 7.0}) is None


def test_a_square_per_setting_and_statement_shaded_by_its_distance(three_spirals):
    figure = draw_settings(scored(three_spirals), STATEMENTS)
    blocks = figure.axes
    assert len(blocks) == len(STATEMENTS)
    assert [len(block.patches) for block in blocks] == [3, 3, 3, 3]
    texts = {text.get_text() for text in blocks[1].texts}
    assert texts == {"1.000", ".820"}
    brightness = [sum(shade(distance)) for distance in (0.0, 0.001, 0.1, 0.2, 0.3, 0.9)]
    assert brightness == sorted(brightness)
    assert shade(0.3) == shade(0.9) == (1.0, 1.0, 1.0)
