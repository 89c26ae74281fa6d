"""Every claim of the paper: true in a world that is as the paper says, false in one that is not."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from celm.analysis.claims import judge, quantity_of
from celm.analysis.claims.judging import UNITS
from celm.base.names import CELMS
from experiments.analyses.sentences import gone_claims
from experiments.analyses.sentences_judged import command_of, written_claims

CLAIMS = {claim.id: claim for claim in written_claims()}


def shifted(frame, by, models=None):
    """Accuracies of some models (all) higher by that much."""
    chosen = True if models is None else frame["model"].isin(models)
    return frame.assign(accuracy=frame["accuracy"] + np.where(chosen, by, 0.0))


def mirrored(frame, column="accuracy"):
    """Who was ahead is now behind by as much."""
    return frame.assign(**{column: 1.5 - frame[column]})


def inverted(frame, column):
    """Who was slow is now fast by the same factor."""
    return frame.assign(**{column: 1.0 / frame[column]})


def constant(frame, column="accuracy"):
    """Nothing differs but the rounds."""
    return frame.assign(**{column: 0.5 + frame["round"] / 1000})


def scaled(frame, column, by):
    """A column in other units."""
    return frame.assign(**{column: frame[column] * by})


def slower_celms(frame, factor, column="fit_seconds"):
    """The CELMs fit in so many times their time."""
    return frame.assign(**{column: frame[column] * np.where(frame["model"].isin(CELMS), factor, 1.0)})


def spreading(frame):
    """Rounds differ more and more with the nodes."""
    return frame.assign(accuracy=0.9 + frame["round"] * np.where(frame["n_hidden"] < 60, 1e-4, 1e-2))


# Claim -> the experiments that are spoilt, and how.
SPOILT = {
    "fewer_nodes_respond_faster": ("fig5a", constant),
    "celms_above_linear_svm": ("table1", mirrored),
    "elm_needs_many_nodes_uci": ("fig4", constant),
    "elm_overfits_with_many_nodes": ("overfit", constant),
    "celms_above_bp": ("table1", mirrored),
    "bp_learns_slowly": ("table1", partial(slower_celms, factor=10.0)),
    "elm_beats_linear_svm": ("table1", mirrored),
    "condition_number_is_large": ("layer_facts", partial(constant, column="condition_digits")),
    "small_norm_filter_helps_little": ("table1+small_norm_filter", partial(shifted, by=0.02)),
    "correlation_filter_helps_little": ("table1+cosine_filter", partial(shifted, by=-0.02)),
    "filters_cost_time": ("layer_times+cosine_filter", partial(scaled, column="draw_seconds", by=0.25)),
    "midpoint_bias_helps": ("causes_mdd causes_mnist causes_cifar10", mirrored),
    "selm_separates_a_quadratic_curve": ("quadratic", mirrored),
    "cselm_weakens_noisy_samples": ("input_noise", mirrored),
    "rselm_draws_faster_than_class_sums": ("layer_times", partial(constant, column="draw_seconds")),
    "cmelm_equals_the_averaged_outputs": ("averaged", partial(shifted, by=0.03, models=["cmelm"])),
    "spiral_celms_perfect_above_fifty": ("fig3", mirrored),
    "spiral_orthogonal_elm_drops": ("fig3", constant),
    "spiral_elm_reaches_point_eight": ("fig3", partial(shifted, by=0.1)),
    "spiral_celms_always_above": ("fig3", mirrored),
    "spiral_variance_shrinks": ("fig3", spreading),
    "spiral_celms_differ_little": ("fig3", partial(shifted, by=-0.1, models=["selm"])),
    "celms_differ_little_uci": ("table1", partial(shifted, by=-0.1, models=["cdelm"])),
    "uci_curves_above_elm": ("fig4", mirrored),
    "uci_curves_above_orthogonal_elm": ("fig4", mirrored),
    "most_celms_outperform_others": ("table1", mirrored),
    "celms_improve_significantly": ("table1", mirrored),
    "celms_above_orthogonal_elm": ("table1", mirrored),
    "celms_learn_as_fast_as_elm": ("table1", partial(slower_celms, factor=3.0)),
    "learning_speed_as_printed": ("celm/table1", partial(slower_celms, factor=3.0, column="train_seconds")),
    "bold_is_best_as_printed": ("celm/table1", mirrored),
    "bold_is_best_here": ("table1", partial(shifted, by=0.1, models=["elm"])),
    "eight_points_over_elm": ("fig5b", constant),
    "large_sets_always_above": ("fig5a fig5b", mirrored),
    "mnist_1000_comparable_to_ml_elm": ("table2", partial(shifted, by=0.02, models=["ml_elm"])),
    "mnist_1000_faster_than_ml_elm": ("fit_times", partial(slower_celms, factor=3.0)),
    "mnist_2000_above_ml_elm": ("table2", mirrored),
    "mnist_2000_slower_than_ml_elm": ("fit_times", partial(slower_celms, factor=0.1)),
    "mnist_gap_over_elm": ("table2", constant),
    "mnist_celms_learn_as_fast_as_elm": ("fit_times", partial(slower_celms, factor=2.0)),
    "cifar_above_svm_and_deep": ("table3", mirrored),
    "cifar_eight_points_over_svm": ("table3", partial(shifted, by=0.02, models=["linear_svm"])),
    "cifar_three_points_over_deep": ("table3", partial(shifted, by=0.04, models=["r2svm", "dcn"])),
    "eight_points_over_svm_as_printed": ("celm/table3", partial(shifted, by=0.02, models=["linear_svm"])),
    "three_points_over_deep_as_printed": ("celm/table3", partial(shifted, by=0.04, models=["r2svm", "dcn"])),
    "tsne_separates_classes": ("fig6", constant),
    "tsne_retains_structure": ("fig6", partial(mirrored, column="trustworthiness")),
    "tsne_of_elm_does_not_converge": ("fig6", partial(inverted, column="kl_divergence")),
    "squared_norm_over_l2": ("causes_mdd causes_mnist causes_cifar10", mirrored),
    "few_nodes_great_lead": ("fig4", constant),
    "normalisation_margin_shrinks_uci": ("fig4", partial(shifted, by=0.2, models=["normalized_elm"])),
    "normalisation_margin_shrinks_mnist": ("fig5a", partial(shifted, by=0.2, models=["normalized_elm"])),
    "normalisation_helps_elm": ("fig4", mirrored),
    "unnormalised_weights_saturate": ("layer_facts", partial(scaled, column="saturated", by=0.1)),
    "constrained_weights_help_beyond_normalisation": ("fig4", constant),
    "celms_better_in_almost_all_comparisons": ("table1", mirrored),
    "celms_overfit_with_very_many_nodes": ("overfit", constant),
    "penalty_recovers_the_best_count": ("overfit_ridge", partial(shifted, by=-0.15)),
    "solving_grows_with_nodes": ("fit_times", partial(constant, column="fit_seconds")),
}


def judged(claim, frames):
    return judge(claim, frames, {name: command_of(name) for name in claim.reads})


def test_every_claim_has_a_world_that_spoils_it():
    assert list(CLAIMS) == list(SPOILT)
    assert len(CLAIMS) >= 25


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_holds_where_the_paper_is_right(claim, world):
    outcome = judged(claim, world)
    assert outcome.verdict == "holds", outcome.sentence
    assert outcome.on_these_data.low <= outcome.on_these_data.effect <= outcome.on_these_data.high
    assert outcome.numbers
    assert outcome.beyond.verdict in (None, "holds")
    assert outcome.beyond.verdict or outcome.beyond.reason


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_fails_where_it_is_wrong(claim, world):
    experiments, spoil = SPOILT[claim.id]
    outcome = judged(claim, {**world, **{name: spoil(world[name]) for name in experiments.split()}})
    assert outcome.verdict == "fails", outcome.sentence
    assert any(holds is False for _, holds in outcome.numbers)
    assert outcome.on_these_data.fails > 0
    assert outcome.beyond.verdict in (None, "fails")


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_every_claim_tells_its_quantity_with_a_unit(claim, world):
    unit = judged(claim, world).unit
    assert quantity_of(claim, unit).endswith(UNITS[unit]) or UNITS[unit] in quantity_of(claim, unit)


def test_sections_follow_the_paper_and_none_comes_twice():
    order = ["Abstract", "I", "II", "III.A", "III.B", "III.C", "III.D", "III.E", "IV.A", "IV.B", "IV.C", "V", "VI"]
    sections = list(dict.fromkeys(claim.section for claim in CLAIMS.values()))
    assert sections == [name for name in order if name in sections]
    places = [order.index(claim.section) for claim in CLAIMS.values()]
    assert places == sorted(places)


def test_what_is_gone_has_an_heir_or_a_reason():
    gone = gone_claims()
    assert set(gone.merged.values()) <= CLAIMS.keys()
    assert not (gone.merged.keys() | gone.withdrawn.keys()) & CLAIMS.keys()
    assert all(len(reason) > 15 for reason in gone.withdrawn.values())


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_not_run_without_records(claim, world):
    for name in claim.reads:
        outcome = judged(claim, {**world, name: pd.DataFrame()})
        assert outcome.verdict == outcome.beyond.verdict == "not run"
        assert f"{name} (run: python -m experiments.run " in outcome.sentence
        assert outcome.pooled() is None


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=list(CLAIMS))
def test_every_margin_has_a_reason(claim):
    assert claim.says.endswith((".", ")", "?"))
    assert len(claim.why) > 15


def test_a_model_without_records_is_told(world):
    claim = CLAIMS["cifar_above_svm_and_deep"]
    frame = world["table3"]
    outcome = judged(claim, {"table3": frame[frame["model"] != "dcn"]})
    assert outcome.verdict == "not run"
    assert "no records of dcn on cifar10" in outcome.sentence
