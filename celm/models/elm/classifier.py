"""The extreme learning machine of every kind: a drawn hidden layer and a linear readout."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.base.validation import (
    check_choice,
    check_integer,
    check_number,
    encode_labels,
    signed_targets,
)
from celm.linalg.gram import FoldGrams, accumulate_blocks
from celm.linalg.layer import PRECISIONS, Layer
from celm.linalg.readout import CUTOFFS, Array
from celm.linalg.ridge import ridge_from_gram
from celm.linalg.solve import readout_scores, solve_readout
from celm.models.elm.hidden import OPTION_NAMES, draw_layer
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import check_strategy

TARGETS = {"signed": (-1.0, 1.0), "binary": (0.0, 1.0)}


def _learns_in_blocks(model: ELMClassifier) -> bool:
    if model.lam is None:
        raise AttributeError("ELMClassifier: learning in blocks needs a penalty lam; a pseudo-inverse needs all rows.")
    return True


class ELMClassifier(ClassifierMixin, BaseEstimator):
    """Extreme learning machine classifier; the paper's variants differ only in ``strategy``.

    Scores are sigmoid(XW + b)β with one column per class; the largest wins. The hidden layer W, b is drawn from the
    training samples, β solves β = (I/λ + HᵀH)⁻¹HᵀT (§II), or β = H⁺T without a penalty.

    Parameters
    ----------
    n_hidden : number of hidden nodes L.
    strategy : elm, normalized_elm, orthogonal_elm, cdelm, selm, cselm, rselm or cmelm;
        or direction/scale/bias such as gaussian/squared/uniform (:data:`celm.models.elm.weights.FACTORIAL`).
    lam : the paper's λ (larger is a weaker penalty), or None for the pseudo-inverse.
    cutoff : which singular values the pseudo-inverse drops: "matlab" max(size)·eps(‖H‖), "numpy" 1e-15·‖H‖, "none".
    targets : "signed" ±1 or "binary" 0/1.
    precision : of hidden outputs where rows go in blocks: "double", or "single_products" with double sums.
    sum_scale, sample_scale, pair_draw, same_sample, orientation, difference_filter, cosine_filter, sum_filter,
    orthogonal_bias, orthogonal_norm : readings of the draw, see :class:`celm.models.elm.options.WeightOptions`.
    random_state : None, an integer or a numpy generator.

    Attributes
    ----------
    classes_, n_features_in_ ; W_ (n × L), b_ (L), beta_ (L × k) ; rank_ : numerical rank of H (None with a penalty) ;
    solver_ : how β was solved, a fallback included.
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: str = "cdelm",
        lam: float | None = None,
        cutoff: str = "matlab",
        targets: str = "signed",
        sum_scale: float = 1.0,
        sample_scale: float = 1.0,
        pair_draw: str = "samples",
        same_sample: bool = True,
        orientation: str = "lower_positive",
        difference_filter: bool = False,
        cosine_filter: bool = False,
        sum_filter: bool = False,
        orthogonal_bias: str = "signed_unit",
        orthogonal_norm: str = "orth",
        precision: str = "double",
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.strategy = strategy
        self.lam = lam
        self.cutoff = cutoff
        self.targets = targets
        self.sum_scale = sum_scale
        self.sample_scale = sample_scale
        self.pair_draw = pair_draw
        self.same_sample = same_sample
        self.orientation = orientation
        self.difference_filter = difference_filter
        self.cosine_filter = cosine_filter
        self.sum_filter = sum_filter
        self.orthogonal_bias = orthogonal_bias
        self.orthogonal_norm = orthogonal_norm
        self.precision = precision
        self.random_state = random_state

    def weight_options(self) -> WeightOptions:
        """The readings of the weight draw as one value."""
        return WeightOptions(**{name: getattr(self, name) for name in OPTION_NAMES})

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        check_integer(self.n_hidden, "n_hidden", "ELMClassifier", 1)
        check_strategy(self.strategy, "strategy", "ELMClassifier")
        if self.lam is not None:
            check_number(self.lam, "lam", "ELMClassifier", 0, above=True)
        check_choice(self.cutoff, "cutoff", CUTOFFS, "ELMClassifier")
        check_choice(self.targets, "targets", TARGETS, "ELMClassifier")
        check_choice(self.precision, "precision", PRECISIONS, "ELMClassifier")
        self.weight_options().check("ELMClassifier")

    def target_matrix(self, codes: npt.NDArray[np.intp], n_classes: int) -> Array:
        """T (N × k) of class codes."""
        return signed_targets(codes, n_classes, *TARGETS[self.targets])

    def fit(self, X: Any, y: Any) -> ELMClassifier:
        """Draw the hidden layer from X (N × n), y (N) and solve for the output weights."""
        self.check_parameters()
        self.__dict__.pop("sums_", None)
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = encode_labels(y, "ELMClassifier")
        T = self.target_matrix(codes, len(self.classes_))
        self.W_, self.b_ = draw_layer(X, codes, self.strategy, self.n_hidden, self.random_state, self.weight_options())
        self.beta_, self.rank_, self.solver_ = solve_readout(
            Layer(self.W_, self.b_, precision=self.precision), X, T, lam=self.lam, cutoff=self.cutoff
        )
        return self

    @available_if(_learns_in_blocks)
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> ELMClassifier:
        """Learn a further block of rows; the first one draws the hidden layer and names the classes.

        After all blocks β is that of one fit with the same hidden layer. ``classes`` lists the labels to come, should
        the first block not hold them all.
        """
        self._add_block(X, y, classes)
        return self._solve_sums()

    @available_if(_learns_in_blocks)
    def fit_blocks(self, blocks: Iterable[tuple[Any, Any]], classes: Any = None) -> ELMClassifier:
        """Fit on a stream of (X, y) that need not fit in memory; as many calls of partial_fit, solved once."""
        self.__dict__.pop("sums_", None)
        for X, y in blocks:
            self._add_block(X, y, classes)
        if not hasattr(self, "sums_"):
            raise ValueError("ELMClassifier: fit_blocks needs at least one block of rows; got none.")
        return self._solve_sums()

    def _add_block(self, X: Any, y: Any, classes: Any) -> None:
        self.check_parameters()
        first = not hasattr(self, "sums_")
        X, y = validate_data(self, X, y, dtype=np.float64, reset=first)
        check_classification_targets(y)
        if first:
            self.classes_, _ = encode_labels(y if classes is None else classes, "ELMClassifier")
        codes = np.searchsorted(self.classes_, y).clip(max=len(self.classes_) - 1)
        unknown = np.unique(np.asarray(y)[self.classes_[codes] != y]).tolist()
        if unknown:
            raise ValueError(f"ELMClassifier: labels {unknown} are not among the classes {self.classes_.tolist()}.")
        if first:
            options = self.weight_options()
            self.W_, self.b_ = draw_layer(X, codes, self.strategy, self.n_hidden, self.random_state, options)
            self.sums_ = FoldGrams.zeros(self.n_hidden, len(self.classes_))
        block = (X, self.target_matrix(codes, len(self.classes_)))
        accumulate_blocks(Layer(self.W_, self.b_, precision=self.precision), [block], into=self.sums_)

    def _solve_sums(self) -> ELMClassifier:
        self.beta_, info = ridge_from_gram(*self.sums_.total(), cast(float, self.lam))
        self.rank_, self.solver_ = None, f"row blocks {info.method}"
        return self

    def scores(self, X: Any) -> Array:
        """One score per class (N × k), also for two classes."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return readout_scores(Layer(self.W_, self.b_), X, self.beta_)

    def decision_function(self, X: Any) -> Array:
        """Scores N × k; for two classes the margin of the second over the first (N), as scikit-learn expects."""
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score."""
        scores = self.scores(X)
        return self.classes_[scores.argmax(axis=1)]
