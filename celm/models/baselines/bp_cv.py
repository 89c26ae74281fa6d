"""The BP baseline with its number of hidden nodes chosen on held-out rows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.validation import as_generator, check_integer, quoted
from celm.models.baselines.bp import BPClassifier
from celm.models.baselines.scored import Array, Codes, ScoredClassifier


class BPClassifierCV(ScoredClassifier):
    """BP with the number of hidden nodes chosen on the rows held out for early stopping.

    Every candidate is trained on the same rows, stopped early on the same held-out rows, and the one with the
    highest accuracy on these is kept as it is (the smallest among equals), without another training on all
    rows: nothing would then say when to stop.

    Parameters
    ----------
    n_hidden_grid : sequence of int
        The numbers of hidden nodes to choose from.
    targets, max_epochs, validation_fraction, patience, random_state
        As in :class:`BPClassifier`.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    best_estimator_ : BPClassifier
        The chosen network, fitted.
    n_hidden_ : int
        Its number of hidden nodes.
    n_epochs_, best_epoch_, stop_reason_, loss_, validation_accuracy_
        As in :class:`BPClassifier`.
    validation_accuracies_ : array
        Accuracies of all candidates on the held-out rows, in the order of the grid.
    fit_seconds_ : float
        Wall time of the chosen network's fit alone.
    selection_seconds_ : float
        Wall time of the fits of all candidates, the chosen one included.

    See Also
    --------
    BPClassifier : One network of a given size.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.B.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from celm import BPClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BPClassifierCV((3, 10), random_state=0).fit(X, y)
    >>> model.n_hidden_ in (3, 10)
    True
    """

    def __init__(
        self,
        n_hidden_grid: Sequence[int] = (10, 20, 50, 100),
        *,
        targets: str = "one_hot",
        max_epochs: int = 1000,
        validation_fraction: float = 0.2,
        patience: int = 50,
        random_state: Any = None,
    ) -> None:
        self.n_hidden_grid = n_hidden_grid
        self.targets = targets
        self.max_epochs = max_epochs
        self.validation_fraction = validation_fraction
        self.patience = patience
        self.random_state = random_state

    def _learn(self, X: Array, codes: Codes) -> None:
        y = self.classes_[codes]
        seed = int(as_generator(self.random_state).integers(2**63))
        networks, seconds = [], []
        for n_hidden in self.n_hidden_grid:
            started = time.perf_counter()
            networks.append(self._candidate(n_hidden, seed).fit(X, y))
            seconds.append(time.perf_counter() - started)
        self.validation_accuracies_ = np.array([network.validation_accuracy_ for network in networks])
        best = min(range(len(networks)), key=lambda i: (-self.validation_accuracies_[i], self.n_hidden_grid[i]))
        self.fit_seconds_, self.selection_seconds_ = seconds[best], sum(seconds)
        self._keep(networks[best])

    def _scores(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.best_estimator_._answers(checked_data(self, X, dtype=np.float64, reset=False))

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner, grid = type(self).__name__, self.n_hidden_grid
        sequence = isinstance(grid, Sequence | np.ndarray) and not isinstance(grid, str) and np.ndim(grid)
        if not sequence or len(grid) == 0:
            raise ValueError(f"{owner}: n_hidden_grid must be a list of at least one node count; got {quoted(grid)}.")
        for n_hidden in grid:
            check_integer(n_hidden, "every value of n_hidden_grid", owner, 1)
        self._candidate(grid[0], 0).check_parameters()

    def _candidate(self, n_hidden: int, seed: int) -> BPClassifier:
        return BPClassifier(
            n_hidden,
            targets=self.targets,
            max_epochs=self.max_epochs,
            validation_fraction=self.validation_fraction,
            patience=self.patience,
            random_state=seed,
        )

    def _keep(self, network: BPClassifier) -> None:
        self.best_estimator_, self.n_hidden_ = network, network.n_hidden
        self.n_epochs_, self.best_epoch_ = network.n_epochs_, network.best_epoch_
        self.stop_reason_, self.loss_ = network.stop_reason_, network.loss_
        self.validation_accuracy_ = network.validation_accuracy_
