"""Differences of samples, the steeper the target between them the likelier: SWIM's pairs (Bolager et al., 2023)."""

from __future__ import annotations

import numpy as np

from celm.base.magnitude import ordinary_size
from celm.models.elm.directions import Array, Directions, dense_rows, midpoints_of, negligible, oriented, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import ClassIndex, Indices, any_pairs, between_class_pairs, check_two_classes

# Pairs that are weighed against each other: all of them where there are no more, else as many uniform ones.
CANDIDATES = 2**15
BLOCK = 2**12


def close_differences(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Differences x_c2 − x_c1 of two classes, each pair with probability ∝ 1/‖x_c2 − x_c1‖.

    SWIM weighs a pair by max|Δy|/‖Δx‖, and |Δy| is the same for all pairs of two classes. Pairs of equal rows are
    never drawn.
    """
    candidate_rng, pick_rng = rng.spawn(2)
    pairs = candidate_pairs(codes, candidate_rng)
    first, second = picked(X, pairs, np.ones(len(pairs[0])), n, pick_rng)
    return differences(X, *oriented(first, second, codes, options))


def steep_differences(X: Array, T: Array, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Differences of two samples, each pair with probability ∝ max|Δt|/‖Δx‖, the largest over the targets T (N × k).

    Targets count in their own units. Pairs with equal rows or equal targets are never drawn. A pair is oriented by its
    first target.
    """
    candidate_rng, pick_rng = rng.spawn(2)
    T = ordinary_size(T)[0]
    pairs = all_pairs(X.shape[0], candidate_rng)
    first, second = picked(X, pairs, np.abs(T[pairs[0]] - T[pairs[1]]).max(axis=1), n, pick_rng)
    return differences(X, *oriented(first, second, T[:, 0], options))


def picked(
    X: Array, pairs: tuple[Indices, Indices], rises: Array, n: int, rng: np.random.Generator
) -> tuple[Indices, Indices]:
    """``n`` of the pairs, each with probability ∝ its rise over the distance of its rows."""
    first, second = pairs
    distances = pair_distances(X, first, second)
    usable = (distances > np.sqrt(negligible(X))) & (rises > 0.0)
    if not usable.any():
        raise ValueError("SWIM pairs need two samples that differ in row and label; all candidates are equal.")
    weights = np.where(usable, rises, 0.0) / np.where(usable, distances, 1.0)
    edges = np.cumsum(weights)
    picks = np.searchsorted(edges, rng.random(n) * edges[-1], side="right").clip(max=int(usable.nonzero()[0][-1]))
    return first[picks], second[picks]


def differences(X: Array, second: Indices, first: Indices) -> Directions:
    """The differences of pairs of rows, with their midpoints."""
    return Directions(dense_rows(X, second) - dense_rows(X, first), midpoints_of(X, second, first))


def all_pairs(n_rows: int, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """All pairs of rows, each once; where they are more than :data:`CANDIDATES`, that many of them."""
    if n_rows * (n_rows - 1) // 2 > CANDIDATES:
        return any_pairs(n_rows, CANDIDATES, rng, same_sample=False)
    first, second = np.triu_indices(n_rows, k=1)
    return shuffled_ends(first, second, rng)


def shuffled_ends(first: Indices, second: Indices, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Each pair either way round, with probability ½."""
    swapped = rng.random(len(first)) < 0.5
    return np.where(swapped, second, first), np.where(swapped, first, second)


def candidate_pairs(codes: Indices, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """All pairs of rows of two classes, each once; where they are more than :data:`CANDIDATES`, that many of them."""
    index = ClassIndex(codes)
    check_two_classes(index)
    n_pairs = (int(index.sizes.sum()) ** 2 - int((index.sizes**2).sum())) // 2
    if n_pairs > CANDIDATES:
        return between_class_pairs(index, CANDIDATES, rng, "samples")
    first, second = np.nonzero(np.triu(codes[:, None] != codes[None, :]))
    return shuffled_ends(first, second, rng)


def pair_distances(X: Array, first: Indices, second: Indices) -> Array:
    """‖x_i − x_j‖ of every pair, a block of pairs at a time."""
    squares = np.empty(len(first))
    for s in range(0, len(first), BLOCK):
        squares[s : s + BLOCK] = squared_norms(X[first[s : s + BLOCK]] - X[second[s : s + BLOCK]])
    return np.sqrt(squares)
