"""Node count, λ and scale chosen on partitions: from the sums of folds, and a second pass over held-out rows."""

from __future__ import annotations

import time
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from dask.delayed import Delayed

from celm.base.validation import check_integer
from celm.dask.estimator import (
    SAMPLE_ROWS,
    ClassifierOnPartitions,
    OnPartitions,
    Report,
    check_summable,
    unfitted_plain,
)
from celm.dask.fitting import keep_columns, learned, with_readout
from celm.dask.parameters import with_parameters_of
from celm.dask.passes import Passes
from celm.dask.running import Kept
from celm.dask.scores import r_squared
from celm.dask.tasks import Folds
from celm.models.elm.base_search import BaseELMCV
from celm.models.elm.machine import BaseELM
from celm.models.elm.regressor_search import ELMRegressorCV as PlainRegressorCV
from celm.models.elm.search import ELMClassifierCV as PlainClassifierCV


class Candidates:
    """The candidates of a search on partitions whose rows have folds, and a sample from which layers are drawn."""

    def __init__(self, search: BaseELMCV, passes: Passes, sample: Kept) -> None:
        self._search, self._passes, self._sample = search, passes, sample
        self._counts, self._lams = list(search.n_hidden_grid), list(search.lams)
        self._n_folds = passes.setting.folds.n_folds if passes.setting.folds else 1
        # One layer and its sums serve the chosen model too where every candidate is made of them.
        self._reused = search.nests() and search.layer == "shared" and search.input_scales is None
        self._kept: tuple[Delayed, Kept] | None = None

    def surface(self, scale: float | None) -> npt.NDArray[Any]:
        """What every node count and λ reaches on held-out rows at one scale (n_counts × n_lams)."""
        reached: Any = 0
        for fold in range(self._n_folds) if self._search.layer == "per_fold" else [None]:
            groups = [self._counts] if self._search.nests() else [[L] for L in self._counts]
            gains = np.concatenate([self._gains(group, scale, fold) for group in groups], axis=1)
            reached = reached + (gains.sum(axis=0) if fold is None else gains[fold])
        return np.asarray(reached)

    def _gains(self, counts: list[int], scale: float | None, fold: int | None) -> npt.NDArray[Any]:
        """Of one layer, which the first nodes of it stand for all ``counts`` (n_folds × n_counts × n_lams)."""
        model = self._search.estimator_at(counts[-1], None, fold).set_params(input_scale=scale)
        layer = self._passes.layer(self._sample, model, fold)
        sums = self._passes.sums(layer)
        if self._reused:
            self._kept = layer, sums
        return self._passes.gains(layer, sums, counts, self._lams)

    def chosen(self) -> BaseELM:
        """The chosen model, fitted on all rows: from the sums at hand, or by one more pass."""
        model = self._search.estimator_at(self._search.n_hidden_, self._search.lam_)
        if self._kept is not None:
            return with_readout(model, self._passes, *self._kept)
        return learned(model, self._passes, self._passes.layer(self._sample, model))


