"""The factors of a weight matrix and their levels, in the order in which they are shown: one list for all rooms."""

from __future__ import annotations

from itertools import product

# A weight vector's direction, what it is divided by, and how its bias comes about.
FACTORS = {
    "direction": ("random", "gaussian", "samples", "class_sums", "class_differences"),
    "scale": ("none", "l2", "squared"),
    "bias": ("uniform", "midpoint"),
}
DIRECTIONS, SCALES, BIASES = FACTORS.values()
# Every combination is a model: ``gaussian/squared/midpoint``.
FACTORIAL = tuple("/".join(levels) for levels in product(*FACTORS.values()))
