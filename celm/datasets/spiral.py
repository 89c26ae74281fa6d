"""The two-arm spiral of Fig 3, made once from a seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celm.base.seeds import generator
from celm.base.validation import check_integer, check_number
from celm.datasets.dataset import Arrays
from celm.datasets.entry import generated
from celm.datasets.params import MAX_SAMPLES

# Sines and cosines differ in their last digit between machines; rounded coordinates, and so the digest, do not.
DECIMALS = 9


@dataclass(frozen=True)
class SpiralParams:
    """The paper states two arms, 5000 points and min-max to [-1, 1]; the rest is a reading."""

    n_samples: int = 5000
    #: Full turns of each arm.
    turns: float = 3.0
    #: Standard deviation of Gaussian noise on both coordinates, in units of the outer radius.
    noise: float = 0.0
    #: Multiplies the data after they were brought to [-1, 1].
    scale: float = 1.0
    #: Rotates the second arm towards the first: 0 puts them half a turn apart, 1 on top of each other.
    overlap: float = 0.0
    #: Radius where the arms begin, in units of the outer radius.
    inner_radius: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        check_integer(self.n_samples, "n_samples", "spiral", 4, MAX_SAMPLES)
        check_number(self.turns, "turns", "spiral", 0.0, above=True)
        check_number(self.noise, "noise", "spiral", 0.0)
        check_number(self.scale, "scale", "spiral", 0.0, above=True)
        check_number(self.overlap, "overlap", "spiral", 0.0, 1.0)
        check_number(self.inner_radius, "inner_radius", "spiral", 0.0, 0.999)
        check_integer(self.seed, "seed", "spiral", 0)


def arm_points(t: npt.NDArray[np.float64], arm: npt.NDArray[np.uint8], params: SpiralParams) -> npt.NDArray[np.float64]:
    """Points (N × 2) at the positions ``t`` in [0, 1] along the arms ``arm`` (0 or 1), before noise and scaling.

    Radius r0 + (1 − r0)t; angle 2π·turns·t, to which the second arm adds π(1 − overlap).
    """
    radius = params.inner_radius + (1.0 - params.inner_radius) * t
    angle = 2.0 * np.pi * params.turns * t + np.pi * (1.0 - params.overlap) * arm
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def make_spiral(params: SpiralParams) -> Arrays:
    """X (N × 2) and y: the first arm's rows (code 0), then the second's (code 1).

    Every point has its own t ~ U[0, 1], so the arms are not mirror images of each other and sums of two samples
    do not vanish. Positions and noise have streams of their own: one seed gives the same t whatever the noise.
    """
    n = params.n_samples
    y = (np.arange(n) >= (n + 1) // 2).astype(np.uint8)
    t = generator(params.seed, "spiral", "position").uniform(size=n)
    noise = generator(params.seed, "spiral", "noise").standard_normal((n, 2))
    points = arm_points(t, y, params) + params.noise * noise
    return Arrays(np.round(min_max(points), DECIMALS) * params.scale, y)


def min_max(X: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Each column brought to [-1, 1] by its smallest and largest value."""
    low, high = X.min(axis=0), X.max(axis=0)
    return 2.0 * (X - low) / (high - low) - 1.0


ENTRIES = (generated("spiral", make_spiral, ("first arm", "second arm"), SpiralParams),)
