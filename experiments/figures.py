"""The figures of the paper and the added ones: from which records each is drawn. Nothing is fitted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from celm.analysis.causes import accuracies, at_largest_count
from celm.analysis.comparisons import mean_accuracies
from celm.analysis.spiral_map import STATEMENTS, scored
from celm.analysis.statistics import cliques, friedman
from celm.base.names import CELMS
from celm.base.seeds import generator
from celm.models.elm.directions import class_differences
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES
from celm.render.figures import (
    Illustration,
    Panel,
    curve_data,
    curves_along,
    draw_causes,
    draw_cutoffs,
    draw_illustration,
    draw_panels,
    draw_planes,
    draw_ranks,
    draw_settings,
    draw_spiral,
    figure_files,
    illustration_data,
    panel_numbers,
    panels,
    plane_points,
)
from celm.study.inputs import load
from experiments.config.studies import composed_study

# The records of an experiment as a tidy frame; empty where there are none or not all.
Frames = Callable[[str], pd.DataFrame]

CUTOFFS = {
    "fig3": "MATLAB's cutoff, max(size)·eps(‖H‖)",
    "fig3+numpy_cutoff": "Cutoff 1e-15·‖H‖, numpy's",
    "fig3+no_cutoff": "No cutoff, plain least squares",
}
# The factorial of the weights; what is not complete is left out.
CAUSES = ("causes_mdd", "causes_mnist", "causes_cifar10")
# The experiments with an accuracy per data set, and the methods that all of them have.
RANKED_IN = ("table1", "table2", "table3")
RANKED = ("elm", "orthogonal_elm", *CELMS)
# Fig 2: samples per class, differences shown in (a), weight vectors in (b) and (c).
TOY_SAMPLES, TOY_PAIRS, TOY_NODES = 12, 6, 30


class Page(NamedTuple):
    """A figure, its plotted numbers, and other tables it shows (ending of the file name -> table)."""

    figure: Figure
    numbers: pd.DataFrame
    others: Mapping[str, pd.DataFrame] = {}


class NoRecords(Exception):
    """An experiment that a figure needs is not complete in the store."""


def _records(frames: Frames, experiment: str, extended: bool) -> pd.DataFrame:
    frame = frames(experiment)
    if frame.empty:
        raise NoRecords(experiment)
    return frame if extended else frame[frame["model"] != "normalized_elm"]


def toy_illustration(seed: int) -> Illustration:
    """Two clouds, the first differences between them, and the hidden layers that ELM and CDELM draw from them."""
    rng = generator(seed, "fig2", "samples")
    X = np.vstack([rng.normal(center, 0.45, size=(TOY_SAMPLES, 2)) for center in ((-1.1, -0.7), (1.1, 0.7))])
    codes = np.repeat([0, 1], TOY_SAMPLES)
    layers = {
        model: STRATEGIES[model](X, codes, TOY_NODES, generator(seed, "fig2", "nodes"), WeightOptions())[0].T
        for model in ("elm", "cdelm")
    }
    # The stream from which the recipe above drew its pairs.
    pair_rng = generator(seed, "fig2", "nodes").spawn(2)[0]
    pairs = class_differences(X, codes, TOY_PAIRS, pair_rng, WeightOptions())
    assert pairs.midpoints is not None
    half = 0.5 * pairs.vectors
    return Illustration(X, codes, pairs.midpoints - half, pairs.midpoints + half, layers["elm"], layers["cdelm"])


def fig2(frames: Frames) -> Page:
    """The illustration; it needs no records."""
    shown = toy_illustration(seed=2015)
    return Page(draw_illustration(shown), illustration_data(shown))


def fig3(frames: Frames, experiment: str = "fig3", extended: bool = False) -> Page:
    """The spiral on top, its curves below."""
    curves = curve_data(_records(frames, experiment, extended))
    data = load(composed_study(experiment).plan()[0].dataset)
    points = pd.DataFrame({"x": data.X[:, 0], "y": data.X[:, 1], "arm": data.y})
    others = {} if extended else {"points": points}
    return Page(draw_spiral(points, curves), panel_numbers([Panel("Spiral", curves)]), others)


def fig3_cutoff(frames: Frames) -> Page:
    """The curves of Fig 3 under three cutoffs of the pseudo-inverse, and the rank of H."""
    shown = {title: curve_data(_records(frames, name, extended=False)) for name, title in CUTOFFS.items()}
    return Page(draw_cutoffs(shown), panel_numbers([Panel(title, curves) for title, curves in shown.items()]))


def fig4(frames: Frames, extended: bool = False) -> Page:
    """Six panels, one per UCI set."""
    shown = panels(_records(frames, "fig4", extended))
    return Page(draw_panels(shown, columns=2), panel_numbers(shown))


def fig5(frames: Frames, reading: str = "", extended: bool = False) -> Page:
    """(a) MNIST, and (b) CIFAR-10 where its records exist, under a reading such as ``+subset_10000``."""
    found = [_records(frames, f"fig5a{reading}", extended)]
    with suppress(NoRecords):
        found.append(_records(frames, f"fig5b{reading}", extended))
    shown = [
        panel._replace(title=f"({letter}) {panel.title}")
        for letter, frame in zip("ab", found, strict=False)
        for panel in panels(frame, ["subset"])
    ]
    return Page(draw_panels(shown, columns=2), panel_numbers(shown))


def stages(frames: Frames) -> Page:
    """The systems of Table III that answer after every stage: accuracy by layer of R²SVM, by module of DCN."""
    frame = _records(frames, "table3", extended=True)
    shown = []
    for title, models, along in (("R²SVM", ["r2svm"], "Layer"), ("DCN", ["dcn", "dcn_rbm"], "Module")):
        shown.append(Panel(title, curves_along(frame[frame["model"].isin(models)], "stage"), along))
    return Page(draw_panels(shown, columns=2), panel_numbers(shown))


def codebook(frames: Frames) -> Page:
    """A linear SVM on CIFAR-10 features against the size of their codebook."""
    frame = _records(frames, "codebook", extended=True)
    shown = [Panel("CIFAR-10, sum pooling", curves_along(frame, "features_n_atoms"), "Atoms of the codebook")]
    return Page(draw_panels(shown, columns=1), panel_numbers(shown))


def fig6(frames: Frames, reading: str = "") -> Page:
    """Hidden outputs in the plane: the points of the round that keeps them, under a reading such as ``+no_pca``."""
    frame = _records(frames, f"fig6{reading}", extended=False)
    kept = frame[frame["plane_x"].notna()].set_index("model")
    notes = {
        model: f"{row['neighbours']}-NN accuracy {row['accuracy']:.3f}, KL {row['kl_divergence']:.2f}"
        for model, row in kept.iterrows()
    }
    points = plane_points(frame)
    return Page(draw_planes(points, notes), points)


def spiral_map(frames: Frames) -> Page:
    """Spiral settings against the paper's statements."""
    scores = scored(_records(frames, "spiral_map", extended=False))
    return Page(draw_settings(scores, STATEMENTS), scores)


