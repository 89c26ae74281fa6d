"""Leads over many sets in made-up worlds: what holds, what fails, what stays open, and what must not count twice."""

import numpy as np
import pandas as pd
import pytest

from celm.analysis.suite_hypotheses import hypothesis_of, judge_hypothesis, together
from celm.analysis.suite_leads import Lead, among, pooled_lead, pooled_table, scores_of, set_leads, source_rounds
from celm.analysis.suite_moderators import moderators_table
from celm.analysis.words import FAILS, HOLDS, NOT_RUN, OPEN

LEAD = Lead("lead", ("b",), ("a",))
ENTRY = {
    "id": "h",
    "reads": ["suite"],
    "says": "b gains less than half a point",
    "why": "",
    "score": "accuracy",
    "kinds": ["table"],
    "fresh": True,
    "level": "beyond",
    "parts": [{"name": "b", "of": ["b"], "over": ["a"], "at_most": 0.005}],
}


def world(leads, *, rounds=10, noise=0.004, between=0.0, kind="table", tried=False, seed=0, source=None):
    """Records of models a and b on sets whose true leads are given, and the table of those sets."""
    rng = np.random.default_rng(seed)
    rows, sets = [], []
    for place, lead in enumerate(leads):
        name = f"{kind}{'_tried' if tried else ''}{place}"
        true = lead + between * rng.standard_normal()
        for round_ in range(rounds):
            base = 0.8 + 0.01 * rng.standard_normal()
            shared = {"dataset": name, "round": round_, "n_train": 200, "n_test": 100, "official_split": False}
            rows.append({**shared, "model": "a", "accuracy": base})
            rows.append({**shared, "model": "b", "accuracy": base + true + noise * rng.standard_normal()})
        sets.append({"dataset": name, "source": source or name, "kind": kind, "tried": tried})
    return pd.DataFrame(rows), pd.DataFrame(sets)


def joined(*worlds):
    frames, sets = zip(*worlds, strict=True)
    return pd.concat(frames, ignore_index=True), pd.concat(sets, ignore_index=True)


def verdict(worlds, **changes):
    return judge_hypothesis(hypothesis_of({**ENTRY, **changes}), *joined(*worlds))


@pytest.mark.parametrize(("lead", "word"), [(0.0, HOLDS), (0.005, OPEN), (0.02, FAILS)])
def test_a_margin_is_judged_by_the_limits_of_the_pooled_lead(lead, word):
    found = verdict([world([lead] * 12, between=0.002)])
    (part,) = found.parts
    assert found.verdict == part.verdict == word
    assert part.low < lead < part.high
    assert part.predicted_low < part.low
    assert part.predicted_high > part.high
    assert (part.sets, part.sources, part.holds + part.fails + part.open) == (12, 12, 12)


def test_only_fresh_sets_of_the_kind_decide_and_the_others_stand_beside():
    seen = world([0.03] * 8, tried=True)
    images = world([0.05] * 6, kind="image")
    found = verdict([world([0.0] * 8, between=0.001), seen, images])
    assert found.verdict == HOLDS
    assert found.parts[0].exploratory.verdict == FAILS
    assert found.parts[0].exploratory.effect == pytest.approx(0.03, abs=0.003)
    assert verdict([seen]).verdict == NOT_RUN


def test_five_views_of_one_source_are_one_source():
    alone = [world([0.0] * 6, between=0.001), world([0.04] * 5, kind="view", source="mdd")]
    frame, sets = joined(*alone)
    every = set_leads(scores_of(frame, sets, "accuracy"), LEAD)
    assert len(every) == 11
    pooled, _ = pooled_lead(every)
    assert pooled.sources == 7
    assert source_rounds(among(every, ["view"])).shape == (1, 10)
    few, reason = pooled_lead(among(every, ["view"]))
    assert few is None
    assert "1 independent sources (mdd)" in reason


