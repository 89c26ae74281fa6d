"""Seeds depend on their words alone."""

from itertools import product

import numpy as np
import pytest

from celm.base.seeds import generator, seed_of


@pytest.mark.parametrize(
    ("roles", "seed"),
    [
        ((0, "wdbc", 3, "split"), 324119229572671208602967005583443508139),
        ((20_260_101, "nodes"), 187961730253372541230876998130763109436),
    ],
)
def test_the_same_words_give_the_same_seed_on_every_machine(roles, seed):
    assert seed_of(*roles) == seed


def test_generators_start_from_their_seed():
    drawn = generator(7, "wdbc", 3).random(5)
    np.testing.assert_array_equal(drawn, np.random.default_rng(seed_of(7, "wdbc", 3)).random(5))
    assert not np.array_equal(drawn, generator(7, "wdbc", 4).random(5))


def test_order_matters_and_so_do_the_borders_between_words():
    seeds = {
        seed_of(1, "a", "b"),
        seed_of(1, "b", "a"),
        seed_of(1, "ab"),
        seed_of(1, "a", "b", ""),
        seed_of(1, "a"),
        seed_of(1),
        seed_of(11, "a"),
        seed_of(1, 1, "a"),
    }
    assert len(seeds) == 8


def test_a_whole_study_has_no_two_equal_seeds():
    datasets, purposes = [f"dataset_{i}" for i in range(12)], ["split", "folds", "nodes", "bp"]
    grid = list(product(range(4), datasets, range(100), purposes))
    seeds = {seed_of(*roles) for roles in grid}
    assert len(seeds) == len(grid)
    assert len({seed % 2**32 for seed in seeds}) > 0.999 * len(grid)
    assert all(0 <= seed < 2**128 for seed in seeds)


def test_numpy_numbers_are_the_same_words():
    assert seed_of(np.int64(5), "fold", np.int64(2)) == seed_of(5, "fold", 2)
