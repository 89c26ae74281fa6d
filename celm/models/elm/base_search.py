"""What the cross-validated extreme learning machines share: folds, candidates, and one pass per scale for them."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from celm.base.folds import fold_numbers
from celm.base.grids import check_grid, check_positive
from celm.base.magnitude import one_look
from celm.base.seeds import seed_of
from celm.base.validation import as_generator, check_choice, check_flag, check_folds, check_integer, quoted
from celm.linalg.selection import LAYERS, Choice, Problem, best_choice, best_lambdas
from celm.models.elm.candidates import Candidates
from celm.models.elm.machine import BaseELM, Known
from celm.models.elm.pairs import Indices
from celm.models.elm.search_tasks import Surface, Task
from celm.models.elm.weights import strategy_named

LAMBDAS = tuple(10.0**e for e in range(-8, 9))

Search = TypeVar("Search", bound="BaseELMCV")


class BaseELMCV(BaseEstimator):
    """Chooses node count, λ and scale together by cross-validation, then fits once.

    A subclass says what is learned: :meth:`_base` and :meth:`_task`.
    """

    def __init__(
        self,
        estimator: Any,
        n_hidden_grid: Sequence[int],
        lams: Sequence[float],
        input_scales: Sequence[float] | None,
        cv: Any,
        choose: str,
        layer: str,
        nested: bool,
        random_state: Any,
    ) -> None:
        self.estimator = estimator
        self.n_hidden_grid = n_hidden_grid
        self.lams = lams
        self.input_scales = input_scales
        self.cv = cv
        self.choose = choose
        self.layer = layer
        self.nested = nested
        self.random_state = random_state

    @abstractmethod
    def _base(self) -> BaseELM:
        """The estimator whose parameters are chosen."""

    @abstractmethod
    def _task(self, X: Any, y: Any, sample_weight: Any) -> Task:
        """Checked rows and targets."""

    @property
    def owner(self) -> str:
        """The name that errors carry."""
        return type(self).__name__

    #: What is chosen among.
    machine: type[Any] = BaseELM

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        owner = self.owner
        if self.estimator is not None and not isinstance(self.estimator, self.machine):
            raise TypeError(f"{owner}: estimator must be an {self.machine.__name__}; got {quoted(self.estimator)}.")
        check_grid(self.n_hidden_grid, "n_hidden_grid", owner, lambda L: check_integer(L, "n_hidden_grid", owner, 1))
        check_grid(self.lams, "lams", owner, partial(check_positive, "lams", owner))
        if self.input_scales is not None:
            check_grid(self.input_scales, "input_scales", owner, partial(check_positive, "input_scales", owner))
        check_choice(self.choose, "choose", ("joint", "largest"), owner)
        check_choice(self.layer, "layer", LAYERS, owner)
        check_flag(self.nested, "nested", owner)
        self._check_cv()
        self._base().check_parameters()

    def _check_cv(self) -> None:
        if not isinstance(self.cv, str):
            return
        if self.cv != "loo":
            raise ValueError(
                f'{self.owner}: cv must be a number of folds, "loo" or one fold number per row; got {quoted(self.cv)}.'
            )
        if self.layer != "shared":
            raise ValueError(
                f'{self.owner}: cv="loo" shares the layer, so layer must be "shared"; got {quoted(self.layer)}.'
            )

    @one_look()
    def fit(self: Search, X: Any, y: Any, sample_weight: Any = None) -> Search:
        """Choose on folds, then fit the chosen model on all rows.

        The same as :meth:`choose_candidate` and :meth:`fit_candidate` up to rounding, and quicker: candidates share
        more of their work, and the sums of the folds give the chosen model without another pass over the rows.

        A weight of 2 is the row twice, in what is learned and in what is judged; layers are drawn from the rows alone.

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
        candidates = Candidates(self, quick=True)
        self.choose_on(X, y, candidates.surface, sample_weight)
        return self._fit_chosen(X, y, sample_weight, candidates.known(self.n_hidden_, self.input_scale_))

    def choose_candidate(self: Search, X: Any, y: Any, sample_weight: Any = None) -> Search:
        """Choose on folds of X (N × n), y (N); nothing is fitted on all rows yet."""
        return self.choose_on(X, y, Candidates(self).surface, sample_weight)

    def choose_on(self: Search, X: Any, y: Any, surface: Surface, sample_weight: Any = None) -> Search:
        """As :meth:`choose_candidate`, on what ``surface`` says every node count and λ reaches at a scale."""
        self.check_parameters()
        task = self._task(X, y, sample_weight)
        self._entropy = self._drawn_entropy()
        self.input_scale_ = self._base().input_scale
        problem = Problem(task.T, task.truth, self._folds(y, task.n_rows), list(self.n_hidden_grid), list(self.lams))
        self._choose(lambda scale: surface(task, problem, scale), task.n_judged)
        return self

    def _folds(self, y: Any, n_rows: int) -> Indices:
        if isinstance(self.cv, str):
            return np.arange(n_rows)
        cv = fold_numbers(self.cv, y, self.owner)
        return check_folds(cv, n_rows, np.random.default_rng(seed_of(self._entropy, "folds")), self.owner)

    def _choose(self, surface_at: Callable[[float | None], npt.NDArray[Any]], n_judged: float) -> None:
        """Choose on the surfaces of all scales, over node counts and λ, of so many held-out rows or targets."""
        started = time.perf_counter()
        self.n_hidden_, self.lam_, gain = self._select(surface_at)
        self.selection_seconds_ = time.perf_counter() - started
        self._keep_gain(gain, n_judged)
        self.lam_at_edge_ = self.lam_ in (min(self.lams), max(self.lams))

    @abstractmethod
    def _keep_gain(self, gain: float, n_judged: float) -> None:
        """Keep what the chosen candidate reached on held-out rows, of so many rows or targets."""

    def fit_candidate(
        self: Search,
        X: Any,
        y: Any,
        n_hidden: int,
        lam: float,
        input_scale: float | None = None,
        sample_weight: Any = None,
    ) -> Search:
        """Fit the model of one candidate on all rows, chosen here or known; None is the estimator's own scale."""
        self.input_scale_ = self._base().input_scale if input_scale is None else input_scale
        if not hasattr(self, "_entropy"):
            self._entropy = self._drawn_entropy()
        self.n_hidden_, self.lam_ = n_hidden, lam
        return self._fit_chosen(X, y, sample_weight)

    def _fit_chosen(self: Search, X: Any, y: Any, sample_weight: Any, known: Known | None = None) -> Search:
        started = time.perf_counter()
        self.best_estimator_ = self.estimator_at(self.n_hidden_, self.lam_)._learn(X, y, sample_weight, known)
        self.fit_seconds_ = time.perf_counter() - started
        self._keep_learned()
        return self

    def _keep_learned(self) -> None:
        """Keep what the chosen model has learned of columns and classes."""
        for learned in ("n_features_in_", "feature_names_in_", "classes_"):
            if hasattr(self.best_estimator_, learned):
                setattr(self, learned, getattr(self.best_estimator_, learned))

    def _drawn_entropy(self) -> int:
        return int(as_generator(self.random_state).integers(2**63))

    def _select(self, surface_at: Callable[[float | None], npt.NDArray[Any]]) -> Choice:
        counts, lams = list(self.n_hidden_grid), list(self.lams)
        scales = [self._base().input_scale] if self.input_scales is None else list(self.input_scales)
        surfaces = np.stack([surface_at(scale) for scale in scales])
        # Of equals, the fewest nodes, then the strongest penalty, then the smallest scale.
        first = counts[-1:] if self.choose == "largest" else counts
        by_scale = np.moveaxis(surfaces[:, -len(first) :], 0, -1)
        s = int(np.unravel_index(int(by_scale.argmax()), by_scale.shape)[-1])
        self.surface_, self.input_scale_ = surfaces[s], scales[s]
        if self.input_scales is not None:
            self.scale_surfaces_ = surfaces
        self.lambdas_by_count_ = best_lambdas(self.surface_, counts, lams)
        return self.lambdas_by_count_[-1] if self.choose == "largest" else best_choice(self.surface_, counts, lams)

    def nests(self) -> bool:
        """Whether the layers of all node counts are prefixes of one draw."""
        return bool(self.nested) and strategy_named(self._base().strategy).nested

    def estimator_at(self, n_hidden: int, lam: float | None, fold: int | None = None) -> Any:
        """The unfitted model of one candidate, seeded so that nested counts share their first nodes."""
        roles: list[str | int] = ["nodes"] if self.nests() else ["nodes", n_hidden]
        if fold is not None:
            roles += ["fold", fold]
        base = self._base()
        chosen = {"n_hidden": n_hidden, "lam": lam, "random_state": seed_of(self._entropy, *roles)}
        return clone(base).set_params(input_scale=getattr(self, "input_scale_", base.input_scale), **chosen)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predictions of the chosen model.

        Parameters
        ----------
        X : array (N, n)
            Rows.

        Returns
        -------
        array (N,) or (N, k)
            Classes or targets.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)
