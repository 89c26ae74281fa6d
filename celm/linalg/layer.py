"""The hidden layer as a function of its rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from celm.linalg.readout import Array


def hidden_outputs(X: npt.ArrayLike, W: Array, b: Array) -> Array:
    """H = 1/(1 + exp(−(XW + b))), N × L."""
    Z = np.asarray(X) @ W
    Z += b
    return expit(Z, out=Z)
