"""What measures pick and compute: pairing by round, plain intervals, matching nodes."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.claims.accuracy import CurvesAbove, Lead, Range, ShareAbove, Winners
from celm.analysis.claims.changes import Change
from celm.analysis.claims.cost import ChangeRatio, Growth, NodeRatio, Ratio, matching_nodes
from celm.analysis.claims.curve_claims import Fall, Resistance, Shrinkage, SpreadRatio
from celm.analysis.claims.outcome import Region, outcome_of
from celm.analysis.claims.rounds import NoRecords, part_of, picked
from celm.analysis.statistics import paired_t

RNG = np.random.default_rng(3)


def frame_of(curves, dataset="wdbc", experiment="x", sizes=(200, 100)):
    """``curves``: model -> {node count: accuracies by round}."""
    return pd.DataFrame(
        [
            {
                "experiment": experiment,
                "dataset": dataset,
                "model": model,
                "n_hidden": L,
                "round": r,
                "accuracy": value,
                "n_train": sizes[0],
                "n_test": sizes[1],
                "official_split": dataset in ("mnist", "cifar10"),
            }
            for model, curve in curves.items()
            for L, values in curve.items()
            for r, value in enumerate(values)
        ]
    ).sample(frac=1, random_state=0)


def test_leads_are_paired_by_round():
    elm, selm = RNG.normal(0.8, 0.01, (2, 6))
    found = Lead(["selm"], ["elm"]).measure(frame_of({"elm": {5: elm}, "selm": {5: selm}}))
    known = paired_t(selm - elm)
    assert found.items[0].label == "WDBC: SELM − ELM"
    assert found.items[0][1:] == pytest.approx(known[:3])
    assert found.overall[1:] == pytest.approx(known[:3])
    assert found.rounds[0].shared == 0.5


def test_a_model_may_have_a_baseline_of_its_own():
    frame = frame_of({name: {5: [level] * 2} for name, level in zip("abcd", (0.9, 0.8, 0.7, 0.5), strict=True)})
    found = Lead(["a", "b"], ["c", "d"], against="own").measure(frame)
    assert [item.effect for item in found.items] == pytest.approx([0.2, 0.3])


def test_node_counts_are_averaged_listed_or_kept_apart():
    frame = frame_of({"elm": {L: [L / 100] * 2 for L in (5, 10, 15, 20)}})
    assert picked(frame, ["elm"]).at("wdbc", "elm") == pytest.approx([0.125] * 2)
    assert picked(frame, ["elm"], counts=[10]).at("wdbc", "elm") == pytest.approx([0.1] * 2)
    assert picked(frame, ["elm"], part="last").at("wdbc", "elm") == pytest.approx([0.2] * 2)
    assert picked(frame, ["elm"], per_count=True).at("wdbc", "elm", 15) == pytest.approx([0.15] * 2)
    assert part_of(range(5, 201, 5), "first") == list(range(5, 51, 5))


def test_a_chosen_count_stands_for_its_cell():
    frame = frame_of({"elm": {5: [0.5, 0.9], 10: [0.6, 0.7]}})
    frame["chosen"] = (frame["n_hidden"] == 5) == (frame["round"] == 1)
    assert picked(frame, ["elm"]).at("wdbc", "elm") == pytest.approx([0.6, 0.9])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"models": ["selm"]}, "no records of selm on wdbc"),
        ({"models": ["elm"], "counts": [7]}, r"no records with \[7\] nodes of elm"),
        ({"models": ["elm"], "datasets": ["mnist"]}, "no records on mnist"),
        ({"models": ["elm"], "column": "fit_seconds"}, "no column fit_seconds"),
        ({"models": ["elm", "bp"]}, "bp was not run in the rounds of the other models on wdbc"),
    ],
)
def test_missing_records_are_named(arguments, words):
    frame = frame_of({"elm": {5: [0.5, 0.6], 10: [0.6, 0.7]}, "bp": {20: [0.5]}})
    with pytest.raises(NoRecords, match=words):
        picked(frame, **arguments)


def test_only_rounds_that_all_have_are_paired():
    frame = frame_of({"selm": {5: [0.9, 0.8, 0.1, 0.2]}, "dcn": {1: [0.7, 0.7]}})
    (item,) = Lead(["selm"], ["dcn"]).measure(frame).items
    assert item.effect == pytest.approx(0.15)


def test_what_was_run_once_on_an_official_split_stands_for_every_round():
    selm = RNG.normal(0.7, 0.01, 5)
    frame = frame_of({"selm": {5: selm}, "linear_svm": {1: [0.65]}}, dataset="cifar10")
    (item,) = Lead(["selm"], ["linear_svm"]).measure(frame).items
    assert item[1:] == pytest.approx(paired_t(selm - 0.65)[:3])


def test_curves_cross_for_certain_only_beyond_the_simultaneous_limit():
    base = RNG.normal(0.8, 0.001, (3, 8))
    above = {"elm": dict(zip((5, 10, 15), base, strict=True))}
    item = CurvesAbove(["selm"], ["elm"]).measure(
        frame_of({**above, "selm": {5: base[0] + 0.1, 10: base[1] - 0.05, 15: base[2] + 0.2}})
    )
    assert item.items[0].label.endswith("least at 10 nodes")
    assert item.items[0].effect == pytest.approx(-0.05)
    assert (item.items[0].low, item.items[0].high) == pytest.approx((-0.05, -0.05))
    noisy = base[1] - 0.01 + np.tile([0.05, -0.05], 4)
    wide = CurvesAbove(["selm"], ["elm"]).measure(frame_of({**above, "selm": {5: base[0], 10: noisy, 15: base[2]}}))
    assert wide.items[0].effect == pytest.approx(-0.01)
    assert wide.items[0].high == pytest.approx(0.0, abs=2e-3)


def test_a_curve_is_above_for_certain_only_where_its_lowest_simultaneous_limit_is():
    """A lead whose mean is above zero everywhere, but at one count not beyond chance, is not a curve above."""
    base = RNG.normal(0.8, 0.001, (3, 8))
    noisy = base[1] + 0.01 + np.tile([0.05, -0.05], 4)
    curves = {
        "elm": dict(zip((5, 10, 15), base, strict=True)),
        "selm": {5: base[0] + 0.1, 10: noisy, 15: base[2] + 0.2},
    }
    (item,) = CurvesAbove(["selm"], ["elm"]).measure(frame_of(curves)).items
    assert item.effect == pytest.approx(0.01)
    assert item.low < paired_t(noisy - base[1]).low < 0


def test_two_rounds_of_a_curve_have_no_limits():
    curves = {"elm": {5: [0.5, 0.6], 10: [0.6, 0.7]}, "selm": {5: [0.7, 0.8], 10: [0.8, 0.8]}}
    found = CurvesAbove(["selm"], ["elm"]).measure(frame_of(curves))
    assert np.isnan(found.items[0].low)
    assert outcome_of(found, Region(at_least=0.0)).verdict == "open"


def test_share_of_cases_from_surely_above_to_not_surely_below():
    base = RNG.normal(0.8, 0.001, 8)
    models = {"elm": base, "selm": base + 0.1, "cdelm": base + RNG.normal(0.001, 0.05, 8), "cselm": base - 0.1}
    frame = frame_of({model: {5: values} for model, values in models.items()})
    (item,) = ShareAbove(["selm", "cdelm", "cselm"], ["elm"]).measure(frame).items
    assert item.low == pytest.approx(1 / 3)
    assert item.high == pytest.approx(2 / 3)


def test_a_baseline_counts_where_it_was_run():
    base = RNG.normal(0.8, 0.001, 8)
    here = frame_of({"elm": {5: base}, "bp": {5: base + 0.2}, "selm": {5: base + 0.1}})
    there = frame_of({"elm": {5: base}, "selm": {5: base + 0.1}}, dataset="spiral")
    (item,) = ShareAbove(["selm"], ["elm", "bp"], where_run=True).measure(pd.concat([here, there])).items
    assert item.label == "3 cases"
    assert item.effect == pytest.approx(2 / 3)
    with pytest.raises(NoRecords, match="no records of bp on spiral"):
        ShareAbove(["selm"], ["elm", "bp"]).measure(pd.concat([here, there]))


def test_winner_and_range_take_the_extreme_pairs():
    levels = {"elm": 0.9, "selm": 0.92, "cselm": 0.95, "bp": 0.94}
    frame = frame_of({model: {5: [level, level + 0.01]} for model, level in levels.items()})
    (item,) = Winners({"wdbc": ["selm", "elm"]}).measure(frame).items
    assert item.label == "WDBC: SELM − CSELM"
    assert item.effect == pytest.approx(-0.03)
    (item,) = Range(["elm", "selm", "cselm"]).measure(frame).items
    assert item.label == "WDBC: CSELM − ELM"
    assert item.effect == pytest.approx(0.05)


def test_change_between_experiments_at_as_many_nodes_as_samples():
    before = frame_of({"selm": {100: [0.9, 0.8], 210: [0.5, 0.4]}}, experiment="a")
    after = frame_of({"selm": {210: [0.7, 0.7]}}, experiment="b")
    found = Change("a", "b", ["selm"], at_n_train=True).measure(pd.concat([before, after]))
    assert found.items[0].effect == pytest.approx(0.25)
    assert not found.vacuous


def test_change_from_the_best_count_before_as_many_nodes_as_samples():
    before = frame_of({"selm": {50: [0.7, 0.7], 100: [0.9, 0.8], 210: [0.95, 0.95]}}, experiment="a")
    after = frame_of({"selm": {210: [0.84, 0.84]}}, experiment="b")
    (item,) = Change("a", "b", ["selm"], at_n_train=True, from_best=True).measure(pd.concat([before, after])).items
    assert item.effect == pytest.approx(0.84 - 0.85)


def test_a_change_that_changed_nothing_is_vacuous():
    before, same = (frame_of({"selm": {100: [0.9, 0.8]}}, experiment=name) for name in "ab")
    found = Change("a", "b", ["selm"]).measure(pd.concat([before, same]))
    assert "b gives the accuracies of a to the last digit in all 2 rounds" in found.vacuous
    assert outcome_of(found, Region(at_most=0.1)).verdict == "vacuous"


def test_fall_from_the_best_count_before_the_samples_to_them():
    curve = {50: [0.8, 0.8], 100: [0.9, 0.9], 200: [0.6, 0.5], 400: [0.95, 0.95]}
    (item,) = Fall(["selm"], "best", "n_train").measure(frame_of({"selm": curve})).items
    assert item.label == "WDBC: SELM, 100 to 200"
    assert item.effect == pytest.approx(0.35)
    (item,) = Fall(["selm"], 100, "beyond").measure(frame_of({"selm": curve})).items
    assert item.effect == pytest.approx(0.9 - (0.55 + 0.95) / 2)
    with pytest.raises(NoRecords, match="no curve from 400 nodes on"):
        Fall(["selm"], 400, "beyond").measure(frame_of({"selm": curve}))


def test_spread_ratio_is_that_of_pooled_deviations():
    curve = {5: [0.4, 0.6], 10: [0.5, 0.5], 20: [0.49, 0.51]}
    (item,) = SpreadRatio(["selm"], [5, 10], [20]).measure(frame_of({"selm": curve})).items
    assert item.effect == pytest.approx(np.sqrt(0.0002 / 0.01))
    assert item.low < item.effect < item.high


def test_shrinkage_compares_the_ends_of_curves():
    celm = {L: [0.9, 0.91] for L in (5, 10, 15, 20)}
    elm = {5: [0.7, 0.71], 10: [0.8, 0.81], 15: [0.85, 0.86], 20: [0.85, 0.86]}
    (item,) = Shrinkage(["selm"], ["elm"], 0.5).measure(frame_of({"selm": celm, "elm": elm})).items
    assert item.effect == pytest.approx(0.05 - 0.5 * 0.2)
    assert "from +20.0 to +5.0 points" in item.label


def test_resistance_is_the_difference_of_losses():
    clean = frame_of({"cselm": {5: [0.9, 0.9]}, "selm": {5: [0.95, 0.95]}})
    noisy = frame_of({"cselm": {5: [0.8, 0.8]}, "selm": {5: [0.7, 0.7]}})
    frame = pd.concat([clean, noisy.assign(label_noise=0.3)])
    (item,) = Resistance(["cselm"], ["selm"], "label_noise").measure(frame).items
    assert item.effect == pytest.approx(0.25 - 0.1)
    with pytest.raises(NoRecords, match="both with and without"):
        Resistance(["cselm"], ["selm"], "label_noise").measure(noisy.assign(label_noise=0.3))


def test_ratios_are_geometric_means():
    frame = frame_of({"elm": {5: [0.5, 0.5]}, "bp": {5: [0.5, 0.5]}}).sort_values(["model", "round"])
    frame["fit_seconds"] = [8.0, 2.0, 1.0, 1.0]
    (item,) = Ratio("fit_seconds", ["bp"], ["elm"]).measure(frame).items
    assert item.label == "WDBC: BP / ELM"
    assert item.effect == pytest.approx(4.0)


def test_growth_is_a_model_over_itself():
    frame = frame_of({"elm": {5: [0.5, 0.5], 10: [0.5, 0.5]}})
    frame["fit_seconds"] = np.where(frame["n_hidden"] == 10, 6.0, 2.0)
    (item,) = Growth("fit_seconds", ["elm"], 5, 10).measure(frame).items
    assert item.label == "WDBC: ELM, 10 over 5 nodes"
    assert item.effect == pytest.approx(3.0)


def test_what_a_change_costs_is_told_for_every_count():
    before = frame_of({"cdelm": {5: [0.5] * 2, 10: [0.5] * 2}}, experiment="a").assign(draw_seconds=1.0)
    after = before.assign(experiment="b", draw_seconds=before["n_hidden"] / 5.0)
    found = ChangeRatio("draw_seconds", "a", "b", ["cdelm"]).measure(pd.concat([before, after]))
    assert {item.label: round(item.effect, 6) for item in found.items} == {
        "WDBC: CDELM, 5 nodes": 1.0,
        "WDBC: CDELM, 10 nodes": 2.0,
    }


@pytest.mark.parametrize(("accuracy", "nodes"), [(0.4, 10), (0.55, 12.5), (0.7, 20), (0.75, 35), (1, 40)])
def test_matching_nodes_lie_between_the_counts_of_the_best_so_far(accuracy, nodes):
    assert matching_nodes(np.array([0.5, 0.7, 0.6, 0.8]), [10, 20, 30, 40], accuracy) == pytest.approx(nodes)


def test_rounds_that_never_match_are_told():
    frame = frame_of({"elm": {10: [0.5, 0.5], 40: [0.7, 0.9]}, "selm": {10: [0.8, 0.8], 40: [0.9, 0.9]}})
    (item,) = NodeRatio(["selm"], "elm", 0.25).measure(frame).items
    assert "for 10 of SELM (never in 1 of 2 rounds)" in item.label
    assert item.effect == pytest.approx(np.sqrt(4.0 * 3.25))
