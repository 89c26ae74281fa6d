"""Data that several models are tested on."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def rings():
    """Three concentric rings and their names: no linear classifier of the two coordinates tells them apart."""
    rng = np.random.default_rng(0)
    y, angle = rng.integers(0, 3, 240), rng.uniform(0, 2 * np.pi, 240)
    radius = 0.5 + y + 0.1 * rng.standard_normal(240)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), np.array(["a", "b", "c"])[y]
