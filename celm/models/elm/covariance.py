"""Gaussian directions with the covariance of the rows: full, shrunk or diagonal, formed or never formed."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.covariance import ledoit_wolf_shrinkage

from celm.models.elm.column_sums import column_means, variances
from celm.models.elm.directions import Array, Directions, combined, most_negligible, negligible
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices

# Rows that one direction combines: with more of them a draw would cost more and hardly be more Gaussian.
COMBINED_ROWS = 1024
# Rows from which on a direction combines fewer, and nodes that follow each other and share their rows.
MANY_ROWS, FEWER_ROWS, SHARING_NODES = 4096, 128, 32
# Rows that are centred at a time, while they are at hand.
CENTRED_ROWS = 128
# Rows whose differences nearly always tell that not all rows are equal.
FEW_ROWS = 16


def gaussian_directions(
    X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions
) -> Directions:
    """N(0, Σ) with Σ the covariance of the rows of X: the shape of the data without its samples or labels."""
    refuse_sparse(X, "formed")
    return Directions(rng.standard_normal((n, X.shape[1])) @ covariance_root(X), None)


def covariance_root(X: Array) -> Array:
    """Σ^½ (n × n, symmetric) of the rows of X, from one Gram matrix.

    Unlike a Cholesky or eigenvector factor it exists for constant features too and moves little when Σ does.
    """
    centred = X - X.mean(axis=0)
    values, V = np.linalg.eigh(centred.T @ centred / max(len(X) - 1, 1))
    rounding = len(values) * np.finfo(np.float64).eps * values[-1]
    if values[-1] <= negligible(X):
        raise ValueError("directions with the covariance of the data need rows that differ; all rows are equal.")
    return (V * np.sqrt(np.where(values > rounding, values, 0.0))) @ V.T


def combined_rows(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Σ^½g without Σ: a combination Σᵢ gᵢ(xᵢ − x̄)/√(N−1) of centred rows, gᵢ normal, has their covariance.

    Given X it is exactly N(0, Σ) up to :data:`COMBINED_ROWS` rows. More rows are dealt out into groups of about that
    many and every direction combines a group drawn by its size: the covariance is still Σ, and the cost of a draw no
    longer grows with N. Beyond :data:`MANY_ROWS` groups are smaller (:func:`few_combined_rows`).
    """
    check_rows_differ(X)
    deal_rng, group_rng, normal_rng = rng.spawn(3)
    n_rows = X.shape[0]
    if n_rows > MANY_ROWS:
        return Directions(few_combined_rows(X, n, group_rng, normal_rng), None)
    groups = np.array_split(deal_rng.permutation(n_rows), max(1, round(n_rows / COMBINED_ROWS)))
    sizes = np.array([len(rows) for rows in groups])
    edges = np.cumsum(sizes)
    group_of = np.searchsorted(edges, group_rng.random(n) * n_rows, side="right").clip(max=len(groups) - 1)
    g = normal_rng.standard_normal((n, sizes.max()))
    mean, vectors = column_means(X), np.empty((n, X.shape[1]))
    room = np.empty((0 if issparse(X) else sizes.max(), X.shape[1]))
    for group in np.unique(group_of):
        rows, nodes = groups[group], np.flatnonzero(group_of == group)
        weights = g[nodes, : len(rows)] * np.sqrt(n_rows / (n_rows - 1) / len(rows))
        if issparse(X):
            vectors[nodes] = combined(weights, X, rows) - np.outer(weights.sum(axis=1), mean)
        else:
            vectors[nodes] = weights @ centred_rows(X, rows, mean, room[: len(rows)])
    return Directions(vectors, None)


def few_combined_rows(X: Array, n: int, group_rng: np.random.Generator, normal_rng: np.random.Generator) -> Array:
    """The same for many rows, read where they are: groups of about :data:`FEWER_ROWS` rows at equal distances.

    The group of a row drawn at random serves a few nodes, so that far fewer rows are read than are combined. Weights
    that add up to zero centre a group about its own mean: the covariance is that of the group, which over the groups
    is that of all rows, and no mean of all rows is needed.
    """
    n_rows, n_groups = X.shape[0], round(X.shape[0] / FEWER_ROWS)
    firsts = group_rng.integers(n_rows, size=-(-n // SHARING_NODES)) % n_groups
    weights = normal_rng.standard_normal((n, -(-n_rows // n_groups)))
    vectors = np.empty((n, X.shape[1]))
    for start, first in zip(range(0, n, SHARING_NODES), firsts.tolist(), strict=True):
        nodes, rows = slice(start, start + SHARING_NODES), slice(first, None, n_groups)
        own = weights[nodes, : len(range(n_rows)[rows])]
        own = (own - own.mean(axis=1, keepdims=True)) / np.sqrt(own.shape[1] - 1)
        vectors[nodes] = combined(own, X, rows)
    return vectors


def centred_rows(X: Array, rows: Indices, mean: Array, room: Array) -> Array:
    """``X[rows]`` − x̄, made in ``room`` where X is C-ordered: products of another order round differently."""
    if not X.flags.c_contiguous:
        return X[rows] - mean
    for start in range(0, len(rows), CENTRED_ROWS):
        part = slice(start, start + CENTRED_ROWS)
        np.subtract(X[rows[part]], mean, out=room[part])
    return room


def shrunk_directions(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """N(0, (1−a)Σ + a·tr(Σ)/n·I) with Ledoit and Wolf's a: fewer rows than features leave no direction empty."""
    refuse_sparse(X, "shrunk")
    row_rng, identity_rng = rng.spawn(2)
    shaped = combined_rows(X, codes, n, row_rng, options).vectors
    amount = float(ledoit_wolf_shrinkage(X)) if X.shape[1] > 1 else 0.0
    sd = np.sqrt(X.var(axis=0, ddof=1).mean())
    round_part = identity_rng.standard_normal((n, X.shape[1]))
    return Directions(np.sqrt(1.0 - amount) * shaped + np.sqrt(amount) * sd * round_part, None)


def diagonal_directions(
    X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions
) -> Directions:
    """N(0, diag Σ): the spread of every feature, no correlation."""
    check_rows_differ(X)
    return Directions(rng.standard_normal((n, X.shape[1])) * np.sqrt(variances(X, ddof=1)), None)


def refuse_sparse(X: Any, how: str) -> None:
    """A covariance of features by features would be dense."""
    if issparse(X):
        raise ValueError(
            f"directions with the {how} covariance of the data need dense rows; the strategy covariance takes sparse."
        )


def check_rows_differ(X: Array) -> None:
    """At least two rows must differ by more than rounding.

    The squared deviations of all rows are at least those of a few among themselves.
    """
    if X.shape[0] < 2:
        raise ValueError("directions with the covariance of the data need rows that differ; got one sample.")
    few = X[:FEW_ROWS]
    if not issparse(X) and len(few) * variances(few).max(initial=0.0) > 2.0 * len(X) * most_negligible(X):
        return
    if variances(X).max(initial=0.0) <= negligible(X):
        raise ValueError("directions with the covariance of the data need rows that differ; all rows are equal.")
