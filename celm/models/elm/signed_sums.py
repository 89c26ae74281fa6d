"""Sums of all samples, of a class or of any, with random signs: the directions of CIW-ELM (McDonnell et al. 2015)."""

from __future__ import annotations

import heapq

import numpy as np

from celm.models.elm.directions import MAX_ATTEMPTS, Array, Directions, OnlyRounding, combined, squared_norms
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import ClassIndex, Indices

# Signs held at a time: nodes are made in groups of a size that depends on the rows alone, so that layers nest.
SIGN_ENTRIES = 2**24


def class_signed_sums(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Σ ±x over all samples of the node's class; nodes are shared out over the classes by their size."""
    index = ClassIndex(codes)
    ends = index.starts + index.sizes
    rows = [index.rows[start:end] for start, end in zip(index.starts, ends, strict=True)]
    return Directions(_signed_sums(X, rows, class_shares(index.sizes, n), rng), None)


def signed_sums(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Σ ±x over all samples."""
    return Directions(_signed_sums(X, [np.arange(X.shape[0])], np.zeros(n, dtype=np.intp), rng), None)


def class_shares(sizes: Indices, n: int) -> Indices:
    """The class of each of ``n`` nodes, so that any first L of them are shared out in proportion to ``sizes``.

    The next node goes to the class with the largest size/(nodes + ½): Webster's apportionment, seat by seat.
    """
    waiting = [(-2.0 * size, cls) for cls, size in enumerate(sizes.tolist())]
    heapq.heapify(waiting)
    given, shares = [0] * len(sizes), np.empty(n, dtype=np.intp)
    for node in range(n):
        cls = shares[node] = waiting[0][1]
        given[cls] += 1
        heapq.heapreplace(waiting, (-sizes[cls] / (given[cls] + 0.5), int(cls)))
    return shares


def _signed_sums(X: Array, groups: list[Indices], group_of: Indices, rng: np.random.Generator) -> Array:
    """Σ ±x over the rows of every node's group; sums that cancel are drawn again, each attempt from its own stream."""
    n, only_rounding = len(group_of), OnlyRounding(X)
    longest = max(len(rows) for rows in groups)
    at_once = max(1, SIGN_ENTRIES // longest)
    vectors, pending = np.empty((n, X.shape[1])), np.arange(n)
    for _ in range(MAX_ATTEMPTS):
        stream = rng.spawn(1)[0]
        for start in range(0, n, at_once):
            flips = stream.integers(0, 2, size=(min(at_once, n - start), longest), dtype=np.int8)
            signs = 2.0 * flips.astype(np.float64) - 1.0
            for group, rows in enumerate(groups):
                nodes = pending[(pending >= start) & (pending < start + at_once) & (group_of[pending] == group)]
                if len(nodes):
                    vectors[nodes] = combined(signs[nodes - start, : len(rows)], X, rows)
        pending = pending[only_rounding(squared_norms(vectors[pending]))]
        if not len(pending):
            return vectors
    raise ValueError(
        f"no usable signed sum after {MAX_ATTEMPTS} draws for {len(pending)} of {n} hidden nodes: "
        f"the training rows of a class are zero or cancel each other out. Check the data and its scaling."
    )
