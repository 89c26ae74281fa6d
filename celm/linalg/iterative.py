"""The ridge readout of very many nodes, L² numbers being too many to hold: conjugate gradients over passes of rows.

(I/λ + HᵀH)β = HᵀT is solved for all targets side by side; a step needs HᵀHp alone, which a pass over blocks of rows
gives with H never held. The preconditioner knows the large eigenvalues of HᵀH, of which there are few: with the first r
nodes, themselves a random sample of all, HᵀH is about Y(Y₁)⁻¹Yᵀ, Y = HᵀH₁ being its first r columns and Y₁ their upper
block (Nyström; Frangella, Tropp and Udell, "Randomized Nyström preconditioning", 2023). What is left of the condition
is λ times the eigenvalue after those r.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cholesky, solve_triangular

from celm.linalg.blocks import USUAL, Block, Pass, Turns, cut_rows, share_out
from celm.linalg.layer import Floats, Layer
from celm.linalg.ridge import EPS

Array = npt.NDArray[Any]

# Nodes that the preconditioner is made of, the residual that is small enough, and passes at most.
SKETCH, TOLERANCE, MAX_PASSES = 1000, 1e-7, 200


class Iterated(NamedTuple):
    """β (L × m), how many passes it took, and the largest residual of a target relative to its HᵀT."""

    beta: Floats
    passes: int
    residual: float

    @property
    def converged(self) -> bool:
        """Whether every target met its tolerance."""
        return self.residual <= TOLERANCE


def iterative_ridge(
    layer: Layer, X: Array, T: Array, lam: float, *, sketch: int = SKETCH, max_passes: int = MAX_PASSES
) -> Iterated:
    """β = (I/λ + HᵀH)⁻¹HᵀT by preconditioned conjugate gradients; memory grows with L, not with L².

    Parameters
    ----------
    layer, X, T : Layer, array (N, n) and (N, m)
        The hidden layer, its rows and their targets.
    lam : float
        Penalty λ.
    sketch : int
        Nodes of the preconditioner.
    max_passes : int
        Passes over the rows at most, the first included.

    Returns
    -------
    Iterated
        β and how it was reached.
    """
    r = min(sketch, layer.n_hidden)
    first = over_rows(layer, X, lambda H, rows: H.T @ np.hstack([H[:, :r], T[rows]]), r + T.shape[1])
    Y, moment = first[:, :r], np.ascontiguousarray(first[:, r:])
    better = nystroem_preconditioner(Y, 1.0 / lam)

    def product(P: Floats) -> Floats:
        return over_rows(layer, X, lambda H, rows: H.T @ (H @ P), P.shape[1]) + P / lam

    beta, steps, residual = conjugate_gradients(product, moment, better, max_passes - 1)
    return Iterated(beta, steps + 1, residual)


def over_rows(layer: Layer, X: Array, part: Callable[[Floats, Any], Floats], width: int, how: Pass = USUAL) -> Floats:
    """Σ part(H_block, rows) (L × width) over blocks of rows, in an order that does not depend on the threads."""
    total, turns = np.zeros((layer.n_hidden, width)), Turns()

    def make_worker() -> Callable[[tuple[int, Block]], None]:
        outputs = layer.by_blocks()

        def work(task: tuple[int, Block]) -> None:
            turn, block = task
            found = part(outputs(X, block.rows), block.rows)
            if turns.wait(0, turn):
                np.add(total, found, out=total)
                turns.finish(0)

        return work

    blocks = enumerate(cut_rows(len(X), None, 1, how.rows_for(layer.n_hidden)))
    share_out(blocks, make_worker, how.n_threads, on_failure=turns.stop)
    return total


def nystroem_preconditioner(Y: Floats, ridge: float) -> Callable[[Floats], Floats]:
    """About a multiple of (ridge·I + HᵀH)⁻¹, as a function of L × m, from the first columns Y (L × r) of HᵀH."""
    r = Y.shape[1]
    shift = r * EPS * float(np.trace(Y[:r]))
    C = cholesky(Y[:r] + shift * np.eye(r), lower=True, check_finite=False)
    U, s, _ = np.linalg.svd(solve_triangular(C, Y.T, lower=True, check_finite=False).T, full_matrices=False)
    weights = (s[-1] ** 2 + ridge) / (s**2 + ridge) - 1.0
    return lambda V: V + U @ (weights[:, None] * (U.T @ V))


def conjugate_gradients(
    product: Callable[[Floats], Floats], right: Floats, better: Callable[[Floats], Floats], max_steps: int
) -> tuple[Floats, int, float]:
    """The solution for every column of ``right`` side by side, the steps taken, and the largest relative residual."""
    solution, residual = np.zeros_like(right), right.copy()
    size = np.sqrt((right**2).sum(axis=0))
    size[size == 0.0] = 1.0
    improved = better(residual)
    direction, inner = improved.copy(), (residual * improved).sum(axis=0)
    for step in range(max_steps):
        left = float((np.sqrt((residual**2).sum(axis=0)) / size).max())
        if left <= TOLERANCE:
            return solution, step, left
        moved = product(direction)
        length = _ratio(inner, (direction * moved).sum(axis=0))
        solution += length * direction
        residual -= length * moved
        improved = better(residual)
        before, inner = inner, (residual * improved).sum(axis=0)
        direction = improved + _ratio(inner, before) * direction
    return solution, max_steps, float((np.sqrt((residual**2).sum(axis=0)) / size).max())


def _ratio(top: Floats, bottom: Floats) -> Floats:
    """top/bottom, and 0 for columns that have nothing left."""
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom != 0.0)
