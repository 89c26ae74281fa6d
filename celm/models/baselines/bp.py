"""The paper's BP baseline: a network with one hidden layer trained by RPROP, with early stopping."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.room import check_room
from celm.base.validation import (
    as_generator,
    check_choice,
    check_flag,
    check_integer,
    check_number,
    quoted,
    signed_targets,
)
from celm.models.baselines.rprop import Array, Layers, Rows, Shape, forward, layers_of, start_weights, train
from celm.models.baselines.scored import Codes, ScoredClassifier

# The output activation that goes with each coding of the targets.
OUTPUT_OF_TARGETS = {"one_hot": "tansig", "class_index": "purelin"}


def network_targets(codes: npt.NDArray[np.intp], n_classes: int, targets: str) -> Array:
    """What the network shall answer: ±1 per class (N × k), or the class index mapped to [-1, 1] (N × 1)."""
    if targets == "one_hot":
        return signed_targets(codes, n_classes)
    return np.linspace(-1.0, 1.0, n_classes)[codes][:, None]


def class_scores(outputs: Array, n_classes: int, targets: str) -> Array:
    """One score per class (N × k), the highest for the predicted class.

    ``one_hot``: the outputs. ``class_index``: minus the distance of the output to each class's target, so that
    the highest score is the output rounded to the nearest index and clipped to the range of the indices.
    """
    if targets == "one_hot":
        return outputs
    return -np.abs(outputs - np.linspace(-1.0, 1.0, n_classes))


def min_max_scaling(X: Array) -> tuple[Array, Array]:
    """Centre and half range (both n,) of the columns of X; a constant column gets half range 1."""
    low, high = X.min(axis=0), X.max(axis=0)
    half_range = high / 2 - low / 2
    return low + half_range, np.where(half_range > 0, half_range, 1.0)


class BPClassifier(ScoredClassifier):
    """One hidden tanh layer, mean squared error, full-batch RPROP: the paper's baseline "BP".

    The paper gives no details. The inputs are mapped to [-1, 1] by the ranges of the rows given to ``fit``
    and the weights start after Nguyen and Widrow, both as in MATLAB. ``validation_fraction`` of the rows,
    drawn at random, never train: their loss says when to stop, and the weights of its minimum are kept.

    Parameters
    ----------
    n_hidden : int, default=20
        Number of hidden nodes.
    targets : {"one_hot", "class_index"}, default="one_hot"
        ±1 per class with tanh outputs; or the reading that explains the published accuracies: a single linear output
        is trained towards the class index mapped to [-1, 1] and its answer is rounded to the nearest index. It treats
        unordered classes as a scale and collapses with many of them. The reading goes with
        ``n_hidden=10, max_epochs=100, early_stopping=False``.
    max_epochs : int, default=1000
        The largest number of updates.
    early_stopping : bool, default=True
        Hold out rows and stop on them; without it, all rows train and the last weights are kept.
    validation_fraction : float, default=0.2
        Share of the rows held out, rounded to a whole number of at least one row.
    patience : int, default=50
        Epochs without a lower validation loss before stopping. MATLAB's 6 stops in the first pause of the falling
        loss; on MDD-fou, MDD-pix and WDBC (20 nodes, four rounds) 50 reaches a higher validation accuracy than 6 and
        20, and 100 the same as 50.
    random_state : None, int, RandomState or Generator, default=None
        Seed of the held-out rows, drawn first, and of the start weights.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    layers_ : Layers
        The kept weights W (n × L), b (L,), U (L × k) and c (k,).
    targets_ : {"one_hot", "class_index"}
        How the classes were coded in the fit.
    centre_, half_range_ : array (n,)
        The scaling of the inputs.
    validation_rows_ : array of int
        The held-out rows of X, empty without early stopping.
    n_epochs_, best_epoch_ : int
        Updates made, and the one whose weights are kept.
    stop_reason_ : {"validation", "max_epochs", "gradient"}
        Why training ended; "gradient" when its norm fell below 1e-5.
    loss_ : float
        Mean squared error of the kept weights on the rows that trained.
    validation_accuracy_ : float or None
        Their accuracy on the held-out rows, None without early stopping.

    See Also
    --------
    BPClassifierCV : The same with the number of hidden nodes chosen.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from celm import BPClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> BPClassifier(10, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    def __init__(
        self,
        n_hidden: int = 20,
        *,
        targets: str = "one_hot",
        max_epochs: int = 1000,
        early_stopping: bool = True,
        validation_fraction: float = 0.2,
        patience: int = 50,
        random_state: Any = None,
    ) -> None:
        self.n_hidden = n_hidden
        self.targets = targets
        self.max_epochs = max_epochs
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.random_state = random_state

    def _learn(self, X: Array, codes: Codes) -> None:
        self.centre_, self.half_range_ = min_max_scaling(X)
        rng = as_generator(self.random_state)
        held_out = self._held_out(len(X), rng)
        self.validation_rows_ = np.flatnonzero(held_out)
        self._train(self._scaled(X), codes, held_out, rng)
        self.validation_accuracy_ = None
        if self.early_stopping:
            predicted = self._answers(X[held_out]).argmax(axis=1)
            self.validation_accuracy_ = float(np.mean(predicted == codes[held_out]))

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        return self._answers(checked_data(self, X, dtype=np.float64, reset=False))

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = type(self).__name__
        check_integer(self.n_hidden, "n_hidden", owner, 1)
        check_choice(self.targets, "targets", OUTPUT_OF_TARGETS, owner)
        check_integer(self.max_epochs, "max_epochs", owner, 1)
        check_flag(self.early_stopping, "early_stopping", owner)
        check_number(self.validation_fraction, "validation_fraction", owner, 0, 1, above=True)
        check_integer(self.patience, "patience", owner, 1)

    def _held_out(self, n_rows: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
        """A mask of the rows that do not train."""
        held_out = np.zeros(n_rows, dtype=bool)
        if self.early_stopping:
            n_held_out = max(1, round(self.validation_fraction * n_rows))
            if n_held_out >= n_rows:
                raise ValueError(
                    f"{type(self).__name__}: validation_fraction must leave at least one of the rows for training; "
                    f"got {quoted(self.validation_fraction)} with n_samples={n_rows}."
                )
            held_out[rng.permutation(n_rows)[:n_held_out]] = True
        return held_out

    def _train(
        self,
        X: Array,
        codes: Codes,
        held_out: npt.NDArray[np.bool_],
        rng: np.random.Generator,
    ) -> None:
        check_room(max(X.shape) * self.n_hidden, f"a network of {self.n_hidden} hidden nodes")
        self.targets_ = self.targets
        T = network_targets(codes, len(self.classes_), self.targets)
        shape = Shape(X.shape[1], self.n_hidden, T.shape[1], OUTPUT_OF_TARGETS[self.targets])
        validation = Rows.of(X[held_out], T[held_out], self.n_hidden) if self.early_stopping else None
        training = train(
            start_weights(shape, rng),
            shape,
            Rows.of(X[~held_out], T[~held_out], self.n_hidden),
            validation,
            max_epochs=self.max_epochs,
            patience=self.patience,
        )
        self.layers_: Layers = layers_of(training.weights, shape)
        self.loss_, self.stop_reason_ = training.loss, training.stop_reason
        self.n_epochs_, self.best_epoch_ = training.n_epochs, training.best_epoch

    def _scaled(self, X: Array) -> Array:
        scaled: Array = (X - self.centre_) / self.half_range_
        return scaled

    def _answers(self, X: Array) -> Array:
        """One score per class (N × k) of checked rows."""
        n_rows, (_, n_outputs) = len(X), self.layers_.U.shape
        outputs = forward(
            self.layers_,
            OUTPUT_OF_TARGETS[self.targets_],
            self._scaled(X),
            np.empty((n_rows, len(self.layers_.b))),
            np.empty((n_rows, n_outputs)),
        )
        return class_scores(outputs, len(self.classes_), self.targets_)
