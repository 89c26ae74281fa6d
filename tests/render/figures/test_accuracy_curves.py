"""Curves: the numbers that are plotted, and that a model looks the same wherever and whenever it is drawn."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from scipy import stats

from celm.analysis.curve_means import CURVE_COLUMNS
from celm.render.figures import Panel, curve_data, curves_along, draw_panels, has_curves, panel_numbers, panels
from celm.render.style import model_style

ACCURACIES = {("elm", 10): [0.5, 0.7], ("elm", 20): [0.6, 0.9], ("cdelm", 10): [0.8, 0.8], ("cdelm", 20): [1.0, 0.9]}


def frame_of(accuracies=ACCURACIES, **columns):
    rows = [
        {
            "dataset": "spiral",
            "model": model,
            "round": round_,
            "n_hidden": n_hidden,
            "accuracy": accuracy,
            "rank": n_hidden - round_,
            "cell": f"{model} {round_} {columns}",
            **columns,
        }
        for (model, n_hidden), values in accuracies.items()
        for round_, accuracy in enumerate(values)
    ]
    return pd.DataFrame(rows)


def test_mean_spread_and_rank_of_every_point():
    curves = curve_data(frame_of())
    assert list(curves.columns) == CURVE_COLUMNS
    assert list(zip(curves["model"], curves["n_hidden"], strict=True)) == list(ACCURACIES)
    for (_, row), values in zip(curves.iterrows(), ACCURACIES.values(), strict=True):
        assert row["accuracy_mean"] == pytest.approx(np.mean(values))
        assert row["accuracy_std"] == pytest.approx(np.std(values, ddof=1))
        assert row["rank_mean"] == pytest.approx(row["n_hidden"] - 0.5)
        assert row["rounds"] == 2


def test_curves_do_not_depend_on_the_order_of_records():
    """To the last digit: a picture made from another store has the same bytes."""
    values = np.random.default_rng(0).random((2, 10))
    frame = frame_of({("elm", 10): values[0], ("elm", 20): values[1]})
    for seed in range(5):
        shuffled = frame.sample(frac=1.0, random_state=seed)
        pd.testing.assert_frame_equal(curve_data(frame), curve_data(shuffled), check_exact=True)


def test_one_round_has_no_spread_and_a_missing_rank_is_no_rank():
    frame = frame_of({key: values[:1] for key, values in ACCURACIES.items()}).drop(columns="rank")
    curves = curve_data(frame)
    assert curves["accuracy_std"].isna().all()
    assert curves["rank_mean"].isna().all()


def test_a_model_with_one_node_count_per_cell_has_no_curve():
    chosen = frame_of({("bp", 50): [0.9, 0.9]})
    assert not has_curves(chosen)
    assert not has_curves(pd.DataFrame())
    both = pd.concat([frame_of(), chosen])
    assert has_curves(both)
    assert set(curve_data(both)["model"]) == {"elm", "cdelm"}


def test_one_panel_per_combination_of_swept_settings_in_the_order_of_their_values():
    frame = pd.concat([frame_of(dataset_turns=t, dataset_noise=n) for t in (10.0, 2.25) for n in (0.05, 0.0)])
    frame.loc[frame["dataset_turns"] == 10.0, "accuracy"] = 0.25
    shown = panels(frame, ["dataset_turns", "dataset_noise"])
    assert [panel.title for panel in shown] == [
        "Spiral, turns 2.25, noise 0",
        "Spiral, turns 2.25, noise 0.05",
        "Spiral, turns 10, noise 0",
        "Spiral, turns 10, noise 0.05",
    ]
    assert (shown[2].curves["accuracy_mean"] == 0.25).all()
    pd.testing.assert_frame_equal(shown[0].curves, curve_data(frame_of()))
    numbers = panel_numbers(shown)
    assert len(numbers) == 4 * len(ACCURACIES)
    assert list(numbers["panel"].unique()) == [panel.title for panel in shown]


def test_one_swept_setting_and_none():
    frame = pd.concat([frame_of(cutoff=name) for name in ("numpy", "matlab")])
    assert [panel.title for panel in panels(frame, ["cutoff"])] == ["Spiral, cutoff matlab", "Spiral, cutoff numpy"]
    sets = pd.concat([frame_of().assign(dataset=name, cell=name) for name in ("mdd_fac", "wdbc")])
    assert [panel.title for panel in panels(sets)] == ["WDBC", "MDD-fac"]


@pytest.mark.parametrize("models", [["elm", "orthogonal_elm", "selm"], ["selm", "elm"], ["cselm", "rselm", "cmelm"]])
def test_a_model_has_its_own_look_whatever_is_drawn_beside_it(models):
    curves = curve_data(frame_of({(model, n): [0.5, 0.6] for model in models for n in (10, 20)}))
    axes = draw_panels([Panel("one", curves)], columns=1).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert set(lines) == {model_style(model).label for model in models}
    for model in models:
        line, style = lines[model_style(model).label], model_style(model)
        assert to_hex(line.get_color()) == style.color
        assert line.get_linestyle() == style.line
        assert line.get_marker() == (style.marker or "None")
        np.testing.assert_allclose(line.get_xydata(), [[10, 0.55], [20, 0.55]])


def test_bands_are_intervals_of_the_mean():
    axes = draw_panels(
        [Panel("one", curve_data(frame_of({("elm", 10): [0.5, 0.7], ("elm", 20): [0.6, 0.9]})))], 1
    ).axes[0]
    (band,) = axes.collections
    outline = band.get_paths()[0].vertices
    for n_hidden, values in ((10, [0.5, 0.7]), (20, [0.6, 0.9])):
        heights = outline[outline[:, 0] == n_hidden, 1]
        low, high = stats.t.interval(0.95, 1, loc=np.mean(values), scale=stats.sem(values))
        assert (heights.min(), heights.max()) == pytest.approx((low, high))


def test_curves_can_run_along_another_column_of_other_cells():
    rows = [("linear_svm", atoms, round_, 0.6 + atoms / 1000) for atoms in (50, 25) for round_ in (0, 1)]
    frame = pd.DataFrame(rows, columns=["model", "atoms", "round", "accuracy"])
    frame["cell"], frame["n_hidden"] = range(4), None
    curves = curves_along(frame, "atoms")
    assert curves["n_hidden"].tolist() == [25, 50]
    assert curves["accuracy_mean"].tolist() == pytest.approx([0.625, 0.65])
    assert curves["rounds"].tolist() == [2, 2]
