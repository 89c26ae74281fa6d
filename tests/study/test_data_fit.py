"""What a study asks of its data is compared with their sizes before anything is read, and with their values after."""

import numpy as np
import pytest

from celm.datasets.dataset import Arrays, Form, as_dataset
from celm.study.cells import Cell
from celm.study.data_config import CoatesNgConfig, DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.data_fit import check_fields, check_sizes, check_values
from celm.study.inputs import hand_over
from celm.study.study_config import ModelConfig, StudyConfig
from experiments.config.studies import composed_study
from experiments.execution import run_study

TABLE, IMAGES, NUMBERS = Form((30, 4), None, 2), Form((50, 8, 8, 3), 40, 10), Form((30, 4), None, 0)


def study_of(task="classify", features=None, **split):
    return StudyConfig(task=task, features=features or FeaturesConfig(), split=SplitConfig(**split))


@pytest.mark.parametrize(
    ("form", "study", "message"),
    [
        (TABLE, study_of(features=CoatesNgConfig()), "features=coates_ng needs images.*rows has 1 axes"),
        (TABLE, study_of("regress"), "task=regress does not fit rows, which has 2 classes"),
        (NUMBERS, study_of("classify"), "task=classify does not fit rows, which has numbers"),
        (Form((3, 4), None, 2), study_of(train_share=0.95), "rows on both sides"),
    ],
)
def test_sizes_that_do_not_fit_are_named(form, study, message):
    with pytest.raises(ValueError, match=message):
        check_sizes("rows", form, study, {})


def test_sizes_that_fit_are_passed():
    check_sizes("rows", TABLE, study_of(), {})
    check_sizes("images", IMAGES, study_of(features=CoatesNgConfig(), train_share=0.95), {})
    check_sizes("numbers", NUMBERS, study_of("regress"), {})


@pytest.mark.parametrize(
    "model", [ModelConfig("rf_ciw", "elm", "rf_ciw"), ModelConfig("rf_ciw_rf_c", "combined", None)]
)
def test_receptive_fields_need_the_shape_of_the_images(model):
    with pytest.raises(
        ValueError, match=r"elm.image_shape must say .* such as \[28,28\]; rows has 4 numbers per sample"
    ):
        check_fields("rows", TABLE, model, {})
    check_fields("rows", TABLE, model, {"image_shape": [2, 2]})
    check_fields("rows", TABLE, ModelConfig("elm", "elm", "elm"), {})


@pytest.mark.parametrize(
    ("form", "study", "rows"), [(TABLE, study_of(), 20), (TABLE, study_of(subset=5), 5), (IMAGES, study_of(), 40)]
)
def test_more_folds_than_training_rows_are_refused(form, study, rows):
    check_sizes("rows", form, study, {"n_folds": rows})
    with pytest.raises(ValueError, match=f"got {rows + 1}, rows has {rows} of them"):
        check_sizes("rows", form, study, {"n_folds": rows + 1})


def cell_of(X, y, split, n_folds=3):
    data = as_dataset("rows", Arrays(X, y), ("a", "b"), "generated")
    hand_over(data)
    return Cell(
        experiment="t",
        dataset=DatasetConfig(name="rows"),
        dataset_name="rows",
        data_digest=data.digest,
        features=FeaturesConfig(),
        model=ModelConfig("elm", "elm", "elm"),
        settings={"n_folds": n_folds},
        algorithm=1,
        n_hidden=(5,),
        round=0,
        seed=1,
        split=split,
    )


def test_rows_of_one_class_and_too_few_different_rows_are_refused():
    X = np.arange(24.0).reshape(12, 2)
    with pytest.raises(ValueError, match="the 8 training rows of rows hold one class"):
        check_values(cell_of(X, np.zeros(12, dtype=int), SplitConfig()))
    check_values(cell_of(X % 8, np.arange(12) % 2, SplitConfig(), n_folds=4))
    with pytest.raises(ValueError, match=r"number of different training rows; got 4, rows has [123] of them"):
        check_values(cell_of(X % 8, np.arange(12) % 2, SplitConfig(group_duplicates=True), n_folds=4))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["selection.n_folds=380"], "at most the number of training rows; got 380, wdbc has 379"),
        (["split.subset=2"], "got 3, wdbc has 2"),
        (["features=coates_ng"], "needs images"),
        (["task=regress"], "does not fit wdbc"),
    ],
)
def test_a_dry_run_refuses_what_a_run_refuses(tmp_path, monkeypatch, words, message):
    monkeypatch.setattr("celm.study.inputs.load", lambda _: pytest.fail("data were read"))
    study = composed_study("study", [*words, "dry_run=true", f"store={tmp_path}"])
    with pytest.raises(ValueError, match=message):
        run_study(study)


def test_a_dry_run_refuses_a_table_of_one_class_in_its_training_rows(tmp_path):
    (tmp_path / "t.csv").write_text("a,kind\n" + "".join(f"{i},{'x' if i else 'y'}\n" for i in range(30)))
    words = ["dataset=csv", f"dataset.path={tmp_path / 't.csv'}", "split.subset=4", f"store={tmp_path}"]
    with pytest.raises(ValueError, match="training rows of csv-t hold one class"):
        run_study(composed_study("study", [*words, "dry_run=true"]))
