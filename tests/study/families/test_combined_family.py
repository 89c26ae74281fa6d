"""Three layers: the one on top sees what the two below say, and is better than chance where they are."""

import numpy as np
import pytest

from celm.study.data_config import DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.families.combined_family import Combined, run_combined
from celm.study.family_config import ELMProtocol
from celm.study.planning import plan
from celm.study.runner import split_of
from celm.study.study_config import ModelConfig, SelectionConfig, StudyConfig


def study(**selection):
    return StudyConfig(
        name="t",
        rounds=1,
        n_hidden=[40],
        features=FeaturesConfig("unit_norm"),
        split=SplitConfig(subset=300, subset_test=200),
        selection=SelectionConfig(**{"exponents": [3, 3], "choose": "curve", **selection}),
        elm=ELMProtocol(targets="binary", image_shape=(16, 15)),
    )


def cell_of(config):
    (cell,) = plan(config, [DatasetConfig(name="mdd_pix")], [ModelConfig("rf_ciw_rf_c", "combined")])
    return cell


def test_the_third_layer_sees_ten_scores_of_each():
    cell = cell_of(study())
    split = split_of(cell)
    (record,) = run_combined(cell, split)
    assert record["n_hidden"] == 40
    assert record["accuracy"] > 0.7
    fitted = Combined(cell, 40).fit(split.X, split.y)
    assert fitted.above.n_features_in_ == 20
    assert record["accuracy"] == np.mean(fitted.predict(split.X_test) == split.y_test)
    assert not np.array_equal(fitted.below[0].W_ != 0, fitted.below[1].W_ != 0)


def test_several_penalties_are_refused():
    with pytest.raises(ValueError, match=r"rf_ciw_rf_c has one λ .* got \[-8, 8\]"):
        cell_of(study(exponents=[-8, 8]))
