"""Threshold encoding: what of a dot product exceeds α, on one side or on both."""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from celm.base.validation import check_flag, check_number
from celm.features.rows import FloatArray, RowTransformer


def threshold_codes(z: FloatArray, alpha: float, two_sided: bool) -> FloatArray:
    """[max(z − α, 0), max(−z − α, 0)] side by side (n × 2K), or the first half alone (n × K)."""
    positive = np.maximum(z - alpha, 0)
    return np.hstack([positive, np.maximum(-z - alpha, 0)]) if two_sided else positive


class ThresholdEncoder(ClassNamePrefixFeaturesOutMixin, RowTransformer):
    """Soft threshold of dot products with atoms (Coates & Ng 2011).

    alpha : the threshold α ≥ 0
    two_sided : keep negative products as features of their own
    """

    def __init__(self, alpha: float = 0.25, two_sided: bool = True) -> None:
        self.alpha = alpha
        self.two_sided = two_sided

    def _check_parameters(self) -> None:
        check_number(self.alpha, "alpha", "ThresholdEncoder", 0.0)
        check_flag(self.two_sided, "two_sided", "ThresholdEncoder")

    def _apply(self, rows: FloatArray) -> FloatArray:
        return threshold_codes(rows, self.alpha, self.two_sided)

    @property
    def _n_features_out(self) -> int:
        return int(self.n_features_in_) * (2 if self.two_sided else 1)

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags
