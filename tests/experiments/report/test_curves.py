"""Curves and planes of the page: means, intervals, and nothing from a part of the records."""

import pytest
from scipy import stats

from celm.study.store import PublishedStore
from experiments.report.curves import curve_figures, planes


def test_a_curve_has_the_mean_and_the_t_interval_of_its_rounds(results):
    figure = next(figure for figure in curve_figures(results) if figure.name == "fig3")
    curve = figure.panels[0].curves["elm"]
    assert curve.counts == [10, 20]
    assert curve.mean == pytest.approx([0.61, 0.71])
    half = stats.t.ppf(0.975, 1) * 0.01  # two rounds 0.02 apart: a standard error of 0.01
    assert curve.high[0] - curve.mean[0] == pytest.approx(half, abs=1e-4)
    assert figure.missing == ["fig3+spiral_quarter"]


def test_a_part_of_the_records_draws_nothing(results):
    store = PublishedStore(results / "records")
    store.write("fig3", store.documents("fig3"), {"planned_cells": 5})
    figure = next(figure for figure in curve_figures(results) if figure.name == "fig3")
    assert not figure.panels
    assert "fig3" in figure.missing


def test_planes_fill_a_square_and_keep_their_shape(tmp_path):
    kept = {"plane_x": [0.0, 10.0, 5.0], "plane_y": [0.0, 5.0, 5.0], "plane_label": [1, 2, 1], "accuracy": 0.9}
    document = {
        "key": "k", "status": "ok", "seconds": 1.0, "provenance": {},
        "shared": {"dataset": "mnist", "model": "elm", "round": 0}, "records": [{"n_hidden": 10, **kept}],
    }  # fmt: skip
    PublishedStore(tmp_path / "records").write("fig6", {"k": document}, {"planned_cells": 1})
    (plane,) = planes(tmp_path)
    assert plane.x == [0.0, 1.0, 0.5]
    assert plane.y == [0.75, 0.25, 0.25]  # the picture's y points down
    assert plane.label == [1, 2, 1]


def test_no_records_no_planes(tmp_path):
    assert planes(tmp_path) == []
