"""The table beside planes: means with half of their interval, and how they were made."""

import pandas as pd

from celm.analysis.plane_measures import plane_summary
from celm.render.markdown import table_text
from celm.render.planes_table import planes_table, setting_words

ACCURACIES = {"cdelm": [0.8, 0.9, 1.0], "elm": [0.2, 0.2, 0.5]}


def frame(pca=50, n_hidden=10000):
    shared = {"dataset": "mnist", "points": 2000, "perplexity": 30.0, "iterations": 1000, "neighbours": 10, "pca": pca}
    rows = [
        {"model": m, "round": r, "accuracy": a, "trustworthiness": a / 2, "kl_divergence": 1 + a, "n_hidden": n_hidden}
        for m, values in ACCURACIES.items()
        for r, a in enumerate(values)
    ]
    return pd.DataFrame([{**shared, **row} for row in rows])


def test_the_table_says_how_its_numbers_were_made():
    summary = plane_summary(frame())
    assert "PCA to 50 dimensions" in setting_words(summary)
    assert "perplexity 30, 1000 iterations" in setting_words(summary)
    assert "PCA" not in setting_words(plane_summary(frame(pca=None)))
    line = "| Constrained Difference ELM, 10000 nodes | 0.900 ± 0.248 | 0.450 ± 0.124 | 1.900 ± 0.248 |"
    assert line in table_text(planes_table(summary))


def test_one_round_has_no_interval():
    text = table_text(planes_table(plane_summary(frame()[lambda rows: rows["round"] == 0])))
    assert "±" not in text
    assert "0.800" in text
