"""Two classes in a square, parted by a parabola: what no line separates and a quadratic curve does (§III.B)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from celm.base.seeds import generator
from celm.base.validation import check_integer, check_number
from celm.datasets.dataset import Arrays
from celm.datasets.entry import generated
from celm.datasets.params import MAX_SAMPLES

# Random numbers are rounded, so that the digest does not hang on a machine's last digit.
DECIMALS = 9


@dataclass(frozen=True)
class QuadraticParams:
    """The paper gives no such data: the shape is ours, and says so in its parameters."""

    n_samples: int = 1000
    #: The curve is x₂ = curvature·x₁² + offset.
    curvature: float = 2.0
    offset: float = -0.6
    seed: int = 0

    def __post_init__(self) -> None:
        check_integer(self.n_samples, "n_samples", "quadratic", 4, MAX_SAMPLES)
        check_number(self.curvature, "curvature", "quadratic", 0.0)
        check_number(self.offset, "offset", "quadratic", -1.0, 1.0)
        check_integer(self.seed, "seed", "quadratic", 0)


def make_quadratic(params: QuadraticParams) -> Arrays:
    """X (N × 2) uniform in [-1, 1]², and y: 1 above the parabola, 0 below."""
    X = np.round(generator(params.seed, "quadratic").uniform(-1.0, 1.0, (params.n_samples, 2)), DECIMALS)
    return Arrays(X, (X[:, 1] > params.curvature * X[:, 0] ** 2 + params.offset).astype(np.uint8))


ENTRIES = (generated("quadratic", make_quadratic, ("below", "above"), QuadraticParams),)
