"""Traits of data made for them: flat or round, apart or mixed."""

import numpy as np
import pytest

from celm.datasets.traits import class_overlap, target_roughness, variance_share


def test_a_line_lies_in_one_component_and_noise_in_all():
    rng = np.random.default_rng(3)
    line = rng.normal(size=(200, 1)) @ np.ones((1, 6)) + 1e-3 * rng.normal(size=(200, 6))
    assert variance_share(line, 1) > 0.99
    assert variance_share(rng.normal(size=(2000, 30))) == pytest.approx(3 / 30, abs=0.03)
    wide = rng.normal(size=(10, 40))
    roots = np.linalg.svd(wide - wide.mean(axis=0), compute_uv=False) ** 2
    assert variance_share(wide) == pytest.approx(roots[:3].sum() / roots.sum())
    with pytest.raises(ValueError, match="no feature varies over the 5 rows"):
        variance_share(np.ones((5, 2)))


def test_overlap_agrees_with_looking_at_every_pair():
    rng = np.random.default_rng(4)
    Z, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    distance = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    assert class_overlap(Z, y) == np.mean(y[distance.argmin(axis=1)] != y)
    assert class_overlap(Z + 100 * y[:, None], y) == 0


def test_roughness_is_none_of_a_smooth_target_and_one_of_noise():
    rng = np.random.default_rng(5)
    Z = rng.uniform(size=(1500, 2))
    assert target_roughness(Z, Z.sum(axis=1)) < 0.01
    assert target_roughness(Z, rng.normal(size=1500)) == pytest.approx(1.0, abs=0.1)
    assert target_roughness(Z, np.ones(1500)) == 0
