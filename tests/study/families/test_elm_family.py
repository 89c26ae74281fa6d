"""The records of the ELM family under the ways of choosing a node count and λ."""

from dataclasses import replace

import pytest

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.protocols.selections import selected
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.runner import plan, run_cell
from celm.study.store import load_frame
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[5, 20, 60])
STUDY = StudyConfig(name="t", rounds=1, split=SplitConfig(subset=150, subset_test=80))


def finished(choose, strategy, penalty="ridge"):
    study = replace(STUDY, selection=SelectionConfig(choose=choose, penalty=penalty))
    (cell,) = plan(study, [WDBC], [ModelConfig(strategy, "elm", strategy)])
    return load_frame([run_cell(cell, 1)])


@pytest.mark.parametrize("strategy", ["cdelm", "orthogonal_elm"])
def test_one_choice_for_a_single_round_is_the_joint_choice(strategy):
    joint, one = finished("joint", strategy), finished("one_for_all", strategy)
    assert "chosen" not in one
    chosen = chosen_for_all_rounds(one)
    for column in ("n_hidden", "lam", "accuracy", "chosen"):
        assert chosen[column].tolist() == joint[column].tolist()
    assert one["accuracy"].tolist() == joint["accuracy"].tolist()
    assert [max(counts) / 150 for counts in one["cv_correct"]] == joint["cv_accuracy"].tolist()


@pytest.mark.parametrize("strategy", ["cselm", "orthogonal_elm"])
def test_one_surface_gives_what_every_selection_would_have_chosen(strategy):
    surface = finished("surface", strategy)
    read = selected(surface).set_index("selection")
    for choose in ("joint", "largest", "best_on_test"):
        own = finished(choose, strategy)
        own = own[own["chosen"].eq(True)].iloc[0]
        for column in ("n_hidden", "lam", "accuracy"):
            assert read.loc[choose, column] == pytest.approx(own[column], rel=1e-12)
    assert surface["accuracy"].tolist() == [read.loc["joint", "accuracy"]]
    plain = finished("joint", strategy, penalty="none")
    assert [correct / 80 for correct in surface["plain"].iloc[0]] == plain["accuracy"].tolist()
    best = plain.loc[plain["accuracy"].idxmax(), "n_hidden"]
    assert read.loc["best_of_figure", "n_hidden"] == read.loc["common_of_figure", "n_hidden"] == best