class SearchOnPartitions(OnPartitions, BaseELMCV):
    """A search on partitions, beside the plain search of which it is a kind."""

    def _base(self) -> BaseELM:
        plain: BaseELM = unfitted_plain(super()._base())  # type: ignore[safe-super]  # of the plain search
        return plain

    def _answering(self) -> Any:
        return self.to_local().best_estimator_

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Choose on folds, then fit the chosen model on all rows.

        A weight of 2 is the row twice, in what is learned and in what is judged; layers are drawn from the rows alone.

        Parameters
        ----------
        X : Dask array or DataFrame (N, n)
            Chunked by rows only; the lengths of the chunks need not be known.
        y : Dask array, Series or DataFrame (N,) or (N, k)
            Labels or targets, cut as X is.
        sample_weight : Dask array or Series (N,), or None, default=None
            Weights of the rows, cut as X is.

        Returns
        -------
        estimator
            The estimator itself.
        """
        self.check_parameters()
        base = self._base()
        check_summable(base, self.owner)
        passes = self.passes_over(X, y, sample_weight, base)
        n_rows = passes.partitions.n_rows
        check_integer(self.cv, "cv", self.owner, 2, n_rows)
        self._entropy, self._exponent = self._drawn_entropy(), 0
        self.input_scale_ = base.input_scale
        passes = passes.with_folds(Folds(n_rows, int(self.cv), self._entropy))
        candidates = Candidates(self, passes, passes.sample(self.sample_rows, self._entropy))
        self._choose(candidates.surface, passes.setting.targets.n_judged)
        started = time.perf_counter()
        self.best_estimator_ = candidates.chosen()
        self.fit_seconds_ = time.perf_counter() - started
        keep_columns(self.best_estimator_, X, passes.partitions.n_features)
        self._keep_learned()
        return self


class ELMClassifierCV(ClassifierOnPartitions, SearchOnPartitions, PlainClassifierCV):
    """Chooses node count, λ and scale of a classifier on Dask arrays and DataFrames in row chunks.

    One pass sums HᵀH and HᵀT per fold, one more scores the held-out rows. A row's fold follows from its number among
    all rows, so no choice depends on the chunks. Where the layers of all node counts nest, the sums of the folds give
    the chosen model without a further pass.

    Parameters
    ----------
    estimator, n_hidden_grid, lams, input_scales, choose, layer, nested, random_state
        As in :class:`celm.ELMClassifierCV`.
    cv : int, default=3
        Number of folds.
    sample_rows : int, default=10000
        Rows from which hidden layers are drawn, as in :class:`celm.dask.ELMClassifier`.
    progress : bool or callable, default=False
        How far a pass is, as in :class:`celm.dask.ELMClassifier`.

    Attributes
    ----------
    n_hidden_, lam_, input_scale_, cv_accuracy_, surface_, best_estimator_, …
        As in :class:`celm.ELMClassifierCV`; ``best_estimator_`` is a plain :class:`celm.ELMClassifier`.

    See Also
    --------
    celm.ELMClassifierCV : the plain search, which :meth:`to_local` hands back.

    Examples
    --------
    >>> import dask.array as da
    >>> from celm import ELMClassifier
    >>> from celm.dask import ELMClassifierCV
    >>> X = da.random.default_rng(0).normal(size=(1000, 5), chunks=(250, 5))
    >>> y = (X[:, 0] > X[:, 1]).astype(int)
    >>> search = ELMClassifierCV(ELMClassifier(strategy="elm"), n_hidden_grid=(20, 40), lams=(1e2, 1e4), random_state=0)
    >>> search.fit(X, y).cv_accuracy_ > 0.95
    True
    >>> search.to_local()
    ELMClassifierCV(estimator=ELMClassifier(strategy='elm'), lams=(100.0, 10000.0),
                    n_hidden_grid=(20, 40), random_state=0)
    """

    plain: ClassVar[type] = PlainClassifierCV

    @with_parameters_of(PlainClassifierCV)
    def __init__(self, *, sample_rows: int = SAMPLE_ROWS, progress: Report = False) -> None:
        self.sample_rows = sample_rows
        self.progress = progress


class ELMRegressorCV(SearchOnPartitions, PlainRegressorCV):
    """Chooses node count, λ and scale of a regressor on Dask arrays and DataFrames in row chunks.

    As :class:`celm.dask.ELMClassifierCV`, by squared errors on held-out rows.

    Parameters
    ----------
    estimator, n_hidden_grid, lams, input_scales, choose, layer, nested, random_state
        As in :class:`celm.ELMRegressorCV`.
    cv : int, default=3
        Number of folds.
    sample_rows : int, default=10000
        Rows from which hidden layers are drawn, as in :class:`celm.dask.ELMClassifier`.
    progress : bool or callable, default=False
        How far a pass is, as in :class:`celm.dask.ELMClassifier`.

    Attributes
    ----------
    n_hidden_, lam_, input_scale_, cv_error_, surface_, best_estimator_, …
        As in :class:`celm.ELMRegressorCV`; ``best_estimator_`` is a plain :class:`celm.ELMRegressor`.

    See Also
    --------
    celm.ELMRegressorCV : the plain search, which :meth:`to_local` hands back.

    Examples
    --------
    >>> import dask.array as da
    >>> from celm.dask import ELMRegressorCV
    >>> X = da.random.default_rng(0).normal(size=(1000, 5), chunks=(250, 5))
    >>> y = X[:, 0] * X[:, 1]
    >>> search = ELMRegressorCV(n_hidden_grid=(50, 100), lams=(1e2, 1e4), input_scales=(0.3, 1.0), random_state=0)
    >>> search.fit(X, y).score(X, y) > 0.9
    True
    """

    plain: ClassVar[type] = PlainRegressorCV
    judge = staticmethod(r_squared)

    @with_parameters_of(PlainRegressorCV)
    def __init__(self, *, sample_rows: int = SAMPLE_ROWS, progress: Report = False) -> None:
        self.sample_rows = sample_rows
        self.progress = progress
