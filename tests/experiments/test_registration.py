"""Registered or not, in small git repositories: every way in which rules may not have been there before the records."""

import json
import shutil
import subprocess

import pytest

from celm.base.files import cell_key
from celm.study.executors import EXECUTORS
from celm.study.runner import run_cell
from celm.study.store import LocalStore
from experiments import registration as command
from experiments.config.studies import composed_study
from experiments.execution import run_study
from experiments.registration import check, run_faults, standing, status_in
from experiments.registration_entries import Planned, Registration, plan_digest, registration_of, registrations
from experiments.registration_fixed import config_files, digests, fixed_digest, path_in, says_the_same
from experiments.registration_history import History
from experiments.registration_writing import add, check_first, judges_of, made
from experiments.results import Results

CLAIMS = "experiments/papers/celm/claims.yaml"
ANALYSIS = "experiments/analyses/suite.py"
CONFIG = "conf/experiment/suite.yaml"
FILES = {
    CLAIMS: "# The margins.\nclaims:\n  - {id: lead, reads: [suite], at_least: 0.01}\n"
    "  - {id: level, reads: [suite], at_least: 0.9}\n",
    ANALYSIS: '"""Judges."""\n\ndef find(frames):\n    """Findings."""\n    return max(frames)\n',
    CONFIG: "name: suite\ntitle: The wide study\nrounds: 2\n",
}
FIXED = (f"{CLAIMS}#lead", f"{CLAIMS}#level", ANALYSIS, CONFIG)
SEED = 2015


