"""What is told beside a verdict: on the card, in the table and in the files for programs."""

import json

import pytest

from celm.analysis.claims import Outcome
from celm.analysis.levels import LevelVerdict
from experiments.analyses.sentences import CLAIMS, registered_text, section, told, written_document
from experiments.analyses.sentences_judged import written_claims
from experiments.analyses.sentences_marks import held_on, held_text, marked_entry, marks_of, moved_claims
from experiments.config.schema import register
from experiments.texts.article import checked_on, said

MOVED = {"mnist_1000_faster_than_ml_elm", "mnist_2000_slower_than_ml_elm", "mnist_celms_learn_as_fast_as_elm"}


@pytest.fixture(scope="module", autouse=True)
def registered():
    register()


def judged(name, verdict="holds", registered=False, unit="points"):
    (claim,) = [one for one in written_claims() if one.id == name]
    here = LevelVerdict(verdict, 1.0, 0.9, 1.1, registered=registered)
    return claim, Outcome("It was found.", here, LevelVerdict(None, reason="one source"), unit)


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("spiral_elm_reaches_point_eight", "the shape of the spiral"),
        ("mnist_gap_over_elm", "every image to mean 0 and variance 1"),
        ("mnist_1000_faster_than_ml_elm", "the preset of ML-ELM"),
        ("squared_norm_over_l2", "every image to mean 0 and variance 1"),
    ],
)
def test_a_claim_on_fitted_choices_is_called_calibrated_on_both_seeds(name, what, again):
    """The confirmatory experiments have the origins of those that they repeat."""
    pair = judged(name, registered=again)
    assert what in " ".join(marks_of(*pair).calibrated)
    assert marked_entry(*pair)["calibrated"] is True
    assert "<strong>" in section([pair])
    assert "Calibrated, so weak evidence" in section([pair])
    assert "holds (" in str(told([pair]).blocks)
    assert "calibrated" in str(told([pair]).blocks)
    assert list(CLAIMS.numbers([pair])["calibrated"]) == [True]


@pytest.mark.parametrize("name", ["celms_improve_significantly", "few_nodes_great_lead", "bold_is_best_as_printed"])
def test_a_claim_on_the_text_or_a_printed_table_is_not_calibrated(name):
    pair = judged(name)
    assert marked_entry(*pair)["calibrated"] is False
    assert marks_of(*pair).short() == ""
    assert "Calibrated" not in section([pair])


def test_the_counts_say_how_many_that_hold_rest_on_calibrated_defaults():
    some = [
        judged("spiral_elm_reaches_point_eight"),
        judged("spiral_celms_always_above", "fails"),
        judged("celms_improve_significantly"),
        judged("bp_learns_slowly", unit="times"),
    ]
    assert held_on(some) == {"holds_calibrated": 1, "holds_not_comparable": 1}
    words = "of those that hold 1 rest on calibrated defaults and 1 compare times at unequal node counts"
    assert held_text(some) == words
    assert words in str(told(some).blocks[0])
    assert held_text(some[2:3]) == ""


@pytest.mark.parametrize("name", ["bp_learns_slowly", "celms_learn_as_fast_as_elm"])
def test_times_at_unequal_node_counts_are_called_not_comparable(name):
    pair = judged(name, registered=True, unit="times")
    assert "not comparable: unequal node counts" in section([pair])
    assert "holds (not comparable: unequal node counts)" in str(told([pair]).blocks)
    assert marked_entry(*pair)["not_comparable"] == "unequal node counts"
    assert said(marked_entry(*pair)).endswith("Table I; not comparable: unequal node counts)")
    assert marked_entry(*judged("fewer_nodes_respond_faster"))["not_comparable"] is None


def test_a_sentence_without_a_node_count_is_told_with_the_one_it_was_judged_at():
    pair = judged("condition_number_is_large", "fails", unit="digits")
    assert "<strong>at L = 200</strong>" in section([pair])
    assert "Judged at L = 200 alone: of other node counts it says nothing." in section([pair])
    assert "fails (at L = 200)" in str(told([pair]).blocks)
    assert marked_entry(*pair)["judged_at"] == [200]
    assert checked_on(marked_entry(*pair)).endswith("decimal digits of the condition number; at L = 200")
    assert marks_of(*judged("mnist_2000_above_ml_elm")).counts == ()


def test_a_claim_that_reads_other_records_than_at_first_says_so():
    assert moved_claims().keys() == MOVED
    pair = judged("mnist_2000_slower_than_ml_elm", "fails", unit="times")
    words = "but it read table2 at first, and that was changed (commit cd4112c) when the times of Table II were known"
    assert f"Committed first: the margin, then the records, {words};" in section([pair])
    assert "yes, but table2 was read before" in str(told([pair]).blocks)
    assert "1 read other records at first; that was changed when the times of Table II were known" in registered_text(
        [pair]
    )
    entry = json.loads(written_document([pair])["claims.json"])["claims"][0]
    assert entry["moved"] == {"read": "table2", "commit": "cd4112c", "known": "the times of Table II"}
    assert marked_entry(*judged("celms_above_bp"))["moved"] is None
