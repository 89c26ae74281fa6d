"""The spiral's geometry, its independence of noise draws, and sums that do not vanish."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celm.datasets.dataset import array_digest
from celm.datasets.registry import load
from celm.datasets.spiral import SpiralParams, arm_points, make_spiral

T = np.linspace(0, 1, 301)
FIRST, SECOND = np.zeros(301, dtype=np.uint8), np.ones(301, dtype=np.uint8)


@pytest.mark.parametrize("turns", [0.5, 2.25, 3.0])
def test_radius_and_angle_grow_evenly(turns) -> None:
    points = arm_points(T, FIRST, SpiralParams(turns=turns, inner_radius=0.1))
    np.testing.assert_allclose(np.hypot(*points.T), 0.1 + 0.9 * T, rtol=1e-12)
    angle = np.unwrap(np.arctan2(points[:, 1], points[:, 0]))
    np.testing.assert_allclose(angle, 2 * np.pi * turns * T, atol=1e-10)


def test_overlap_turns_the_second_arm_onto_the_first() -> None:
    for overlap, factor in ((0.0, -1.0), (1.0, 1.0)):
        params = SpiralParams(overlap=overlap)
        np.testing.assert_allclose(arm_points(T, SECOND, params), factor * arm_points(T, FIRST, params), atol=1e-12)
    params = SpiralParams(overlap=0.5)
    inner_products = np.sum(arm_points(T, SECOND, params) * arm_points(T, FIRST, params), axis=1)
    np.testing.assert_allclose(inner_products, 0, atol=1e-12)


@settings(max_examples=25, deadline=None)
@given(
    n_samples=st.integers(20, 200),
    turns=st.floats(0.5, 5),
    noise=st.floats(0, 0.2),
    scale=st.floats(0.01, 10),
    overlap=st.floats(0, 1),
    seed=st.integers(0, 1000),
)
def test_range_and_balance(n_samples, turns, noise, scale, overlap, seed) -> None:
    X, y = make_spiral(SpiralParams(n_samples, turns, noise, scale, overlap, seed=seed))
    assert X.shape == (n_samples, 2)
    np.testing.assert_array_equal(X.min(axis=0), [-scale, -scale])
    np.testing.assert_array_equal(X.max(axis=0), [scale, scale])
    assert np.bincount(y).tolist() == [(n_samples + 1) // 2, n_samples // 2]


def test_scale_multiplies_the_same_points() -> None:
    np.testing.assert_array_equal(make_spiral(SpiralParams(scale=0.25)).X, 0.25 * make_spiral(SpiralParams()).X)


def test_noise_moves_the_same_points() -> None:
    clean, moved = make_spiral(SpiralParams()).X, make_spiral(SpiralParams(noise=1e-4)).X
    distance = np.abs(clean - moved)
    assert 0 < distance.max() < 1e-3
    assert np.mean(distance > 0) > 0.99


@pytest.mark.parametrize("seed", range(5))
def test_no_sum_and_no_difference_of_two_samples_vanishes(seed) -> None:
    X = make_spiral(SpiralParams(seed=seed)).X
    assert len(np.unique(np.vstack([X, -X]), axis=0)) == 2 * len(X)


def test_seed_alone_decides() -> None:
    first, again, other = (load("spiral", params={"seed": seed}) for seed in (0, 0, 1))
    assert first.digest == again.digest != other.digest
    assert (first.source, first.n_train) == ("generated", None)


def test_default_data_are_the_same_on_every_machine() -> None:
    assert (
        array_digest(make_spiral(SpiralParams()).X)
        == "f2ce49b9984ae80c1c5b6a212a9afb9170ff4c21d111fd49967976cc1f7b3042"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n_samples", 3), ("n_samples", 10.5), ("turns", 0), ("turns", "three"), ("noise", -0.1), ("noise", np.nan),
        ("scale", 0), ("overlap", 1.1), ("overlap", -0.1), ("inner_radius", 1.0), ("seed", -1), ("seed", True),
    ],
)  # fmt: skip
def test_wrong_values_are_named(key, value) -> None:
    with pytest.raises(ValueError, match=f"spiral: {key} must be"):
        dataclasses.replace(SpiralParams(), **{key: value})
