"""One-vs-all columns of a linear SVM: their targets, what their scores say, and a path of C on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from celm.base.validation import signed_targets
from celm.models.baselines.svm_path import svm_path

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


def class_targets(codes: Codes, n_classes: int, infer_classes: str = "all") -> Array:
    """Targets ±1 of the one-vs-all columns (m × N).

    "all": one column per class; of two classes only the second, as the other one is its negative. "max_label":
    the codes 0..k-1 are taken for labels that start at 1, so code 0 gets no column.
    """
    first = 1 if infer_classes == "max_label" or n_classes == 2 else 0
    return np.ascontiguousarray(signed_targets(codes, n_classes)[:, first:].T)


def predicted_codes(scores: Array, infer_classes: str = "all") -> Codes:
    """The codes (N) that the scores (N × m) of the columns of ``class_targets`` stand for."""
    if infer_classes == "max_label":
        return np.asarray(1 + scores.argmax(axis=1))
    if scores.shape[1] == 1:
        return (scores[:, 0] > 0).astype(np.intp)
    return np.asarray(scores.argmax(axis=1))


def correct_by_C(
    X: Array,
    codes: Codes,
    n_classes: int,
    folds: Codes,
    Cs: Sequence[float],
    *,
    infer_classes: str = "all",
    tol: float = 1e-4,
    max_iter: int = 200,
) -> tuple[npt.NDArray[np.intp], bool]:
    """How many rows each C classifies correctly while they are held out, and whether every solve converged.

    All folds and classes are columns of one path; each row is judged by the columns that have not seen it.
    """
    targets = class_targets(codes, n_classes, infer_classes)
    n_folds, rows = int(folds.max()) + 1, np.arange(len(X))
    fold_targets = np.concatenate([targets * (folds != fold) for fold in range(n_folds)])
    correct, converged = [], True
    for solution in svm_path(X, fold_targets, Cs, tol=tol, max_iter=max_iter):
        held_out = solution.scores.reshape(n_folds, len(targets), len(X))[folds, :, rows]
        correct.append(np.count_nonzero(predicted_codes(held_out, infer_classes) == codes))
        converged = converged and bool(solution.converged.all())
    return np.array(correct, dtype=np.intp), converged
