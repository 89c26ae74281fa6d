"""Directions at equal spreads in a made-up world: what is drawn, what is said, and a world without one half."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from celm.analysis.words import FAILS, HOLDS
from celm.render.markdown import markdown
from experiments.analyses.spread_told import SPREAD, as_verdict
from experiments.analysis import NotComplete
from experiments.config.schema import register
from experiments.config.shorthands import DIRECTIONS_ALONE

register()
SPREADS = (0.03, 0.3, 3.0)
GAINS = {"elm": (0.0, 2.2), "elm_scaled": (0.03, 0.3), "covariance_scaled": (0.05, 0.3), "selm_scaled": (0.05, 0.3)}
OTHERS = ("normalized_elm", "orthogonal_elm", "cdelm", "cselm", "selm", "rselm", "cmelm", "linear_ridge")


def frames(extra=()):
    """Accuracy falls with the distance of log spread from log 0.3; the data's directions have two points more."""
    rng = np.random.default_rng(0)
    shared = {"n_train": 1333, "n_test": 667, "official_split": False, "chosen": True}
    swept, own = [], []
    for dataset, round_ in product(("mdd_kar", "mdd_zer"), range(6)):
        for model, spread, count in product(DIRECTIONS_ALONE, SPREADS, (50, 200)):
            mean = 0.9 - 0.02 * abs(np.log10(spread / 0.3)) + 0.02 * (not model.startswith("random"))
            value = {"accuracy": mean + rng.normal(0, 0.002), "input_scale": spread}
            swept.append({**shared, "dataset": dataset, "round": round_, "model": model, "n_hidden": count, **value})
        for model in (*GAINS, *OTHERS):
            gain, spread = {**GAINS, **dict(extra)}.get(model, (0.04, 0.5 if model != "linear_ridge" else np.nan))
            value = {"accuracy": 0.88 + gain + rng.normal(0, 0.001), "spread": spread}
            own.append({**shared, "dataset": dataset, "round": round_, "model": model, "n_hidden": 200, **value})
    return {"causes_spread": pd.DataFrame(swept), "causes_spread_own": pd.DataFrame(own)}


def test_curves_peak_where_they_were_made_to_and_marks_stand_at_their_spread():
    found = SPREAD.find(frames())
    assert set(found.best["spread"]) == {0.3}
    assert len(found.curves) == 2 * 2 * len(DIRECTIONS_ALONE) * len(SPREADS)
    marks = found.marks.set_index(["dataset", "model"])
    assert marks.loc[("mdd_kar", "elm"), "spread"] == 2.2
    assert np.isnan(marks.loc[("mdd_kar", "linear_ridge"), "spread"])
    assert len(SPREAD.picture(found).figure.axes) == 2


def test_hypotheses_hold_in_this_world_and_fail_in_another():
    verdicts = {one.hypothesis.id: one.verdict for one in SPREAD.find(frames()).hypotheses}
    assert verdicts == {"causes_scale": HOLDS, "causes_directions": HOLDS, "causes_labels": HOLDS}
    spoilt = SPREAD.find(frames({"covariance_scaled": (0.03, 0.3), "cselm": (0.06, 0.3)}))
    verdicts = {one["id"]: one["verdict"] for one in as_verdict(spoilt)["hypotheses"]}
    assert verdicts == {"causes_scale": HOLDS, "causes_directions": FAILS, "causes_labels": FAILS}


def test_what_is_told_has_every_direction_and_model():
    found = SPREAD.find(frames())
    text = markdown(SPREAD.document(found))
    for words in ("Gaussian, data covariance", "0.3", "Linear ridge", "spread 2.2", "**holds**"):
        assert words in text
    assert len(SPREAD.answer(found).lines) == 3
    sets = "judged on MDD-kar, MDD-zer; not run yet: MDD-fac, MDD-fou, MDD-pix, MNIST, CIFAR-10"
    assert sets in text
    assert sets in SPREAD.answer(found).lead


def test_one_half_is_not_enough():
    with pytest.raises(NotComplete, match=r"needs one of causes_spread, .* and one of causes_spread_own"):
        SPREAD.find({"causes_spread": frames()["causes_spread"]})
