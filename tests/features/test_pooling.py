"""Pooling averages or adds each cell of the grid, keeps constants and counts every position once."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm.features.pooling import GridPooling, grid_edges, membership, pooled

MAPS = np.random.default_rng(0).random((3, 27, 11, 4))


@pytest.mark.parametrize(("length", "grid", "sizes"), [(27, 2, [14, 13]), (27, 3, [9, 9, 9]), (5, 4, [2, 1, 1, 1])])
def test_the_longer_parts_come_first(length, grid, sizes):
    assert_array_equal(np.diff(grid_edges(length, grid, "test")), sizes)


def test_quadrants_by_hand():
    features = GridPooling().transform(MAPS).reshape(3, 2, 2, 4)
    assert_allclose(features[:, 0, 0], MAPS[:, :14, :6].mean(axis=(1, 2)))
    assert_allclose(features[:, 0, 1], MAPS[:, :14, 6:].mean(axis=(1, 2)))
    assert_allclose(features[:, 1, 0], MAPS[:, 14:, :6].mean(axis=(1, 2)))
    assert_allclose(features[:, 1, 1], MAPS[:, 14:, 6:].mean(axis=(1, 2)))


@pytest.mark.parametrize("grid", [1, 2, 3, 5])
def test_constant_maps_keep_their_value_and_sums_count_each_position_once(grid):
    constant = np.broadcast_to(np.arange(4.0), MAPS.shape)
    averages = GridPooling(grid).transform(constant).reshape(3, grid * grid, 4)
    assert_allclose(averages, np.broadcast_to(np.arange(4.0), averages.shape))
    sums = GridPooling(grid, "sum").transform(MAPS).reshape(3, grid * grid, 4).sum(axis=1)
    assert_allclose(sums, MAPS.sum(axis=(1, 2)))


def test_each_position_belongs_to_one_cell():
    cells = membership(grid_edges(27, 4, "test"), "sum")
    assert_array_equal(cells.sum(axis=1), 1.0)
    assert_allclose(membership(grid_edges(27, 4, "test"), "average").sum(axis=0), 1.0)


def test_mirroring_an_even_map_mirrors_the_cells():
    even = MAPS[:, :26, :10]
    plain = pooled(even, 2, "average", "test").reshape(3, 2, 2, 4)
    mirrored = pooled(even[:, :, ::-1], 2, "average", "test").reshape(3, 2, 2, 4)
    assert_allclose(mirrored, plain[:, :, ::-1])


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"grid": 12}, "GridPooling: grid must be at most the 11 patch positions of a side; got 12"),
        ({"grid": 0}, "GridPooling: grid must be a whole number of at least 1; got 0"),
        ({"pooling": "mean"}, "GridPooling: pooling must be one of average, sum; got 'mean'"),
    ],
)
def test_grids_that_do_not_fit_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        GridPooling(**parameters).fit(MAPS).transform(MAPS)
