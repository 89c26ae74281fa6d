"""What the extreme learning machines share: a drawn hidden layer, a linear readout, and learning in blocks of rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from celm.base.magnitude import checked_data, one_look
from celm.base.validation import check_choice, check_number
from celm.linalg.given_rows import GivenRows, given, times_root
from celm.linalg.gram import FoldGrams, accumulate_blocks
from celm.linalg.layer import FEW, PRECISIONS, Layer
from celm.linalg.projection import row_scores
from celm.linalg.readout import CUTOFFS, Array
from celm.linalg.ridge import ridge_from_gram
from celm.linalg.solve import readout_scores, solve_readout
from celm.models.elm.block_rules import check_unchanged, kept_parameters, parts_of, warn_of_beginning_anew
from celm.models.elm.drawing import Drawing, check_reach, warn_if_saturated
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.row_weights import checked_weights

# Rows to be answered are not copied into double precision: products convert a block at a time.
FLOATS = (np.float64, np.float32)

Machine = TypeVar("Machine", bound="BaseELM")


class Known(NamedTuple):
    """A layer that is drawn already, and the sums of its outputs over the rows."""

    layer: Layer
    sums: FoldGrams


class BaseELM(BaseEstimator):
    """A hidden layer W, b drawn from the rows and output weights β = (I/λ + HᵀH)⁻¹HᵀT, or H⁺T without a penalty.

    A subclass says what its targets are: :meth:`_learn_targets` and :meth:`_block_targets`.
    """

    def __init__(
        self,
        n_hidden: int,
        strategy: Any,
        input_scale: float | None,
        bias_width: float,
        lam: float | None,
        cutoff: str,
        precision: str,
        options: WeightOptions | None,
        random_state: Any,
    ) -> None:
        self.n_hidden = n_hidden
        self.strategy = strategy
        self.input_scale = input_scale
        self.bias_width = bias_width
        self.lam = lam
        self.cutoff = cutoff
        self.precision = precision
        self.options = options
        self.random_state = random_state

    @property
    def owner(self) -> str:
        """The name that errors carry."""
        return type(self).__name__

    @abstractmethod
    def _learn_targets(self, y: Any, weights: Array | None) -> tuple[Indices, Array]:
        """Learn from y what its targets are; the codes of the rows for the draw, and T (N × k)."""

    @abstractmethod
    def _block_targets(self, y: Any, learned: Any, *, first: bool) -> tuple[Indices, Array]:
        """Codes and T of a block of rows; the first one learns what targets are, from ``learned`` if it is given."""

    @abstractmethod
    def _validated(self, X: Any, y: Any, *, reset: bool) -> tuple[Array, Any]:
        """X and y as arrays, checked."""

    def weight_options(self) -> WeightOptions:
        """The readings of the weight draw."""
        return WeightOptions() if self.options is None else self.options

    def drawing(self) -> Drawing:
        """How the hidden layer is drawn, as one value."""
        return Drawing(self.strategy, self.n_hidden, self.weight_options(), self.input_scale, self.bias_width)

    def layer(self) -> Layer:
        """The fitted hidden layer."""
        return Layer(self.W_, self.b_, precision=self.precision)

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        self.drawing().check(self.owner)
        if self.lam is not None:
            check_number(self.lam, "lam", self.owner, 0, above=True)
        check_choice(self.cutoff, "cutoff", CUTOFFS, self.owner)
        check_choice(self.precision, "precision", PRECISIONS, self.owner)

    def fit(self: Machine, X: Any, y: Any, sample_weight: Any = None) -> Machine:
        """Draw the hidden layer and solve for the output weights.

        Weights enter the readout, where a weight of 2 is the row twice; the layer is drawn from the rows as they are.

        Parameters
        ----------
        X : array or CSR matrix (N, n)
            Training rows.
        y : array (N,) or (N, k)
            Their targets.
        sample_weight : array (N,) or None, default=None
            Weights of the rows.

        Returns
        -------
        estimator
            The estimator itself.
        """
        return self._learn(X, y, sample_weight)

    @one_look()
    def _learn(self: Machine, X: Any, y: Any, sample_weight: Any, known: Known | None = None) -> Machine:
        """As :meth:`fit`, with a layer and sums that are known already where there are any."""
        self.check_parameters()
        self.__dict__.pop("sums_", None)
        X, y = self._validated(X, y, reset=True)
        weights = self._row_weights(y, sample_weight)
        codes, T = self._learn_targets(y, weights)
        drawn, sums = (None, None) if known is None else known
        self._draw(X, codes, drawn)
        layer, rows = given(self.layer(), X, weights)
        T = times_root(T, weights)
        beta, self.rank_, self.solver_ = solve_readout(layer, rows, T, lam=self.lam, cutoff=self.cutoff, sums=sums)
        self.beta_ = self._checked(self._readout(beta))
        self._fitted(X, y, sample_weight)
        return self

    def _fitted(self, X: Array, y: Any, sample_weight: Any) -> None:
        """Learn what else a fitted model needs from the checked rows."""

    def _row_weights(self, y: Any, sample_weight: Any) -> Array | None:
        """One weight per row, or None where all count alike."""
        return checked_weights(sample_weight, len(y), self.owner)

    def _readout(self, beta: Array) -> Array:
        """β as it is used, from β as it was solved."""
        return beta

    def _checked(self, beta: Array) -> Array:
        if not np.isfinite(beta).all():
            raise ValueError(f"{self.owner}: output weights lie beyond double precision; scale X and y first.")
        return beta

    def _draw(self, X: Array, codes: Indices, drawn: Layer | None = None) -> None:
        if drawn is None:
            self.W_, self.b_ = self.drawing()(X, codes, self.random_state)
        else:
            self.W_, self.b_ = drawn.W, drawn.b
        if self.precision != "double":  # whose products have the digits of records, and may know the order
            self.W_ = np.ascontiguousarray(self.W_)
        check_reach(X, self.W_, self.owner)
        warn_if_saturated(X, self.W_, self.b_, self.owner)

    def _fit_blocks(self: Machine, blocks: Iterable[tuple[Any, ...]], learned: Any = None) -> Machine:
        self.__dict__.pop("sums_", None)
        for X, y, weight in parts_of(blocks, self.owner):
            self._add_block(X, y, learned, weight)
        if not hasattr(self, "sums_"):
            raise ValueError(f"{self.owner}: fit_blocks needs at least one block of rows; got none.")
        return self._solve_sums()

    def _partial_fit(self: Machine, X: Any, y: Any, learned: Any = None, sample_weight: Any = None) -> Machine:
        warn_of_beginning_anew(self)
        self._add_block(X, y, learned, sample_weight)
        return self._solve_sums()

    @one_look()
    def _add_block(self, X: Any, y: Any, learned: Any = None, sample_weight: Any = None) -> None:
        """Add a block of rows; ``learned`` stands for y where targets are learned from something else."""
        self.check_parameters()
        first = not hasattr(self, "sums_")
        if not first:
            check_unchanged(self, self._begun_with)
        X, y = self._validated(X, y, reset=first)
        weights = self._row_weights(y, sample_weight)
        codes, T = self._block_targets(y, learned, first=first)
        if first:
            self._draw(X, codes)
            self._begun_with: dict[str, Any] = kept_parameters(self)
            self.sums_ = FoldGrams.zeros(self.n_hidden, T.shape[1])
        check_reach(X, self.W_, self.owner)
        layer, rows = given(self.layer(), X, weights)
        accumulate_blocks(layer, [(rows, times_root(T, weights))], into=self.sums_)
        self._block_added(T, weights)

    def _block_added(self, T: Array, weights: Array | None) -> None:
        """Take note of a block whose sums have been added."""

    def _block_moment(self, moment: Array) -> Array:
        """HᵀT of the readout, from that of the blocks."""
        return moment

    def _solve_sums(self: Machine) -> Machine:
        gram, moment = self.sums_.summed()
        beta, info = ridge_from_gram(gram, self._block_moment(moment), cast(float, self.lam))
        self.beta_ = self._checked(beta)
        self.rank_, self.solver_ = None, f"row blocks {info.method}"
        return self

    def scores(self, X: Any) -> Array:
        """Outputs of the readout.

        Parameters
        ----------
        X : array or CSR matrix (N, n)
            Rows.

        Returns
        -------
        array (N, k)
            One column per class (also for two classes) or target.
        """
        if "beta_" not in vars(self):  # scikit-learn's own look takes longer than the products of a row
            check_is_fitted(self, "beta_")
        X = checked_data(self, X, dtype=FLOATS, accept_sparse="csr", reset=False, ensure_all_finite=False)
        if type(X) is np.ndarray and len(X) == 1 and len(self.b_) <= FEW:
            return row_scores(X, self.W_, self.b_, self.beta_, self._refuse)
        return readout_scores(*given(self.layer(), X), self.beta_, self._refuse)

    def _refuse(self, rows: Any) -> None:
        """Say what is wrong with rows whose products with the weights are not finite."""
        X = rows.X if isinstance(rows, GivenRows) else rows
        with np.errstate(over="ignore", invalid="ignore"):
            assert_all_finite(X, estimator_name=self.owner, input_name="X")
        check_reach(X, self.W_, self.owner)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
