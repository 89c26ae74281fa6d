"""Classifiers that answer after each of their stages, and the choice of their settings on held-out rows."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from celm.base.magnitude import checked_data
from celm.base.seeds import generator, seed_of
from celm.base.threads import blas_threads, one_blas_thread
from celm.base.validation import as_generator, check_number, nearest, quoted
from celm.models.baselines.scored import Array, Codes, ScoredClassifier, winners


class StagedClassifier(ScoredClassifier):
    """A classifier built of stages, each of which has scores of its own; the last stage answers."""

    @abstractmethod
    def _staged(self, X: Any) -> Iterator[Array]:
        """Scores after every stage, from the first on, of rows that are still to be checked."""

    def staged_scores(self, X: Any) -> Iterator[Array]:
        """The scores after every stage, from the first on.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Yields
        ------
        array (N, k), or (N, 1) for two classes
            Scores of a stage.
        """
        yield from self._staged(X)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predicted classes after every stage, from the first on.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Yields
        ------
        array (N,)
            Classes of a stage.
        """
        for scores in self._staged(X):
            yield self.classes_[winners(scores)]

    def staged_accuracy(self, X: Any, y: Any) -> Array:
        """The share of rows that every stage classifies as they are.

        Parameters
        ----------
        X : array (N, n)
            Rows.
        y : array (N,)
            Their classes.

        Returns
        -------
        array (stages,)
            Accuracies, from the first stage on.
        """
        labels = np.asarray(y)
        return np.array([np.mean(predicted == labels) for predicted in self.staged_predict(X)])

    def _scores(self, X: Any) -> Array:
        *_, last = self._staged(X)
        return last


