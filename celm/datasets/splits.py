"""Which rows train and which test, and which fold of a cross-validation a row is in."""

from __future__ import annotations

from typing import Any

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
    groups: npt.ArrayLike | None = None,
) -> tuple[Rows, Rows]:
    """Row numbers for training and for testing, both in random order.

    Parameters
    ----------
    n_rows : int
    rng : numpy.random.Generator
    train_share : float
        round(train_share · n_rows) rows train.
    stratify : array-like (N,), optional
        Labels: every class gives its share of training rows, up to one row.
    groups : array-like (N,), optional
        Rows of one group stay on one side, for example equal rows (:func:`duplicate_groups`). The number of
        training rows is then as near to the share as whole groups allow; a group counts under the label
        of its first row.

    Returns
    -------
    train, test : arrays of row numbers

    Examples
    --------
    >>> import numpy as np
    >>> train, test = split_rows(6, rng=np.random.default_rng(0), groups=[0, 0, 1, 1, 2, 2])
    >>> len(train), len(test), set(train // 2) & set(test // 2)
    (4, 2, set())
    """
    check_integer(n_rows, "n_rows", "split_rows", 2)
    check_number(train_share, "train_share", "split_rows", 0.0, 1.0)
    n_train = round(train_share * n_rows)
    if not 0 < n_train < n_rows:
        raise ValueError(
            f"split_rows: train_share must leave rows on both sides; {train_share!r} of {n_rows} rows is {n_train}."
        )
    order = rng.permutation(n_rows)
    if groups is not None:
        labels = np.zeros(n_rows) if stratify is None else _per_row(stratify, n_rows, "stratify")
        order, n_train = _grouped(order, _per_row(groups, n_rows, "groups"), labels, train_share)
    elif stratify is not None:
        order = _stratified(order, _per_row(stratify, n_rows, "stratify"), n_train)
    return order[:n_train], order[n_train:]


def duplicate_groups(X: npt.NDArray[Any]) -> Rows:
    """One number per row (N), the same for rows whose values are all equal.

    Examples
    --------
    >>> duplicate_groups(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])).tolist()
    [0, 1, 0]
    """
    seen: dict[bytes, int] = {}
    rows = np.ascontiguousarray(X.reshape(len(X), -1))
    rows = rows + 0.0 if rows.dtype.kind == "f" else rows  # minus zero equals zero
    return np.array([seen.setdefault(row.tobytes(), len(seen)) for row in rows], dtype=np.intp)


def _per_row(values: npt.ArrayLike, n_rows: int, name: str) -> npt.NDArray[np.generic]:
    found = np.asarray(values)
    if found.shape != (n_rows,):
        what = "labels" if name == "stratify" else "numbers"
        raise ValueError(f"split_rows: {name} must hold {n_rows} {what}, one per row; got shape {found.shape}.")
    return found


def _stratified(order: Rows, labels: npt.NDArray[np.generic], n_train: int) -> Rows:
    """``order`` with the rows chosen for training moved to its front, the order within both parts kept.

    A class of m rows trains on m·n_train/N rows; fractions go to the classes with the largest ones.
    """
    _, codes, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    shares = sizes * n_train / len(order)
    quota = np.floor(shares).astype(np.intp)
    largest = np.argsort(quota - shares, kind="stable")
    quota[largest[: n_train - quota.sum()]] += 1
    trains = np.zeros(len(order), dtype=bool)
    for code, wanted in enumerate(quota):
        trains[np.flatnonzero(codes[order] == code)[:wanted]] = True
    return np.concatenate([order[trains], order[~trains]])


def _grouped(
    order: Rows, groups: npt.NDArray[np.generic], labels: npt.NDArray[np.generic], train_share: float
) -> tuple[Rows, int]:
    """``order`` with whole groups moved to its front, and how many rows that are.

    Within each label, groups are taken in random order while that brings the number of rows nearer to the share;
    at least one group is left on each side. Large groups are as likely to come first as small ones.
    """
    _, first, codes, sizes = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    if len(first) < 2:
        raise ValueError("split_rows: all rows are in one group; a split needs at least two.")
    trains = np.zeros(len(first), dtype=bool)
    ranked = np.argsort(np.argsort(order)[first])
    label_of = labels[first]
    for label in np.unique(label_of):
        mine = ranked[label_of[ranked] == label]
        before = np.cumsum(sizes[mine]) - sizes[mine]
        trains[mine[before + sizes[mine] / 2 <= train_share * sizes[mine].sum()]] = True
    if trains.all() or not trains.any():
        trains[ranked[-1]], trains[ranked[0]] = False, True
    chosen = trains[codes][order]
    return np.concatenate([order[chosen], order[~chosen]]), int(chosen.sum())


def fold_ids(n_rows: int, n_folds: int, rng: np.random.Generator, groups: npt.ArrayLike | None = None) -> Rows:
    """The fold 0..n_folds-1 of every row (N), shuffled; fold sizes differ by at most one.

    Rows of one group (N numbers) share a fold: the largest groups are dealt first, each to the smallest fold.
    """
    check_integer(n_folds, "n_folds", "fold_ids", 2)
    check_integer(n_rows, "n_rows", "fold_ids", n_folds)
    if groups is None:
        return rng.permutation(np.arange(n_rows, dtype=np.intp) % n_folds)
    _, codes, sizes = np.unique(_per_row(groups, n_rows, "groups"), return_inverse=True, return_counts=True)
    check_integer(len(sizes), "the number of groups", "fold_ids", n_folds)
    shuffled = rng.permutation(len(sizes))
    filled = np.zeros(n_folds, dtype=np.intp)
    fold_of = np.empty(len(sizes), dtype=np.intp)
    for group in shuffled[np.argsort(-sizes[shuffled], kind="stable")]:
        fold_of[group] = np.argmin(filled)
        filled[fold_of[group]] += sizes[group]
    return fold_of[codes]
