"""The figures of the paper: which records they take, and the illustration drawn by the real weight functions."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from celm.base.seeds import generator
from celm.datasets.spiral import SpiralParams
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES
from celm.render.figures import illustration_data
from experiments.analysis import analyses
from experiments.outputs import write_picture
from experiments.papers.celm.analyses.fig2 import toy_illustration
from experiments.papers.celm.analyses.fig3 import CUTOFFS

MODELS = ("elm", "normalized_elm", "cdelm")
FIG5 = ["(a) MNIST", "(b) CIFAR-10"]
SETS = {
    "fig4": ("wdbc", "mdd_fac"),
    "fig5a": ("mnist",),
    "fig5b": ("cifar10",),
    "fig5a+subset_10000": ("mnist",),
    "fig5b+subset_10000": ("cifar10",),
}
STUDIES = [*CUTOFFS, *SETS, "fig3+spiral_quarter"]
SPIRAL = {f"dataset_{field.name}": field.default for field in fields(SpiralParams)}


def frame(experiment):
    """Two models' records of any experiment: accuracy tells the experiments apart."""
    accuracy = 0.5 + 0.05 * STUDIES.index(experiment)
    subset = 10000 if experiment.endswith("+subset_10000") else None
    shared = {"accuracy": accuracy, "subset": subset, **SPIRAL}
    rows = [
        {"dataset": d, "model": m, "round": r, "n_hidden": n, "rank": n, "cell": f"{d}{m}{r}", **shared}
        for d in SETS.get(experiment, ("spiral",))
        for m in MODELS
        for r in range(2)
        for n in (10, 20)
    ]
    return pd.DataFrame(rows)


def picture(name, missing=()):
    """The picture of an analysis whose experiments are all there but those of ``missing``."""
    analysis = analyses()[name]
    return analysis.picture(analysis.find({one: frame(one) for one in analysis.reads if one not in missing}))


def test_differences_of_the_illustration_are_the_weights_of_cdelm():
    shown = toy_illustration(seed=7)
    difference = shown.ends - shown.starts
    expected = 2 * difference / (difference**2).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(shown.cdelm[: len(difference)], expected)
    first, second = (set(map(tuple, shown.X[shown.codes == code].round(9))) for code in (0, 1))
    assert {tuple(point) for point in shown.ends.round(9)} <= first
    assert {tuple(point) for point in shown.starts.round(9)} <= second


def test_weights_of_elm_in_the_illustration_are_drawn_by_elm():
    shown = toy_illustration(seed=7)
    W, _ = STRATEGIES["elm"](shown.X, shown.codes, len(shown.elm), generator(7, "fig2", "nodes"), WeightOptions())
    np.testing.assert_array_equal(shown.elm, W.T)


def test_numbers_of_the_illustration_hold_every_point_and_arrow():
    shown = toy_illustration(seed=7)
    counts = illustration_data(shown).groupby(["panel", "what"]).size().to_dict()
    assert counts == {
        ("a", "class 1"): 12,
        ("a", "class 2"): 12,
        ("a", "difference"): len(shown.starts),
        ("b", "elm"): len(shown.elm),
        ("c", "cdelm"): len(shown.cdelm),
    }


@pytest.mark.parametrize("name", ["fig3", "fig4", "fig5"])
def test_normalized_elm_only_in_the_extended_figure(name):
    assert set(picture(name).numbers["model"]) == {"elm", "cdelm"}
    assert set(picture(f"{name}_extended").numbers["model"]) == set(MODELS)


def test_cutoff_figure_holds_three_experiments():
    means = picture("fig3_cutoff").numbers.groupby("panel", sort=False)["accuracy_mean"].first()
    assert list(means.index) == list(CUTOFFS.values())
    assert list(means) == pytest.approx([0.5, 0.55, 0.6])


@pytest.mark.parametrize(("name", "titles"), [("fig5", FIG5), ("fig5_subset", [f"{t}, subset 10000" for t in FIG5])])
def test_fig5_has_cifar_beside_mnist_once_its_records_exist(name, titles):
    assert list(picture(name).numbers["panel"].unique()) == titles
    second = analyses()[name].reads[1]
    alone = picture(name, missing=[second])
    assert list(alone.numbers["panel"].unique()) == titles[:1]
    assert [axes.get_title() for axes in alone.figure.axes] == titles[:1]


def test_the_page_draws_the_spiral_alive_with_what_is_there():
    analysis = analyses()["fig3_extended"]
    alone = analysis.section(analysis.find({"fig3": frame("fig3")}))
    both = analysis.section(analysis.find({name: frame(name) for name in analysis.reads}))
    assert (alone.count("<figcaption>"), both.count("<figcaption>")) == (1, 2)
    assert "calibrated" in both


def test_files_of_a_figure_twice_the_same(tmp_path):
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        paths = write_picture(picture("fig3"), folder, "fig3")
        assert [path.name for path in paths] == ["fig3.png", "fig3.svg", "fig3.pdf", "fig3.csv", "fig3_points.csv"]
        contents.append([path.read_bytes() for path in paths])
    assert contents[0] == contents[1]
    points = pd.read_csv(tmp_path / "one" / "fig3_points.csv")
    assert len(points) == 5000
    assert points[["x", "y"]].abs().to_numpy().max() == 1.0
