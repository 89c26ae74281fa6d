"""What a data set is like, from its training rows: how flat it lies in its space, how its targets mix."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.neighbors import NearestNeighbors

Array = npt.NDArray[np.float64]

# Components whose share of the variance describes how flat a data set lies in its space.
COMPONENTS = 3


def variance_share(Z: Array, components: int = COMPONENTS) -> float:
    """The share of the variance of the columns of ``Z`` that lies in its first principal components.

    Raises
    ------
    ValueError
        If no column varies.
    """
    centred = Z - Z.mean(axis=0)
    if not centred.any():
        raise ValueError(f"variance_share: no feature varies over the {len(Z)} rows.")
    small = centred.T @ centred if Z.shape[1] <= Z.shape[0] else centred @ centred.T
    roots = np.linalg.eigvalsh(small)[::-1]
    return float(roots[:components].sum() / roots.sum())


def class_overlap(Z: Array, labels: npt.NDArray[np.generic]) -> float:
    """The share of rows whose nearest other row has another class (the measure N3).

    References
    ----------
    Ho, T. K. and Basu, M. (2002). Complexity measures of supervised classification problems. IEEE Transactions on
    Pattern Analysis and Machine Intelligence 24.
    """
    return float(np.mean(labels[_nearest(Z)] != labels))


def target_roughness(Z: Array, y: Array) -> float:
    """The same of numbers: ½·mean (difference to the nearest other row's target)² over their variance.

    0 where neighbours have equal targets, about 1 where targets have nothing to do with the inputs; 0 if they are
    constant.
    """
    spread = float(np.var(y))
    return float(np.mean((y[_nearest(Z)] - y) ** 2) / (2.0 * spread)) if spread > 0 else 0.0


def _nearest(Z: Array) -> npt.NDArray[np.intp]:
    """For every row the nearest other one."""
    found: npt.NDArray[np.intp] = NearestNeighbors(n_neighbors=1).fit(Z).kneighbors(return_distance=False)[:, 0]
    return found
