"""Scores of a readout: one blocked pass over the rows that keeps nothing of the hidden outputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from celm.linalg.blocks import USUAL, Block, Pass, cut_rows, share_out
from celm.linalg.layer import SHARED, SINGLE, Floats, Layer

Array = npt.NDArray[Any]

# The largest entry of weights between these is told in single precision, and so is all beside it that matters.
LEAST, MOST = 1e-30, 1e30
# The square of a row's length up to which there is nothing to silence: that takes longer than to look.
MODEST = 1e10
# Rows or columns that a core keeps at hand while they are converted.
AT_HAND = 128


def project(
    layer: Layer, X: Array, B: Array, *, how: Pass = USUAL, refuse: Callable[[Array], None] | None = None
) -> Floats:
    """g(XW + b)B (N × k) by blocks of rows: the scores of one readout B (L × k), or of several side by side.

    ``refuse`` is called with rows whose XW + b is not finite, and may raise: a number of X that is not finite spoils
    all nodes of its row, so that X need not be looked through beforehand.
    """
    scores = np.empty((len(X), B.shape[1]))
    B = B.astype(layer.sum_type, copy=False)

    def make_worker() -> Any:
        outputs = layer.by_blocks()

        def score(block: Block) -> None:
            def look(z: Array) -> None:
                if refuse is not None and not np.isfinite(z.sum()):
                    refuse(X[block.rows])

            with np.errstate(invalid="ignore", over="ignore"):
                H = outputs(X, block.rows, look=look)
            scores[block.rows] = H @ B

        return score

    share_out(cut_rows(len(X), None, 1, how.rows_for(layer.n_hidden, len(X))), make_worker, how.n_threads)
    return scores


def row_scores(x: Array, W: Array, b: Array, B: Array, refuse: Callable[[Array], None]) -> Floats:
    """g(xW + b)B (1 × k) of a single row and sigmoid nodes, where every microsecond tells; ``refuse`` as above."""
    if np.vdot(x, x) < MODEST:
        return _row_scores(x, W, b, B, refuse)
    with np.errstate(invalid="ignore", over="ignore"):
        return _row_scores(x, W, b, B, refuse)


def _row_scores(x: Array, W: Array, b: Array, B: Array, refuse: Callable[[Array], None]) -> Any:
    z = x.dot(W)
    z += b
    # Of a row's few numbers a dot product is quicker than a sum; what overflows in it alone is not refused.
    if not isfinite(np.vdot(z, z)):
        refuse(x)
    expit(z, out=z)
    return z.dot(B)


class _BeyondSingle(ArithmeticError):
    """A number that single precision does not hold."""


def project_single(layer: Layer, X: Array, B: Array, *, how: Pass = USUAL) -> Floats | None:
    """As :func:`project` for sigmoid nodes, with all in single precision; None where a number lies beyond it.

    1/(1 + exp(−z)) is ½ + ½·tanh(z/2): one function in the place of four steps, and sums over numbers around zero.
    """
    if layer.activation != "sigmoid":
        return None
    try:
        W, b, half_B = (_halved(values) for values in (layer.W, layer.b[None], B))
        halves = replace(layer, W=W, b=b[0], activation="tanh", precision=SINGLE)
        return project(halves, X, half_B, how=how, refuse=_give_up) + 0.5 * B.sum(axis=0)
    except _BeyondSingle:
        return None


def _give_up(rows: Array) -> None:
    raise _BeyondSingle


def _halved(values: Array) -> Array:
    """½·values in single precision, laid out as they are: turning them around takes longer than a product gains."""
    found, largest = np.empty_like(values, np.float32), [0.0]
    source, target = (values.T, found.T) if values.flags.f_contiguous else (values, found)

    def halve(start: int) -> None:
        rows = slice(start, start + AT_HAND)
        part = target[rows]
        with np.errstate(over="ignore", under="ignore"):
            np.multiply(source[rows], 0.5, out=part, casting="same_kind")
        largest.append(max(float(part.max(initial=0.0)), -float(part.min(initial=0.0))))

    share_out(range(0, len(source), AT_HAND), lambda: halve, None if values.size > SHARED else 1)
    if max(largest) and not LEAST <= max(largest) <= MOST:
        raise _BeyondSingle
    return found
