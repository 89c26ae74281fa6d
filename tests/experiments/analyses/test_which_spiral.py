"""The map of spirals in words: the closest are named, what is met is bold, the default finds its place."""

import pandas as pd

from celm.base.names import CELMS
from celm.render.markdown import markdown
from experiments.papers.celm.analyses.which_spiral import SPIRAL_MAP

COUNTS = (40, 50, 60, 150)


def records(turns, scale, elm, worst, orthogonal):
    """Two rounds around the given means; ``orthogonal`` at each of the counts."""
    curves = {model: dict.fromkeys(COUNTS, 1.0) for model in CELMS}
    curves["rselm"][60] = worst
    curves["elm"] = {**dict.fromkeys(COUNTS, 0.5), 150: elm}
    curves["orthogonal_elm"] = dict(zip(COUNTS, orthogonal, strict=True))
    settings = {"dataset_turns": turns, "dataset_noise": 0.0, "dataset_scale": scale, "dataset_inner_radius": 0.02}
    return [
        {**settings, "model": model, "n_hidden": n, "round": i, "accuracy": accuracy + (0.01 if i else -0.01)}
        for model, curve in curves.items()
        for n, accuracy in curve.items()
        for i in range(2)
    ]


FRAME = pd.DataFrame(
    [
        *records(2.0, 1.0, elm=1.0, worst=0.99, orthogonal=(0.7, 0.7, 0.6, 0.6)),
        *records(2.0, 0.25, elm=0.82, worst=0.995, orthogonal=(0.6, 0.6, 0.59, 0.57)),
        *records(3.0, 1.0, elm=0.82, worst=0.67, orthogonal=(0.64, 0.65, 0.61, 0.59)),
    ]
)


def test_the_document_names_the_closest_and_marks_what_is_met():
    text = markdown(SPIRAL_MAP.document(SPIRAL_MAP.find({"spiral_map": FRAME})))
    assert "3 settings, 2 rounds each" in text
    assert (
        "The default, turns 3, noise 0, scale 1, inner radius 0.02: place 3, among settings in the stated range 2."
        in text
    )
    assert "Closest within the stated range [-1, 1]: turns 2, noise 0, scale 1, inner radius 0.02 (3 of 4 met)." in text
    assert "Settings that meet every statement: 1." in text
    assert "| 3 | 0 | 1 | 0.02 | 0.670 | **0.820** | **0.050** (50) | **0.120** | 3 | 0.330 |" in text
