"""Leave-one-out scores of a ridge readout in closed form, on a whole path of λ at the price of one factorisation.

With H = UsVᵀ and d = (1/λ)/(s² + 1/λ) the residuals are r = (T − UUᵀT) + U d UᵀT, and 1 − h of row i, h its leverage,
is (1 − Σu²) + Σu²d. A readout that has not seen row i misses it by r/(1 − h). Both are sums of what is not negative:
nothing cancels where a readout interpolates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.linalg.readout import Array
from celm.linalg.selection import LayerOutputs, Problem
from celm.linalg.truth import held_out_gain


def loo_path_scores(H: Array, T: Array, lams: Sequence[float]) -> Iterator[Array]:
    """For every λ the score (N × m) of each row by the readout of all the others.

    Parameters
    ----------
    H, T : array (N, L) and (N, m)
        Hidden outputs and targets.
    lams : sequence of float
        Penalties λ.

    Yields
    ------
    array (N, m)
        Leave-one-out scores.

    Examples
    --------
    >>> import numpy as np
    >>> H, T = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [2.0], [4.0]])
    >>> (scores,) = loo_path_scores(H, T, [1.0])
    >>> bool(np.isclose(scores[2, 0], 3.0 * (1 + 4) / (1 + 4 + 1)))
    True
    """
    U, s, _ = np.linalg.svd(H, full_matrices=False)
    loadings, squares = U.T @ T, U**2
    square = H.shape[0] <= H.shape[1]
    outside = np.zeros_like(T) if square else T - U @ loadings
    unseen = np.zeros(len(H)) if square else (1.0 - squares.sum(axis=1)).clip(min=0.0)
    for lam in lams:
        shrink = 1.0 / (1.0 + lam * s**2)
        missed = outside + U @ (shrink[:, None] * loadings)
        yield T - missed / (unseen + squares @ shrink)[:, None]


def loo_surface(outputs: LayerOutputs, problem: Problem, *, nested: bool) -> npt.NDArray[Any]:
    """As :func:`celm.linalg.selection.correct_surface`, every row a fold of its own: one factorisation per count."""
    surface = problem.no_hits()
    whole = outputs(problem.counts[-1], None) if nested else None
    for i, L in enumerate(problem.counts):
        H = outputs(L, None) if whole is None else whole[:, :L]
        for j, scores in enumerate(loo_path_scores(H, problem.T, problem.lams)):
            surface[i, j] = held_out_gain(scores, problem.truth)
    return surface
