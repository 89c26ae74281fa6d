"""What all estimators on partitions share: parameters, lazy answers, and the way back to the plain estimator."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any, ClassVar

from sklearn.utils.validation import check_is_fitted

from celm.base.validation import as_generator, check_integer
from celm.dask.fitting import keep_columns, learned
from celm.dask.partitions import is_lazy, partitions_of
from celm.dask.passes import Passes
from celm.dask.prediction import lazy_answers
from celm.dask.progress import Progress, check_report
from celm.dask.running import Runner
from celm.dask.scores import accuracy
from celm.dask.tallies import counted
from celm.dask.tasks import Setting
from celm.models.elm.machine import BaseELM

SAMPLE_ROWS = 10_000

Report = bool | Callable[[Progress], None]


class OnPartitions:
    """Beside a plain estimator of celm: the same parameters and attributes, on rows that workers hold.

    A class names its ``plain`` estimator, of which it is a kind itself: rows in memory are answered as there.
    """

    plain: ClassVar[type]
    sample_rows: int
    progress: Report

    @property
    def owner(self) -> str:
        """How errors name this estimator."""
        return f"celm.dask.{type(self).__name__}"

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        super().check_parameters()  # type: ignore[misc]  # of the plain estimator
        check_integer(self.sample_rows, "sample_rows", self.owner, 1)
        check_report(self.progress, "progress", self.owner)

    def to_local(self) -> Any:
        """The fitted model as the plain estimator of celm, which needs no Dask.

        Returns
        -------
        estimator
            A :class:`celm.ELMClassifier`, :class:`celm.ELMRegressor` or their CV form, with the same parameters and
            fitted attributes.
        """
        check_is_fitted(self)
        local = unfitted_plain(self)
        own = set(type(self)._get_param_names())  # type: ignore[attr-defined]
        local.__dict__.update({name: value for name, value in vars(self).items() if name not in own})
        return local

    def passes_over(self, X: Any, y: Any, sample_weight: Any, model: BaseELM) -> Passes:
        """The passes over X, y and weights: rows counted, labels read as ``model`` reads them."""
        runner = Runner(self.owner, self.progress)
        partitions, targets = counted(partitions_of(X, y, sample_weight, self.owner), model, runner)
        return Passes(partitions, runner, Setting(targets, self.owner))

    def _answering(self) -> Any:
        """The plain model that answers."""
        return self.to_local()

    def _answer(self, X: Any, method: str) -> Any:
        """Lazily on a Dask collection, at once on rows in memory."""
        model = self._answering()
        return lazy_answers(model, X, method, self.owner) if is_lazy(X) else getattr(model, method)(X)

    def predict(self, X: Any) -> Any:
        """Predictions, lazily for a Dask collection.

        Parameters
        ----------
        X : Dask array or DataFrame, or array (N, n)
            Rows.

        Returns
        -------
        Dask array, or array (N,) or (N, k)
            Classes or targets, in the chunks of X.
        """
        return self._answer(X, "predict")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy or, of a regressor, R²: a Dask collection is judged where it is, only sums travel.

        Parameters
        ----------
        X : Dask array or DataFrame, or array (N, n)
            Rows.
        y : Dask array or Series, or array
            The truth, cut as X is.
        sample_weight : Dask array or Series, or array, or None
            Weights of the rows.

        Returns
        -------
        float
            As scikit-learn's score.
        """
        if not is_lazy(X):
            return float(self._answering().score(X, y, sample_weight))
        runner = Runner(self.owner, self.progress)
        return type(self).judge(self._answering(), X, y, sample_weight, runner)

    judge: ClassVar[Callable[..., float]]


class ClassifierOnPartitions(OnPartitions):
    """What classifiers answer beside classes."""

    judge = staticmethod(accuracy)

    def decision_function(self, X: Any) -> Any:
        """Scores, lazily for a Dask collection.

        Parameters
        ----------
        X : Dask array or DataFrame, or array (N, n)
            Rows.

        Returns
        -------
        Dask array, or array (N, k) or (N,)
            One score per class; for two classes the margin of the second over the first.
        """
        return self._answer(X, "decision_function")


class FitOnPartitions(OnPartitions, BaseELM):
    """One model fitted on partitions, beside the plain estimator of which it is a kind."""

    def check_parameters(self) -> None:
        """Raise a ValueError that names the first parameter out of range; needs no data."""
        super().check_parameters()
        if self.lam is None:
            raise ValueError(
                f"{self.owner}: lam must be a penalty, a number above 0: sums of partitions give no pseudo-inverse; "
                "got None."
            )
        check_summable(self, self.owner)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit on partitions.

        Weights enter the readout, where a weight of 2 is the row twice; the layer is drawn from the rows as they are.

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
        entropy = entropy_of(self.random_state)
        model = unfitted_plain(self).set_params(random_state=entropy)
        passes = self.passes_over(X, y, sample_weight, model)
        learned(model, passes, passes.layer(passes.sample(self.sample_rows, entropy), model))
        keep_columns(model, X, passes.partitions.n_features)
        given = set(model.get_params(deep=False))
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update({name: value for name, value in vars(model).items() if name not in given})
        return self

    def scores(self, X: Any) -> Any:
        """Outputs of the readout, lazily for a Dask collection.

        Parameters
        ----------
        X : Dask array or DataFrame, or array (N, n)
            Rows.

        Returns
        -------
        Dask array, or array (N, k)
            One column per class (also for two classes) or target.
        """
        return self._answer(X, "scores")


def check_summable(model: Any, owner: str) -> None:
    """Sums over partitions hold no scores of models that have not seen a row."""
    if getattr(model, "proba", False):
        raise ValueError(f"{owner}: proba must be False on partitions; got True.")


def unfitted_plain(estimator: Any) -> Any:
    """A plain estimator with the parameters of one on partitions; a plain one is handed back as it is."""
    if not isinstance(estimator, OnPartitions):
        return estimator
    names = estimator.plain._get_param_names()  # type: ignore[attr-defined]  # scikit-learn's own list of them
    return estimator.plain(**{name: getattr(estimator, name) for name in names})


def entropy_of(random_state: Any) -> int:
    """``random_state`` itself if it is a whole number, else one that is drawn from it."""
    if isinstance(random_state, numbers.Integral):
        check_integer(random_state, "random_state", "random_state", 0)
        return int(random_state)
    return int(as_generator(random_state).integers(2**63))
