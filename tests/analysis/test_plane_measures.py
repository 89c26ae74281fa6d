"""The table beside Fig 6: means and intervals per model, never mixed over node counts."""

import pandas as pd
import pytest

from celm.analysis.plane_measures import plane_summary
from celm.analysis.summary import interval

ACCURACIES = {"cdelm": [0.8, 0.9, 1.0], "elm": [0.2, 0.2, 0.5]}


def frame(pca=50, n_hidden=10000):
    shared = {"dataset": "mnist", "points": 2000, "perplexity": 30.0, "iterations": 1000, "neighbours": 10, "pca": pca}
    rows = [
        {"model": m, "round": r, "accuracy": a, "trustworthiness": a / 2, "kl_divergence": 1 + a, "n_hidden": n_hidden}
        for m, values in ACCURACIES.items()
        for r, a in enumerate(values)
    ]
    return pd.DataFrame([{**shared, **row} for row in rows])


def test_means_and_intervals_over_rounds_in_the_papers_order():
    summary = plane_summary(frame())
    assert list(summary["model"]) == ["elm", "cdelm"]
    assert list(summary["accuracy_mean"]) == pytest.approx([0.3, 0.9])
    assert list(summary["kl_divergence_mean"]) == pytest.approx([1.3, 1.9])
    low, high = interval(pd.Series(ACCURACIES["cdelm"]))
    assert (summary["accuracy_ci_low"][1], summary["accuracy_ci_high"][1]) == pytest.approx((low, high))
    assert list(summary["rounds"]) == [3, 3]


def test_node_counts_are_rows_of_their_own():
    summary = plane_summary(pd.concat([frame(), frame(n_hidden=100).assign(accuracy=0.5)]))
    assert list(summary["n_hidden"]) == [100, 10000, 100, 10000]
    assert list(summary["accuracy_mean"]) == pytest.approx([0.5, 0.3, 0.5, 0.9])
