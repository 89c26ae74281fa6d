"""Readouts in single precision, kept where a bound shows that it does no harm (:mod:`celm.linalg.precision`)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.threads import one_blas_thread
from celm.linalg.blas import one_norm
from celm.linalg.blocks import USUAL, Pass
from celm.linalg.gram import FoldGrams, accumulate
from celm.linalg.layer import QUICK, SINGLE, Layer
from celm.linalg.precision import TOLERANCE, Looks, Seen, objective_excess, sums_excess
from celm.linalg.ridge import cholesky_from_gram

Array = npt.NDArray[Any]

# Nodes up to which a Cholesky takes less time than a second thread takes to come, after products on all threads.
HANDED_OVER = 300

# How readouts of single-precision products call themselves, and those whose blocks are summed in it too.
SINGLE_SOLVER = "row blocks cholesky, single products"
SINGLE_SUMS_SOLVER = "row blocks cholesky, single precision"

# What is tried, with how many rows summed in single precision at a time.
_TRIED = ((SINGLE, Pass(1000), SINGLE_SUMS_SOLVER), ("single_products", USUAL, SINGLE_SOLVER))


def threads_of_cholesky(layer: Layer) -> AbstractContextManager[Any]:
    """One thread for few nodes, unless the digits, which hang on it, are those of records."""
    few = layer.precision in QUICK and layer.n_hidden <= HANDED_OVER
    return one_blas_thread() if few else nullcontext()


def harmless_single(layer: Layer, X: Array, T: Array, lam: float) -> tuple[Array, str] | None:
    """β (L × k) in single precision and how it was solved, or None: "mixed" begins with sums, "auto" with products."""
    looks = Looks(X, T)
    for precision, how, solver in _TRIED if layer.precision == "mixed" else _TRIED[1:]:
        sums = accumulate(replace(layer, precision=precision), X, T, how=how)
        with threads_of_cholesky(layer):
            beta = harmless_readout(layer, sums, looks, lam, how.block_rows)
        if beta is not None:
            return beta, solver
    return None


def harmless_readout(
    layer: Layer, sums: FoldGrams, looks: Iterable[Seen], lam: float, block_rows: int | None = None
) -> Array | None:
    """β of sums of single-precision products, or None where by no look at the rows these do no harm.

    With ``block_rows`` so many rows were summed in single precision at a time.
    """
    gram, moment = sums.summed()
    beta, rcond = cholesky_from_gram(gram, moment, lam)
    if beta is None:
        return None
    inverse_norm = 1.0 / (rcond * (one_norm(gram) + 1.0 / lam))
    for seen in looks:
        excess = objective_excess(layer, seen, beta, moment, inverse_norm)
        if block_rows is not None:
            excess += sums_excess(np.diagonal(gram), seen, beta, moment, inverse_norm, block_rows)
        if excess <= TOLERANCE:
            return beta
    return None
