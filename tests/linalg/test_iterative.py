"""Conjugate gradients over passes: the direct readout, for any rows, with few passes and without a Gram matrix."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from celm import ELMClassifier, ELMRegressor
from celm.linalg import solve
from celm.linalg.blocks import Pass
from celm.linalg.iterative import conjugate_gradients, iterative_ridge, nystroem_preconditioner, over_rows
from celm.linalg.layer import Layer

RNG = np.random.default_rng(0)
X = RNG.normal(size=(700, 6))
T = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2], np.zeros(700)])
LAYER = Layer(RNG.normal(size=(6, 150)), RNG.normal(size=150))


def direct(lam, layer=LAYER):
    H = layer.outputs(X)
    return np.linalg.solve(np.eye(H.shape[1]) / lam + H.T @ H, H.T @ T)


@pytest.mark.parametrize("lam", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("sketch", [20, 150])
def test_it_is_the_direct_readout(lam, sketch):
    found = iterative_ridge(LAYER, X, T, lam, sketch=sketch)
    assert found.converged
    H = LAYER.outputs(X)
    assert_allclose(H @ found.beta, H @ direct(lam), atol=1e-5)
    assert_allclose(found.beta[:, 2], 0.0)


def test_the_preconditioner_saves_most_passes():
    H = LAYER.outputs(X)
    G = H.T @ H
    plain = conjugate_gradients(lambda P: G @ P + P / 10.0, H.T @ T, lambda V: V, 10_000)[1]
    passes = iterative_ridge(LAYER, X, T, 10.0, sketch=75).passes
    assert passes < plain / 3
    assert iterative_ridge(LAYER, X, T, 10.0, sketch=150).passes <= 10


def test_the_preconditioner_is_the_inverse_where_it_knows_all():
    H = LAYER.outputs(X)[:, :30]
    better = nystroem_preconditioner(H.T @ H, 0.5)
    whole = better((H.T @ H + 0.5 * np.eye(30)) @ np.eye(30))
    assert_allclose(whole, whole[0, 0] * np.eye(30), atol=1e-6 * whole[0, 0])


def test_sums_do_not_depend_on_threads():
    one, two = (
        over_rows(LAYER, X, lambda H, rows: H.T @ T[rows], 3, how=Pass(block_rows=50, n_threads=n)) for n in (1, 2)
    )
    assert np.array_equal(one, two)
    assert_allclose(one, LAYER.outputs(X).T @ T)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("weights", [None, np.arange(700) % 3 + 0.5], ids=["alike", "weighted"])
@pytest.mark.parametrize(("model", "y"), [(ELMClassifier, (X[:, 0] * X[:, 1] > 0).astype(int)), (ELMRegressor, T)])
def test_estimators_take_it_where_a_gram_matrix_is_too_large(monkeypatch, model, y, weights, form):
    machine = model(80, strategy="elm", lam=0.1, precision="double", random_state=0)
    reference = machine.fit(form(X), y, weights).scores(X)
    monkeypatch.setattr(solve, "WHOLE", 0)
    monkeypatch.setattr(solve, "DIRECT_BYTES", 0)
    assert_allclose(machine.fit(form(X), y, weights).scores(X), reference, atol=1e-5)
    assert machine.solver_.startswith("conjugate gradients, ")


def test_an_end_before_the_solution_is_warned_of(monkeypatch):
    monkeypatch.setattr(solve, "WHOLE", 0)
    monkeypatch.setattr(solve, "DIRECT_BYTES", 0)
    monkeypatch.setattr(solve, "iterative_ridge", lambda *data: iterative_ridge(*data, sketch=5, max_passes=3))
    with pytest.warns(ConvergenceWarning, match="80 nodes: 3 passes leave a residual of .*smaller lam needs"):
        ELMRegressor(80, strategy="elm", lam=1e6, random_state=0).fit(X, T)


def test_only_problems_beyond_the_memory_of_a_direct_one_are_iterated():
    assert solve.direct_bytes(60_000, 7000) < solve.DIRECT_BYTES < solve.direct_bytes(60_000, 15_000)
    assert solve.direct_bytes(1000, 30_000) < solve.DIRECT_BYTES < solve.direct_bytes(15_000, 30_000)


@pytest.mark.parametrize("n_rows", [700, 3500])
def test_memory_grows_with_the_nodes_and_not_with_their_square(n_rows):
    """3000 nodes have a Gram matrix of 72 MB; a solution in passes holds a few columns and a block of rows."""
    rng = np.random.default_rng(1)
    layer = Layer(rng.normal(size=(6, 3000)) / 3, rng.normal(size=3000))
    rows = rng.normal(size=(n_rows, 6))
    tracemalloc.start()
    found = iterative_ridge(layer, rows, np.sin(rows[:, :3]), 1e-3, sketch=50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.converged
    assert peak < 36e6
