"""The auto-encoder of an extreme learning machine (ELM-AE): a layer learned from its own inputs, in closed form.

A random orthogonal layer encodes X (N × n) as H = σ(s(XW + b)) (N × L); the weights B (L × n) that decode it,
HB ≈ X, are turned round and become the learned layer: the next layer sees σ(s'·XBᵀ), without a bias.
After Kasun, Zhou, Huang and Vong, "Representational learning with ELMs for big data" (2013), and the code
published with it: the penalty on B and the treatment of a layer of equal size are in the code alone.
H is never held whole: one pass over blocks of rows sums all that is needed of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from celm.base.room import check_room
from celm.linalg.gram import accumulate_blocks
from celm.linalg.layer import Layer
from celm.linalg.ridge import ridge_from_gram
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies.orthogonal_elm import orthogonal

Array = npt.NDArray[np.float64]

SPARSITY = 0.05
STREAM_ROWS = 4000


class EncoderSums(NamedTuple):
    """Of an encoder's outputs H: HᵀH (L × L, lower triangle), HᵀX (L × n) and the mean of every node (L)."""

    gram: Array
    moment: Array
    means: Array


@dataclass(frozen=True, eq=False)
class LearnedLayer(Layer):
    """A layer g(XW), W (n × L) = s'·Bᵀ; ``solver`` says how B was found: procrustes, cholesky or spectral."""

    solver: str = "cholesky"


def _without_bias(W: Array, activation: str, solver: str) -> LearnedLayer:
    return LearnedLayer(W, np.zeros(W.shape[1]), activation, solver=solver)


def draw_encoder(n_inputs: int, n_nodes: int, rng: np.random.Generator) -> Layer:
    """The random layer: W (n × L) of U[-1,1] made orthonormal in columns (L ≤ n) or rows (L > n), b over its norm.

    The same draw as orthogonal ELM, which reads of its samples only how wide they are.
    """
    check_room(n_inputs * n_nodes, f"the weights of {n_nodes} nodes")
    no_samples = np.empty((0, n_inputs))
    return Layer(*orthogonal(no_samples, np.empty(0, dtype=np.intp), n_nodes, rng, WeightOptions()))


def sum_encoder(layer: Layer, X: Array) -> EncoderSums:
    """The sums of the layer's outputs H over all rows of X; a column of ones beside the targets X gives the means."""

    def stream() -> Iterator[tuple[Array, Array]]:
        for start in range(0, len(X), STREAM_ROWS):
            rows = X[start : start + STREAM_ROWS]
            yield rows, np.column_stack([rows, np.ones(len(rows))])

    sums = accumulate_blocks(layer, stream())
    moment = sums.moments[0]
    return EncoderSums(sums.grams[0], moment[:, :-1], moment[:, -1] / len(X))


def sparsity_divergence(means: Array, target: float = SPARSITY) -> float:
    """KL = Σ_j ρ ln(ρ/ρ̂_j) + (1−ρ) ln((1−ρ)/(1−ρ̂_j)): how far the mean outputs ρ̂ are from the target ρ.

    A node that is always 0 or always 1 to rounding counts as the nearest number in between.
    """
    eps = float(np.finfo(np.float64).eps)
    actual = means.clip(eps, 1.0 - eps)
    return float(np.sum(target * np.log(target / actual) + (1 - target) * np.log((1 - target) / (1 - actual))))


def penalty_diagonal(sums: EncoderSums, C: float) -> Array:
    """(KL + max_j G_ij)/C for every node i (L), G = HᵀH; G is positive, so its empty triangle does not matter."""
    largest = np.maximum(sums.gram.max(axis=0), sums.gram.max(axis=1))
    return (sparsity_divergence(sums.means) + largest) / C


def decode_penalised(sums: EncoderSums, C: float) -> tuple[Array, str]:
    """B = (G + D)⁻¹HᵀX (L × n) with D = :func:`penalty_diagonal`, and the solver's name. ``sums.gram`` is spoilt.

    With S = D^(-1/2), B = S(SGS + I)⁻¹S·HᵀX: the ridge readout with λ = 1 of a rescaled Gram matrix.
    """
    S = 1.0 / np.sqrt(penalty_diagonal(sums, C))
    gram = sums.gram
    gram *= S[:, None]
    gram *= S
    B, info = ridge_from_gram(gram, S[:, None] * sums.moment, 1.0)
    B *= S[:, None]
    return B, info.method


def decode_orthogonal(moment: Array) -> Array:
    """B = UVᵀ of HᵀX = UΣVᵀ: the orthogonal matrix (L × L) for which HB is nearest to X."""
    U, _, Vt = np.linalg.svd(moment)
    return U @ Vt


def learn_layer(
    X: Array,
    n_nodes: int,
    rng: np.random.Generator,
    *,
    penalty: float | None,
    encoder_slope: float,
    forward_slope: float,
) -> LearnedLayer:
    """The layer that an ELM-AE of ``n_nodes`` learns from X (N × n).

    ``penalty`` is C (larger is weaker). A layer as wide as its input is orthogonal and linear and needs none.
    """
    sums = sum_encoder(draw_encoder(X.shape[1], n_nodes, rng).scaled(encoder_slope), X)
    if n_nodes == X.shape[1]:
        return _without_bias(forward_slope * decode_orthogonal(sums.moment).T, "identity", "procrustes")
    if penalty is None:
        raise ValueError(f"ELM-AE: {X.shape[1]} inputs to {n_nodes} nodes need a penalty above 0; got None.")
    B, solver = decode_penalised(sums, penalty)
    return _without_bias(forward_slope * B.T, "sigmoid", solver)
