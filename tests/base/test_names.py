"""What models and data sets are called: as told, else by their own name."""

import pytest

from celm.base import names
from celm.base.names import CELMS, ELMS, dataset_label, in_order, model_label, setting_label, short_label


@pytest.fixture
def told(monkeypatch):
    """Two models and a data set, and nothing else."""
    monkeypatch.setattr(names, "MODELS", {})
    monkeypatch.setattr(names, "DATASETS", {})
    names.tell_models({"b": names.ModelName("Bee", "B"), "a": names.ModelName("Ay", "A")})
    names.tell_datasets({"sea": "The Sea"})


@pytest.mark.usefixtures("told")
def test_a_name_that_nobody_told_is_its_own_label():
    assert (model_label("b"), short_label("b"), dataset_label("sea")) == ("Bee", "B", "The Sea")
    assert (model_label("mine"), short_label("mine"), dataset_label("mine")) == ("mine", "mine", "mine")


@pytest.mark.usefixtures("told")
def test_names_stand_in_the_order_they_were_told_and_unknown_ones_after_them():
    assert in_order(["z", "a", "y", "b"], names.MODELS) == ["b", "a", "y", "z"]


@pytest.mark.usefixtures("told")
def test_telling_again_forgets_what_was_told():
    names.tell_models({"c": names.ModelName("Sea", "C")})
    assert list(names.MODELS) == ["c"]


def test_the_constrained_elms_are_among_the_elms():
    assert ELMS[-len(CELMS) :] == CELMS


def test_settings_in_words():
    settings = {"dataset_turns": 2.0, "dataset_inner_radius": 0.02, "cutoff": "numpy", "n_folds": float("nan")}
    assert setting_label("spiral", settings) == "Spiral, turns 2, inner radius 0.02, cutoff numpy"
    assert setting_label("spiral", {}) == "Spiral"
