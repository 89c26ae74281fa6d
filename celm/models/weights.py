"""How each model of the paper draws its hidden layer: pure functions (X, codes, n_hidden, rng, options) -> W, b.

A hidden layer is W (n × L, one column per node) and b (L); node j answers sigmoid(x·W[:, j] + b[j]).
A layer is a recipe of three choices: the direction of its weight vectors, the scale they are brought to, and
the bias. Nodes are drawn one after the other: the first L nodes of a longer draw are the draw of L nodes,
except for orthogonal ELM, whose columns depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.models.pairs import (
    PAIR_DRAWS,
    ClassIndex,
    Indices,
    any_pairs,
    between_class_pairs,
    single_samples,
    within_class_pairs,
)
from celm.validation import check_choice, check_flag, check_number

Array = npt.NDArray[np.float64]

ORIENTATIONS = ("lower_positive", "random")
ORTHOGONAL_BIASES = ("signed_unit", "uniform")
ORTHOGONAL_NORMS = ("orth", "unit")
MAX_ATTEMPTS = 1000


@dataclass(frozen=True)
class WeightOptions:
    """Every choice in which the paper's text and the authors' code differ; the defaults are the harness's.

    sum_scale, sample_scale: s·scale/‖s‖²; the text has 1, the authors' code 2 for sums.
    pair_draw: "samples" draws two uniform rows until their classes fit (code), "classes" the classes first.
    same_sample: a sum may use one sample twice (code).
    orientation: of differences, "lower_positive" maps the lower label to +1 (code), "random" either (text).
    difference_filter: reject a difference while ‖d‖² < 1/(k·#classes), k counting the attempts (code).
    cosine_filter: reject a difference whose |cos| with an earlier one exceeds 1 − 1/(5k) (commented out there).
    sum_filter: reject a class sum while ‖s‖² > 1/(k·#classes), k falling from #classes, off at 0 (code).
    orthogonal_bias: orthogonal ELM's bias, a U[-1,1] vector over its norm, or "uniform" U[0,1].
    orthogonal_norm: for L > n, columns as `orth` leaves them (norm about √(n/L)), or each of "unit" norm.
    """

    sum_scale: float = 1.0
    sample_scale: float = 1.0
    pair_draw: str = "samples"
    same_sample: bool = True
    orientation: str = "lower_positive"
    difference_filter: bool = False
    cosine_filter: bool = False
    sum_filter: bool = False
    orthogonal_bias: str = "signed_unit"
    orthogonal_norm: str = "orth"

    def check(self, owner: str) -> None:
        """Raise a ValueError that names the first option out of range."""
        check_number(self.sum_scale, "sum_scale", owner, 0, above=True)
        check_number(self.sample_scale, "sample_scale", owner, 0, above=True)
        check_choice(self.pair_draw, "pair_draw", PAIR_DRAWS, owner)
        check_choice(self.orientation, "orientation", ORIENTATIONS, owner)
        check_choice(self.orthogonal_bias, "orthogonal_bias", ORTHOGONAL_BIASES, owner)
        check_choice(self.orthogonal_norm, "orthogonal_norm", ORTHOGONAL_NORMS, owner)
        for flag in ("same_sample", "difference_filter", "cosine_filter", "sum_filter"):
            check_flag(getattr(self, flag), flag, owner)


class Directions(NamedTuple):
    """Unscaled weight vectors (L × n) and, where a pair made them, the midpoint of each pair (L × n)."""

    vectors: Array
    midpoints: Array | None


Draw = Callable[[Array, Indices, int, np.random.Generator, WeightOptions], Directions]
Propose = Callable[[int, np.random.Generator], tuple[Indices, Indices]]
Reject = Callable[[Array, Indices, int], npt.NDArray[np.bool_]]


def squared_norms(vectors: Array) -> Array:
    """‖v‖² of every row."""
    return np.einsum("ij,ij->i", vectors, vectors)


def _negligible(X: Array) -> float:
    """Squared norm at which a combination of rows of X is only rounding error."""
    return float((16 * np.finfo(np.float64).eps) ** 2 * squared_norms(X).max(initial=0.0))


def _draw_valid(
    X: Array, n: int, sign: float, propose: Propose, reject: Reject, rng: np.random.Generator, what: str
) -> tuple[Array, Indices, Indices]:
    """``n`` vectors X[first] + sign·X[second], redrawing node by node what vanishes or is rejected.

    Attempt k takes its candidates for all nodes from a stream of its own, so that a node's draw depends on
    neither the number of nodes nor the fate of later ones. Nodes after a redrawn one are judged again, against it;
    no filter gets stricter with the attempts.
    """
    negligible = _negligible(X)
    vectors = np.empty((n, X.shape[1]))
    first, second = np.empty(n, dtype=np.intp), np.empty(n, dtype=np.intp)
    pending = np.arange(n)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        picks = propose(n, rng.spawn(1)[0])
        first[pending], second[pending] = picks[0][pending], picks[1][pending]
        vectors[pending] = X[first[pending]]
        if sign:
            vectors[pending] += sign * X[second[pending]]
        judged = np.arange(pending.min(initial=n), n)
        refused = (squared_norms(vectors[judged]) <= negligible) | reject(vectors, judged, attempt)
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
    return Directions(rng.uniform(-1.0, 1.0, size=(n, X.shape[1])), None)


def samples(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Copies of training samples: SELM (§III.B, Algorithm 2)."""

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        picks = single_samples(len(X), n, stream)
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
        return squared_norms(vectors[pending]) > 1.0 / (k * len(index.sizes))

    return Directions(_draw_valid(X, n, 1.0, propose, reject, rng, "sum of two samples of a class")[0], None)


def random_sums(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Sums of two samples of any class: RSELM (§III.D, Algorithm 4)."""

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        return any_pairs(len(X), n, stream, options.same_sample)

    return Directions(_draw_valid(X, n, 1.0, propose, _keep_all, rng, "sum of two samples")[0], None)


def class_differences(X: Array, codes: Indices, n: int, rng: np.random.Generator, options: WeightOptions) -> Directions:
    """Differences x_c2 − x_c1 of samples of two classes: CDELM (§III.A, Algorithm 1)."""
    index = ClassIndex(codes)
    if len(index.sizes) < 2:
        raise ValueError("class differences need samples of at least two classes; all rows are of one class.")

    def propose(n: int, stream: np.random.Generator) -> tuple[Indices, Indices]:
        c2, c1 = between_class_pairs(index, n, stream, options.pair_draw)
        if options.orientation == "random":
            return c2, c1
        swap = codes[c2] > codes[c1]
        return np.where(swap, c1, c2), np.where(swap, c2, c1)

    def reject(vectors: Array, pending: Indices, attempt: int) -> npt.NDArray[np.bool_]:
        refused = _keep_all(vectors, pending, attempt)
        if options.difference_filter:
            refused |= squared_norms(vectors[pending]) < 1.0 / (attempt * len(index.sizes))
        if options.cosine_filter:
            refused |= _largest_cosine_before(vectors, pending) > 1.0 - 1.0 / (5.0 * attempt)
        return refused

    vectors, c2, c1 = _draw_valid(X, n, -1.0, propose, reject, rng, "difference between two classes")
    return Directions(vectors, 0.5 * (X[c2] + X[c1]))


def _largest_cosine_before(vectors: Array, pending: Indices) -> Array:
    """For each pending row, the largest |cos| with any earlier row."""
    norms = np.sqrt(squared_norms(vectors)).clip(min=np.finfo(np.float64).tiny)
    unit = vectors / norms[:, None]
    cosines = np.abs(unit[pending] @ unit.T)
    cosines[np.arange(len(vectors))[None, :] >= pending[:, None]] = 0.0
    return cosines.max(axis=1, initial=0.0)


def scaled(vectors: Array, scale: str, factor: float) -> Array:
    """``factor``·v (none), ``factor``·v/‖v‖ (l2) or ``factor``·v/‖v‖² (squared), row by row."""
    if scale == "none":
        return factor * vectors
    norms2 = squared_norms(vectors)
    return vectors * (factor / (norms2 if scale == "squared" else np.sqrt(norms2)))[:, None]


@dataclass(frozen=True)
class Recipe:
    """A hidden layer as direction × scale × bias; ``factor`` names the option that multiplies the scale."""

    direction: Draw
    scale: str
    factor: str | float = 1.0
    midpoint_bias: bool = False

    def __call__(
        self, X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
    ) -> tuple[Array, Array]:
        """W (n × L) and b (L)."""
        node_rng, bias_rng = rng.spawn(2)
        drawn = self.direction(X, codes, n_hidden, node_rng, options)
        factor = getattr(options, self.factor) if isinstance(self.factor, str) else self.factor
        W = scaled(drawn.vectors, self.scale, factor)
        if self.midpoint_bias and drawn.midpoints is not None:
            return W.T, -np.einsum("ij,ij->i", W, drawn.midpoints)
        return W.T, bias_rng.random(n_hidden)


def orthogonal(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """Orthonormal columns for L ≤ n, orthonormal rows for L > n, as MATLAB's `orth` of a U[-1,1] matrix."""
    node_rng, bias_rng = rng.spawn(2)
    drawn = random_directions(X, codes, n_hidden, node_rng, options).vectors.T
    U, _, Vt = np.linalg.svd(drawn, full_matrices=False)
    W = U if n_hidden <= X.shape[1] else Vt
    if options.orthogonal_norm == "unit":
        W = W / np.sqrt(squared_norms(W.T))
    if options.orthogonal_bias == "uniform":
        return W, bias_rng.random(n_hidden)
    b = bias_rng.uniform(-1.0, 1.0, size=n_hidden)
    return W, b / np.linalg.norm(b)


def mixed(
    X: Array, codes: Indices, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """⌈L/2⌉ nodes of CSELM and ⌊L/2⌋ of CDELM: CMELM (§III.E, Algorithm 5).

    DEPARTURE: the paper lists the sums first; here they alternate, which is the same layer and lets it nest.
    """
    sums_rng, differences_rng = rng.spawn(2)
    W, b = np.empty((X.shape[1], n_hidden)), np.empty(n_hidden)
    W[:, ::2], b[::2] = STRATEGIES["cselm"](X, codes, (n_hidden + 1) // 2, sums_rng, options)
    W[:, 1::2], b[1::2] = STRATEGIES["cdelm"](X, codes, n_hidden // 2, differences_rng, options)
    return W, b


Strategy = Callable[[Array, Indices, int, np.random.Generator, WeightOptions], tuple[Array, Array]]

STRATEGIES: dict[str, Strategy] = {
    "elm": Recipe(random_directions, "none"),
    "normalized_elm": Recipe(random_directions, "l2"),
    "orthogonal_elm": orthogonal,
    "cdelm": Recipe(class_differences, "squared", factor=2.0, midpoint_bias=True),
    "selm": Recipe(samples, "squared", factor="sample_scale"),
    "cselm": Recipe(class_sums, "squared", factor="sum_scale"),
    "rselm": Recipe(random_sums, "squared", factor="sum_scale"),
    "cmelm": mixed,
}

# Strategies whose first L nodes of a longer draw are not the draw of L nodes.
NOT_NESTED = frozenset({"orthogonal_elm"})
