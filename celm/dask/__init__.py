"""Extreme learning machines fitted on Dask arrays and DataFrames that no single machine need hold."""

from celm.base.clusters import import_extra

import_extra("dask.array", "celm.dask")

from celm.dask.classifier import ELMClassifier  # noqa: E402
from celm.dask.regressor import ELMRegressor  # noqa: E402
from celm.dask.search import ELMClassifierCV, ELMRegressorCV  # noqa: E402

__all__ = ["ELMClassifier", "ELMClassifierCV", "ELMRegressor", "ELMRegressorCV"]
