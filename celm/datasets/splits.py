"""Which rows train and which test, and which fold of a cross-validation a row is in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from celm.base.validation import check_integer, check_number

Rows = npt.NDArray[np.intp]


def split_rows(
    n_rows: int,
    *,
    rng: np.random.Generator,
    train_share: float = 2 / 3,
    stratify: npt.ArrayLike | None = None,
) -> tuple[Rows, Rows]:
    """Row numbers for training (round(train_share · n_rows) of them) and for testing, both in random order.

    ``stratify`` takes the labels (N): every class then gives its share of training rows, up to one row.
    """
    check_integer(n_rows, "n_rows", "split_rows", 2)
    check_number(train_share, "train_share", "split_rows", 0.0, 1.0)
    n_train = round(train_share * n_rows)
    if not 0 < n_train < n_rows:
        raise ValueError(
            f"split_rows: train_share must leave rows on both sides; {train_share!r} of {n_rows} rows is {n_train}."
        )
    order = rng.permutation(n_rows)
    if stratify is not None:
        order = _stratified(order, np.asarray(stratify), n_train)
    return order[:n_train], order[n_train:]


def _stratified(order: Rows, labels: npt.NDArray[np.generic], n_train: int) -> Rows:
    """``order`` with the rows chosen for training moved to its front, the order within both parts kept.

    A class of m rows trains on m·n_train/N rows; fractions go to the classes with the largest ones.
    """
    if labels.shape != order.shape:
        raise ValueError(f"split_rows: stratify must hold {len(order)} labels, one per row; got shape {labels.shape}.")
    _, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    shares = sizes * n_train / len(order)
    quota = np.floor(shares).astype(np.intp)
    largest = np.argsort(quota - shares, kind="stable")
    quota[largest[: n_train - quota.sum()]] += 1
    trains = np.zeros(len(order), dtype=bool)
    for code, wanted in enumerate(quota):
        trains[np.flatnonzero(codes[order] == code)[:wanted]] = True
    return np.concatenate([order[trains], order[~trains]])


def fold_ids(n_rows: int, n_folds: int, rng: np.random.Generator) -> Rows:
    """The fold 0..n_folds-1 of every row (N), shuffled; fold sizes differ by at most one."""
    check_integer(n_folds, "n_folds", "fold_ids", 2)
    check_integer(n_rows, "n_rows", "fold_ids", n_folds)
    return rng.permutation(np.arange(n_rows, dtype=np.intp) % n_folds)
