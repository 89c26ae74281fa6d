"""Classifiers that answer after each of their stages, and the choice of their settings on held-out rows."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.base.seeds import generator, seed_of
from celm.base.threads import blas_threads, one_blas_thread
from celm.base.validation import as_generator, check_number, encode_labels, nearest

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.intp]


def margins(scores: Array) -> Array:
    """Scores (N × k) as they are; of two classes the margin of the second (N), from its one column or from two."""
    if scores.shape[1] == 1:
        return scores[:, 0]
    return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores


def winners(scores: Array) -> Codes:
    """The codes (N) of the largest scores; of two classes the second where its margin is positive."""
    values = margins(scores)
    return (values > 0).astype(np.intp) if values.ndim == 1 else values.argmax(axis=1)


class StagedClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A classifier built of stages, each of which has scores of its own; the last stage answers."""

    classes_: npt.NDArray[Any]

    @abstractmethod
    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""

    @abstractmethod
    def staged_scores(self, X: Any) -> Iterator[Array]:
        """The scores of X (N × n) after every stage, from the first on: N × k, or N × 1 for two classes."""

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """The predicted classes (N) after every stage, from the first on."""
        for scores in self.staged_scores(X):
            yield self.classes_[winners(scores)]

    def staged_accuracy(self, X: Any, y: Any) -> Array:
        """The share of rows of X (N × n) that every stage classifies as y (N) says."""
        labels = np.asarray(y)
        return np.array([np.mean(predicted == labels) for predicted in self.staged_predict(X)])

    def decision_function(self, X: Any) -> Array:
        """The last stage's scores N × k; for two classes the margin of the second over the first (N)."""
        return margins(self._last_scores(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score of the last stage."""
        predicted = winners(self._last_scores(X))
        return self.classes_[predicted]

    def _last_scores(self, X: Any) -> Array:
        *_, last = self.staged_scores(X)
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
        check_number(self.fraction, "fraction", "HeldOutSearch", 0.0, 0.9, above=True)
        if not isinstance(self.grid, Mapping) or not self.grid:
            raise ValueError(f"HeldOutSearch: grid must name at least one parameter; got {self.grid!r}.")
        known = sorted(set(self.estimator.get_params(deep=False)) - {"random_state"})
        for name, values in self.grid.items():
            if name not in known:
                raise ValueError(
                    f"HeldOutSearch: grid may name {', '.join(known)} of {type(self.estimator).__name__}; "
                    f"got {name!r}.{nearest(name, known)}"
                )
            if np.ndim(values) != 1 or not len(values):
                raise ValueError(f"HeldOutSearch: grid[{name!r}] must be a list of candidates; got {values!r}.")
        for candidate in self._combinations():
            clone(self.estimator).set_params(**candidate).check_parameters()

    def choose(self, X: Any, y: Any) -> HeldOutSearch:
        """Only choose on X (N × n), y (N): nothing is fitted on all rows, so it does not predict."""
        self._choose(*self._prepared(X, y))
        return self

    def fit(self, X: Any, y: Any) -> HeldOutSearch:
        """Choose on some rows of X (N × n), y (N), then fit the chosen classifier on all."""
        X, y, held_out, seed = self._prepared(X, y)
        self._choose(X, y, held_out, seed)
        started = time.perf_counter()
        self.best_estimator_ = self._fitted(self.best_params_, X, y, seed)
        self.fit_seconds_ = time.perf_counter() - started
        return self

    def _prepared(self, X: Any, y: Any) -> tuple[Array, npt.NDArray[Any], npt.NDArray[np.bool_], int]:
        """Checked rows and labels, which rows are held out, and the seed of all classifiers."""
        self.check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = encode_labels(y, "HeldOutSearch")
        entropy = int(as_generator(self.random_state).integers(2**63))
        held_out = held_out_rows(codes, self.fraction, generator(entropy, "held out"))
        return X, y, held_out, seed_of(entropy, "model")

    def _choose(self, X: Array, y: npt.NDArray[Any], held_out: npt.NDArray[np.bool_], seed: int) -> None:
        started = time.perf_counter()
        self.candidates_ = self._combinations()
        rows, others = (X[~held_out], y[~held_out]), (X[held_out], y[held_out])

        def accuracies(candidate: dict[str, Any]) -> Array:
            return self._fitted(candidate, *rows, seed).staged_accuracy(*others)

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

    def _fitted(self, candidate: dict[str, Any], X: Array, y: npt.NDArray[Any], seed: int) -> StagedClassifier:
        model = clone(self.estimator).set_params(**candidate, random_state=seed)
        return model.fit(X, y)

    def staged_scores(self, X: Any) -> Iterator[Array]:
        """The scores of the chosen classifier after each of its stages."""
        check_is_fitted(self, "best_estimator_")
        yield from self.best_estimator_.staged_scores(validate_data(self, X, dtype=np.float64, reset=False))


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
