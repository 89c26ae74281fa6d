"""The extreme learning machine classifier on partitions: the plain one's parameters, fitted where the rows are."""

from __future__ import annotations

from typing import ClassVar

from celm.dask.estimator import SAMPLE_ROWS, ClassifierOnPartitions, FitOnPartitions, Report
from celm.dask.parameters import with_parameters_of
from celm.models.elm.classifier import ELMClassifier as PlainClassifier


class ELMClassifier(ClassifierOnPartitions, FitOnPartitions, PlainClassifier):
    """Extreme learning machine classifier for Dask arrays and DataFrames in row chunks.

    Workers sum HᵀH and HᵀT of their own partitions, add their sums when all are through, and one solves for β. The
    hidden layer is drawn from a uniform sample of all rows. No row comes to the client.

    Parameters
    ----------
    n_hidden, strategy, lam, …
        The parameters of :class:`celm.ELMClassifier`, with its defaults. A penalty ``lam`` is needed.
    sample_rows : int, default=10000
        Rows from which the hidden layer is drawn, gathered on one worker. Up to so many rows the layer is that of
        the plain estimator; beyond, it follows from ``random_state`` and the rows, not from their partitions.
    progress : bool or callable, default=False
        True prints how far a pass is and when it will be done; a callable is given a
        :class:`celm.dask.progress.Progress` whenever a partition is through.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, W_, b_, beta_, rank_, solver_
        As in :class:`celm.ELMClassifier`.

    See Also
    --------
    celm.ELMClassifier : the plain estimator, which :meth:`to_local` hands back.
    ELMClassifierCV : chooses the penalty and the number of nodes.

    Examples
    --------
    >>> import dask.array as da
    >>> from celm.dask import ELMClassifier
    >>> X = da.random.default_rng(0).normal(size=(1000, 5), chunks=(250, 5))
    >>> y = (X[:, 0] > X[:, 1]).astype(int)
    >>> model = ELMClassifier(50, strategy="elm", lam=1e4, random_state=0).fit(X, y)
    >>> model.predict(X)
    dask.array<answers, shape=(1000,), dtype=int64, chunksize=(250,), chunktype=numpy.ndarray>
    >>> model.score(X, y) > 0.95
    True
    >>> model.to_local().predict([[2.0, 1.0, 0.0, 0.0, 0.0]])
    array([1])
    """

    plain: ClassVar[type] = PlainClassifier

    @with_parameters_of(PlainClassifier)
    def __init__(self, *, sample_rows: int = SAMPLE_ROWS, progress: Report = False) -> None:
        self.sample_rows = sample_rows
        self.progress = progress
