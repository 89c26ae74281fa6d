"""The records of the ELM family under the ways of choosing a node count and λ."""

from dataclasses import replace

import pytest

from celm.analysis.one_choice import chosen_for_all_rounds
from celm.analysis.protocols.selections import selected
from celm.models.elm.classifier import ELMClassifier
from celm.study.data_config import DatasetConfig, SplitConfig
from celm.study.family_config import ELMProtocol
from celm.study.planning import plan
from celm.study.runner import run_cell
from celm.study.store import load_frame
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig

WDBC = DatasetConfig(name="wdbc", n_hidden=[5, 20, 60])
STUDY = StudyConfig(name="t", rounds=1, split=SplitConfig(subset=150, subset_test=80))


def finished(choose, strategy, penalty="ridge", **readings):
    study = replace(STUDY, selection=SelectionConfig(choose=choose, penalty=penalty), elm=ELMProtocol(**readings))
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
    assert [correct / 80 for correct in map(int, surface["plain"].iloc[0].split())] == plain["accuracy"].tolist()
    best = plain.loc[plain["accuracy"].idxmax(), "n_hidden"]
    assert read.loc["best_of_figure", "n_hidden"] == read.loc["common_of_figure", "n_hidden"] == best


@pytest.mark.parametrize("choose", ["joint", "largest", "best_on_test"])
def test_the_chosen_model_is_fitted_once(choose, monkeypatch):
    fits = []
    once = ELMClassifier._learn
    monkeypatch.setattr(ELMClassifier, "_learn", lambda self, *rows: fits.append(self.n_hidden) or once(self, *rows))
    records = finished(choose, "cselm")
    assert fits == records.loc[records["chosen"].eq(True), "n_hidden"].tolist()
    assert records.loc[records["chosen"].eq(True), "fit_seconds"].gt(0).all()


def test_a_chosen_scale_is_recorded_and_used():
    joint = finished("joint", "elm", input_scales=[0.1, 0.5, 2.0])
    chosen = joint[joint["chosen"].eq(True)].iloc[0]
    fixed = finished("joint", "elm", input_scale=chosen["input_scale"])
    assert fixed["accuracy"].tolist() == joint["accuracy"].tolist()
    assert joint["cv_accuracy"].max() == fixed["cv_accuracy"].max()
    each = finished("each", "elm", input_scales=[0.1, 0.5, 2.0])
    for row in each.itertuples():
        alone = finished("each", "elm", input_scale=row.input_scale)
        assert alone.set_index("n_hidden")["accuracy"][row.n_hidden] == row.accuracy


@pytest.mark.parametrize(("choose", "penalty"), [("curve", "ridge"), ("one_for_all", "ridge"), ("joint", "none")])
def test_a_scale_is_not_chosen_without_folds_for_it(choose, penalty):
    with pytest.raises(ValueError, match=r"input_scales needs selection.choose to be one of joint, largest, each; got"):
        finished(choose, "elm", penalty, input_scales=[0.1, 1.0])


def test_neutral_scales_leave_the_key():
    def key(**readings):
        study = replace(STUDY, elm=ELMProtocol(**readings))
        return plan(study, [WDBC], [ModelConfig("elm", "elm", "elm")])[0].key

    assert key(input_scale=None, bias_width=1.0, input_scales=None, image_shape=None) == key()
    assert len({key(), key(input_scale=1.0), key(bias_width=2.0), key(input_scales=[1.0])}) == 4
