"""Sums of partitions that come out alike in whatever order they are added: each carries what its additions round off.

Which partitions a worker adds, and in what order, follows from who is quick. By Knuth's TwoSum the rounding of every
addition is itself a number; added up beside the sum and given back at the end, it leaves the sum rounded once. An order
could show only where the exact sum lies halfway between two numbers to 2⁻¹⁰⁰ of its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from dask.sizeof import sizeof

from celm.linalg.gram import FoldGrams
from celm.linalg.layer import Floats
from celm.linalg.precision import Seen

# Columns that are added at once, so that what is in between takes little room.
COLUMNS = 64


@dataclass(frozen=True, eq=False)
class Sums:
    """HᵀH and HᵀT of some rows, what their additions have rounded off, and what was seen of the rows if it was asked.

    Of one partition nothing has been rounded off: ``lost`` is None.
    """

    total: FoldGrams
    lost: FoldGrams | None = None
    seen: Seen | None = None


@sizeof.register(Sums)
def bytes_of_sums(sums: Sums) -> int:
    """What sums hold, which Dask reckons with when it places tasks and spills."""
    held = [sums.total] if sums.lost is None else [sums.total, sums.lost]
    return sum(array.nbytes for one in held for array in _arrays(one))


def added(parts: Sequence[Sums]) -> Sums:
    """The sums of all rows of ``parts``, in arrays of their own."""
    total, lost = (_zeros_like(parts[0].total) for _ in range(2))
    for part in parts:
        total.n_rows = [mine + theirs for mine, theirs in zip(total.n_rows, part.total.n_rows, strict=True)]
        for one, gone, more in zip(_arrays(total), _arrays(lost), _arrays(part.total), strict=True):
            _carry(one, gone, more)
        if part.lost is not None:
            for gone, more in zip(_arrays(lost), _arrays(part.lost), strict=True):
                gone += more
    seen = [part.seen for part in parts if part.seen is not None]
    return Sums(total, lost, reduce(Seen.plus, seen) if seen else None)


def rounded(sums: Sums) -> Sums:
    """The same, with what was rounded off given back."""
    if sums.lost is None:
        return sums
    return Sums(sums.total.plus(sums.lost), None, sums.seen)


def _zeros_like(sums: FoldGrams) -> FoldGrams:
    n_hidden, n_targets = sums.moments[0].shape
    return FoldGrams.zeros(n_hidden, n_targets, sums.n_folds)


def _arrays(sums: FoldGrams) -> list[Floats]:
    return [*sums.grams, *sums.moments]


def _carry(total: Floats, lost: Floats, more: Floats) -> None:
    """``total`` += ``more``, and ``lost`` += what that rounds off."""
    for start in range(0, total.shape[1], COLUMNS):
        t, gone, m = (array[:, start : start + COLUMNS] for array in (total, lost, more))
        s = t + m
        shadow = s - t
        gone += (t - (s - shadow)) + (m - shadow)
        t[...] = s
