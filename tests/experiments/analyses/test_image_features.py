"""Codebook and draws in tables: every codebook once, the lead over ELM in points beside every other model."""

import pandas as pd

from celm.render.markdown import markdown
from experiments.analyses.image_features import CODEBOOK_CURVE, FEATURES


def frame(atoms=50, **accuracies):
    shared = {
        "dataset": "cifar10",
        "features_n_atoms": atoms,
        "features_two_sided": True,
        "features_grid": 2,
        "round": 0,
    }
    return pd.DataFrame(
        {**shared, "model": model, "features_draw": draw, "accuracy": accuracy}
        for model, values in accuracies.items()
        for draw, accuracy in enumerate(values)
    )


def test_both_sweeps_are_told():
    sizes = pd.concat([frame(atoms, linear_svm=[atoms / 1000]) for atoms in (100, 200)], ignore_index=True)
    draws = frame(selm=[0.70, 0.71, 0.73], elm=[0.60, 0.62, 0.61])
    found = FEATURES.find({"codebook": sizes, "feature_seeds": draws})
    text = markdown(FEATURES.document(found))
    assert "| 100 | 800 | 0.1000 |\n| 200 | 1600 | 0.2000 |" in text
    assert "| ELM | 3 | 0.6100 | 0.0100 | 0.6000 | 0.6200 |  |  |" in text
    assert "| +10.3 | " in text
    assert list(FEATURES.numbers(found)["experiment"].unique()) == ["codebook", "feature_seeds"]


def test_the_codebook_is_drawn_along_its_size():
    sizes = pd.concat([frame(atoms, linear_svm=[atoms / 1000]) for atoms in (100, 200)], ignore_index=True)
    picture = CODEBOOK_CURVE.picture(CODEBOOK_CURVE.find({"codebook": sizes}))
    assert picture.numbers["n_hidden"].tolist() == [100, 200]
