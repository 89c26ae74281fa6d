"""What a model sees of images: features learned on training images alone, kept in the cache, standardised."""

import numpy as np
import pytest

from celm import datasets
from celm.datasets.cache import cache_folder
from celm.datasets.dataset import Arrays, as_dataset
from celm.study.cells import Cell
from celm.study.data_config import SCHEMAS, CoatesNgConfig, DatasetConfig, FeaturesConfig, SplitConfig
from celm.study.inputs import check_features, data_of, hand_over, rows_of, split_of
from celm.study.planning import plan
from celm.study.study_config import ModelConfig, StudyConfig

SMALL = CoatesNgConfig(n_atoms=3, n_iterations=2, patches_per_image=4)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CELM_CACHE", str(tmp_path))


def handed_over(n_train=30, last=0):
    rng = np.random.default_rng(last)
    images = rng.integers(0, 256, (40, 10, 10, 3)).astype(np.uint8)
    images[:n_train] = np.random.default_rng(5).integers(0, 256, (n_train, 10, 10, 3))
    labels = np.arange(40) % 2
    data = as_dataset("tiny", Arrays(images, labels), ("a", "b"), "generated", n_train=n_train)
    hand_over(data)
    return data


def cell_of(data, features=SMALL, split=None, seed=1, round_=0):
    return Cell(
        experiment="t",
        dataset=DatasetConfig(name="tiny"),
        dataset_name="tiny",
        data_digest=data.digest,
        features=features,
        model=ModelConfig("elm", "elm", "elm"),
        settings={},
        algorithm=1,
        n_hidden=(5,),
        round=round_,
        seed=seed,
        split=split or SplitConfig(),
    )


def cached_files():
    return sorted(path.name for path in (cache_folder() / "features").glob("*.npy"))


def test_images_become_standardised_features_that_are_computed_once():
    cell = cell_of(handed_over())
    split = split_of(cell)
    assert split.X.shape == (30, 24)
    assert split.X_test.shape == (10, 24)
    np.testing.assert_allclose(split.X.mean(axis=0), 0, atol=1e-5)
    assert (split.X.std(axis=0) < 1).all()
    assert len(cached_files()) == 1
    split_of(cell_of(handed_over(), round_=1))
    assert len(cached_files()) == 1


def test_the_features_of_training_images_do_not_depend_on_the_test_images():
    first, other = split_of(cell_of(handed_over(last=1))), split_of(cell_of(handed_over(last=2)))
    np.testing.assert_array_equal(first.X, other.X)
    assert not np.array_equal(first.X_test, other.X_test)


def test_another_scaling_takes_the_place_of_the_last_step():
    plain, scaled = (
        split_of(cell_of(handed_over(), CoatesNgConfig(n_atoms=3, n_iterations=2, patches_per_image=4, scaling=name)))
        for name in ("raw", "minmax")
    )
    assert len(cached_files()) == 1
    low, high = plain.X.min(axis=0), plain.X.max(axis=0)
    np.testing.assert_allclose(scaled.X, 2 * (plain.X - low) / (high - low) - 1, atol=1e-6)
    np.testing.assert_allclose(scaled.X_test, 2 * (plain.X_test - low) / (high - low) - 1, atol=1e-6)


def test_the_usual_last_step_is_not_named():
    assert "scaling" not in cell_of(handed_over()).identity()["features"]
    named = cell_of(handed_over(), CoatesNgConfig(n_atoms=3, scaling="raw"))
    assert named.identity()["features"]["scaling"] == named.shared()["features_scaling"] == "raw"


@pytest.mark.parametrize(
    ("features", "seed"), [(CoatesNgConfig(n_atoms=3, n_iterations=2, patches_per_image=4, draw=1), 1), (SMALL, 2)]
)
def test_another_draw_or_master_seed_gives_other_features(features, seed):
    data = handed_over()
    assert not np.allclose(split_of(cell_of(data)).X, split_of(cell_of(data, features, seed=seed)).X)


def test_a_subset_of_images_is_encoded_alone():
    split = split_of(cell_of(handed_over(), split=SplitConfig(subset=12, subset_test=4)))
    assert (split.X.shape, split.X_test.shape) == ((12, 24), (4, 24))


def test_a_plain_scaling_lays_images_out_flat():
    assert split_of(cell_of(handed_over(), FeaturesConfig("pixels"))).X.shape == (30, 300)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (FeaturesConfig("nonsense"), "features.name"),
        (CoatesNgConfig(fit_on="all"), "features.fit_on with features=coates_ng"),
        (CoatesNgConfig(n_atoms=0), "n_atoms"),
        (CoatesNgConfig(pooling="max"), "pooling"),
        (CoatesNgConfig(standard_offset=-1.0), "features.standard_offset"),
        (CoatesNgConfig(draw=-1), "features.draw"),
        (CoatesNgConfig(scaling="coates_ng"), "features.scaling"),
    ],
)
def test_settings_out_of_range_are_named_before_data_is_read(features, message):
    with pytest.raises(ValueError, match=message):
        check_features(features)


