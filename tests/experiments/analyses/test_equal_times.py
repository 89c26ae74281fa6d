"""Ratios of seconds: paired in a round, beside what others did, and printed ones called not comparable."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.time_ratios import printed_ratios, time_ratios
from celm.base.names import model_label
from celm.render.accuracy_table import accuracy_table
from celm.render.markdown import markdown
from experiments.papers.celm.analyses.equal_times import EQUAL_TIMES, find
from experiments.results import printed

FACTORS = {"elm": 1.0, "cdelm": 1.25, "bp": 40.0, "linear_svm": 3.0}


def frame(others=0.02, rounds=4):
    """A machine that is slower in every round: ratios stay the same."""
    return pd.DataFrame(
        {
            "dataset": "wdbc",
            "model": model,
            "round": number,
            "n_hidden": count,
            "fit_seconds": (number + 1) * factor * 1e-3,
            "fit_cpu_seconds": (number + 1) * factor * 1e-3 * 1.01**number,
            "predict_seconds": 1e-4,
            "fit_repeats": 21 - number,
            "load": 1.0 + number / 10,
            "others_busy": others,
            "least_repeats": 3,
            "enough_seconds": 0.3,
            "most_seconds": 1.0,
            "accuracy": 0.9,
        }
        for number in range(rounds)
        for model, factor in FACTORS.items()
        for count in ([np.nan] if model == "linear_svm" else [100, 200])
    )


def test_a_machine_that_slows_down_changes_no_ratio_that_is_paired():
    found = time_ratios(frame(), "elm").set_index(["n_hidden", "model"])
    assert "elm" not in found.index.get_level_values("model")
    row = found.loc[(200, "cdelm")]
    assert row[["fit_ratio", "fit_low", "fit_high"]].tolist() == pytest.approx([1.25] * 3)
    assert (row["rounds"], row["fit_repeats"], row["load_most"]) == (4, 18, pytest.approx(1.3))
    assert (row["baseline_ms"], row["fit_ms"]) == pytest.approx((2.5, 3.125))


def test_a_model_without_nodes_is_held_against_every_node_count():
    found = time_ratios(frame(), "elm").set_index("model").loc["linear_svm"]
    assert found["n_hidden"].tolist() == [100, 200]
    assert found["fit_ratio"].tolist() == pytest.approx([3.0, 3.0])


def test_the_interval_is_that_of_logarithms():
    rows = frame()
    logs = np.array([0.1, -0.1, 0.3, 0.1])
    mine = rows["model"] == "cdelm"
    rows.loc[mine, "fit_seconds"] = np.repeat(np.exp(logs), 2) * (rows.loc[mine, "round"] + 1) * 1e-3
    row = time_ratios(rows, "elm").set_index(["n_hidden", "model"]).loc[(100, "cdelm")]
    half = 3.182446 * logs.std(ddof=1) / 2
    assert row[["fit_ratio", "fit_low", "fit_high"]].tolist() == pytest.approx(
        np.exp([0.1, 0.1 - half, 0.1 + half]).tolist(), rel=1e-6
    )


def test_printed_ratios_say_what_rounding_leaves():
    found = printed_ratios(printed("celm/table1"), "elm").set_index(["dataset", "model"])
    row = found.loc[("wdbc", "cmelm")]
    assert row.tolist() == pytest.approx([3.0, 0.025 / 0.015, 0.035 / 0.005])
    nothing = pd.DataFrame({"dataset": ["a", "a"], "model": ["elm", "bp"], "train_seconds": [0.005, 1.0]})
    assert printed_ratios(nothing, "elm")["paper_high"].tolist() == [np.inf]


def told(**machine):
    frames = {"equal_times": frame(**machine), "celm/table1": printed("celm/table1")}
    return markdown(EQUAL_TIMES.document(find(frames)))


def test_the_table_has_both_clocks_the_machine_and_calls_printed_ratios_not_comparable():
    text = told()
    assert "200 nodes: wall seconds of a fit over those of ELM" in text
    assert "200 nodes: processor seconds of a fit over those of ELM" in text
    assert f"| {model_label('bp')} | 40.0 (40.0 to 40.0) |" in text
    assert f"| {model_label('bp')} | 97.0 (64.3 to 195) |" in text
    assert "not comparable" in text
    assert "The machine was quiet." in text
    assert "3 times and for 0.3 s at least, not again after 1 s" in text


def test_a_busy_machine_is_told():
    assert "The machine was not quiet" in told(others=0.9)
    assert "Nothing tells what else" in told(others=np.nan)


def test_a_summary_with_a_model_that_has_no_nodes_is_read():
    rows = [("elm", 100.0, 0.9), ("elm", 200.0, 0.9), ("linear_svm", np.nan, 0.8)]
    summary = pd.DataFrame(
        [{"dataset": "mine", "model": model, "n_hidden": count, "accuracy_mean": mean} for model, count, mean in rows]
    ).assign(ci_high=np.nan, paper=np.nan, difference=np.nan)
    assert list(accuracy_table(summary).header) == ["", "mine, 100 nodes", "mine, 200 nodes", "mine, no nodes"]
