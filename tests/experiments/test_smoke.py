"""What a smoke run does not run twice: the cells of a copy with another seed, and no others."""

from experiments.config.studies import composed_study
from experiments.smoke import middle, seedless


def cells(experiment, *further):
    return seedless(composed_study(experiment, ["scale=smoke", *further]).plan())


def test_a_copy_with_another_seed_has_no_cells_of_its_own():
    assert cells("table1_second_seed") == cells("table1")


def test_an_experiment_that_changes_more_than_the_seed_has():
    own = cells("overfit")
    assert own
    assert not own & cells("overfit_ridge")
    assert not own & cells("overfit", "split.subset=100")


def test_a_grid_is_cut_to_its_middle_and_one_value_stays():
    assert [middle(grid) for grid in ([-8, 8], [0, 4], [8, 8], [0, 1])] == [[-2, 2], [0, 4], [8, 8], [0, 1]]
