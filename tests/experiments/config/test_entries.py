"""Entries of conf/model and conf/dataset: what they say of themselves reaches tables, small runs and lists, no key."""

from dataclasses import replace

import pytest
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from celm.base.names import CELMS, DATASETS, ELMS, MODELS, model_label, short_label
from celm.models.elm.weights import FACTORIAL
from celm.render.style import model_style
from experiments.config.entries import CONF, dataset_config, model_config, options


def composed(*overrides):
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        return compose("config", overrides=list(overrides))


def test_every_entry_is_known_by_its_label_and_place():
    assert list(MODELS)[: len(ELMS)] == list(ELMS)
    assert set(MODELS) == set(options("model"))
    assert set(DATASETS) == set(options("dataset"))
    assert list(DATASETS)[:2] == ["spiral", "wdbc"]
    assert (model_label("cdelm"), short_label("ml_elm")) == ("Constrained Difference ELM", "ML-ELM")
    assert model_style("selm").line == "--"


@pytest.mark.parametrize("name", options("model"))
def test_an_entry_tells_all_that_a_new_model_needs(name):
    about = model_config(name).about
    assert about.label
    assert about.short
    assert about.order < 1000
    assert 0 < about.seconds < 1000


def test_what_is_shown_is_no_part_of_what_determines_numbers():
    model = model_config("cdelm")
    assert replace(model, about=replace(model.about, label="other", seconds=1e6)).settings() == model.settings()
    assert "about" not in dataset_config("spiral").params()


def test_lists_of_models_are_made_of_groups_and_names():
    models = OmegaConf.create({"some": "${models:bp,celms,elm}", "all": "${models:factorial}"})
    assert models.some == ["bp", *CELMS, "elm"]
    assert models.all == list(FACTORIAL)


def test_a_small_run_has_the_sizes_of_the_models_entries_and_the_command_line_wins():
    small = composed("scale=smoke", "r2svm.n_layers=7")
    assert (small.r2svm.n_layers, small.r2svm.Cs) == (7, [1.0, 10.0])
    assert (small.dcn.n_units, small.dcn.rbm_epochs) == (40, 1)
    assert composed().dcn.n_units == 2000


def test_a_combination_of_factors_needs_no_file():
    assert model_config("random/l2/uniform").strategy == "random/l2/uniform"
    with pytest.raises(ValueError, match=r"grid\.models"):
        model_config("random/l3/uniform")
