"""Registered or not, by what was done to the rules: edits before, while and after records ran."""

import pytest

from tests.experiments.registration.worlds import ANALYSIS, CLAIMS, CONFIG, committed, git


def test_records_that_ran_behind_their_registration_are_registered(world):
    world.run()
    assert world.status() == (True, "registered as wide before its first record, and nothing changed since")
    assert world.status(by="experiments.analyses.suite", claim="lead").answer is True
    assert world.status().document()["registered"] is True


def test_later_commits_that_touch_nothing_fixed_leave_it_registered(world):
    committed(world.root, **{"README.md": "new"})
    world.run()
    committed(world.root, **{"README.md": "newer"})
    assert world.status().answer is True


# What is done after the records -> what is told.
AFTER = {
    "an edited claim": ((CLAIMS, "0.01", "0.001"), f"{CLAIMS}#lead changed since"),
    "a claim that is gone": ((CLAIMS, "id: level", "id: other"), f"{CLAIMS}#level changed since"),
    "a claims file that is none": ((CLAIMS, "claims:\n", "claims: [\n"), f"{CLAIMS}#lead, {CLAIMS}#level changed"),
    "an edited analysis": ((ANALYSIS, "max", "min"), f"{ANALYSIS} changed since"),
    "an analysis that is broken": ((ANALYSIS, "return", "return )"), f"{ANALYSIS} changed since"),
    "an edited config": ((CONFIG, "rounds: 2", "rounds: 3"), f"{CONFIG} changed since"),
}


@pytest.mark.parametrize(("edit", "told"), AFTER.values(), ids=AFTER)
@pytest.mark.parametrize("is_committed", [True, False], ids=["committed", "in the work tree"])
def test_what_changed_since_is_named(world, edit, told, is_committed):
    world.run()
    world.change(*edit)
    if is_committed:
        committed(world.root)
    found = world.status()
    assert found.answer is False
    assert told in found.reason


def test_a_change_that_is_committed_and_hidden_in_the_work_tree_is_found(world):
    world.run()
    world.change(ANALYSIS, "max", "min")
    committed(world.root)
    world.change(ANALYSIS, "min", "max")
    assert world.status().answer is False


def test_what_was_different_while_records_ran_is_found_although_it_was_put_back(world):
    world.change(ANALYSIS, "max", "min")
    committed(world.root)
    world.run()
    world.change(ANALYSIS, "min", "max")
    committed(world.root)
    assert f"{ANALYSIS} was not as registered when records ran" in world.status().reason


def test_files_changed_in_the_registrations_own_commit_were_not_registered(world):
    world.run()
    git(world.root, "reset", "--quiet", "--soft", "HEAD~1")
    world.change(ANALYSIS, "max", "min")
    committed(world.root)
    world.run()
    assert f"{ANALYSIS} was not as registered in the registration's commit" in world.status().reason


@pytest.mark.parametrize(
    "edit",
    [
        (ANALYSIS, '"""Findings."""', '"""What it finds."""  # and why'),
        (CLAIMS, "# The margins.", "# The margins, and who set them."),
        (CLAIMS, "{id: lead, reads: [suite], at_least: 0.01}", "{reads: [suite], at_least: 0.010, id: lead}"),
        (CONFIG, "The wide study", "The widest study"),
    ],
)
def test_comments_layout_and_titles_may_change(world, edit):
    world.run()
    world.change(*edit)
    assert world.status().answer is True


def test_another_claim_may_change_and_a_new_one_come_where_one_claim_is_asked_for(world):
    world.run()
    world.change(CLAIMS, "0.9", "0.8")
    assert world.status(claim="lead").answer is True
    assert world.status(claim="level").answer is False
    assert world.status().answer is False
    assert world.status(claim="newer") == (False, "the registration wide does not fix newer")


def test_an_analysis_that_was_not_registered_judges_nothing(world):
    world.run()
    found = world.status(by="experiments.analyses.friendlier")
    assert found == (False, "the registration wide does not fix experiments.analyses.friendlier, which judges")
