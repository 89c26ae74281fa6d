"""What a command line says has an effect, or is refused."""

import pytest

from experiments.config.command_line import as_hydra_reads
from experiments.config.studies import composed_study

GRID = ["grid.models=[elm,cdelm]", "rounds=3"]


def test_rounds_of_single_models_can_be_given():
    study = composed_study("study", [*GRID, "grid.rounds={elm:1}"])
    assert [cell.model.name for cell in study.plan()] == ["elm", "cdelm", "cdelm", "cdelm"]
    assert as_hydra_reads(["grid.rounds={elm:1}", "rounds=3"]) == ["++grid.rounds={elm:1}", "rounds=3"]


def test_flags_may_stand_anywhere():
    given = ["rounds=3", "-m", "model=elm", "--config-dir", "own", "seed=1", "--cfg", "job", "n_hidden=[5]"]
    flags = ["-m", "--config-dir", "own", "--cfg", "job"]
    assert as_hydra_reads(given) == [*flags, "rounds=3", "model=elm", "seed=1", "n_hidden=[5]"]


def test_rounds_of_a_model_that_there_is_not_are_refused():
    with pytest.raises(ValueError, match=r"grid.rounds names 'cdlm', which is no model. Did you mean 'cdelm'"):
        composed_study("study", [*GRID, "grid.rounds={cdlm:1}"])
