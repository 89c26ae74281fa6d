"""A registration is written first, once and whole: what it fixes, and what is refused."""

import pytest

from celm.study.store import LocalStore
from experiments.config.studies import composed_study
from experiments.registration.entries import Planned, Registration, plan_digest, registrations
from experiments.registration.fixed import claim_names, config_files, fixed_digest, says_the_same
from experiments.registration.history import History
from experiments.registration.writing import add, check_first, judges_of, made


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


def test_a_registration_of_this_house_fixes_claims_configs_and_what_judges():
    one = made("trial", "celm", ["fig3"], "A trial.", ["celm/datasets/suite.csv"])
    claims = [name for name in one.fixes if name.startswith("experiments/papers/celm/claims.yaml#")]
    assert len(claims) > 3
    assert {"conf/experiment/fig3.yaml", "conf/dataset/spiral.yaml", "conf/model/cdelm.yaml"} <= one.fixes.keys()
    assert {"experiments/analyses/sentences_judged.py", "celm/analysis/claims/judging.py"} <= one.fixes.keys()
    assert "celm/datasets/suite.csv" in one.fixes
    assert not [name for name in one.fixes if name.startswith(("celm/render", "celm/study", "experiments/report"))]
    keys = {cell.key for cell in composed_study("fig3").plan()}
    assert one.experiments["fig3"] == Planned(2015, 10, len(keys), plan_digest(keys))
    assert "experiments.analyses.sentences_standing" in judges_of(["fig3"])
    with pytest.raises(ValueError, match="conf/no is to be fixed, but it is not there"):
        made("trial", "celm", ["fig3"], "A trial.", ["conf/no"])


def test_a_repeated_experiment_is_registered_with_the_claims_of_what_it_repeats():
    assert claim_names(["confirm_fig3"]) == claim_names(["fig3"])
    assert set(judges_of(["confirm_fig3"])) >= {"experiments.analyses.sentences_standing"}


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
