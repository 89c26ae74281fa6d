"""Means and variances of columns: to the last bit those of the whole array, on any number of threads."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from threadpoolctl import threadpool_limits

from celm.base.magnitude import SHARED
from celm.models.elm.column_sums import NARROWEST, column_means, variances

WIDE = np.random.default_rng(0).normal(1.0, 3.0, size=(SHARED // (2 * NARROWEST) + 77, 2 * NARROWEST + 1))


@pytest.mark.parametrize("X", [WIDE, np.asfortranarray(WIDE), WIDE[::-1]], ids=["C", "F", "strided"])
@pytest.mark.parametrize("threads", [1, 2])
def test_columns_that_are_shared_out_are_summed_as_in_the_whole(X, threads):
    with threadpool_limits(threads, user_api="blas"):
        assert_array_equal(column_means(X), X.mean(axis=0))
        assert_array_equal(variances(X, ddof=1), X.var(axis=0, ddof=1))
