"""Which columns of H serve a readout most: greedy orthogonal least squares on the Gram matrix.

With A = I/λ + HᵀH, choosing columns one by one is a Cholesky factorisation whose pivots are chosen: a column j that is
added to the chosen ones lowers the ridge objective by ‖r_j‖²/d_j, where d is what is left of the diagonal of A and r
(L × m) what is left of HᵀT. The rows are needed no more.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from celm.linalg.readout import Array

# What is left of a diagonal entry below this part of it is rounding: the column adds nothing to those chosen.
ROUNDING = 64 * np.finfo(np.float64).eps


def useful_columns(G: Array, moment: Array, lam: float, n_max: int) -> npt.NDArray[np.intp]:
    """The columns to keep, the most useful first; fewer than ``n_max`` when no other adds anything.

    Parameters
    ----------
    G, moment : array (L, L) and (L, m)
        HᵀH, both triangles, and HᵀT.
    lam : float
        Penalty λ.
    n_max : int
        How many at most.

    Returns
    -------
    array of int
        Column numbers.

    Examples
    --------
    >>> import numpy as np
    >>> H = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    >>> T = np.array([[1.0], [1.1]])
    >>> useful_columns(H.T @ H, H.T @ T, 1e6, 2).tolist()
    [2, 1]
    """
    n_max = min(n_max, len(G))
    start = np.diagonal(G) + 1.0 / lam
    left, residual = start.copy(), np.array(moment, dtype=np.float64)
    factor, chosen = np.empty((n_max, len(G))), np.empty(n_max, dtype=np.intp)
    for step in range(n_max):
        usable = left > ROUNDING * start
        if not usable.any():
            return chosen[:step]
        gains = np.where(usable, np.einsum("ij,ij->i", residual, residual), 0.0) / np.where(usable, left, 1.0)
        gains[~usable] = -1.0
        best = chosen[step] = int(gains.argmax())
        column = G[best] - factor[:step, best] @ factor[:step]
        column[best] += 1.0 / lam
        column /= np.sqrt(left[best])
        column[chosen[:step]] = 0.0
        residual -= np.outer(column, residual[best] / column[best])
        left -= column**2
        left[best] = 0.0
        factor[step] = column
    return chosen
