"""Readings are ranked by how much nearer they come than the default on the cells they change."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.ranking import ranking

PAPER = pd.DataFrame(
    [("wdbc", "elm", 0.97), ("wdbc", "bp", 0.40), ("mdd_fou", "elm", 0.80), ("mdd_fou", "bp", 0.50)],
    columns=["dataset", "model", "accuracy"],
)


def summary(values, rounds=10, half=0.001, n_hidden=5.0):
    rows = [(*key, n_hidden, mean, mean - half, mean + half, rounds) for key, mean in values.items()]
    return pd.DataFrame(rows, columns=["dataset", "model", "n_hidden", "accuracy_mean", "ci_low", "ci_high", "rounds"])


DEFAULT = summary({("wdbc", "elm"): 0.95, ("wdbc", "bp"): 0.90, ("mdd_fou", "elm"): 0.76, ("mdd_fou", "bp"): 0.90})


def ranked(base=None, paper=PAPER, default=DEFAULT, sees_test=(), **readings):
    return ranking(paper, default, readings, base, sees_test=sees_test).set_index("reading")


def test_distances_are_means_over_the_cells_a_reading_has():
    found = ranked(raw=summary({("wdbc", "elm"): 0.94, ("mdd_fou", "elm"): 0.79}, rounds=3)).loc["raw"]
    assert (found["cells"], found["rounds"]) == (2, 3)
    assert found["distance"] == pytest.approx((0.03 + 0.01) / 2)
    assert found["default_distance"] == pytest.approx((0.02 + 0.04) / 2)
    assert found["nearer_on"] == "MDD-fou"


def test_the_nearest_comes_first_and_one_collapse_does_not_decide():
    better = {("wdbc", "elm"): 0.96, ("mdd_fou", "elm"): 0.79, ("mdd_fou", "bp"): 0.91, ("wdbc", "bp"): 0.90}
    lucky = {("wdbc", "elm"): 0.94, ("mdd_fou", "elm"): 0.75, ("mdd_fou", "bp"): 0.60, ("wdbc", "bp"): 0.91}
    found = ranked(absent=summary({}), lucky=summary(lucky), better=summary(better))
    assert list(found.index) == ["better", "lucky", "absent"]
    assert found.loc["lucky", "distance"] < found.loc["better", "distance"]


def test_a_reading_explains_what_the_default_does_not_reach():
    holds = summary({("wdbc", "elm"): 0.97, ("mdd_fou", "elm"): 0.80, ("mdd_fou", "bp"): 0.51})
    assert ranked(holds=holds).loc["holds", "explains"] == 2
    reached = summary({("wdbc", "elm"): 0.97, ("mdd_fou", "elm"): 0.76, ("mdd_fou", "bp"): 0.9})
    assert ranked(default=reached, holds=holds).loc["holds", "explains"] == 1
    once = summary({("wdbc", "elm"): 0.97}, rounds=1, half=np.nan)
    assert ranked(once=once).loc["once", "explains"] == 0


def test_readings_that_were_not_run_are_listed_as_such():
    found = ranked(absent=summary({}))
    assert (found.loc["absent", "cells"], found.loc["absent", "rounds"]) == (0, 0)
    assert pd.isna(found.loc["absent", "distance"])


def test_carried_cells_count_only_where_there_are_no_others():
    paper = PAPER.iloc[[0, 0]].assign(n_hidden=["1000", "2000"])
    default = pd.concat([summary({("wdbc", "elm"): 0.95}, n_hidden=n) for n in (1000, 2000)])
    at_1000 = summary({("wdbc", "elm"): 0.965}, n_hidden=1000)
    found = ranked(paper=paper, default=default, direct=at_1000).loc["direct"]
    assert (found["cells"], found["nodes"]) == (1, "")
    base, small = (summary({("wdbc", "elm"): mean}, n_hidden=50) for mean in (0.90, 0.915))
    found = ranked(paper=paper, default=default, base=base, small=small).loc["small"]
    assert (found["cells"], found["nodes"]) == (2, "50")
    assert found["distance"] == pytest.approx(0.005)


def test_a_model_without_node_counts_does_not_hide_the_carried_ones():
    paper = PAPER.iloc[:2].assign(n_hidden=["7000", None])
    default = pd.concat(
        [summary({("wdbc", "elm"): 0.95}, n_hidden=7000), summary({("wdbc", "bp"): 0.5}, n_hidden=None)]
    )
    base = summary({("wdbc", "elm"): 0.90}, n_hidden=50)
    small = pd.concat([summary({("wdbc", "elm"): 0.91}, n_hidden=50), summary({("wdbc", "bp"): 0.43}, n_hidden=None)])
    found = ranked(paper=paper, default=default, base=base, small=small).loc["small"]
    assert (found["cells"], found["nodes"]) == (2, "50")
    assert found["distance"] == pytest.approx((0.01 + 0.03) / 2)


def test_the_use_of_test_rows_is_marked():
    found = ranked(sees_test=["best"], best=summary({("wdbc", "elm"): 0.96}), other=summary({("wdbc", "elm"): 0.96}))
    assert found["sees_test"].to_dict() == {"best": True, "other": False}
