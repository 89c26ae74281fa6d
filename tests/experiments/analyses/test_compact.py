"""Small models told: the fewest nodes that reach an accuracy, their times, and a line for every model."""

import pandas as pd
import pytest

from celm.analysis.small_models import compact_curves, nodes_needed
from celm.base.names import model_label
from celm.render.markdown import markdown
from experiments.analyses.compact import COMPACT

COUNTS = (10, 100, 1000)


def frame(**accuracies):
    """Rounds a point apart; a row takes n/1000 milliseconds, one of a batch of 50 n/100 microseconds."""
    return pd.DataFrame(
        {
            "model": model,
            "round": number,
            "n_hidden": n,
            "accuracy": kept + 0.01 * number,
            "drawn_accuracy": drawn + 0.01 * number,
            "row_seconds": n * 1e-6,
            "batch_seconds": 50 * n * 1e-8,
            "batch_rows": 50,
        }
        for model, (of_kept, of_drawn) in accuracies.items()
        for number in range(3)
        for n, kept, drawn in zip(COUNTS, of_kept, of_drawn, strict=True)
    )


RECORDS = frame(selm=([0.79, 0.89, 0.95], [0.5, 0.79, 0.94]), elm=([0.5, 0.84, 0.91], [0.2, 0.7, 0.89]))


def test_curves_are_means_of_accuracies_and_times_of_one_row_in_the_papers_order():
    curves = compact_curves(RECORDS)
    assert list(curves["model"].unique()) == ["elm", "selm"]
    first = curves[(curves["model"] == "selm") & (curves["n_hidden"] == 10)].iloc[0]
    assert (first["accuracy"], first["drawn_accuracy"]) == pytest.approx((0.80, 0.51))
    assert (first["row_ms"], first["batch_us"]) == pytest.approx((0.01, 0.1))


def test_the_fewest_nodes_that_reach_an_accuracy_on_average():
    needed = nodes_needed(compact_curves(RECORDS), (0.8, 0.93)).set_index(["accuracy", "model"])
    assert needed.loc[(0.8, "selm"), ["nodes", "drawn_nodes"]].tolist() == [10, 100]
    assert needed.loc[(0.8, "elm"), ["nodes", "drawn_nodes"]].tolist() == [100, 1000]
    assert needed.loc[(0.93, "selm"), "row_ms"] == pytest.approx(1.0)
    assert pd.isna(needed.loc[(0.93, "elm"), "nodes"])


def test_the_table_names_who_reaches_what_and_the_figure_has_a_line_for_each():
    found = COMPACT.find({"compact": RECORDS})
    text = markdown(COMPACT.document(found))
    assert f"| 0.90 | {model_label('selm')} | 100 | 1000 | 0.10 | 1.0 |" in text
    assert f"| 0.92 | {model_label('elm')} | 1000 | more | 1.00 | 10.0 |" in text
    assert f"| 0.94 | {model_label('elm')}" not in text
    picture = COMPACT.picture(found)
    nodes, row, batch = picture.figure.axes
    assert [len(ax.lines) for ax in (nodes, row, batch)] == [4, 2, 2]
    assert nodes.lines[0].get_ydata().tolist() == pytest.approx([0.51, 0.85, 0.92])
    assert len(picture.numbers) == 6


def test_a_sentence_per_accuracy_has_the_smallest_model_first_and_names_who_misses_it():
    records = frame(elm=([0.5, 0.85, 0.92], [0.2, 0.7, 0.88]), selm=([0.7, 0.91, 0.97], [0.5, 0.8, 0.96]))
    assert list(COMPACT.answer(COMPACT.find({"compact": records})).lines) == [
        "0.90: SELM 100 (1000); ELM 1000 (more).",
        "0.95: SELM 1000 (1000); not with 1000 nodes: ELM.",
    ]
