"""When single precision does no harm to a ridge readout: bounds that cost one pass over X.

Products. Let E be the error of the hidden outputs H, |E_ij| ≤ ε, and J(β) = ‖Hβ − T‖² + ‖β‖²/λ with Hessian 2A,
A = HᵀH + I/λ. The readout β̃ of H + E leaves the gradient 2g of J, g = −Eᵀr − HᵀEβ̃ with its residual r, so that J lies
above its minimum by gᵀA⁻¹g ≤ 2(‖A⁻¹‖‖Eᵀr‖² + ‖Eβ̃‖²): second order in ε. Rounding errors are taken as independent with
mean zero (Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019): a sum of n of them grows
as √n, ‖Eᵀr‖² as ε²L‖r‖² and ‖Eβ̃‖² as ε²N‖β̃‖².

Sums. Let G = HᵀH be summed in single precision over blocks of m rows, and the blocks in double. An entry of a block's g
is m additions to a sum that grows to S = √(g_ii g_jj) at most (Cauchy-Schwarz). Each is off by at most a unit u of its
sum so far, in the mean by u²/3 of its square, so that the entry has the variance u²mS²/9. Over N/m blocks alike that
is u²(m²/9N)·G_ii G_jj; the error F of G has E‖Fβ̃‖² = u²(m²/9N)·tr G·Σ_j G_jj‖β̃_j‖², and HᵀT the same with ‖T‖² in the
place of the sum over j. What all entries lose alike (terms below the last digit of their sum) is ρG with ρ ≤ mu: it
costs a share ρ² of ‖T‖² at most, whatever A is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.base.magnitude import largest_entry
from celm.linalg.blocks import Block, cut_rows, share_out
from celm.linalg.layer import Layer

Array = npt.NDArray[Any]

UNIT = 2.0**-24
# How many times √n units of rounding a sum of n products may be off: beyond that lie 6e-5 of normal errors.
CONFIDENCE = 4.0
# Rows whose lengths are taken at a time.
LOOKED_AT = 1000
# The objective may lie above its minimum by so much of itself.
TOLERANCE = 1e-2
# Steepest slope of every activation, and rounding units of its own evaluation.
SLOPES = {"sigmoid": (0.25, 4.0), "tanh": (1.0, 4.0), "identity": (1.0, 0.0)}


class Seen(NamedTuple):
    """What the bound asks of rows X (N × n) and targets T (N × k): N, the longest row, and ‖T‖²."""

    n_rows: int
    longest_row: float
    squares: float

    @classmethod
    def of(cls, X: Array, T: Array) -> Seen:
        """Looked up in one pass."""
        longest: list[float] = [0.0]

        def look(block: Block) -> None:
            rows = X[block.rows]
            longest.append(float(np.einsum("ij,ij->i", rows, rows, dtype=np.float64).max()))

        share_out(cut_rows(len(X), None, 1, LOOKED_AT), lambda: look, None)
        return cls(len(X), float(np.sqrt(max(longest))), float(np.vdot(T, T).real))

    def plus(self, other: Seen) -> Seen:
        """Of these rows and others."""
        return Seen(self.n_rows + other.n_rows, max(self.longest_row, other.longest_row), self.squares + other.squares)


class Looks:
    """Looks at rows X and targets T, each taken when it is asked for: the largest entry, which is known, then rows."""

    def __init__(self, X: Array, T: Array) -> None:
        self._X, self._T = X, T

    @cached_property
    def _rough(self) -> Seen:
        """No row is longer than one of largest entries."""
        longest_row = sqrt(self._X.shape[1]) * largest_entry(self._X)
        return Seen(len(self._X), longest_row, float(np.vdot(self._T, self._T).real))

    @cached_property
    def _exact(self) -> Seen:
        return Seen.of(self._X, self._T)

    def __iter__(self) -> Iterator[Seen]:
        yield self._rough
        yield self._exact


def output_error(layer: Layer, longest_row: float) -> float:
    """ε: how far a hidden output of single-precision products may lie from the exact one, for rows up to a length."""
    longest_node = float(np.sqrt(np.einsum("ij,ij->j", layer.W, layer.W).max(initial=0.0)))
    reach = longest_row * longest_node + float(np.abs(layer.b).max(initial=0.0))
    slope, own = SLOPES[layer.activation]
    return UNIT * (slope * CONFIDENCE * np.sqrt(layer.n_inputs + 3.0) * reach + own)


def objective_excess(layer: Layer, seen: Seen, beta: Array, moment: Array, inverse_norm: float) -> float:
    """How far the readout β̃ of single-precision products may lie above the least J, as a share of J.

    Parameters
    ----------
    layer : Layer
    seen : Seen
        Of all rows and targets.
    beta, moment : array (L, k)
        β̃ and HᵀT, both of single-precision products; J(β̃) = ‖T‖² − tr(β̃ᵀHᵀT).
    inverse_norm : float
        ‖A⁻¹‖ of A = HᵀH + I/λ, or more.

    Returns
    -------
    float
        Infinite where J is not above rounding.
    """
    objective = _objective(seen, beta, moment)
    if objective is None:
        return float("inf")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = float(np.vdot(beta, beta).real) * seen.n_rows / objective
        return 2.0 * output_error(layer, seen.longest_row) ** 2 * (layer.n_hidden * inverse_norm + weights)


def sums_excess(diagonal: Array, seen: Seen, beta: Array, moment: Array, inverse_norm: float, block_rows: int) -> float:
    """The same for sums over blocks of rows in single precision, whose products are taken as exact.

    Parameters
    ----------
    diagonal : array (L,)
        That of HᵀH.
    seen, beta, moment, inverse_norm
        As in :func:`objective_excess`.
    block_rows : int
        Rows of a block, m.

    Returns
    -------
    float
        Infinite where J is not above rounding, or the error of HᵀH may be as large as the least eigenvalue of A.
    """
    objective = _objective(seen, beta, moment)
    if objective is None:
        return float("inf")
    rows = min(block_rows, seen.n_rows)
    with np.errstate(over="ignore", invalid="ignore"):
        share = UNIT**2 * rows**2 / (9.0 * seen.n_rows) * float(diagonal.sum())
        # A symmetric matrix of independent errors has twice the length of a row as its norm.
        left = 1.0 - 2.0 * inverse_norm * np.sqrt(share * float(diagonal.max(initial=0.0)))
        if not left > 0.5:
            return float("inf")
        loads = float(diagonal @ np.einsum("ij,ij->i", beta, beta)) + seen.squares
        lost_alike = (rows * UNIT) ** 2 * seen.squares
        return 2.0 * (inverse_norm / left * share * loads + lost_alike) / objective


def _objective(seen: Seen, beta: Array, moment: Array) -> float | None:
    """J(β̃), or None where it is not above rounding."""
    objective = seen.squares - float(np.vdot(beta, moment).real)
    return objective if objective > seen.squares * seen.n_rows * np.finfo(np.float64).eps else None
