"""The figure of causes: a mark per combination where its number is, told apart without colour."""

from itertools import product

import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from celm.base.factors import BIASES, DIRECTIONS, SCALES
from celm.render.figures import draw_causes
from celm.render.figures.factor_plots import FLOOR
from celm.render.style import BIAS_LABELS, SCALE_STYLES


def numbers(dataset):
    rows = [
        {"dataset": dataset, "n_hidden": 200, "direction": d, "scale": s, "bias": b, "accuracy_mean": 0.8 + i / 1000,
         "above_elm": i / 1000, "low": i / 1000 - 0.01, "high": i / 1000 + 0.01}
        for i, (d, s, b) in enumerate(product(DIRECTIONS, SCALES, BIASES))
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_a_panel_per_data_set_in_order_with_every_combination():
    figure = draw_causes(pd.concat([numbers("mnist"), numbers("mdd_zer"), numbers("mdd_fac")]))
    *panels, empty = figure.axes
    assert [ax.get_title().split(",")[0] for ax in panels] == ["MDD-fac", "MDD-zer", "MNIST"]
    assert not empty.axison
    for ax in panels:
        marks = [line for line in ax.get_lines() if line.get_marker() not in ("", "None")]
        assert sum(len(line.get_xdata()) for line in marks) == len(DIRECTIONS) * len(SCALES) * len(BIASES)
        heights = sorted(float(y) for line in marks for y in line.get_ydata())
        assert heights == pytest.approx([0.1 * i for i in range(30)])
        assert ax.get_title().endswith("200 nodes (ELM 0.800)")


def test_scale_and_bias_are_told_apart_without_colour():
    figure = draw_causes(numbers("mdd_kar"))
    marks = [line for line in figure.axes[0].get_lines() if line.get_marker() not in ("", "None")]
    looks = {(line.get_marker(), to_rgb(line.get_markerfacecolor()) == (1.0, 1.0, 1.0)) for line in marks}
    assert len(looks) == len(SCALES) * len(BIASES)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == [*(style.label for style in SCALE_STYLES.values()), *BIAS_LABELS.values()]


def test_a_mark_far_below_elm_is_written_at_the_edge_and_presses_no_other():
    rows = numbers("mnist")
    rows.loc[0, ["above_elm", "low", "high"]] = [-0.61, -0.65, -0.57]
    far, near = draw_causes(rows).axes[0], draw_causes(numbers("mnist")).axes[0]
    assert far.get_ylim()[0] == FLOOR - 1.0
    assert near.get_ylim()[0] > -2.0
    assert [text.get_text() for text in far.texts] == ["-61", "ELM"]
    assert [text.get_text() for text in near.texts] == ["ELM"]
