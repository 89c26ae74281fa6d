"""Directions of weight vectors before any scaling: pure functions (X, codes, n, rng, options) -> L × n vectors.

Nodes are drawn one after the other: the first L vectors of a longer draw are the draw of L vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from celm.base.magnitude import largest_entry
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import (
    ClassIndex,
    Indices,
    any_pairs,
    between_class_pairs,
    check_two_classes,
    single_samples,
    within_class_pairs,
)
from celm.models.elm.rejections import note, noted

Array = npt.NDArray[np.float64]

MAX_ATTEMPTS = 1000
# Part of a squared norm that is rounding error.
ROUNDING = (16 * np.finfo(np.float64).eps) ** 2
# What a second row makes of a draw, by its sign.
KINDS = {0.0: "samples", 1.0: "sums", -1.0: "differences"}


class Directions(NamedTuple):
    """Unscaled weight vectors (L × n) and, where a pair made them, the midpoint of each pair (L × n).

    of_rows : the vectors grow with the rows they are drawn from.
    """

    vectors: Array
    midpoints: Array | None
    of_rows: bool = True


Draw = Callable[[Array, Any, int, np.random.Generator, WeightOptions], Directions]
Propose = Callable[[int, np.random.Generator], tuple[Indices, Indices]]
Reject = Callable[[Array, Indices, int], npt.NDArray[np.bool_]]


def squared_norms(vectors: Any) -> Array:
    """‖v‖² of every row of an array or a CSR matrix."""
    if issparse(vectors):
        return np.asarray(vectors.multiply(vectors).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", vectors, vectors)


def dense_rows(X: Any, rows: Indices) -> Array:
    """``X[rows]`` as an array; of a CSR matrix only these rows are made dense."""
    return X[rows].toarray() if issparse(X) else X[rows]


def combined(coefficients: Array, X: Any, rows: Indices | slice) -> Array:
    """coefficients (L × k) times the rows of X, without making a CSR matrix dense."""
    return np.asarray((X[rows].T @ coefficients.T).T) if issparse(X) else coefficients @ X[rows]


def negligible(X: Array) -> float:
    """Squared norm at which a combination of rows of X is only rounding error."""
    return float(ROUNDING * squared_norms(X).max(initial=0.0))


def most_negligible(X: Array) -> float:
    """At least :func:`negligible`, from the largest entry alone."""
    return 1.01 * ROUNDING * X.shape[1] * largest_entry(X) ** 2


class OnlyRounding:
    """Tells squared norms that are :func:`negligible`; rows are looked through only where there is a doubt."""

    def __init__(self, X: Array) -> None:
        self._X, self._most = X, most_negligible(X)

    def __call__(self, norms2: Array) -> npt.NDArray[np.bool_]:
        doubtful = norms2 <= self._most
        return norms2 <= self._floor if doubtful.any() else doubtful

    @cached_property
    def _floor(self) -> float:
        return negligible(self._X)


def _draw_valid(
    X: Array, n: int, sign: float, propose: Propose, reject: Reject, rng: np.random.Generator, what: str
) -> tuple[Array, Indices, Indices]:
    """``n`` vectors X[first] + sign·X[second], redrawing node by node what vanishes or is rejected.

    Attempt k takes its candidates for all nodes from a stream of its own, so that a node's draw depends on
    neither the number of nodes nor the fate of later ones. Nodes after a redrawn one are judged again, against it;
    no filter gets stricter with the attempts.
    """
    only_rounding = OnlyRounding(X)
    vectors = np.empty((n, X.shape[1]))
    first, second = np.empty(n, dtype=np.intp), np.empty(n, dtype=np.intp)
    pending = np.arange(n)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        picks = propose(n, rng.spawn(1)[0])
        note(KINDS[sign], len(pending))
        first[pending], second[pending] = picks[0][pending], picks[1][pending]
        vectors[pending] = dense_rows(X, first[pending])
        if sign:
            vectors[pending] += sign * dense_rows(X, second[pending])
        judged = np.arange(pending.min(initial=n), n)
        vanishing = noted("vanishing", only_rounding(squared_norms(vectors[judged])))
        refused = vanishing | reject(vectors, judged, attempt)
        pending = judged[refused]
        if not len(pending):
            return vectors, first, second
    raise ValueError(
        f"no usable {what} after {MAX_ATTEMPTS} draws for {len(pending)} of {n} hidden nodes: "
        f"the training rows are equal, zero or cancel each other out. Check the data and its scaling."
    )


def _keep_all(vectors: Array, pending: Indices, attempt: int) -> npt.NDArray[np.bool_]:
    return np.zeros(len(pending), dtype=bool)


def random_directions(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """U[-1,1] in every component: ELM (§II, after Huang's elm.m)."""
    return Directions(rng.uniform(-1.0, 1.0, size=(n, X.shape[1])), None, of_rows=False)


def samples(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Copies of training samples: SELM (§III.B, Algorithm 2)."""

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        picks = single_samples(X.shape[0], n, stream)
        return picks, picks

    return Directions(_draw_valid(X, n, 0.0, propose, _keep_all, rng, "sample")[0], None)


def class_sums(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Sums of two samples of one class: CSELM (§III.C, Algorithm 3)."""
    index = ClassIndex(codes)
    if not options.same_sample and index.sizes.max() < 2:
        raise ValueError("class sums need a class with at least two samples; every class has one.")

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        return within_class_pairs(index, n, stream, options.pair_draw, options.same_sample)

    def reject(vectors: Array, pending: Indices, attempt: int) -> npt.NDArray[np.bool_]:
        k = len(index.sizes) - attempt + 1
        if not options.sum_filter or k <= 0:
            return _keep_all(vectors, pending, attempt)
        refused = noted("long", squared_norms(vectors[pending]) > 1.0 / (k * len(index.sizes)))
        return noted("given_up", refused) if k == 1 else refused

    return Directions(_draw_valid(X, n, 1.0, propose, reject, rng, "sum of two samples of a class")[0], None)


def random_sums(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Sums of two samples of any class: RSELM (§III.D, Algorithm 4)."""

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        return any_pairs(X.shape[0], n, stream, options.same_sample)

    return Directions(_draw_valid(X, n, 1.0, propose, _keep_all, rng, "sum of two samples")[0], None)


def class_differences(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Differences x_c2 − x_c1 of samples of two classes: CDELM (§III.A, Algorithm 1)."""
    index = ClassIndex(codes)
    check_two_classes(index)

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        return oriented(*between_class_pairs(index, n, stream, options.pair_draw), codes, options)

    def reject(vectors: Array, pending: Indices, attempt: int) -> npt.NDArray[np.bool_]:
        refused = _keep_all(vectors, pending, attempt)
        if options.difference_filter:
            refused |= noted("short", squared_norms(vectors[pending]) < 1.0 / (attempt * len(index.sizes)))
        if options.cosine_filter:
            refused |= noted("parallel", _largest_cosine_before(vectors, pending) > 1.0 - 1.0 / (5.0 * attempt))
        return refused

    vectors, c2, c1 = _draw_valid(X, n, -1.0, propose, reject, rng, "difference between two classes")
    return Directions(vectors, midpoints_of(X, c2, c1))


def oriented(c2: Indices, c1: Indices, codes: npt.NDArray[Any], options: WeightOptions) -> tuple[Indices, Indices]:
    """Pairs as they come, or with the lower label first, which is mapped to +1."""
    if options.orientation == "random":
        return c2, c1
    swap = codes[c2] > codes[c1]
    return np.where(swap, c1, c2), np.where(swap, c2, c1)


def midpoints_of(X: Any, first: Indices, second: Indices) -> Array:
    """Midpoints (L × n) of pairs of rows."""
    return 0.5 * (dense_rows(X, first) + dense_rows(X, second))


def _largest_cosine_before(vectors: Array, pending: Indices) -> Array:
    """For each pending row, the largest |cos| with any earlier row."""
    norms = np.sqrt(squared_norms(vectors)).clip(min=np.finfo(np.float64).tiny)
    unit = vectors / norms[:, None]
    cosines = np.abs(unit[pending] @ unit.T)
    cosines[np.arange(len(vectors))[None, :] >= pending[:, None]] = 0.0
    return cosines.max(axis=1, initial=0.0)
