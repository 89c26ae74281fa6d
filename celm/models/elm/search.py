"""Choosing the node count and λ of an extreme learning machine by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from celm.base.seeds import seed_of
from celm.base.validation import (
    as_generator,
    check_choice,
    check_flag,
    check_folds,
    check_integer,
    check_number,
    encode_labels,
)
from celm.linalg.layer import Layer
from celm.linalg.readout import Array
from celm.linalg.selection import LAYERS, Choice, Problem, best_choice, best_lambdas, correct_surface
from celm.linalg.solve import blocked_surface, is_large
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.hidden import draw_layer
from celm.models.elm.weights import NOT_NESTED

LAMBDAS = tuple(10.0**e for e in range(-8, 9))


class ELMClassifierCV(ClassifierMixin, BaseEstimator):
    """Chooses node count and λ together by cross-validation, then fits once (§IV.B: three folds, λ = 10^{-8..8}).

    Parameters
    ----------
    estimator : an :class:`ELMClassifier` whose n_hidden and lam are to be chosen; None for the default one.
    n_hidden_grid, lams : the candidates.
    cv : number of folds, or one fold number per training row.
    choose : "joint" takes the best pair; "largest" the largest node count with its own best λ.
    layer : "shared" draws the hidden layer once for all folds; "per_fold" redraws it for each.
    nested : the layers of all node counts are prefixes of one draw; False draws every count afresh
        (orthogonal ELM always does).
    random_state : None, an integer or a numpy generator; layers and folds come from it.

    Attributes
    ----------
    n_hidden_, lam_, cv_accuracy_ : the choice; lam_at_edge_ : whether λ lies at an end of ``lams``;
    surface_ : correct held-out rows per node count and λ; lambdas_by_count_ : best λ of every count;
    best_estimator_ ; selection_seconds_, fit_seconds_ : time of the choice and of the one fit after it.
    """

    def __init__(
        self,
        estimator: ELMClassifier | None = None,
        *,
        n_hidden_grid: Sequence[int] = tuple(range(5, 201, 5)),
        lams: Sequence[float] = LAMBDAS,
        cv: int | npt.ArrayLike = 3,
        choose: str = "joint",
        layer: str = "shared",
        nested: bool = True,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_hidden_grid = n_hidden_grid
        self.lams = lams
        self.cv = cv
        self.choose = choose
        self.layer = layer
        self.nested = nested
        self.random_state = random_state

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = "ELMClassifierCV"
        check_grid(self.n_hidden_grid, "n_hidden_grid", owner, lambda L: check_integer(L, "n_hidden_grid", owner, 1))
        check_grid(self.lams, "lams", owner, lambda lam: check_number(lam, "lams", owner, 0, above=True))
        check_choice(self.choose, "choose", ("joint", "largest"), owner)
        check_choice(self.layer, "layer", LAYERS, owner)
        check_flag(self.nested, "nested", owner)
        self._base().check_parameters()

    def _base(self) -> ELMClassifier:
        return ELMClassifier() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: Any) -> ELMClassifierCV:
        """Choose on folds of X (N × n), y (N), then fit the chosen model on all rows."""
        self.choose_candidate(X, y)
        return self.fit_candidate(X, y, self.n_hidden_, self.lam_)

    def choose_candidate(self, X: Any, y: Any) -> ELMClassifierCV:
        """Choose on folds of X (N × n), y (N); nothing is fitted on all rows yet."""
        self.check_parameters()
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = encode_labels(y, "ELMClassifierCV")
        self._entropy = self._drawn_entropy()
        folds = check_folds(self.cv, len(X), np.random.default_rng(seed_of(self._entropy, "folds")), "ELMClassifierCV")
        started = time.perf_counter()
        choice = self._select(X, codes, folds)
        self.selection_seconds_ = time.perf_counter() - started
        self.n_hidden_, self.lam_, correct = choice
        self.cv_accuracy_ = correct / len(X)
        self.lam_at_edge_ = self.lam_ in (min(self.lams), max(self.lams))
        return self

    def fit_candidate(self, X: Any, y: Any, n_hidden: int, lam: float) -> ELMClassifierCV:
        """Fit the model of one candidate on all rows, chosen here or known from elsewhere."""
        if not hasattr(self, "_entropy"):
            self._entropy = self._drawn_entropy()
        started = time.perf_counter()
        self.best_estimator_ = self.estimator_at(n_hidden, lam).fit(X, y)
        self.fit_seconds_ = time.perf_counter() - started
        self.classes_, self.n_features_in_ = self.best_estimator_.classes_, self.best_estimator_.n_features_in_
        self.n_hidden_, self.lam_ = n_hidden, lam
        return self

    def _drawn_entropy(self) -> int:
        return int(as_generator(self.random_state).integers(2**63))

    def _select(self, X: Array, codes: npt.NDArray[np.intp], folds: npt.NDArray[np.intp]) -> Choice:
        base, counts, lams = self._base(), list(self.n_hidden_grid), list(self.lams)

        def layer(n_hidden: int, fold: int | None) -> Layer:
            seed = self.estimator_at(n_hidden, None, fold).random_state
            rows = slice(None) if fold is None else folds != fold
            drawn = draw_layer(X[rows], codes[rows], base.strategy, n_hidden, seed, base.weight_options())
            return Layer(*drawn, precision=base.precision)

        def outputs(n_hidden: int, fold: int | None) -> Array:
            return layer(n_hidden, fold).outputs(X)

        problem = Problem(base.target_matrix(codes, len(self.classes_)), codes, folds, counts, lams)
        if is_large(len(X), counts[-1]):
            self.surface_ = blocked_surface(layer, X, problem, nested=self.nests(), per_fold=self.layer == "per_fold")
        else:
            self.surface_ = correct_surface(outputs, problem, nested=self.nests(), layer=self.layer)
        self.lambdas_by_count_ = best_lambdas(self.surface_, counts, lams)
        return self.lambdas_by_count_[-1] if self.choose == "largest" else best_choice(self.surface_, counts, lams)

    def nests(self) -> bool:
        """Whether the layers of all node counts are prefixes of one draw."""
        return self.nested and self._base().strategy not in NOT_NESTED

    def estimator_at(self, n_hidden: int, lam: float | None, fold: int | None = None) -> ELMClassifier:
        """The unfitted model of one candidate, seeded so that nested counts share their first nodes."""
        roles: list[str | int] = ["nodes"] if self.nests() else ["nodes", n_hidden]
        if fold is not None:
            roles += ["fold", fold]
        seed = seed_of(self._entropy, *roles)
        return clone(self._base()).set_params(n_hidden=n_hidden, lam=lam, random_state=seed)

    def decision_function(self, X: Any) -> Array:
        """As :meth:`ELMClassifier.decision_function` of the chosen model."""
        check_is_fitted(self)
        return self.best_estimator_.decision_function(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the largest score."""
        check_is_fitted(self)
        return self.best_estimator_.predict(validate_data(self, X, dtype=np.float64, reset=False))


def check_grid(values: Sequence[Any], name: str, owner: str, check_one: Callable[[Any], None]) -> None:
    """Candidates must be one or more, in ascending order, so that ties go to the smallest."""
    if np.ndim(values) == 1:
        for value in values:
            check_one(value)
    if np.ndim(values) != 1 or not len(values) or list(values) != sorted(set(values)):
        raise ValueError(f"{owner}: {name} must be one or more numbers in ascending order; got {values!r}.")
