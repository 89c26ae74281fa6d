"""Differences of samples of two classes, the closer the likelier: SWIM's pairs (Bolager et al., NeurIPS 2023)."""

from __future__ import annotations

import numpy as np

from celm.models.elm.directions import Array, Directions, dense_rows, midpoints_of, negligible, oriented, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import ClassIndex, Indices, between_class_pairs, check_two_classes

# Pairs that are weighed against each other: all of them where there are no more, else as many uniform ones.
CANDIDATES = 2**15
BLOCK = 2**12


def close_differences(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Differences x_c2 − x_c1 of two classes, each pair with probability ∝ 1/‖x_c2 − x_c1‖.

    SWIM weighs a pair by max|Δy|/‖Δx‖, and |Δy| is the same for all pairs of two classes. Pairs of equal rows are
    never drawn.
    """
    candidate_rng, pick_rng = rng.spawn(2)
    first, second = candidate_pairs(codes, candidate_rng)
    distances = pair_distances(X, first, second)
    usable = distances > np.sqrt(negligible(X))
    if not usable.any():
        raise ValueError("SWIM pairs need two samples of different classes that differ; all candidates are equal.")
    weights = np.where(usable, 1.0, 0.0) / np.where(usable, distances, 1.0)
    edges = np.cumsum(weights)
    picks = np.searchsorted(edges, pick_rng.random(n) * edges[-1], side="right").clip(max=int(usable.nonzero()[0][-1]))
    c2, c1 = oriented(first[picks], second[picks], codes, options)
    return Directions(dense_rows(X, c2) - dense_rows(X, c1), midpoints_of(X, c2, c1))


def candidate_pairs(codes: Indices, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """All pairs of rows of two classes, each once; where they are more than :data:`CANDIDATES`, that many of them."""
    index = ClassIndex(codes)
    check_two_classes(index)
    n_pairs = (int(index.sizes.sum()) ** 2 - int((index.sizes**2).sum())) // 2
    if n_pairs > CANDIDATES:
        return between_class_pairs(index, CANDIDATES, rng, "samples")
    first, second = np.nonzero(np.triu(codes[:, None] != codes[None, :]))
    swapped = rng.random(len(first)) < 0.5
    return np.where(swapped, second, first), np.where(swapped, first, second)


def pair_distances(X: Array, first: Indices, second: Indices) -> Array:
    """‖x_i − x_j‖ of every pair, a block of pairs at a time."""
    blocks = range(0, len(first), BLOCK)
    return np.sqrt(np.concatenate([squared_norms(X[first[s : s + BLOCK]] - X[second[s : s + BLOCK]]) for s in blocks]))
