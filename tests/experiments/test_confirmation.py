"""Claims on two seeds: which are repeated, and whether a verdict that changed is told."""

import pytest

from celm.analysis.claims import Outcome
from celm.analysis.levels import LevelVerdict
from celm.analysis.words import FAILS, HOLDS, NOT_RUN, OPEN
from experiments.analyses.confirmation import CONFIRMATION, Twice, counts, find_twice, told
from experiments.analyses.sentences_judged import confirmatory, find, written_claims
from experiments.analysis import NotComplete
from experiments.results import Records, Results


@pytest.fixture(scope="module")
def spiral():
    return Records(Results()).frame("fig3")


def twice(frames):
    """Both outcomes of repeated claims: the claims as they are judged are given beside the frames."""
    return find_twice({**frames, "claims": find(frames)})


def test_the_same_records_under_both_seeds_keep_every_verdict(spiral):
    found = twice({"fig3": spiral, "confirm_fig3": spiral})
    assert {one.claim.id for one in found} >= {"spiral_celms_perfect_above_fifty", "spiral_elm_reaches_point_eight"}
    assert all(set(one.claim.reads) == {"fig3"} and one.same for one in found)
    assert f"{len(found)} keep their verdict" in counts(found)
    assert list(CONFIRMATION.numbers(found)["first_effect"]) == list(CONFIRMATION.numbers(found)["again_effect"])


def test_a_verdict_that_changed_is_named(spiral):
    found = twice({"fig3": spiral, "confirm_fig3": spiral.assign(accuracy=spiral["accuracy"] / 2)})
    (lost,) = [one for one in found if one.claim.id == "spiral_elm_reaches_point_eight"]
    assert (lost.first.verdict, lost.again.verdict) == (HOLDS, FAILS)
    assert f"1 are reversed ({FAILS} 1)" in counts(found)
    _, _, table = told(found).blocks
    assert [row for row in table.rows if lost.claim.id in str(row) and FAILS in str(row)]


def test_nothing_is_said_before_a_claim_is_repeated_whole(spiral):
    with pytest.raises(NotComplete, match="needs all cells of what a claim reads"):
        twice({"fig3": spiral})


def seen(before, now):
    outcomes = [Outcome("", LevelVerdict(word), LevelVerdict(None)) for word in (before, now)]
    return Twice(written_claims()[0], *outcomes)


def test_claims_that_stay_open_are_counted_as_open():
    """ "None are open now" was said where two were open on both seeds."""
    found = [seen(HOLDS, HOLDS), seen(OPEN, OPEN), seen(OPEN, OPEN), seen(OPEN, FAILS)]
    said = counts(found)
    assert "3 keep their verdict (holds 1, open 2)" in said
    assert "1 were open before and are decided now (fails 1)" in said
    assert "none were decided before and are open now" in said
    assert "are open now" not in said.replace("were decided before and are open now", "")
    assert CONFIRMATION.judged(found) == {"repeated": 4, "same": 3, "open_now": 2}
    assert "1 were decided before and are open now (open 1)" in counts([seen(HOLDS, OPEN)])


def test_a_claim_that_the_first_seed_never_ran_reverses_nothing():
    said = counts([seen(NOT_RUN, HOLDS), seen(HOLDS, HOLDS)])
    assert said.endswith("none are reversed, 1 were not run on the first seed (holds 1).")
    assert "were not run" not in counts([seen(HOLDS, HOLDS)])


def test_a_run_that_is_done_says_so():
    planned = [claim for claim in written_claims() if set(claim.reads) & set(confirmatory())]
    found = [seen(HOLDS, HOLDS) for _ in planned]
    others = len(written_claims()) - len(planned)
    said = f"All {len(planned)} claims that the run set out to repeat are repeated; the other {others} read what has no"
    assert counts(found).startswith(said)
    assert counts(found[1:]).startswith(f"{len(planned) - 1} of {len(planned)} claims are repeated so far: ")
