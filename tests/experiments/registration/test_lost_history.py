"""Registered or not, by what is left of the history: rewritten, shallow, gone, withdrawn."""

import shutil

from experiments.registration.entries import registrations
from experiments.registration.standing import status_in
from tests.experiments.registration.worlds import committed, git


def test_a_registration_that_is_rewritten_behind_its_records_counts_from_then(world):
    world.run()
    path = "experiments/papers/celm/registration.yaml"
    world.change(path, "It is asked first.", "It was asked first.")
    assert "another version of wide" in world.status().reason
    world.run(commit=world.head())
    assert world.status().reason == "the registration wide is not committed"
    committed(world.root)
    assert "which does not build on the registration's" in world.status().reason
    world.run()
    assert world.status().answer is True


def test_a_shallow_clone_cannot_check(world, tmp_path):
    world.run()
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{world.root}", "shallow")
    found = status_in(world.results, tmp_path / "shallow", "suite")
    assert found == (None, "cannot check: this clone is shallow")
    assert found.document()["registered"] == "cannot check"


def test_without_git_nothing_can_be_checked(world, monkeypatch):
    world.run()
    shutil.move(world.root / ".git", world.root / "gone")
    assert world.status() == (None, "cannot check: there is no git repository here")
    shutil.move(world.root / "gone", world.root / ".git")
    assert world.status().answer is True
    monkeypatch.setenv("PATH", "")
    assert world.status().answer is None


def test_what_is_certain_without_a_history_is_told_without_one(world):
    world.run(seed=7)
    shutil.rmtree(world.root / ".git")
    assert world.status().answer is False


def test_a_withdrawn_registration_says_why(world):
    world.run()
    path = world.root / "experiments/papers/celm/registration.yaml"
    path.write_text(path.read_text() + "withdrawn:\n  wide: the analysis had an error\n")
    assert world.status() == (False, "the registration wide was withdrawn: the analysis had an error")
    assert registrations(world.root)["wide"].withdrawn == "the analysis had an error"
