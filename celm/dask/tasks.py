"""What workers do with one partition, and with what others made of theirs: functions that know no graph.

Every heavy one holds BLAS to one thread: a worker has as many tasks at once as it has threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce, wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from dask.sizeof import sizeof
from sklearn.utils.validation import check_array

from celm.base.threads import one_blas_thread
from celm.dask.carried import Sums
from celm.dask.partitions import Place
from celm.dask.row_numbers import Numbers, fold_numbers
from celm.dask.targets import Targets
from celm.linalg.blocks import Pass
from celm.linalg.given_rows import given, given_rows
from celm.linalg.gram import accumulate_blocks
from celm.linalg.layer import Layer
from celm.linalg.precision import Seen
from celm.linalg.ridge import fold_readouts, held_out_gains, ridge_from_gram
from celm.linalg.single import SINGLE_SOLVER, harmless_readout
from celm.linalg.solve import first_nodes
from celm.models.elm.drawing import check_reach
from celm.models.elm.machine import BaseELM

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Work = TypeVar("Work", bound=Callable[..., Any])

# Rows whose targets are held at once.
SLICE_ROWS = 65_536

ONE_THREAD = Pass(n_threads=1)

# Rows, what is read of their labels, and their folds.
Slice = tuple[Any, Any, Numbers | None]


def on_one_thread(work: Work) -> Work:
    """``work`` with BLAS held to one thread."""

    @wraps(work)
    def held(*args: Any, **kwargs: Any) -> Any:
        with one_blas_thread():
            return work(*args, **kwargs)

    return held  # type: ignore[return-value]


@dataclass(frozen=True)
class Folds:
    """The fold of every row, by its number among all."""

    n_rows: int
    n_folds: int
    seed: int

    def of(self, numbers: Numbers) -> Numbers:
        """Folds of rows by their numbers, ascending."""
        return fold_numbers(numbers, self.n_rows, self.n_folds, self.seed)


@dataclass(frozen=True, eq=False)
class Setting:
    """What every partition of a pass is told: how labels are read, whether rows have folds, and who asks."""

    targets: Targets
    owner: str
    folds: Folds | None = None


def checked(X: Any, y: Array, place: Place, n_features: int, owner: str, rows: Any = slice(None)) -> Array:
    """Some ``rows`` of X as a finite matrix of any real type; X must have as many rows as were counted and as y has."""
    expected = (place.stop - place.start, n_features)
    if X.shape != expected or len(y) != len(X):
        raise ValueError(
            f"{owner}: partition {place.number} must be {expected[0]} × {expected[1]} with as many labels; "
            f"got {' × '.join(map(str, X.shape))} with {len(y)}."
        )
    found: Array = check_array(X[rows], dtype="numeric", ensure_min_samples=0, input_name="X", estimator=owner)
    return found


@sizeof.register(Layer)
def bytes_of_layer(layer: Layer) -> int:
    """What a layer holds, which Dask reckons with when it places tasks."""
    return layer.W.nbytes + layer.b.nbytes


class Sample(NamedTuple):
    """Rows taken from partitions, their labels and their numbers among all rows."""

    X: Floats
    y: Array
    numbers: Numbers


def taken(X: Any, y: Array, weights: Any, place: Place, numbers: Numbers, n_features: int, owner: str) -> Sample:
    """The rows of a partition whose numbers among all are ``numbers``; a draw sees them as they are, not weighed."""
    picked = numbers - place.start
    return Sample(checked(X, y, place, n_features, owner, picked).astype(np.float64), y[picked], numbers)


def joined(parts: Sequence[Sample]) -> Sample:
    """The sampled rows of all partitions, in the order of their numbers."""
    return Sample(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


@on_one_thread
def drawn(sample: Sample, model: BaseELM, setting: Setting, without: int | None = None) -> Layer:
    """The layer that a plain model draws from a sample; of the rows of one fold nothing is seen, if it is given."""
    kept: Any = slice(None)
    if without is not None and setting.folds is not None:
        kept = setting.folds.of(sample.numbers) != without
    codes = setting.targets.codes(sample.y)
    W, b = model.drawing()(sample.X[kept], codes[kept], model.random_state)
    return Layer(W, b, precision=model.precision)


@on_one_thread
def fold_sums(layer: Layer, X: Any, y: Array, weights: Any, place: Place, setting: Setting, single: bool) -> Sums:
    """HᵀH and HᵀT of one partition, per fold, each row times its weight.

    In ``single`` precision hidden outputs are made of products in it, and what their bound asks of the rows is seen.
    """
    w = setting.targets.row_weights(y, weights)
    blocks = _slices(layer, X, y, w, place, setting, setting.targets.columns)
    seen: list[Seen] = []
    if single:
        layer, blocks = replace(layer, precision="single_products"), _looked_at(blocks, seen)
    n_folds = setting.folds.n_folds if setting.folds else 1
    total = accumulate_blocks(_reader(layer, w), blocks, n_folds=n_folds, how=ONE_THREAD)
    return Sums(total, seen=reduce(Seen.plus, seen) if seen else None)


def _looked_at(blocks: Iterable[Slice], seen: list[Seen]) -> Iterator[Slice]:
    """The same slices, each noted in ``seen``."""
    for rows, targets, folds in blocks:
        seen.append(Seen.of(rows, targets))
        yield rows, targets, folds


def _reader(layer: Layer, weights: Floats | None) -> Layer:
    """The layer that reads rows with such weights."""
    return given(layer, np.empty((0, layer.n_inputs)), weights)[0]


def _slices(
    layer: Layer,
    X: Any,
    y: Array,
    weights: Floats | None,
    place: Place,
    setting: Setting,
    read: Callable[[Array, Floats | None], Any],
) -> Iterator[Slice]:
    """Rows, what is read of their labels, and their folds, so many at once that targets take little room."""
    X = checked(X, y, place, layer.n_inputs, setting.owner)
    check_reach(X, layer.W, setting.owner)
    for start in range(0, len(X), SLICE_ROWS):
        part = slice(start, start + SLICE_ROWS)
        w = None if weights is None else weights[part]
        numbers = np.arange(place.start + start, place.start + min(start + SLICE_ROWS, len(X)))
        yield given_rows(X[part], w), read(y[part], w), None if setting.folds is None else setting.folds.of(numbers)


class Solution(NamedTuple):
    """Output weights (L × m), and how they were solved."""

    beta: Floats
    solver: str


@on_one_thread
def solved(sums: Sums, lam: float, n_hidden: int) -> Solution:
    """The ridge readout of all rows for the first nodes."""
    beta, info = ridge_from_gram(*first_nodes(sums.total, n_hidden).summed(), lam)
    return Solution(beta, f"row blocks {info.method}")


@on_one_thread
def solved_if_harmless(layer: Layer, sums: Sums, lam: float) -> Solution | None:
    """The ridge readout of all rows from products in single precision, None where a bound does not clear them."""
    beta = None if sums.seen is None else harmless_readout(layer, sums.total, [sums.seen], lam)
    return None if beta is None else Solution(beta, SINGLE_SOLVER)


@on_one_thread
def learned_without(sums: Sums, fold: int, counts: Sequence[int], lams: Sequence[float]) -> list[Floats]:
    """For every node count the readouts of all λ side by side, learned on all rows but those of one fold."""
    return [fold_readouts(first_nodes(sums.total, L), fold, lams)[0] for L in counts]


@on_one_thread
def gains(
    layer: Layer,
    X: Any,
    y: Array,
    weights: Any,
    place: Place,
    setting: Setting,
    readouts: Sequence[list[Floats]],
    n_lams: int,
) -> Array:
    """How well readouts meet the held-out rows of one partition, by weight (n_folds × n_counts × n_lams)."""
    w = setting.targets.row_weights(y, weights)
    reader, found = _reader(layer, w), np.asarray(0)
    for rows, truth, folds in _slices(layer, X, y, w, place, setting, setting.targets.truth):
        numbers = np.zeros(len(rows), dtype=np.intp) if folds is None else folds
        found = found + held_out_gains(reader, rows, truth, numbers, readouts, n_lams, how=ONE_THREAD)
    return found
