"""Causes: known effects are found again, pairing removes what rounds share, shares of no gap are not told."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from celm.analysis.causes import (
    CHANGES,
    ELM,
    NAMED,
    STEPS,
    accuracies,
    at_largest_count,
    effects,
    notable_interactions,
    share_interval,
)
from celm.analysis.statistics import paired_t
from celm.base.factors import BIASES, FACTORIAL, FACTORS
from celm.models.elm.weights import DRAWS
from celm.render.style import BIAS_LABELS, DIRECTION_LABELS, SCALE_STYLES

POINTS = {"gaussian": 0.01, "samples": 0.02, "class_sums": 0.03, "class_differences": 0.01, "l2": 0.02, "squared": 0.06,
          "midpoint": 0.004}  # fmt: skip


def frame(extra=(), dataset="mnist", rounds=4, counts=(50, 100), noise=0.002):
    """Accuracies that are sums of :data:`POINTS`, what rounds share, a little noise, and ``extra`` per model."""
    rng = np.random.default_rng(0)
    shared = rng.normal(0, 0.1, rounds)
    rows = [
        {
            "dataset": dataset,
            "n_hidden": count,
            "round": round_,
            "model": model,
            "n_train": 200,
            "n_test": 100,
            "official_split": dataset in ("mnist", "cifar10"),
            "accuracy": 0.7
            + sum(POINTS.get(level, 0.0) for level in model.split("/"))
            + dict(extra).get(model, 0.0)
            + shared[round_]
            + rng.normal(0, noise),
        }
        for count, round_, model in product(counts, range(rounds), FACTORIAL)
    ]
    return pd.DataFrame(rows)


def found(measured, kind):
    return at_largest_count(measured)[lambda rows: rows["kind"] == kind].set_index("name")


def test_the_levels_are_those_of_the_hidden_layers():
    assert {ELM, *NAMED, *CHANGES, *(cell for step in STEPS.values() for cell in step)} <= set(FACTORIAL)
    for known in (DRAWS, SCALE_STYLES, BIAS_LABELS), (DIRECTION_LABELS, SCALE_STYLES, BIAS_LABELS):
        assert [set(levels) for levels in known] == [set(levels) for levels in FACTORS.values()]


def test_main_effects_are_found_again_and_additive_factors_do_not_interact():
    measured = effects(frame())
    main = found(measured, "main effect")
    for level, size in POINTS.items():
        row = main[main.index.str.endswith(f" {level}")].iloc[0]
        assert row["effect"] == pytest.approx(size, abs=0.003)
        assert row["low"] < row["effect"] < row["high"]
    assert len(found(measured, "interaction")) == 4 * 2 + 4 + 2
    assert notable_interactions(measured).empty


def test_an_interaction_is_what_two_levels_do_together():
    together = {f"samples/squared/{bias}": 0.05 for bias in BIASES}
    measured = effects(frame(together.items()))
    notable = notable_interactions(at_largest_count(measured))
    assert list(notable["name"]) == ["direction samples × scale squared"]
    assert notable["effect"].iloc[0] == pytest.approx(0.05, abs=0.005)


def test_the_steps_from_elm_to_class_sums_add_up():
    measured = effects(frame())
    steps, changes = found(measured, "step"), found(measured, "change")
    assert steps["effect"].sum() == pytest.approx(changes["effect"]["class_sums/squared/uniform"])
    assert steps["share"].sum() == pytest.approx(changes["share"]["class_sums/squared/uniform"])
    assert steps["effect"].to_numpy() == pytest.approx([0.06, 0.01, 0.01, 0.01], abs=0.006)


def test_shares_are_of_the_gap_to_the_best_constrained_elm():
    measured = effects(frame())
    assert list(found(measured, "gap").index) == ["class_sums/squared/uniform"]
    best, scale = (found(measured, "change").loc[m] for m in ("class_sums/squared/uniform", "random/squared/uniform"))
    assert (best["share"], best["share_low"], best["share_high"]) == pytest.approx((1.0, 1.0, 1.0))
    assert scale["share"] == pytest.approx(0.06 / 0.09, abs=0.05)
    assert scale["share_low"] < 0.06 / 0.09 < scale["share_high"]


def test_pairing_removes_what_rounds_share():
    gap = found(effects(frame()), "gap").iloc[0]
    assert frame().groupby("round")["accuracy"].mean().std() > 0.02
    assert gap["high"] - gap["low"] < 0.02


def test_random_splits_of_the_same_rows_widen_the_interval():
    """Nadeau and Bengio: 1/rounds becomes 1/rounds + n_test/n_train."""
    official, resplit = (found(effects(frame(dataset=name)), "gap").iloc[0] for name in ("mnist", "mdd_zer"))
    widths = [row["high"] - row["low"] for row in (official, resplit)]
    assert widths[1] / widths[0] == pytest.approx(np.sqrt((1 / 4 + 100 / 200) / (1 / 4)))


def test_a_share_at_the_edge_of_its_interval_is_just_not_rejected():
    """Fieller: θ lies in the interval exactly when part − θ·whole is not distinguishable from zero."""
    rng = np.random.default_rng(3)
    part, whole = rng.normal(0.03, 0.01, 8), rng.normal(0.05, 0.01, 8)
    share, low, high = share_interval(part, whole, 0.0)
    assert share == pytest.approx(part.mean() / whole.mean())
    assert low < share < high
    assert paired_t(part - low * whole).low == pytest.approx(0.0, abs=1e-12)
    assert paired_t(part - high * whole).high == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("sign", [-1.0, 0.0])
def test_there_is_no_share_of_a_gap_that_is_not_there(sign):
    whole = sign * 0.05 + np.array([-0.01, 0.0, 0.01])
    assert np.isnan(share_interval(whole + 0.02, whole, 0.0)).all()


def test_a_single_round_has_effects_without_intervals():
    measured = effects(frame(rounds=1))
    assert measured["effect"].notna().all()
    assert measured["low"].isna().all()


def test_accuracies_are_beside_elm():
    shown = at_largest_count(accuracies(frame()))
    assert len(shown) == len(FACTORIAL)
    elm = shown[(shown["direction"] == "random") & (shown["scale"] == "none") & (shown["bias"] == "uniform")].iloc[0]
    assert (elm["above_elm"], elm["low"], elm["high"]) == (0.0, 0.0, 0.0)
    assert (shown["accuracy_mean"] - shown["above_elm"]).to_numpy() == pytest.approx(elm["accuracy_mean"])


@pytest.mark.parametrize("lost", [ELM, "samples/l2/midpoint"])
def test_a_missing_combination_is_named(lost):
    rows = frame()
    gone = (rows["model"] == lost) & (rows["round"] == 1)
    with pytest.raises(ValueError, match=f"causes: mnist at 50 nodes lacks {lost} in some round"):
        effects(rows[~gone])
    with pytest.raises(ValueError, match=f"lacks {lost}"):
        effects(rows[rows["model"] != lost])