def causes_records(frames: Frames) -> pd.DataFrame:
    """The records of the factorial on all data sets that are complete; empty where none is."""
    return pd.concat([frames(experiment) for experiment in CAUSES], ignore_index=True)


def causes(frames: Frames) -> Page:
    """Accuracy of every direction, scale and bias at the largest node count of each data set."""
    frame = causes_records(frames)
    if frame.empty:
        raise NoRecords(" or ".join(CAUSES))
    numbers = accuracies(frame)
    return Page(draw_causes(at_largest_count(numbers)), numbers)


def critical_difference(frames: Frames) -> Page:
    """Mean ranks of ELM, orthogonal ELM and the CELMs over the data sets of the tables that are complete."""
    _records(frames, RANKED_IN[0], extended=True)
    found = [mean_accuracies(frame, RANKED) for frame in map(frames, RANKED_IN) if not frame.empty]
    means = pd.concat(found)
    test = friedman(means)
    groups = cliques(test.ranks, test.critical_difference)
    title = f"Mean rank over {test.datasets} data sets: {', '.join(means.index)}"
    numbers = pd.DataFrame(
        {
            "model": model,
            "mean_rank": rank,
            "critical_difference": test.critical_difference,
            "p_iman_davenport": test.p_F,
            "not_different_from": " ".join(sorted({other for group in groups if model in group for other in group})),
        }
        for model, rank in sorted(test.ranks.items(), key=lambda pair: pair[1])
    )
    return Page(draw_ranks(test.ranks, test.critical_difference, groups, title), numbers)


FIGURES: dict[str, Callable[[Frames], Page]] = {
    "fig2": fig2,
    "fig3": fig3,
    "fig3_extended": partial(fig3, extended=True),
    "fig3_cutoff": fig3_cutoff,
    "fig3_quarter": partial(fig3, experiment="fig3+spiral_quarter"),
    "fig4": fig4,
    "fig4_extended": partial(fig4, extended=True),
    "fig5": fig5,
    "fig5_extended": partial(fig5, extended=True),
    "fig5_subset": partial(fig5, reading="+subset_10000"),
    "stages": stages,
    "codebook": codebook,
    "fig6": fig6,
    "fig6_no_pca": partial(fig6, reading="+no_pca"),
    "spiral_map": spiral_map,
    "causes": causes,
    "critical_difference": critical_difference,
}


def write_page(page: Page, folder: Path, name: str) -> list[Path]:
    """NAME.png, .svg, .pdf and .csv under ``folder``, and NAME_OTHER.csv for every other table."""
    files = {f"{name}.{ending}": content for ending, content in figure_files(page.figure, page.numbers).items()}
    for other, table in page.others.items():
        files[f"{name}_{other}.csv"] = table.to_csv(index=False, lineterminator="\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        (folder / file).write_bytes(content)
    return [folder / file for file in files]
