"""What no study can mean is refused before anything is planned, whatever its key."""

import pytest

from celm.study.data_config import DatasetConfig
from celm.study.limits import MAX_CELLS, check_cells, check_limits
from celm.study.planning import plan
from celm.study.study_config import ModelConfig, StudyConfig
from experiments.config.studies import composed_study


def changed(key, value):
    study = StudyConfig()
    *path, last = key.split(".")
    place = study
    for name in path:
        place = getattr(place, name)
    setattr(place, last, value)
    return study


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rounds", 10**9, "rounds must be at most 10000; got 1000000000"),
        ("n_hidden", [5, 10**12], "n_hidden must be at most 100000"),
        ("executor.threads", 100_000, "executor.threads must be at most 256"),
        ("executor.workers", 100_000, "executor.workers must be at most 256"),
        ("bp.max_epochs", 10**12, "bp.max_epochs must be at most"),
        ("ml_elm.layers", [10**7], "ml_elm.layers must be at most 100000"),
        ("elm.bias_width", float("nan"), "elm.bias_width must be a finite number"),
        ("selection.nested", 3, "selection.nested must be true or false; got 3"),
        ("split.stratify", "yes", "split.stratify must be true or false"),
        ("title", "a\nb", "title must be one line"),
        ("store", "a\0b", "store must be one line"),
        ("store", "", "store must name a folder"),
        ("published", " ", "published must name a folder"),
        ("name", "../x", "name must be the name of a folder"),
        ("name", "a/b", "name must be the name of a folder"),
        ("name", "", "name must be the name of a folder"),
        ("name", "x" * 300, "name must be the name of a folder"),
        ("name", "\udcff", "name must be one line"),
        ("grid.datasets", ["wdbc", "wdbc"], "grid.datasets names wdbc twice"),
        ("grid.models", ["elm", "bp", "elm"], "grid.models names elm twice"),
        ("seed", 2**64, "seed must be at most"),
    ],
)
def test_a_value_that_no_study_can_mean_is_named(key, value, message):
    with pytest.raises(ValueError, match=message):
        changed(key, value).check()


def test_the_default_study_is_within_its_limits():
    check_limits(StudyConfig())
    StudyConfig().check()


def test_too_many_cells_are_counted_before_they_are_made():
    check_cells(MAX_CELLS)
    models = [ModelConfig(f"m{i}", "elm", "elm") for i in range(11)]
    with pytest.raises(ValueError, match=f"has 110000 cells, the limit is {MAX_CELLS}"):
        plan(StudyConfig(rounds=10_000), [DatasetConfig(name="wdbc", n_hidden=[5])], models)


def test_a_source_that_a_data_set_has_not_is_refused_without_reading_it():
    with pytest.raises(ValueError, match="wdbc: source must be one of"):
        plan(
            StudyConfig(), [DatasetConfig(name="wdbc", n_hidden=[5], source="zzz")], [ModelConfig("elm", "elm", "elm")]
        )


@pytest.mark.parametrize("name", ["../x", "a/b", "a-b", "a+b", ""])
def test_a_study_of_one_s_own_is_called_by_a_word(name):
    with pytest.raises(ValueError, match="name must be letters, digits, underscores and dots"):
        composed_study("study", [f"name='{name}'"])
