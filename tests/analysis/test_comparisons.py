"""Pairwise tests per data set: the right rounds are paired, corrected and ranked."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.comparisons import mean_accuracies, pairwise
from celm.analysis.statistics import holm, paired_t, wilcoxon_p

RNG = np.random.default_rng(0)


def records(dataset, model, values, n_hidden=None, sizes=(200, 100)):
    return [
        {
            "dataset": dataset,
            "model": model,
            "round": round_,
            "n_hidden": n_hidden,
            "accuracy": value,
            "cell": f"{dataset}{model}{round_}",
            "n_train": sizes[0],
            "n_test": sizes[1],
            "official_split": dataset in ("mnist", "cifar10"),
        }
        for round_, value in enumerate(values)
    ]


@pytest.fixture
def values():
    base = {"elm": 0.8, "orthogonal_elm": 0.85, "bp": 0.9, "cdelm": 0.88, "selm": 0.95}
    return {model: mean + RNG.normal(0, 0.01, 6) for model, mean in base.items()}


def test_every_celm_against_elm_orthogonal_elm_and_the_best_other(values):
    frame = pd.DataFrame([row for model in values for row in records("wdbc", model, values[model])])
    table = pairwise(frame.sample(frac=1, random_state=1))
    assert list(table["baseline"].unique()) == ["elm", "orthogonal_elm", "bp"]
    assert list(table[table["best_baseline"]]["baseline"].unique()) == ["bp"]
    row = table[(table["model"] == "selm") & (table["baseline"] == "elm")].iloc[0]
    known = paired_t(values["selm"] - values["elm"], shared=0.5)
    assert [row["difference"], row["low"], row["high"], row["p_corrected"]] == pytest.approx(list(known[:4]))
    p = [wilcoxon_p(values[model] - values["elm"]) for model in ("cdelm", "selm")]
    assert list(table[table["baseline"] == "elm"]["p_holm"]) == pytest.approx(holm(p))


def test_official_splits_are_not_corrected(values):
    frame = pd.DataFrame([row for model in values for row in records("mnist", model, values[model])])
    row = pairwise(frame).iloc[0]
    known = paired_t(values["cdelm"] - values["elm"])
    assert [row["low"], row["high"]] == pytest.approx([known.low, known.high])


def test_a_baseline_with_fewer_rounds_is_paired_in_those(values):
    rows = [*records("cifar10", "selm", values["selm"]), *records("cifar10", "dcn", values["elm"][:3])]
    row = pairwise(pd.DataFrame([*rows, *records("cifar10", "linear_svm", [0.5])])).iloc[0]
    assert (row["baseline"], row["rounds"]) == ("dcn", 3)
    assert row["difference"] == pytest.approx((values["selm"] - values["elm"])[:3].mean())
    row = pairwise(pd.DataFrame([*rows[:6], *records("cifar10", "linear_svm", [0.5])])).iloc[0]
    assert (row["baseline"], row["rounds"]) == ("linear_svm", 6)
    assert row["low"] == pytest.approx(paired_t(values["selm"] - 0.5).low)


def test_node_counts_that_stand_alone_are_compared_one_by_one(values):
    rows = [r for m in ("elm", "selm") for n in (1000, 2000) for r in records("mnist", m, values[m] + n / 1e5, n)]
    frame = pd.DataFrame([*rows, *records("mnist", "ml_elm", values["bp"], "700-700-1000")])
    table = pairwise(frame.assign(chosen=True))
    assert list(table["n_hidden"].unique()) == [1000, 2000]
    against = table[table["baseline"] == "ml_elm"].set_index("n_hidden")["difference"]
    assert against[2000] - against[1000] == pytest.approx(0.01)
    means = mean_accuracies(frame.assign(chosen=True))
    assert list(means.index) == ["MNIST"]
    assert means.loc["MNIST", "selm"] == pytest.approx(values["selm"].mean() + 0.02)


def test_a_data_set_where_a_ranked_method_is_missing_is_left_out(values):
    rows = [row for model in ("elm", "selm", "bp") for row in records("wdbc", model, values[model])]
    rows += [row for model in ("elm", "selm") for row in records("mdd_fac", model, values[model])]
    frame = pd.DataFrame(rows)
    assert list(mean_accuracies(frame).index) == ["WDBC"]
    ranked = mean_accuracies(frame, ["selm", "elm"])
    assert list(ranked.index) == ["WDBC", "MDD-fac"]
    assert list(ranked.columns) == ["elm", "selm"]
    assert ranked.loc["WDBC", "selm"] == pytest.approx(values["selm"].mean())
