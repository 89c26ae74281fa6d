"""The extreme learning machine of every kind as a classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from celm.base.magnitude import checked_data
from celm.base.validation import as_given, check_choice, check_flag, codes_among, encode_labels, quoted, signed_targets
from celm.linalg.readout import Array
from celm.models.elm.block_rules import learns_in_blocks
from celm.models.elm.machine import BaseELM
from celm.models.elm.options import WeightOptions
from celm.models.elm.pairs import Indices
from celm.models.elm.probabilities import ProbabilityMixin, fitted_temperature, held_out_scores
from celm.models.elm.row_weights import check_class_weight, checked_weights, with_class_weight

TARGETS = {"signed": (-1.0, 1.0), "binary": (0.0, 1.0)}


class ELMClassifier(ProbabilityMixin, ClassifierMixin, BaseELM):
    """Extreme learning machine classifier; the paper's variants differ only in ``strategy``.

    Scores are sigmoid(XW + b)β with one column per class; the largest wins. The hidden layer W, b is drawn from the
    training samples, β solves β = (I/λ + HᵀH)⁻¹HᵀT (§II), or β = H⁺T without a penalty.

    Parameters
    ----------
    n_hidden : int, default=100
        Number of hidden nodes L.
    strategy : str or callable, default="cdelm"
        How the weights are drawn: elm, normalized_elm, orthogonal_elm, cdelm, selm, cselm, rselm, cmelm (the paper's),
        covariance, covariance_shrunk, covariance_diagonal, swim, ciw, ciw_unlabelled, rf_ciw, rf_differences, each a
        file of :mod:`celm.models.elm.strategies`; or direction/scale/bias such as gaussian/squared/uniform; or a
        callable (:class:`celm.models.elm.strategy.Strategy`).
    input_scale : float or None, default=None
        None leaves the weights as the strategy draws them (the paper). A number multiplies them so that the median
        standard deviation of the pre-activations on the training rows is that number; 0.1 to 2 are usual.
    bias_width : float, default=1.0
        Multiplies the biases that are drawn without regard to the rows: U[0, 1] becomes U[0, bias_width].
    lam : float or None, default=None
        The paper's λ (larger is a weaker penalty), or None for the pseudo-inverse.
    cutoff : {"matlab", "numpy", "none"}, default="matlab"
        Which singular values the pseudo-inverse drops: "matlab" max(size)·eps(‖H‖), "numpy" 1e-15·‖H‖, "none".
    targets : {"signed", "binary"}, default="signed"
        ±1 or 0/1.
    precision : {"auto", "mixed", "double", "quick_double", "single_products"}, default="auto"
        Of hidden outputs where rows go in blocks; sums over rows are double. "auto" is single where a bound shows that
        it does no harm (:mod:`celm.linalg.precision`), as ``solver_`` then says, and "quick_double" elsewhere: the
        sigmoid that is quickest on this processor. That of "double" has the same digits on all. "single_products" has
        no bound, and also holds for rows in single precision that are to be predicted. "mixed" has both, for smaller
        problems too, and first tries sums in single precision, at the price of one more pass where their bound fails.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied with those of the rows; "balanced" counts rows, whatever they weigh. Learning
        in blocks takes a dict or None.
    proba : bool, default=False
        Learn what predict_proba needs, at the price of five more fits: a softmax of the scores whose temperature has
        the least log loss on rows that models of the other rows, layer and readout, have scored. Without it there is
        no predict_proba: scores of least squares are no probabilities.
    options : WeightOptions or None, default=None
        Readings of the draw, where the paper's text and the authors' code differ; None for the defaults.
    random_state : None, int, RandomState or Generator, default=None
        Where the random numbers come from.

    Attributes
    ----------
    classes_ : array (k,)
        The classes, sorted.
    W_ : array (n, L)
        Input weights.
    b_ : array (L,)
        Biases.
    beta_ : array (L, k)
        Output weights.
    temperature_ : float
        Divides scores in the softmax; only with ``proba=True``.
    rank_ : int or None
        Numerical rank of H; None with a penalty.
    solver_ : str
        How β was solved, a fallback included.
    n_features_in_ : int
        Features seen during fit.

    See Also
    --------
    ELMClassifierCV : chooses node count, λ and scale by cross-validation.
    ELMRegressor : the same for targets that are numbers.

    References
    ----------
    Zhu, Miao and Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", §II and §III.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from celm import ELMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), ELMClassifier(30, strategy="cselm", lam=1e3, random_state=0))
    >>> model.fit(X, y).score(X, y) > 0.95
    True
    """

    def __init__(
        self,
        n_hidden: int = 100,
        *,
        strategy: Any = "cdelm",
        input_scale: float | None = None,
        bias_width: float = 1.0,
        lam: float | None = None,
        cutoff: str = "matlab",
        targets: str = "signed",
        precision: str = "auto",
        class_weight: Any = None,
        proba: bool = False,
        options: WeightOptions | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(n_hidden, strategy, input_scale, bias_width, lam, cutoff, precision, options, random_state)
        self.targets = targets
        self.class_weight = class_weight
        self.proba = proba

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        super().check_parameters()
        check_choice(self.targets, "targets", TARGETS, self.owner)
        check_class_weight(self.class_weight, self.owner)
        check_flag(self.proba, "proba", self.owner)

    def target_matrix(self, codes: npt.NDArray[np.intp], n_classes: int) -> Array:
        """T (N × k) of class codes."""
        return signed_targets(codes, n_classes, *TARGETS[self.targets])

    def _validated(self, X: Any, y: Any, *, reset: bool) -> tuple[Array, Any]:
        X, y = checked_data(self, X, y, dtype=np.float64, accept_sparse="csr", reset=reset)
        check_classification_targets(y)
        return X, y

    def _row_weights(self, y: Any, sample_weight: Any) -> Array | None:
        return with_class_weight(super()._row_weights(y, sample_weight), self.class_weight, y)

    def _learn_targets(self, y: Any, weights: Array | None) -> tuple[Indices, Array]:
        self.classes_, codes = encode_labels(y, self.owner)
        return codes, self.target_matrix(codes, len(self.classes_))

    def _block_targets(self, y: Any, learned: Any, *, first: bool) -> tuple[Indices, Array]:
        if self.class_weight == "balanced":
            raise ValueError(
                f'{self.owner}: class_weight="balanced" needs all rows at once; give a dict to learn in blocks.'
            )
        if first:
            self.classes_, _ = encode_labels(y if learned is None else learned, self.owner)
        elif learned is not None and not np.array_equal(np.unique(np.asarray(learned)), self.classes_):
            raise ValueError(
                f"{self.owner}: partial_fit goes on with the classes {quoted(self.classes_.tolist())} of its first "
                f"block; got classes={quoted(np.asarray(learned).tolist())}."
            )
        codes = codes_among(self.classes_, np.asarray(y), self.owner)
        return codes, self.target_matrix(codes, len(self.classes_))

    def _fitted(self, X: Array, y: Any, sample_weight: Any) -> None:
        if self.proba:
            codes, low = codes_among(self.classes_, y, self.owner), TARGETS[self.targets][0]
            held_out = held_out_scores(self, X, codes, self._row_weights(y, sample_weight), low)
            self.temperature_ = fitted_temperature(held_out, codes, checked_weights(sample_weight, len(y), self.owner))

    @available_if(learns_in_blocks)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> ELMClassifier:
        """Learn a further block of rows; the first one draws the hidden layer and names the classes.

        After all blocks β is that of one fit in double precision with the same hidden layer.

        Parameters
        ----------
        X : array (N, n)
            Rows.
        y : array (N,)
            Their classes.
        classes : array or None
            The labels to come, should the first block not hold them all.
        sample_weight : array (N,) or None
            Weights of the rows.

        Returns
        -------
        ELMClassifier
            The estimator itself.
        """
        return self._partial_fit(X, y, classes, sample_weight)

    @available_if(learns_in_blocks)
    def fit_blocks(self, blocks: Iterable[tuple[Any, ...]], classes: Any = None) -> ELMClassifier:
        """Fit on a stream of (X, y) that need not fit in memory; as many calls of partial_fit, solved once.

        Parameters
        ----------
        blocks : iterable of (X, y) or (X, y, sample_weight)
            Row blocks; the first one draws the hidden layer.
        classes : array or None
            The labels to come, should the first block not hold them all.

        Returns
        -------
        ELMClassifier
            The estimator itself.
        """
        return self._fit_blocks(blocks, classes)

    def decision_function(self, X: Any) -> Array:
        """Scores, as scikit-learn expects them.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, k) or (N,)
            One score per class; for two classes the margin of the second over the first.
        """
        scores = as_given(self.scores(X), X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N,)
            Classes.
        """
        scores = self.scores(X)
        return self.classes_[scores.argmax(axis=1)]
