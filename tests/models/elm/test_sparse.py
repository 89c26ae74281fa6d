"""Sparse rows: the model of the same rows made dense, without making them dense."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix, random_array
from sklearn.datasets import make_classification

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV, HiddenLayer
from celm.linalg import solve
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies import STRATEGIES

DENSE, CODES = make_classification(120, 12, n_informative=6, n_classes=3, random_state=0)
DENSE[np.abs(DENSE) < 0.7] = 0.0
SPARSE = csr_matrix(DENSE)
OPTIONS = WeightOptions(image_shape=(3, 4))


@pytest.mark.parametrize("input_scale", [None, 0.5])
@pytest.mark.parametrize("strategy", sorted(set(STRATEGIES) - {"covariance_shrunk"}))
def test_sparse_rows_give_the_model_of_dense_ones(strategy, input_scale):
    settings = {"strategy": strategy, "input_scale": input_scale, "options": OPTIONS, "random_state": 0}
    for model in (ELMClassifier(15, lam=10.0, **settings), ELMRegressor(15, lam=10.0, **settings)):
        from_sparse, from_dense = model.fit(SPARSE, CODES).scores(SPARSE), model.fit(DENSE, CODES).scores(DENSE)
        assert_allclose(from_sparse, from_dense, rtol=1e-6, atol=1e-8)
    layer = HiddenLayer(15, **settings)
    assert_allclose(layer.fit(SPARSE, CODES).transform(SPARSE), layer.fit(DENSE, CODES).transform(DENSE), rtol=1e-8)


@pytest.mark.parametrize("precision", ["double", "single_products"])
def test_sparse_rows_by_blocks_with_weights(monkeypatch, precision):
    monkeypatch.setattr(solve, "WHOLE", 0)
    weights = np.arange(120) % 3
    settings = {"lam": 10.0, "precision": precision, "random_state": 0}
    from_sparse, from_dense = (ELMClassifier(9, **settings).fit(rows, CODES, weights) for rows in (SPARSE, DENSE))
    tolerance = 1e-7 if precision == "double" else 1e-3
    assert_allclose(from_sparse.beta_, from_dense.beta_, rtol=tolerance, atol=tolerance)
    plain = ELMClassifier(9, random_state=0)
    assert_allclose(plain.fit(SPARSE, CODES).beta_, plain.fit(DENSE, CODES).beta_, rtol=1e-6, atol=1e-8)
    parts = ELMClassifier(9, strategy="elm", lam=10.0, precision="double", random_state=0)
    for rows in (slice(0, 50), slice(50, 120)):
        parts.partial_fit(SPARSE[rows], CODES[rows])
    whole = ELMClassifier(9, strategy="elm", lam=10.0, precision="double", random_state=0).fit(DENSE, CODES)
    assert_allclose(parts.beta_, whole.beta_, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("strategy", ["covariance_shrunk", "gaussian/squared/uniform"])
def test_a_covariance_that_would_be_dense_is_refused(strategy):
    with pytest.raises(ValueError, match="need dense rows; the strategy covariance takes sparse"):
        ELMClassifier(5, strategy=strategy).fit(SPARSE, CODES)


@pytest.mark.parametrize(
    "model",
    [
        ELMClassifier(5, strategy="cselm", lam=1.0, proba=True),
        ELMClassifier(5, strategy="covariance"),
        ELMRegressor(5, strategy="swim", lam=1.0),
        ELMClassifierCV(ELMClassifier(strategy="cdelm"), n_hidden_grid=(3, 5), lams=(0.1, 1.0)),
        ELMRegressorCV(ELMRegressor(strategy="ciw_unlabelled"), n_hidden_grid=(3, 5), lams=(0.1, 1.0), cv="loo"),
    ],
    ids=str,
)
def test_wide_sparse_rows_stay_sparse(model):
    """2000 rows of 50,000 features would take 800 MB; the numbers that are there take 0.6. A layer takes 2."""
    rng = np.random.default_rng(0)
    X = csr_matrix(random_array((2000, 50_000), density=0.0005, rng=rng))
    y = rng.integers(0, 2, 2000)
    tracemalloc.start()
    answered = model.set_params(random_state=0).fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert answered.shape == (2000,)
    assert peak < 60e6