def test_too_few_sources_leave_it_open_beyond_and_are_judged_on_these_data():
    images = [world([0.02, 0.03, 0.02, 0.025], kind="image", tried=True)]
    entry = {"kinds": ["image"], "fresh": False, "parts": [{**ENTRY["parts"][0], "at_most": 9, "at_least": 0.01}]}
    assert verdict(images, **entry).verdict == OPEN
    found = verdict(images, **entry, level="these data")
    assert found.verdict == HOLDS
    assert found.parts[0].effect == pytest.approx(0.024, abs=0.003)


def test_sets_on_which_nothing_differs_count_and_do_not_stop_the_others():
    same, sets = world([0.0] * 3, noise=0.0)
    others = world([0.01] * 9, kind="other", between=0.004)
    every = set_leads(scores_of(*joined((same, sets), others), "accuracy"), LEAD)
    assert min(one.variance for one in every) == pytest.approx(0.01**2 * (1 / 10 + 100 / 200))
    pooled, reason = pooled_lead(every)
    assert reason == ""
    assert pooled.sources == 12
    assert 0 < pooled.effect < 0.01


def test_a_round_that_a_model_lacks_is_left_out_and_a_set_without_the_model_too():
    frame, sets = world([0.01, 0.01])
    frame = frame[~((frame["dataset"] == "table0") & (frame["round"] == 3) & (frame["model"] == "b"))]
    frame = frame[~((frame["dataset"] == "table1") & (frame["model"] == "b"))]
    (one,) = set_leads(scores_of(frame, sets, "accuracy"), LEAD)
    assert (one.dataset, len(one.rounds)) == ("table0", 9)


def test_all_parts_must_hold_and_one_failure_is_enough():
    assert together([HOLDS, HOLDS]) == HOLDS
    assert together([HOLDS, OPEN]) == OPEN
    assert together([OPEN, FAILS]) == FAILS
    assert together([HOLDS, NOT_RUN]) == NOT_RUN


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"level": "above"}, "hypothesis h: level must be one of beyond, these data; got 'above'"),
        ({"parts": [{"name": "b", "of": ["b"], "over": ["a"]}]}, "the part 'b' must have at_least or at_most"),
    ],
)
def test_a_wrong_entry_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        hypothesis_of({**ENTRY, **changes})


def test_the_pooled_table_counts_wins_and_losses_of_sets():
    frame, sets = joined(world([0.02] * 5 + [-0.02]), world([0.01] * 2, kind="image"))
    table = pooled_table(frame, sets, [LEAD], ["accuracy"]).set_index("sets")
    assert list(table.index) == ["all", "tables, fresh", "images"]
    assert table.loc["tables, fresh", ["wins", "losses", "clear_wins", "clear_losses"]].tolist() == [5, 1, 5, 1]
    assert np.isnan(table.loc["images", "low"])
    assert table.loc["images", "effect"] == pytest.approx(0.01, abs=0.003)


def test_a_lead_that_grows_with_a_trait_is_found_and_another_is_not():
    rng = np.random.default_rng(1)
    overlaps = rng.uniform(0, 0.5, 30)
    frame, sets = world(0.05 * overlaps, between=0.001)
    sets = sets.assign(n_rows=rng.integers(150, 5000, 30), n_features=rng.integers(2, 90, 30), n_classes=2)
    traits = {f"table{place}": value for place, value in enumerate(overlaps)}
    nearest = frame[frame["model"] == "a"].assign(model="nearest", variance_share=rng.uniform(0.2, 1, 300))
    frame = pd.concat([frame, nearest.assign(overlap=nearest["dataset"].map(traits))], ignore_index=True)
    table = moderators_table(frame, sets, [LEAD], "accuracy").set_index("moderator")
    assert "log2_classes" not in table.index  # all sets have two classes
    assert table.loc["overlap", "p_holm"] < 0.001
    assert table.loc["overlap", "effect"] == pytest.approx(0.05 * overlaps.std(), rel=0.2)
    assert table.loc[["log10_rows", "log10_features"], "p_holm"].min() > 0.05
    assert moderators_table(frame.drop(columns="overlap"), sets, [LEAD], "accuracy").empty
