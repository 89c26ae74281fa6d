"""The multilayer extreme learning machine (ML-ELM): layers learned by auto-encoders, then a ridge readout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import check_squares, checked_data
from celm.base.validation import as_generator, check_integer, check_number, quoted, signed_targets
from celm.linalg.projection import project
from celm.linalg.row_qr import ridge_from_rows
from celm.models.baselines.autoencoder import Array, LearnedLayer, learn_layer
from celm.models.baselines.scored import Codes, ScoredClassifier


class MLELMClassifier(ScoredClassifier):
    """ML-ELM of Kasun et al. (2013), the deep baseline of the paper's Table II.

    Every hidden layer, the last one too, is learned by an ELM auto-encoder
    (:mod:`celm.models.baselines.autoencoder`) from the outputs of the layer before; a ridge readout on the last layer
    gives the scores. Nothing is tuned afterwards.

    The defaults are one of the two settings published with the method's code. It names two values for three layers:
    the first layer's and the last layer's; a layer of equal size between them has encoder slope 1, no penalty, and
    is linear. On MNIST (each image with mean 0 and standard deviation 1, ddof 1) they give .965 to .968, the paper
    .968. The other published setting gives .974:
    ``penalties=(1e-1, None, 1e4), encoder_slopes=(0.8, 1.0, 0.9), forward_slopes=(0.7, 1.0, 1.0)``.
    Both are for tens of thousands of rows: one term of the penalty grows with the nodes and not with the rows, so
    that wide layers on few rows want larger ``penalties``.

    With λ = 1e8 the readout's Gram matrix is singular to rounding, and dropping what is below rounding costs half a
    point on MNIST, so the readout is solved by a QR of the rows (:mod:`celm.linalg.row_qr`). No layer's outputs are
    held whole but those that a next layer learns from. For N rows and a last layer of L nodes the work is about
    3NL² and the memory two L × L matrices: 700-700-1000 on the 60,000 digits takes 30 CPU seconds and 1.5 GB,
    700-700-15000 about 27 CPU minutes and 5 GB (extrapolated from 6,000 rows).

    Parameters
    ----------
    layers : sequence of int, default=(700, 700, 1000)
        Nodes of the hidden layers, from the input on.
    penalties : sequence of float or None
        C of every auto-encoder (larger is a weaker penalty); a layer as wide as its input uses none: None.
    encoder_slopes : sequence of float
        What the random encoder's XW + b is multiplied by before the sigmoid, one per layer.
    forward_slopes : sequence of float
        What the learned XBᵀ is multiplied by before the sigmoid, one per layer.
    lam : float, default=1e8
        λ of the readout (larger is a weaker penalty).
    random_state : None, int, RandomState or Generator, default=None
        Seed of the encoders.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    layers_ : list of LearnedLayer
        Each with W (inputs × nodes), its activation, and how it was solved.
    beta_ : array (nodes of the last layer, classes)
        Output weights.
    solver_ : {"qr", "svd"}
        How the readout was solved: "qr" of the rows, or "svd" should even that be singular to rounding.
    rcond_ : float
        Reciprocal condition of the triangle of that QR.
    rank_ : int
        How many singular values were used.

    See Also
    --------
    SampleStandardizer : The scaling of images that the defaults were made for.
    ELMClassifier : One drawn hidden layer.

    References
    ----------
    L. Kasun, H. Zhou, G. Huang, C. Vong, "Representational Learning with ELMs for Big Data", IEEE Intelligent Systems,
    2013; compared in §IV.C of the paper.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from celm import MLELMClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MLELMClassifier(
    ...     (4, 30), penalties=(1e3, 1e3), encoder_slopes=(1.0, 1.0), forward_slopes=(1.0, 1.0), lam=1e4, random_state=0
    ... )
    >>> [layer.solver for layer in model.fit(X, y).layers_]
    ['procrustes', 'cholesky']
    """

    def __init__(
        self,
        layers: Sequence[int] = (700, 700, 1000),
        *,
        penalties: Sequence[float | None] = (1e-1, None, 1e3),
        encoder_slopes: Sequence[float] = (0.8, 1.0, 4.0),
        forward_slopes: Sequence[float] = (0.7, 1.0, 6.0),
        lam: float = 1e8,
        random_state: Any = None,
    ) -> None:
        self.layers = layers
        self.penalties = penalties
        self.encoder_slopes = encoder_slopes
        self.forward_slopes = forward_slopes
        self.lam = lam
        self.random_state = random_state

    def _learn(self, X: Array, codes: Codes) -> None:
        check_squares(X, "MLELMClassifier")
        rng = as_generator(self.random_state)
        self.layers_: list[LearnedLayer] = []
        settings = zip(self.layers, self.penalties, self.encoder_slopes, self.forward_slopes, strict=True)
        for n_nodes, penalty, encoder_slope, forward_slope in settings:
            if self.layers_:
                X = self.layers_[-1].outputs(X)
            layer = learn_layer(
                X, n_nodes, rng, penalty=penalty, encoder_slope=encoder_slope, forward_slope=forward_slope
            )
            self.layers_.append(layer)
        T = signed_targets(codes, len(self.classes_))
        self.beta_, info = ridge_from_rows(layer, X, T, float(self.lam))
        self.solver_, self.rcond_, self.rank_ = info.method, info.rcond, info.rank

    def scores(self, X: Any) -> Array:
        """One score per class, also for two classes.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N, k)
            Scores in the order of ``classes_``.
        """
        return self._scores(X)

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        X = checked_data(self, X, dtype=np.float64, reset=False)
        *before, last = self.layers_
        for layer in before:
            X = layer.outputs(X)
        return project(last, X, self.beta_)

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = type(self).__name__
        n_layers = _length(self.layers)
        if not n_layers:
            raise ValueError(f"{owner}: layers must hold at least one node count; got {quoted(self.layers)}.")
        for index, n_nodes in enumerate(self.layers):
            check_integer(n_nodes, f"layers[{index}]", owner, 1)
        for name in ("penalties", "encoder_slopes", "forward_slopes"):
            values = getattr(self, name)
            if _length(values) != n_layers:
                raise ValueError(
                    f"{owner}: {name} must hold one value for each of {n_layers} layers; got {quoted(values)}."
                )
            for index, value in enumerate(values):
                as_wide_as_before = index > 0 and self.layers[index] == self.layers[index - 1]
                if not (name == "penalties" and value is None and as_wide_as_before):
                    check_number(value, f"{name}[{index}]", owner, 0, above=True)
        check_number(self.lam, "lam", owner, 0, above=True)


def _length(values: Any) -> int:
    """How many values there are; 0 for what is no sequence of values."""
    return len(values) if hasattr(values, "__len__") and not isinstance(values, str) and np.ndim(values) else 0
