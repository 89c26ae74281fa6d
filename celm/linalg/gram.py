"""One blocked pass over the rows: per-fold HᵀH and HᵀT, with H never held whole unless room is given for it.

H = g(XW + b) is N × L; T (N × m) holds the targets. The ridge readout β = (I/λ + HᵀH)⁻¹HᵀT (paper §II) needs
of the rows only these sums, and training without a fold is a sum of the others. Sums are double; with a layer of
precision "single" those of one block are made in single precision and added in double.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from celm.base.room import check_room
from celm.linalg.blas import add_gram
from celm.linalg.blocks import USUAL, Block, Pass, Turns, cut_rows, share_out
from celm.linalg.layer import Floats, Layer

Array = npt.NDArray[Any]

# Columns of a triangle that are added at a time.
_PANEL = 256


@dataclass
class FoldGrams:
    """Per fold: HᵀH (L × L, Fortran-ordered, **only the lower triangle filled**), HᵀT (L × m), and its rows."""

    grams: list[Floats]
    moments: list[Floats]
    n_rows: list[int]

    @classmethod
    def zeros(cls, n_hidden: int, n_targets: int, n_folds: int = 1) -> FoldGrams:
        """The sums of no rows yet."""
        check_room(n_folds * n_hidden**2, f"the sums of products of {n_hidden} hidden nodes")
        return cls(
            [np.zeros((n_hidden, n_hidden), order="F") for _ in range(n_folds)],
            [np.zeros((n_hidden, n_targets), order="F") for _ in range(n_folds)],
            [0] * n_folds,
        )

    @property
    def n_folds(self) -> int:
        return len(self.grams)

    def total(self) -> tuple[Floats, Floats]:
        """HᵀH (lower triangle) and HᵀT of all rows, in arrays of their own that may be overwritten."""
        return self._sum(range(self.n_folds))

    def summed(self) -> tuple[Floats, Floats]:
        """As :meth:`total`, to be read only: the sums themselves where there is one fold."""
        return (self.grams[0], self.moments[0]) if self.n_folds == 1 else self.total()

    def without(self, fold: int) -> tuple[Floats, Floats]:
        """HᵀH (lower triangle) and HᵀT of all folds but one, in arrays of their own."""
        return self._sum([other for other in range(self.n_folds) if other != fold])

    def plus(self, other: FoldGrams) -> FoldGrams:
        """The sums of these rows and others, in arrays of their own."""
        return FoldGrams(
            [mine + theirs for mine, theirs in zip(self.grams, other.grams, strict=True)],
            [mine + theirs for mine, theirs in zip(self.moments, other.moments, strict=True)],
            [mine + theirs for mine, theirs in zip(self.n_rows, other.n_rows, strict=True)],
        )

    def _sum(self, folds: Sequence[int]) -> tuple[Floats, Floats]:
        first, *others = folds
        gram, moment = self.grams[first].copy(order="K"), self.moments[first].copy(order="K")
        for fold in others:
            gram += self.grams[fold]
            moment += self.moments[fold]
        return gram, moment


def room_for_hidden(layer: Layer, n_rows: int, max_bytes: float) -> Array | None:
    """An empty array for H, fold after fold, or None when H would take more than ``max_bytes``.

    It has the type of the layer's products, so that keeping H loses nothing.
    """
    dtype = np.dtype(layer.product_type)
    room = n_rows * layer.n_hidden * dtype.itemsize
    return np.empty((n_rows, layer.n_hidden), dtype) if room <= max_bytes else None


def accumulate(
    layer: Layer,
    X: Array,
    T: Array,
    *,
    folds: npt.ArrayLike | None = None,
    n_folds: int = 1,
    hidden: Array | None = None,
    how: Pass = USUAL,
) -> FoldGrams:
    """The fold sums of all rows of X (N × n) with targets T (N × m); ``folds`` holds each row's fold number.

    ``hidden`` (N × L, see :func:`room_for_hidden`) is filled with H when given, the rows of a fold in their order and
    the folds one after the other. The result does not depend on the
    threads at all, and on the rows of a block only by rounding.
    """
    if hidden is not None and hidden.shape != (len(X), layer.n_hidden):
        raise ValueError(f"accumulate: hidden must be {len(X)} × {layer.n_hidden}; got shape {hidden.shape}.")
    shared = replace(how, block_rows=how.rows_for(layer.n_hidden, len(X)))
    return _run(_Pieces([(X, T, folds)], layer, None, n_folds, shared), layer, how, hidden)


def accumulate_blocks(
    layer: Layer,
    blocks: Iterable[tuple[Array, Array] | tuple[Array, Array, npt.ArrayLike | None]],
    *,
    n_folds: int = 1,
    into: FoldGrams | None = None,
    how: Pass = USUAL,
) -> FoldGrams:
    """The fold sums of a stream of ``(X, T)`` or ``(X, T, folds)``, for more rows than fit in memory.

    ``into`` is added to in place and returned: rows may come in any number of calls. A failure on the way
    leaves it with the blocks that had been added.
    """
    return _run(_Pieces(blocks, layer, into, n_folds if into is None else into.n_folds, how), layer, how, None)


@dataclass(frozen=True)
class _Piece:
    """A block of rows, the accumulator it goes into and its turn there."""

    X: Array
    T: Array
    block: Block
    accumulator: int
    turn: int


class _Pieces:
    """Cuts a stream into pieces and holds the accumulators that they go into.

    A fold has one accumulator; a single fold has two, so that two threads need not wait for each other, unless their
    products are made elsewhere and only added. The number of accumulators does not depend on the threads, so neither
    does the order of any sum.
    """

    def __init__(
        self,
        stream: Iterable[tuple[Any, ...]],
        layer: Layer,
        into: FoldGrams | None,
        n_folds: int,
        how: Pass,
    ) -> None:
        self._stream = stream
        self._n_features, self._n_hidden = layer.n_inputs, layer.n_hidden
        self._block_rows = how.rows_for(layer.n_hidden)
        self._n_folds, self._lanes = n_folds, 2 if n_folds == 1 and layer.sum_type is np.float64 else 1
        self.sums: list[FoldGrams] = [] if into is None else [into]

    def __iter__(self) -> Iterator[_Piece]:
        cut = [0] * self._n_folds
        for item in self._stream:
            X, T, folds = item if len(item) == 3 else (*item, None)
            self._check(X, T)
            for block in cut_rows(len(X), folds, self._n_folds, self._block_rows):
                turn, lane = divmod(cut[block.fold], self._lanes)
                cut[block.fold] += 1
                if lane == len(self.sums):
                    self.sums.append(FoldGrams.zeros(self._n_hidden, T.shape[1], self._n_folds))
                yield _Piece(X, T, block, lane * self._n_folds + block.fold, turn)

    def _check(self, X: Array, T: Array) -> None:
        if X.ndim != 2 or X.shape[1] != self._n_features:
            raise ValueError(f"accumulate: X must have {self._n_features} columns, as W has rows; got {X.shape}.")
        n_targets = self.sums[0].moments[0].shape[1] if self.sums else None
        if T.ndim != 2 or len(T) != len(X) or n_targets not in (None, T.shape[1]):
            columns = "m" if n_targets is None else n_targets
            raise ValueError(f"accumulate: T must be {len(X)} × {columns}, a row for each of X; got {T.shape}.")

    def add(self, piece: _Piece, H: Array, moment: Array, gram: Array | None) -> None:
        lane, fold = divmod(piece.accumulator, self._n_folds)
        sums = self.sums[lane]
        if gram is None:
            add_gram(H, sums.grams[fold])
        else:
            _add_lower(gram, sums.grams[fold])
        sums.moments[fold] += moment
        sums.n_rows[fold] += len(H)

    def total(self) -> FoldGrams:
        """All lanes added into the first."""
        if not self.sums:
            raise ValueError("accumulate: at least one row is needed; got none.")
        first, *others = self.sums
        for other in others:
            for fold in range(self._n_folds):
                first.grams[fold] += other.grams[fold]
                first.moments[fold] += other.moments[fold]
                first.n_rows[fold] += other.n_rows[fold]
        return first


def _run(pieces: _Pieces, layer: Layer, how: Pass, hidden: Array | None) -> FoldGrams:
    turns = Turns()

    def make_worker() -> Any:
        outputs = layer.by_blocks()
        own = None if layer.sum_type is np.float64 else np.zeros((layer.n_hidden, layer.n_hidden), np.float32, "F")

        def work(piece: _Piece) -> None:
            room = None if hidden is None else hidden[piece.block.place]
            H = outputs(piece.X, piece.block.rows, room)
            if room is not None and not np.may_share_memory(H, room):
                room[...] = H
            moment = H.T @ piece.T[piece.block.rows].astype(H.dtype, copy=False)
            if own is not None:
                add_gram(H, own, anew=True)
            if turns.wait(piece.accumulator, piece.turn):
                pieces.add(piece, H, moment, own)
                turns.finish(piece.accumulator)

        return work

    share_out(pieces, make_worker, how.n_threads, on_failure=turns.stop)
    return pieces.total()


def _add_lower(own: Array, gram: Floats) -> None:
    """Add the lower triangle of a block's sums, both Fortran-ordered, zero above it."""
    for start in range(0, len(gram), _PANEL):
        panel = gram[start:, start : start + _PANEL].T
        panel += own[start:, start : start + _PANEL].T
