"""Scores of a readout: one blocked pass over the rows that keeps nothing of the hidden outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.linalg.blocks import USUAL, Block, Pass, cut_rows, share_out
from celm.linalg.layer import Floats, Layer

Array = npt.NDArray[Any]


def project(
    layer: Layer, X: Array, B: Array, *, how: Pass = USUAL, refuse: Callable[[Array], None] | None = None
) -> Floats:
    """g(XW + b)B (N × k) by blocks of rows: the scores of one readout B (L × k), or of several side by side.

    ``refuse`` is called with rows whose XW + b is not finite, and may raise: a number of X that is not finite spoils
    all nodes of its row, so that X need not be looked through beforehand.
    """
    scores = np.empty((len(X), B.shape[1]))

    def make_worker() -> Any:
        outputs = layer.by_blocks()

        def score(block: Block) -> None:
            def look(z: Array) -> None:
                if refuse is not None and not np.isfinite(z.sum()):
                    refuse(X[block.rows])

            with np.errstate(invalid="ignore", over="ignore"):
                H = outputs(X, block.rows, look=look)
            np.matmul(H, B, out=scores[block.rows])

        return score

    share_out(cut_rows(len(X), None, 1, how.rows_for(layer.n_hidden, len(X))), make_worker, how.n_threads)
    return scores