class HeldOutSearch(StagedClassifier):
    """Chooses settings of a staged classifier on held-out training rows, then fits it on all of them.

    Every combination of the grid is fitted on the other rows with the same random numbers; the one with most
    held-out rows correct after its last stage wins, the first of equals. No test row plays a part.

    Parameters
    ----------
    estimator : StagedClassifier
        The classifier; what the grid does not name stays as it is there, but for its random_state.
    grid : dict
        Parameter name -> candidates.
    fraction : float, default=0.2
        Share of every class that is held out, rounded down.
    random_state : None, int, RandomState or Generator, default=None
        Held-out rows and the classifier's seed come from it.

    Attributes
    ----------
    classes_ : array (k,)
    n_features_in_ : int
    best_params_ : dict
    best_estimator_ : StagedClassifier
        Fitted on all rows.
    candidates_ : list of dict
        All combinations.
    held_out_accuracy_ : array (combinations, stages)
        Their accuracies.
    at_edge_ : list of str
        Parameters whose chosen value is the first or the last of its several candidates.
    selection_seconds_, fit_seconds_ : float
        Time of the choice and of the one fit after it.

    See Also
    --------
    DCNClassifier, R2SVMClassifier : Classifiers that answer after every stage.

    References
    ----------
    W. Zhu, J. Miao, L. Qing, "Constrained Extreme Learning Machines: A Study on Classification Cases", 2015, §IV.C.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.preprocessing import scale
    >>> from celm import DCNClassifier, HeldOutSearch
    >>> X, y = load_iris(return_X_y=True)
    >>> search = HeldOutSearch(DCNClassifier(2, 20), {"lam": [1e-3, 1e2]}, random_state=0).fit(scale(X), y)
    >>> search.held_out_accuracy_.shape
    (2, 2)
    """

    def __init__(
        self,
        estimator: StagedClassifier,
        grid: Mapping[str, Sequence[Any]],
        *,
        fraction: float = 0.2,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.grid = grid
        self.fraction = fraction
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        if not isinstance(self.estimator, StagedClassifier):
            raise TypeError(f"HeldOutSearch: estimator must answer after every stage; got {quoted(self.estimator)}.")
        check_number(self.fraction, "fraction", "HeldOutSearch", 0.0, 0.9, above=True)
        if not isinstance(self.grid, Mapping) or not self.grid:
            raise ValueError(f"HeldOutSearch: grid must name at least one parameter; got {quoted(self.grid)}.")
        known = sorted(set(self.estimator.get_params(deep=False)) - {"random_state"})
        for name, values in self.grid.items():
            if name not in known:
                raise ValueError(
                    f"HeldOutSearch: grid may name {', '.join(known)} of {type(self.estimator).__name__}; "
                    f"got {quoted(name)}.{nearest(name, known)}"
                )
            if np.ndim(values) != 1 or not len(values):
                raise ValueError(f"HeldOutSearch: grid[{name!r}] must be a list of candidates; got {quoted(values)}.")
        for candidate in self._combinations():
            clone(self.estimator).set_params(**candidate).check_parameters()

    def choose(self, X: Any, y: Any) -> HeldOutSearch:
        """Only choose.

        Nothing is fitted on all rows, so it does not predict.

        Parameters
        ----------
        X : array (N, n)
            Training rows.
        y : array (N,)
            Their classes.

        Returns
        -------
        HeldOutSearch
            The estimator itself.
        """
        X, codes = self._prepared(X, y)
        self._choose(X, codes, self._entropy())
        return self

    def _learn(self, X: Array, codes: Codes) -> None:
        entropy = self._entropy()
        self._choose(X, codes, entropy)
        started = time.perf_counter()
        self.best_estimator_ = self._fitted(self.best_params_, X, self.classes_[codes], entropy)
        self.fit_seconds_ = time.perf_counter() - started

    def _entropy(self) -> int:
        return int(as_generator(self.random_state).integers(2**63))

    def _choose(self, X: Array, codes: Codes, entropy: int) -> None:
        held_out, y = held_out_rows(codes, self.fraction, generator(entropy, "held out")), self.classes_[codes]
        started = time.perf_counter()
        self.candidates_ = self._combinations()
        rows, others = (X[~held_out], y[~held_out]), (X[held_out], y[held_out])

        def accuracies(candidate: dict[str, Any]) -> Array:
            return self._fitted(candidate, *rows, entropy).staged_accuracy(*others)

        # A candidate per thread: the stages of one come after each other and leave little to share out.
        n_threads = blas_threads()
        with one_blas_thread(), ThreadPoolExecutor(n_threads) as pool:
            self.held_out_accuracy_ = np.array(list(pool.map(accuracies, self.candidates_)))
        self.best_params_ = self.candidates_[int(self.held_out_accuracy_[:, -1].argmax())]
        self.at_edge_ = [
            name
            for name, values in self.grid.items()
            if len(values) > 1 and self.best_params_[name] in (values[0], values[-1])
        ]
        self.selection_seconds_ = time.perf_counter() - started

    def _combinations(self) -> list[dict[str, Any]]:
        return [dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())]

    def _fitted(self, candidate: dict[str, Any], X: Array, y: npt.NDArray[Any], entropy: int) -> StagedClassifier:
        model = clone(self.estimator).set_params(**candidate, random_state=seed_of(entropy, "model"))
        return model.fit(X, y)

    def _staged(self, X: Any) -> Iterator[Array]:
        check_is_fitted(self, "best_estimator_")
        yield from self.best_estimator_.staged_scores(checked_data(self, X, dtype=np.float64, reset=False))


def held_out_rows(
    codes: Codes, fraction: float, rng: np.random.Generator, owner: str = "HeldOutSearch"
) -> npt.NDArray[np.bool_]:
    """Which rows are held out: ⌊fraction · n_c⌋ of the n_c rows of every class, and at least one row in all."""
    held_out = np.zeros(len(codes), dtype=np.bool_)
    order = rng.permutation(len(codes))
    for code in range(int(codes.max()) + 1):
        rows = order[codes[order] == code]
        held_out[rows[: int(fraction * len(rows))]] = True
    if not held_out.any():
        largest = np.bincount(codes).max()
        raise ValueError(
            f"{owner}: fraction={fraction:g} holds out no row of classes of at most {largest} rows; "
            f"it must be at least {1 / largest:g}."
        )
    return held_out
