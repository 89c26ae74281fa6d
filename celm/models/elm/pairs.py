"""Random picks of training samples: single rows, pairs of one class, pairs of two classes.

Every function maps uniform numbers to row indices directly, so a draw costs the same whatever the class sizes,
and the first L picks of a longer draw are the picks of a draw of L: hidden layers nest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.intp]

PAIR_DRAWS = ("samples", "classes")


def _below(u: npt.NDArray[np.float64], bound: Any) -> Indices:
    """Uniform integers in [0, bound) from uniform numbers in [0, 1)."""
    return np.minimum((u * bound).astype(np.intp), np.asarray(bound, dtype=np.intp) - 1)


class ClassIndex:
    """The rows of each class, laid out class after class; codes that no row has are left out."""

    def __init__(self, codes: Indices) -> None:
        self.rows: Indices = np.argsort(codes, kind="stable")
        self.sizes: Indices = np.unique(codes, return_counts=True)[1]
        self.starts: Indices = np.cumsum(self.sizes) - self.sizes

    def member(self, cls: Indices, u: npt.NDArray[np.float64]) -> Indices:
        """Positions (in class order) of uniform members of the classes ``cls``."""
        return self.starts[cls] + _below(u, self.sizes[cls])

    def weighted_class(self, weights: npt.NDArray[Any], u: npt.NDArray[np.float64]) -> Indices:
        """Classes drawn with probability proportional to ``weights``."""
        edges = np.cumsum(weights, dtype=np.float64)
        return np.searchsorted(edges, u * edges[-1], side="right").clip(max=len(edges) - 1)


def check_two_classes(index: ClassIndex) -> None:
    """Differences between classes need two of them."""
    if len(index.sizes) < 2:
        raise ValueError("class differences need samples of at least two classes; all rows are of one class.")


def single_samples(n_rows: int, n: int, rng: np.random.Generator) -> Indices:
    """``n`` rows, uniform, with replacement."""
    return _below(rng.random(n), n_rows)


def any_pairs(n_rows: int, n: int, rng: np.random.Generator, same_sample: bool) -> tuple[Indices, Indices]:
    """``n`` ordered pairs of rows of any class; two different rows unless ``same_sample`` is allowed."""
    u = rng.random((n, 2))
    first = _below(u[:, 0], n_rows)
    if same_sample:
        return first, _below(u[:, 1], n_rows)
    second = _below(u[:, 1], n_rows - 1)
    return first, second + (second >= first)


def within_class_pairs(
    index: ClassIndex, n: int, rng: np.random.Generator, pair_draw: str, same_sample: bool
) -> tuple[Indices, Indices]:
    """``n`` ordered pairs of rows of one class.

    ``pair_draw="samples"``: uniform over all valid pairs, as two uniform indices redrawn until their classes
    match; ``"classes"``: the class first, uniformly, then its samples.
    """
    u = rng.random((n, 3))
    partners = index.sizes if same_sample else index.sizes - 1
    weights = index.sizes * partners if pair_draw == "samples" else partners > 0
    cls = index.weighted_class(weights, u[:, 0])
    first = index.member(cls, u[:, 1])
    second = index.starts[cls] + _below(u[:, 2], partners[cls])
    if not same_sample:
        second = second + (second >= first)
    return index.rows[first], index.rows[second]


def between_class_pairs(index: ClassIndex, n: int, rng: np.random.Generator, pair_draw: str) -> tuple[Indices, Indices]:
    """``n`` ordered pairs of rows of two different classes (drawn as in :func:`within_class_pairs`)."""
    u = rng.random((n, 4))
    n_rows, n_classes = int(index.sizes.sum()), len(index.sizes)
    if pair_draw == "samples":
        cls = index.weighted_class(index.sizes * (n_rows - index.sizes), u[:, 0])
        other = _below(u[:, 2], n_rows - index.sizes[cls])
        second = other + np.where(other >= index.starts[cls], index.sizes[cls], 0)
    else:
        cls = _below(u[:, 0], n_classes)
        other = _below(u[:, 2], n_classes - 1)
        second = index.member(other + (other >= cls), u[:, 3])
    first = index.member(cls, u[:, 1])
    return index.rows[first], index.rows[second]
