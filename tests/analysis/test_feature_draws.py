"""Codebooks and draws of image features: models paired by draw, codebooks kept apart."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.feature_draws import feature_summary, n_features, shared_spread
from celm.analysis.statistics import paired_t

ELM, SELM = [0.60, 0.62, 0.61], [0.70, 0.71, 0.73]


def frame(atoms=50, two_sided=True, **accuracies):
    shared = {"features_n_atoms": atoms, "features_two_sided": two_sided, "features_grid": 2}
    return pd.DataFrame(
        {**shared, "model": model, "features_draw": draw, "accuracy": accuracy}
        for model, values in accuracies.items()
        for draw, accuracy in enumerate(values)
    )


def test_models_are_compared_with_elm_draw_by_draw_in_the_papers_order():
    summary = feature_summary(frame(selm=SELM, elm=ELM)).set_index("model")
    assert list(summary.index) == ["elm", "selm"]
    lead = paired_t(np.subtract(SELM, ELM))
    assert tuple(summary.loc["selm", ["above_elm", "ci_low", "ci_high"]]) == pytest.approx(
        (lead.mean, lead.low, lead.high)
    )
    assert tuple(summary.loc["selm", ["accuracy_mean", "accuracy_std", "lowest", "highest"]]) == pytest.approx(
        (np.mean(SELM), np.std(SELM, ddof=1), 0.70, 0.73)
    )
    assert summary.loc["elm", ["above_elm", "ci_low", "ci_high"]].isna().all()


def test_a_draw_without_elm_counts_for_the_mean_and_not_for_the_lead():
    summary = feature_summary(frame(selm=[*SELM, 0.9], elm=ELM)).set_index("model")
    assert summary.loc["selm", "draws"] == 4
    assert summary.loc["selm", "above_elm"] == pytest.approx(np.mean(SELM) - np.mean(ELM))


def test_codebooks_are_rows_of_their_own_in_order_of_size():
    summary = feature_summary(pd.concat([frame(atoms, linear_svm=[atoms / 1000]) for atoms in (200, 25, 100)]))
    assert list(summary["atoms"]) == [25, 100, 200]
    assert list(summary["accuracy_mean"]) == pytest.approx([0.025, 0.1, 0.2])
    assert list(summary["features"]) == [200, 800, 1600]


@pytest.mark.parametrize(("two_sided", "features"), [(True, 400), (False, 200)])
def test_features_of_an_image(two_sided, features):
    assert n_features(frame(two_sided=two_sided, elm=[0.5]).iloc[0]) == features


def test_the_shared_spread_is_that_of_what_all_models_have_in_common():
    rng = np.random.default_rng(0)
    common, own = 0.01 * rng.standard_normal(400), 0.002 * rng.standard_normal((3, 400))
    worlds = {name: 0.7 + common + noise for name, noise in zip(("elm", "selm", "cdelm"), own, strict=True)}
    assert shared_spread(frame(**worlds)) == pytest.approx(0.01, rel=0.1)
    assert shared_spread(frame(elm=[0.6, 0.61, 0.6], selm=[0.61, 0.6, 0.61])) == 0.0
