"""Which rows of all make the sample, and which fold a row is in: functions of row numbers and a seed alone.

Rows are numbered through all partitions. Nothing here knows a partition, so nothing depends on how rows are cut.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from celm.base.seeds import generator

Numbers = npt.NDArray[np.intp]

# Folds are dealt out in blocks of about so many rows, so that a worker makes the fold numbers of its own rows.
FOLD_BLOCK = 65_536


def sample_numbers(n_rows: int, size: int, seed: int) -> Numbers:
    """``size`` different row numbers below ``n_rows``, uniform and ascending; all of them when there are no more.

    Parameters
    ----------
    n_rows : int
        Rows of all partitions.
    size : int
        Rows wanted.
    seed : int
        The same seed gives the same numbers, whatever the partitions.

    Examples
    --------
    >>> sample_numbers(5, 10, seed=0)
    array([0, 1, 2, 3, 4])
    >>> len(sample_numbers(10**9, 3, seed=0))
    3
    """
    if size >= n_rows:
        return np.arange(n_rows)
    return np.sort(generator(seed, "sample").choice(n_rows, size, replace=False, shuffle=False))


def fold_numbers(numbers: Numbers, n_rows: int, n_folds: int, seed: int) -> Numbers:
    """The folds of the rows ``numbers`` of ``n_rows``: shuffled, and balanced in every block.

    Up to :data:`FOLD_BLOCK` rows they are the folds of a local search with the same seed
    (:func:`celm.base.validation.check_folds`).

    Parameters
    ----------
    numbers : array of int
        Row numbers, ascending: those of a partition, or of a sample.
    n_rows : int
        Rows of all partitions.
    n_folds : int
        How many folds there are.
    seed : int
        The same seed gives every row the same fold, whatever the partitions.

    Examples
    --------
    >>> whole = fold_numbers(np.arange(9), 9, 3, seed=0)
    >>> sorted(whole.tolist())
    [0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> bool((fold_numbers(np.arange(4, 7), 9, 3, seed=0) == whole[4:7]).all())
    True
    """
    size = n_folds * max(1, FOLD_BLOCK // n_folds)
    folds = np.empty(len(numbers), dtype=np.intp)
    blocks = numbers // size
    for block in np.unique(blocks).tolist():
        roles = ("folds", block) if block else ("folds",)
        dealt = generator(seed, *roles).permutation(np.arange(min(size, n_rows - block * size)) % n_folds)
        rows = slice(*np.searchsorted(blocks, [block, block + 1]))
        folds[rows] = dealt[numbers[rows] - block * size]
    return folds