def test_equal_rows_stay_on_one_side_and_in_one_fold_when_asked():
    X = np.repeat(np.random.default_rng(0).normal(size=(20, 3)), 3, axis=0)
    data = as_dataset("tiny", Arrays(X, np.arange(60) % 2), ("a", "b"), "generated")
    hand_over(data)
    apart = split_of(cell_of(data, FeaturesConfig("raw")))
    assert {tuple(row) for row in apart.X} & {tuple(row) for row in apart.X_test}
    together = split_of(cell_of(data, FeaturesConfig("raw"), SplitConfig(group_duplicates=True)))
    assert not {tuple(row) for row in together.X} & {tuple(row) for row in together.X_test}
    assert all(len(set(together.folds[(together.X == row).all(axis=1)])) == 1 for row in together.X)


def test_groups_are_named_in_a_key_only_where_asked_for():
    assert "group_duplicates" not in SplitConfig().settings()
    assert SplitConfig(group_duplicates=True).settings()["group_duplicates"] is True


def spiral_cell(redraw, number, model="elm", dataset=None):
    spiral = SCHEMAS["spiral"](name="spiral", n_samples=60)
    study = StudyConfig(
        "afresh", rounds=3, features=FeaturesConfig("raw"), n_hidden=[5], split=SplitConfig(redraw=redraw)
    )
    return plan(study, [dataset or spiral], [ModelConfig(model, "elm", model)])[number]


def test_a_generated_set_is_made_once_or_afresh_in_every_round():
    once = [data_of(spiral_cell(False, number)).digest for number in range(3)]
    afresh = [data_of(spiral_cell(True, number)).digest for number in range(3)]
    assert len(set(once)) == 1
    assert len({*once, *afresh}) == 4
    assert data_of(spiral_cell(True, 1, "selm")).digest == afresh[1]
    assert "redraw" not in SplitConfig().settings()


def test_a_set_that_is_what_it_is_cannot_be_made_afresh():
    with pytest.raises(ValueError, match=r"split\.redraw needs a data set that is made from a seed; wdbc is not"):
        spiral_cell(True, 0, dataset=DatasetConfig(name="wdbc"))


def own_table(tmp_path, name, text, **params):
    (tmp_path / name).write_text(text)
    return SCHEMAS["csv"](name="csv", n_hidden=[5], path=str(tmp_path / name), **params)


def test_the_splits_of_a_table_of_ones_own_follow_from_its_content(tmp_path):
    text = "a,y\n" + "".join(f"{i},{'uv'[i % 2]}\n" for i in range(30))
    first, renamed, other = (
        plan(StudyConfig(rounds=1), [own_table(tmp_path, name, content)], [ModelConfig("elm", "elm", "elm")])[0]
        for name, content in (("one.csv", text), ("two.csv", text), ("one2.csv", text.replace("29,", "31,")))
    )
    splits = [split_of(cell) for cell in (first, renamed, other)]
    for here, there in zip(splits[0], splits[1], strict=True):
        np.testing.assert_array_equal(here, there)
    assert not np.array_equal(splits[0].X, splits[2].X)
    assert first.role_seed("draw") == renamed.role_seed("draw") != other.role_seed("draw")


def test_published_sets_are_known_by_their_names():
    assert cell_of(handed_over()).data_role == "tiny"
    wdbc, spiral = (datasets.seed_role(name, name, "digest") for name in ("wdbc", "spiral"))
    assert (wdbc, spiral, datasets.seed_role("csv", "csv-t", "digest")) == ("wdbc", "spiral", "digest")


def test_medians_and_levels_are_those_of_the_training_rows(tmp_path):
    rows = [(f"{i}" if i % 3 else "", "pqr"[i % 3], "uv"[i % 2]) for i in range(30)]
    text = "a,b,y\n" + "".join(",".join(row) + "\n" for row in rows)
    table = own_table(tmp_path, "t.csv", text, nominal="onehot", missing="median")
    (cell,) = plan(StudyConfig(rounds=1, features=FeaturesConfig("raw")), [table], [ModelConfig("elm", "elm", "elm")])
    split, data = split_of(cell), data_of(cell)
    train, _ = rows_of(cell, data)
    assert split.X.shape == (20, 4)
    known = data.X[train, 0]
    np.testing.assert_array_equal(split.X[np.isnan(known), 0], np.nanmedian(known))
    np.testing.assert_array_equal(split.X[:, 1:].sum(axis=1), 1)
