"""The extreme learning machine regressor on partitions: the plain one's parameters, fitted where the rows are."""

from __future__ import annotations

from typing import ClassVar

from celm.dask.estimator import SAMPLE_ROWS, FitOnPartitions, Report
from celm.dask.parameters import with_parameters_of
from celm.dask.scores import r_squared
from celm.models.elm.regressor import ELMRegressor as PlainRegressor


class ELMRegressor(FitOnPartitions, PlainRegressor):
    """Extreme learning machine regressor for Dask arrays and DataFrames in row chunks.

    Fitted as :class:`celm.dask.ELMClassifier` is; targets are centred by their mean over all partitions.

    Parameters
    ----------
    n_hidden, strategy, lam, …
        The parameters of :class:`celm.ELMRegressor`, with its defaults. A penalty ``lam`` is needed.
    sample_rows : int, default=10000
        Rows from which the hidden layer is drawn, as in :class:`celm.dask.ELMClassifier`.
    progress : bool or callable, default=False
        How far a pass is, as in :class:`celm.dask.ELMClassifier`.

    Attributes
    ----------
    W_, b_, beta_, intercept_, rank_, solver_, n_features_in_, feature_names_in_
        As in :class:`celm.ELMRegressor`.

    See Also
    --------
    celm.ELMRegressor : the plain estimator, which :meth:`to_local` hands back.
    ELMRegressorCV : chooses the penalty and the number of nodes.

    Examples
    --------
    >>> import dask.array as da
    >>> from celm.dask import ELMRegressor
    >>> X = da.random.default_rng(0).normal(size=(1000, 5), chunks=(250, 5))
    >>> y = X[:, 0] * X[:, 1]
    >>> model = ELMRegressor(100, input_scale=0.5, lam=1e4, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    """

    plain: ClassVar[type] = PlainRegressor
    judge = staticmethod(r_squared)

    @with_parameters_of(PlainRegressor)
    def __init__(self, *, sample_rows: int = SAMPLE_ROWS, progress: Report = False) -> None:
        self.sample_rows = sample_rows
        self.progress = progress