def git(root, *words):
    done = subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def committed(root, **files):
    """Write files (none: as they are) and commit everything; returns the commit."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "change")
    return git(root, "rev-parse", "HEAD")


def identity(round_, seed=SEED):
    return {"dataset": "iris", "model": {"name": "elm"}, "round": round_, "n_hidden": [5], "seed": seed}


KEYS = [cell_key(identity(round_)) for round_ in range(2)]
PLANNED = {"suite": Planned(SEED, 2, 2, plan_digest(KEYS))}


@pytest.fixture(scope="module")
def born(tmp_path_factory):
    """A repository with a registration, committed behind what it fixes; copied by every test."""
    root = tmp_path_factory.mktemp("born")
    git(root, "init", "--quiet", "--initial-branch", "main")
    committed(root, **FILES)
    fixes = digests(FIXED, History(root).here(map(path_in, FIXED)))
    add(Registration("wide", "experiments/papers/celm/registration.yaml", "It is asked first.", PLANNED, fixes), root)
    committed(root)
    return root


class World:
    """A repository and the records of its experiment."""

    def __init__(self, root):
        self.root, self.results = root / "house", Results(root / "results", root / "runs")

    def head(self):
        return git(self.root, "rev-parse", "HEAD")

    def run(self, rounds=2, seed=SEED, **provenance):
        """Publish the records of a run that starts now; ``provenance`` says what they claim beside the truth."""
        stamp = registration_of("suite", self.root).stamp()
        origin = {"cpu": "a", "commit": self.head(), "registration": stamp, **provenance}
        documents = {}
        for round_ in range(rounds):
            who = identity(round_, seed)
            shared = {"dataset": "iris", "model": "elm", "round": round_, "seed": seed, "threads": 1}
            document = {"experiment": "suite", "key": cell_key(who), "identity": who, "status": "ok", "seconds": 0.1}
            document |= {"shared": shared, "records": [{"n_hidden": 5, "accuracy": 0.5}]}
            documents[document["key"]] = {
                **document,
                "provenance": {name: value for name, value in origin.items() if value is not None},
            }
        self.results.published.write("suite", documents, {"title": "t", "planned_cells": len(documents)})

    def change(self, path, old, new):
        text = (self.root / path).read_text()
        assert old in text
        (self.root / path).write_text(text.replace(old, new))

    def status(self, **asked):
        return status_in(self.results, self.root, asked.pop("experiment", "suite"), **asked)


@pytest.fixture
def world(born, tmp_path):
    shutil.copytree(born, tmp_path / "house")
    return World(tmp_path)


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


def test_records_from_before_the_registration_are_not_registered(world):
    world.run(commit=git(world.root, "rev-parse", "HEAD~1"))
    assert "which does not build on the registration's" in world.status().reason
    assert world.status().answer is False


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


@pytest.mark.parametrize(
    ("run", "told"),
    [
        ({"seed": 7}, "the master seed of suite is 7, registered is 2015"),
        ({"rounds": 1}, "suite has 1 rounds, registered are 2"),
        ({"rounds": 3}, "suite has 3 rounds, registered are 2"),
        ({"commit": "unknown"}, "the commit of some records is not known"),
        ({"commit": None}, "the commit of some records is not known"),
        ({"commit": "0" * 40}, "the commit of some records, 0000000000, is not in this repository"),
        ({"registration": None}, "some records did not run under wide"),
        ({"registration": {"name": "wide", "digest": "0"}}, "another version of wide"),
    ],
)
def test_what_records_say_of_themselves_is_checked(world, run, told):
    world.run(**run)
    found = world.status()
    assert found.answer is False
    assert told in found.reason


def test_records_of_an_unclean_tree_are_not_registered(world):
    world.run(commit=f"{world.head()}+changes")
    assert world.status().answer is False
    assert "uncommitted changes" in world.status().reason


def test_other_cells_of_the_same_number_are_not_those_registered(world):
    world.run()
    documents = world.results.published.documents("suite")
    strange = {("f" * 32 if key == KEYS[0] else key): document for key, document in documents.items()}
    for key, document in strange.items():
        document["key"] = key
    world.results.published.write("suite", strange, {"title": "t", "planned_cells": 2})
    assert world.status() == (False, "the cells of suite are not those that were registered")


def test_never_true_by_default(world):
    assert world.status() == (False, "suite has no records")
    assert world.status(experiment="table1") == (False, "not registered: no registration lists table1")


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


def test_files_changed_in_the_registrations_own_commit_were_not_registered(world):
    world.run()
    git(world.root, "reset", "--quiet", "--soft", "HEAD~1")
    world.change(ANALYSIS, "max", "min")
    committed(world.root)
    world.run()
    assert f"{ANALYSIS} was not as registered in the registration's commit" in world.status().reason


def test_check_tells_all_and_is_quiet_where_nothing_is_registered(world, tmp_path, capsys):
    assert check(world.results, tmp_path) == []
    assert "nothing is registered" in capsys.readouterr().out
    assert [found.answer for found in check(world.results, world.root)] == [True]
    world.run()
    assert [found.answer for found in check(world.results, world.root)] == [True, True]
    world.change(ANALYSIS, "max", "min")
    assert [found.answer for found in check(world.results, world.root)] == [False, False]
    assert f"wide, suite: {ANALYSIS} changed since" in capsys.readouterr().out


def test_a_registration_comes_before_everything_that_it_speaks_of(world):
    history = History(world.root)
    check_first("other", ["suite"], world.results, history)
    with pytest.raises(ValueError, match="never rewritten"):
        check_first("wide", ["suite"], world.results, history)
    world.run()
    with pytest.raises(ValueError, match="records of suite are published already"):
        check_first("other", ["suite"], world.results, history)
    document = next(iter(world.results.published.documents("suite").values()))
    LocalStore(world.results.runs).write({**document, "experiment": "mine"})
    with pytest.raises(ValueError, match="records of mine are in"):
        check_first("other", ["mine"], world.results, history)
    (world.root / "new.txt").write_text("not committed")
    with pytest.raises(ValueError, match="uncommitted changes"):
        check_first("other", ["another"], world.results, history)


def test_one_experiment_has_one_registration_that_stands(world):
    one = registrations(world.root)["wide"]
    add(Registration("second", one.path, one.why, one.experiments, one.fixes), world.root)
    with pytest.raises(ValueError, match="suite is one of wide already"):
        registrations(world.root)


@pytest.mark.parametrize("lost", ["why", "experiments", "fixes"])
def test_an_entry_that_lacks_something_is_refused(world, lost):
    path = world.root / "experiments/papers/celm/registration.yaml"
    path.write_text(path.read_text().replace(f"    {lost}:", "    something:", 1))
    with pytest.raises(ValueError, match=r"registration wide in .* must say why, experiments and fixes"):
        registrations(world.root)


def test_a_run_says_why_its_records_will_not_count(world):
    one, history = registrations(world.root)["wide"], History(world.root)
    assert run_faults(one, history, world.head(), []) == []
    assert run_faults(one, history, f"{world.head()}+changes", []) == ["the tree has uncommitted changes"]
    assert run_faults(one, history, "unknown", []) == ["the commit is not known"]
    early = {"provenance": {"commit": world.head()}}
    assert run_faults(one, history, world.head(), [early]) == [
        "1 finished cells did not run under it; force=true reruns them"
    ]
    world.change(ANALYSIS, "max", "min")
    assert ANALYSIS in run_faults(one, history, world.head(), [])[0]
    assert standing(one, history).answer is False


def test_a_registered_run_stamps_its_records_and_strict_refuses_an_unclean_tree(world, monkeypatch, caplog):
    one = registrations(world.root)["wide"]
    monkeypatch.setattr(command, "ROOT", world.root)
    monkeypatch.setattr(command, "registration_of", lambda experiment: one if experiment == "suite" else None)
    monkeypatch.setattr(command, "commit", world.head)
    assert command.stamp_of("table1", [], strict=True) == {}
    assert command.stamp_of("suite", [], strict=True) == {"registration": one.stamp()}
    assert caplog.text == ""
    monkeypatch.setattr(command, "commit", lambda: f"{world.head()}+changes")
    assert command.stamp_of("suite", [], strict=False) == {"registration": one.stamp()}
    assert "its records will not count as registered under wide: the tree has uncommitted changes" in caplog.text
    with pytest.raises(ValueError, match="strict=true refuses"):
        command.stamp_of("suite", [], strict=True)


def test_records_of_a_run_carry_what_they_ran_under(world, monkeypatch, tmp_path):
    one = registrations(world.root)["wide"]
    monkeypatch.setattr(command, "ROOT", world.root)
    monkeypatch.setattr(command, "registration_of", lambda _: one)
    monkeypatch.setitem(EXECUTORS, "local", lambda cells, _: (run_cell(cell, 1) for cell in cells))
    small = ["scale=smoke", "model=elm", f"store={tmp_path}", "progress=false", "executor.threads=1"]
    study = composed_study("fig3", small)
    outcome = run_study(study)
    stored = LocalStore(tmp_path).documents(study.config.name)
    assert stored.keys() == outcome.finished.keys() != set()
    assert {document["provenance"]["registration"]["digest"] for document in stored.values()} == {one.digest}
    study.config.strict = True
    world.change(ANALYSIS, "max", "min")
    with pytest.raises(ValueError, match="strict=true refuses"):
        run_study(study)


def test_a_registration_of_this_house_fixes_claims_configs_and_what_judges():
    one = made("trial", "celm", ["fig3"], "A trial.", ["celm/datasets/suite.csv"])
    claims = [name for name in one.fixes if name.startswith("experiments/papers/celm/claims.yaml#")]
    assert len(claims) > 3
    assert {"conf/experiment/fig3.yaml", "conf/dataset/spiral.yaml", "conf/model/cdelm.yaml"} <= one.fixes.keys()
    assert {"experiments/analyses/sentences.py", "celm/analysis/claims/judging.py", "celm/datasets/suite.csv"} <= set(
        one.fixes
    )
    assert not [name for name in one.fixes if name.startswith(("celm/render", "celm/study", "experiments/report"))]
    keys = {cell.key for cell in composed_study("fig3").plan()}
    assert one.experiments["fig3"] == Planned(2015, 10, len(keys), plan_digest(keys))
    assert "experiments.analyses.sentences" in judges_of(["fig3"])
    with pytest.raises(ValueError, match="conf/no is to be fixed, but it is not there"):
        made("trial", "celm", ["fig3"], "A trial.", ["conf/no"])


def test_digests_are_those_of_anybodys_sha256():
    assert fixed_digest("a.csv", b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert fixed_digest("a.yaml#x", b"claims: [{id: x, v: 1}]") == fixed_digest("a.yaml#x", b"claims: [{v: 1, id: x}]")
    assert fixed_digest("a.yaml#x", b"claims: []") is None
    assert not says_the_same("a.csv", b"1,2\n", b"1, 2\n")
    assert not says_the_same("conf/a.yaml", b"a: 1", b"a: 2")
    assert not says_the_same("a.yaml", b"title: 1", b"title: 2")


def test_config_files_of_a_sweep_and_of_readings_are_found():
    found = config_files("table1+raw_values", composed_study("table1+raw_values"))
    assert {"conf/experiment/table1.yaml", "conf/reading/raw_values.yaml"} <= set(found)
    assert "conf/sweep/spiral_map.yaml" in config_files("spiral_map", composed_study("spiral_map"))


def test_published_origins_keep_what_records_ran_under(world):
    world.run()
    manifest = json.loads((world.results.folder / "records" / "suite.json").read_text())
    assert manifest["provenance"][0]["registration"] == registrations(world.root)["wide"].stamp()
