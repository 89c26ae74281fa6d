"""When single-precision products of a hidden layer do no harm to its ridge readout: a bound that costs one pass over X.

Let E be the error of the hidden outputs H, |E_ij| ≤ ε, and J(β) = ‖Hβ − T‖² + ‖β‖²/λ with Hessian 2A, A = HᵀH + I/λ.
The readout β̃ of H + E leaves the gradient 2g of J, g = −Eᵀr − HᵀEβ̃ with its residual r, so that J lies above its
minimum by gᵀA⁻¹g ≤ 2(‖A⁻¹‖‖Eᵀr‖² + ‖Eβ̃‖²): second order in ε. Rounding errors are taken as independent with mean zero
(Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019): a sum of n of them grows as √n,
‖Eᵀr‖² as ε²L‖r‖² and ‖Eβ̃‖² as ε²N‖β̃‖².
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from celm.linalg.layer import Layer

Array = npt.NDArray[Any]

UNIT = 2.0**-24
# How many times √n units of rounding a sum of n products may be off: beyond that lie 6e-5 of normal errors.
CONFIDENCE = 4.0
# The objective may lie above its minimum by so much of itself.
TOLERANCE = 1e-2
# Steepest slope of every activation, and rounding units of its own evaluation.
SLOPES = {"sigmoid": (0.25, 4.0), "identity": (1.0, 0.0)}


class Seen(NamedTuple):
    """What the bound asks of rows X (N × n) and targets T (N × k): N, the longest row, and ‖T‖²."""

    n_rows: int
    longest_row: float
    squares: float

    @classmethod
    def of(cls, X: Array, T: Array) -> Seen:
        """Looked up in one pass."""
        longest_row = float(np.sqrt(np.einsum("ij,ij->i", X, X, dtype=np.float64).max(initial=0.0)))
        return cls(len(X), longest_row, float(np.vdot(T, T).real))

    def plus(self, other: Seen) -> Seen:
        """Of these rows and others."""
        return Seen(self.n_rows + other.n_rows, max(self.longest_row, other.longest_row), self.squares + other.squares)


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
    objective = seen.squares - float(np.vdot(beta, moment).real)
    if not objective > seen.squares * seen.n_rows * np.finfo(np.float64).eps:
        return float("inf")
    with np.errstate(over="ignore", invalid="ignore"):
        weights = float(np.vdot(beta, beta).real) * seen.n_rows / objective
        return 2.0 * output_error(layer, seen.longest_row) ** 2 * (layer.n_hidden * inverse_norm + weights)
