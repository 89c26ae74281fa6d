"""Every default that decides a number says where it comes from; a table that uses a fitted one is called calibrated."""

import pytest
from omegaconf import OmegaConf

from celm.study.reading_config import Origin
from experiments.analyses.sentences_judged import read_by, written_claims
from experiments.config.entries import CONF, options
from experiments.config.origins import calibrated, default_keys, default_origins, origins_of, without_origin
from experiments.config.schema import register
from experiments.config.studies import composed_study
from experiments.papers import published_tables

# What an experiment's file says beside its settings.
BESIDE = ("defaults", "name", "title", "origins", "task", "n_hidden", "grid", "executor")
# What mirrors the paper, and what its claims read beside it. Confirmatory files and that of the wide study are fixed by
# their registrations: the former have the origins of what they repeat.
READ = {name.split("+")[0] for name in read_by(written_claims())}
FIXED = ("confirm_", "suite")
PAPERS_OWN = [
    name
    for name in options("experiment")
    if name.startswith(("table", "fig")) or (name in READ and not name.startswith(FIXED))
]


@pytest.fixture(scope="module", autouse=True)
def registered():
    register()


def leaves(tree, prefix=""):
    for key, value in tree.items():
        yield from leaves(value, f"{prefix}{key}.") if isinstance(value, dict) else [prefix + key]


def test_every_default_that_decides_a_number_has_an_origin_and_nothing_else_has():
    told, keys = set(default_origins()), default_keys()
    assert keys - told == set(), "say in conf/origins.yaml where these defaults come from"
    assert told - keys == set(), "conf/origins.yaml tells of keys that no study has"


@pytest.mark.parametrize("experiment", PAPERS_OWN)
def test_what_an_experiment_of_the_paper_sets_has_an_origin_in_its_own_file(experiment):
    content = OmegaConf.to_container(OmegaConf.load(CONF / "experiment" / f"{experiment}.yaml"))
    groups = [one for one in content.get("defaults", []) if isinstance(one, dict)]
    chosen = [key.removeprefix("override /") for one in groups for key in one]
    sets = [*chosen, *leaves({key: value for key, value in content.items() if key not in BESIDE})]
    told = content.get("origins", {})
    assert without_origin(sets, told) == []
    assert [key for key in told if not any(f"{one}.".startswith(f"{key}.") for one in sets)] == []
    for key, origin in told.items():
        Origin(**origin).check(key)


def test_a_setting_without_an_origin_is_found():
    assert without_origin(["elm.cutoff", "selection.n_folds"], ["selection"]) == ["elm.cutoff"]
    with pytest.raises(ValueError, match=r"origins.x.origin must be one of paper, code, practice, fitted"):
        Origin("guess", "a number").check("x")
    with pytest.raises(ValueError, match=r"origins.x.about must say"):
        Origin("paper", "").check("x")


def test_tables_on_fitted_choices_are_called_calibrated():
    tables = published_tables()
    assert tables["table1"].calibrated == tables["table3"].calibrated == ()
    digits, preset = tables["table2"].calibrated
    assert "every image to mean 0 and variance 1" in digits
    assert "preset of ML-ELM" in preset
    assert calibrated("fit_times")[0] == calibrated("layer_times")[0] == digits
    assert calibrated("fig3") == ("the shape of the spiral, by what the paper says of Fig 3",)


def test_an_experiment_speaks_before_the_default():
    found = origins_of(composed_study("table3"))
    assert found["selection.every_round"].origin == "practice"
    assert default_origins()["selection.every_round"].origin == "paper"
    assert found["coates_ng.alpha"].origin == "paper"
    assert not [key for key in found if key.startswith(("bp.", "spiral."))]


def test_origins_leave_identities_alone():
    assert composed_study("table2").config.name == "table2"
