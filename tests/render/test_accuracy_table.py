"""A paper's layout: models down, data sets across, the interval of the mean behind every mean, the best in bold."""

import pandas as pd

from celm.render.accuracy_table import accuracy_document, accuracy_table, best_flags
from celm.render.latex import latex_table
from celm.render.markdown import markdown
from celm.render.text import text_table

NAN = float("nan")


def summary(*rows):
    columns = ["dataset", "model", "n_hidden", "accuracy_mean", "ci_high", "paper"]
    found = pd.DataFrame(rows, columns=columns)
    return found.assign(difference=found["accuracy_mean"] - found["paper"])


SUMMARY = summary(
    ("wdbc", "elm", 100, 0.98, 0.99, 0.974),
    ("wdbc", "cdelm", 100, 0.96, NAN, NAN),
    ("mdd_fac", "elm", 100, 0.91, 0.92, NAN),
)


def test_every_writer_shows_value_interval_paper_and_difference():
    text = markdown(accuracy_document(SUMMARY, "A title", ["A note."]))
    assert text.startswith("# A title\n")
    assert "A note." in text
    assert "| ELM | **0.980 ± 0.010** (0.974, +0.006) | **0.910 ± 0.010** |" in text
    assert "| Constrained Difference ELM | 0.960 | – |" in text
    assert r"\textbf{0.980 $\pm$ 0.010} (0.974, +0.006)" in latex_table(accuracy_table(SUMMARY), "C")
    assert "0.980* (0.974, +0.006)" in text_table(accuracy_table(SUMMARY, brief=True))


def test_the_best_of_a_data_set_is_decided_on_the_printed_digits():
    found = summary(
        ("a", "elm", 1, 0.9001, NAN, NAN), ("a", "selm", 1, 0.9004, NAN, NAN), ("a", "bp", 1, 0.8, NAN, NAN)
    )
    assert list(best_flags(found)) == [True, True, False]


def test_several_counts_of_a_data_set_are_columns():
    found = summary(("wdbc", "elm", "1000", 0.9, NAN, NAN), ("wdbc", "elm", "2000", 0.8, NAN, NAN))
    assert accuracy_table(found).header == ["", "WDBC, 1000 nodes", "WDBC, 2000 nodes"]


def test_node_counts_stand_by_their_size_and_layers_of_several_after_them():
    counts = ["100", "1000", "20", "700-700-1000"]
    many = pd.concat([SUMMARY.head(1).assign(n_hidden=count) for count in counts])
    assert accuracy_table(many).header[1:] == [
        f"WDBC, {count} nodes" for count in ("20", "100", "1000", "700-700-1000")
    ]


def test_counts_stay_whole_numbers_beside_a_model_that_has_no_nodes():
    rows = [("elm", "100.0"), ("elm", "200.0"), ("linear_svm", "nan")]
    beside = pd.concat([SUMMARY.head(1).assign(model=model, n_hidden=count) for model, count in rows])
    assert accuracy_table(beside).header[1:] == ["WDBC, 100 nodes", "WDBC, 200 nodes", "WDBC, no nodes"]
