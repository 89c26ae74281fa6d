"""R²SVM of Vinyals et al. (2012), a deep baseline of Table III: linear SVMs on randomly shifted, squashed inputs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import SQUARED, checked_data
from celm.base.room import check_room
from celm.base.validation import as_generator, check_choice, check_integer, check_number
from celm.models.baselines.scored import Codes
from celm.models.baselines.staged import StagedClassifier
from celm.models.baselines.svm_columns import class_targets
from celm.models.baselines.svm_path import check_penalty, svm_path

Array = npt.NDArray[np.float64]

WEIGHTS = ("fresh", "cumulative")


def draw_projections(
    n_layers: int, n_outputs: int, n_features: int, rng: np.random.Generator, weights: str
) -> list[Array]:
    """What carries the outputs of the layers before each layer back to the features; all entries ~ N(0, 1).

    Layer k (from 0) has k·m × n numbers, m rows for each layer before it: its own draw ("fresh"), or the first rows
    of one draw that all layers share ("cumulative"). The first layers of a longer draw are the draw of fewer.
    """
    widths = n_layers * (n_layers - 1) // 2 if weights == "fresh" else n_layers
    check_room(widths * n_outputs * n_features, f"the projections of {n_layers} layers")
    if weights == "fresh":
        return [rng.standard_normal((layer * n_outputs, n_features)) for layer in range(n_layers)]
    shared = rng.standard_normal(((n_layers - 1) * n_outputs, n_features))
    return [shared[: layer * n_outputs] for layer in range(n_layers)]


def layer_inputs(X: Array, outputs: Array, W: Array, beta: float) -> Array:
    """σ(x + β·oW) with σ(z) = 4(1/(1 + e^{−z}) − ½) for outputs o (N × km) of k earlier layers; x itself if k = 0."""
    if not len(W):
        return X
    Z = outputs @ W
    Z *= beta
    Z += X
    expit(Z, out=Z)
    Z -= 0.5
    Z *= 4.0
    return Z


class R2SVMClassifier(StagedClassifier):
    """Layers of one-vs-all linear SVMs; layer k sees σ(x + β·Σ_{i<k} o_i W_i), o_i the scores of layer i.

    The first layer is a plain linear SVM on x. Each later one sees x shifted along random directions, by as much as
    the layers before it were sure of each class, and squashed to (−2, 2): nothing is tuned backwards. Outputs on the
    training rows are those of SVMs that have seen them. x should be z-scored. Every stage of ``staged_scores`` is a
    layer, with m = 1 column for two classes.

    Parameters
    ----------
    n_layers : int, default=60
        Number of layers.
    beta : float, default=0.1
        How far the outputs move x.
    C : float, default=1000.0
        Weight of the mean squared hinge, as in :class:`celm.LinearSVM`; where the loss is a sum, C is this one
        divided by the number of rows: 0.02 there is 1000 here for 50,000 rows. Few rows want a smaller one: layers
        that fit their rows too well mislead the next, and accuracy falls with depth. Choose it together with beta by
        :class:`celm.HeldOutSearch`.
    weights : {"fresh", "cumulative"}, default="fresh"
        "fresh" draws the W_i of all earlier outputs anew for every layer; "cumulative" draws W_i once, so that
        every layer adds one term to the shift of the layer before it.
    tol, max_iter : float and int, default=1e-3 and 200
        Of every SVM, as in :class:`celm.LinearSVM`.
    random_state : None, int, RandomState or Generator, default=None

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    beta_ : float
        The β of the fit.
    projections_ : list of array
        Per layer the W_i stacked (km × n for layer k from 0).
    coef_ : array (n_layers, m, n)
    intercept_ : array (n_layers, m)
    n_iter_ : int
        Most Newton steps of any SVM.
    converged_ : bool
        Whether all SVMs did.

    See Also
    --------
    LinearSVM : One layer.
    DCNClassifier : The other deep system of the paper's Table III.

    References
    ----------
    O. Vinyals, Y. Jia, L. Deng, T. Darrell, "Learning with Recursive Perceptual Representations", NIPS 2012; compared
    in §IV.C of the paper.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from celm import R2SVMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = R2SVMClassifier(3, C=10.0, random_state=0).fit(scale(X), y)
    >>> model.staged_accuracy(scale(X), y).shape
    (3,)
    """

    def __init__(
        self,
        n_layers: int = 60,
        *,
        beta: float = 0.1,
        C: float = 1000.0,
        weights: str = "fresh",
        tol: float = 1e-3,
        max_iter: int = 200,
        random_state: Any = None,
    ) -> None:
        self.n_layers = n_layers
        self.beta = beta
        self.C = C
        self.weights = weights
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = "R2SVMClassifier"
        check_integer(self.n_layers, "n_layers", owner, 1)
        check_number(self.beta, "beta", owner, 0.0, SQUARED)
        check_penalty(self.C, "C", owner)
        check_choice(self.weights, "weights", WEIGHTS, owner)
        check_number(self.tol, "tol", owner, 0.0, 1.0, above=True)
        check_integer(self.max_iter, "max_iter", owner, 1)

    def _learn(self, X: Array, codes: Codes) -> None:
        self._learn_layers(X, class_targets(codes, len(self.classes_)))
        if not self.converged_:
            message = f"R2SVMClassifier: a layer's SVM has not converged to tol={self.tol:g} in {self.max_iter} steps."
            warnings.warn(message, ConvergenceWarning, stacklevel=3)

    def _learn_layers(self, X: Array, targets: Array) -> None:
        m, n = len(targets), X.shape[1]
        self.beta_ = self.beta
        self.projections_ = draw_projections(self.n_layers, m, n, as_generator(self.random_state), self.weights)
        self.coef_, self.intercept_ = np.empty((self.n_layers, m, n)), np.empty((self.n_layers, m))
        self.n_iter_, self.converged_ = 0, True
        outputs = np.empty((len(X), self.n_layers * m))
        for layer, W in enumerate(self.projections_):
            Z = layer_inputs(X, outputs[:, : len(W)], W, self.beta)
            solution = next(svm_path(Z, targets, [self.C], tol=self.tol, max_iter=self.max_iter))
            self.coef_[layer], self.intercept_[layer] = solution.coef, solution.intercept
            outputs[:, len(W) : len(W) + m] = solution.scores.T
            self.n_iter_ = max(self.n_iter_, int(solution.n_iter.max()))
            self.converged_ = self.converged_ and bool(solution.converged.all())

    def _staged(self, X: Any) -> Iterator[Array]:
        check_is_fitted(self)
        X = checked_data(self, X, dtype=np.float64, reset=False)
        outputs = np.empty((len(X), self.intercept_.size))
        for W, coef, intercept in zip(self.projections_, self.coef_, self.intercept_, strict=True):
            scores = layer_inputs(X, outputs[:, : len(W)], W, self.beta_) @ coef.T + intercept
            outputs[:, len(W) : len(W) + len(intercept)] = scores
            yield scores
