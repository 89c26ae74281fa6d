"""Normalisation around the dictionary: contrast of patches, ZCA whitening, standardised features."""

from __future__ import annotations

import numpy as np
from sklearn.base import OneToOneFeatureMixin

from celm.base.validation import check_choice, check_number
from celm.features.rows import FloatArray, RowTransformer

#: Where the offset enters a spread: inside the root (Coates & Ng 2011) or outside it (Jia et al. 2012).
NORMALISATIONS = ("coates", "jia")

BLOCK_ROWS = 16384


def spread(variance: FloatArray, offset: float, normalisation: str) -> FloatArray:
    """√(variance + offset) for ``coates``, √variance + offset for ``jia``."""
    if normalisation == "coates":
        return np.sqrt(variance + offset)
    return np.sqrt(variance) + offset


def variance_divisor(n_values: int, normalisation: str) -> int:
    """Coates & Ng divide squared deviations by d − 1 (MATLAB's ``var``), Jia by d (numpy's)."""
    return max(n_values - 1, 1) if normalisation == "coates" else n_values


def contrast_normalised(patches: FloatArray, offset: float, normalisation: str) -> FloatArray:
    """(p − mean(p)) / spread(var(p)) for every row p of n × d patches."""
    centred: FloatArray = patches - patches.mean(axis=1, keepdims=True)
    variance = np.einsum("nd,nd->n", centred, centred) / variance_divisor(patches.shape[1], normalisation)
    centred /= spread(variance, offset, normalisation)[:, None].astype(patches.dtype)
    return centred


def mean_and_covariance(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean (d) and the covariance (d × d, divisor n − 1) of n × d rows, in double precision by blocks."""
    mean = rows.mean(axis=0, dtype=np.float64)
    covariance = np.zeros((rows.shape[1], rows.shape[1]))
    for start in range(0, len(rows), BLOCK_ROWS):
        centred = rows[start : start + BLOCK_ROWS] - mean
        covariance += centred.T @ centred
    return mean, covariance / max(len(rows) - 1, 1)


def zca_matrix(covariance: FloatArray, offset: float, normalisation: str) -> FloatArray:
    """V diag(1/spread(λ)) Vᵀ from the eigenvalues λ and eigenvectors V of the covariance (d × d, symmetric)."""
    eigenvalues, V = np.linalg.eigh(covariance)
    return np.asarray((V / spread(np.maximum(eigenvalues, 0.0), offset, normalisation)) @ V.T)


class ContrastNormalizer(OneToOneFeatureMixin, RowTransformer):
    """Each patch minus its mean, over its spread: (p − mean)/√(var + 10) on pixels of 0..255.

    offset : added to the variance (``coates``) or to the standard deviation (``jia``)
    normalisation : ``coates`` or ``jia``
    """

    def __init__(self, offset: float = 10.0, normalisation: str = "coates") -> None:
        self.offset = offset
        self.normalisation = normalisation

    def _check_parameters(self) -> None:
        check_number(self.offset, "offset", "ContrastNormalizer", 0.0, above=True)
        check_choice(self.normalisation, "normalisation", NORMALISATIONS, "ContrastNormalizer")

    def _apply(self, rows: FloatArray) -> FloatArray:
        return contrast_normalised(rows, self.offset, self.normalisation)

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags


class ZCAWhitening(OneToOneFeatureMixin, RowTransformer):
    """(x − mean) Z, Z = V diag(1/√(λ + 0.1)) Vᵀ from the covariance: its eigenvalue λ becomes λ/(λ + 0.1).

    offset : added to the eigenvalues (``coates``) or to their roots (``jia``)
    normalisation : ``coates`` or ``jia``

    Learned: ``mean_`` (d), ``matrix_`` (d × d).
    """

    def __init__(self, offset: float = 0.1, normalisation: str = "coates") -> None:
        self.offset = offset
        self.normalisation = normalisation

    def _check_parameters(self) -> None:
        check_number(self.offset, "offset", "ZCAWhitening", 0.0, above=True)
        check_choice(self.normalisation, "normalisation", NORMALISATIONS, "ZCAWhitening")

    def _learn(self, rows: FloatArray) -> None:
        self.mean_, covariance = mean_and_covariance(rows)
        self.matrix_ = zca_matrix(covariance, self.offset, self.normalisation)

    def _apply(self, rows: FloatArray) -> FloatArray:
        return np.asarray((rows - self.mean_.astype(rows.dtype)) @ self.matrix_.astype(rows.dtype))


class OffsetStandardizer(OneToOneFeatureMixin, RowTransformer):
    """(x − mean)/√(var + offset) per feature, the last step before a classifier (Coates & Ng: 0.01).

    With an offset of 0 this is the plain z-score; a constant feature then becomes 0.
    Learned: ``mean_`` and ``scale_`` (d).
    """

    def __init__(self, offset: float = 0.01) -> None:
        self.offset = offset

    def _check_parameters(self) -> None:
        check_number(self.offset, "offset", "OffsetStandardizer", 0.0)

    def _learn(self, rows: FloatArray) -> None:
        self.mean_ = rows.mean(axis=0, dtype=np.float64)
        scale = np.sqrt(rows.var(axis=0, dtype=np.float64) + self.offset)
        self.scale_ = np.where(scale > 0.0, scale, 1.0)

    def _apply(self, rows: FloatArray) -> FloatArray:
        standardised: FloatArray = rows - self.mean_.astype(rows.dtype)
        standardised /= self.scale_.astype(rows.dtype)
        return standardised
