"""The readout by QR of the rows: equal to the ridge solution, whatever the blocks, also where HᵀH is singular."""

from __future__ import annotations

import numpy as np
import pytest

from celm.linalg.blocks import Pass
from celm.linalg.layer import Layer
from celm.linalg.row_qr import factorise_rows, n_strips, ridge_from_rows


def problem(n_rows: int, n_inputs: int, n_hidden: int) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    X, T = rng.standard_normal((n_rows, n_inputs)), rng.standard_normal((n_rows, 3))
    return X, T, rng.standard_normal((n_inputs, n_hidden)), rng.standard_normal(n_hidden)


def hidden(X: np.ndarray, W: np.ndarray, b: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-(X @ W + b)))


@pytest.mark.parametrize("n_rows", [1, 3, 200])
def test_threads_change_no_digit(n_rows):
    X, T, W, b = problem(n_rows, 4, 12)
    first, second = (factorise_rows(Layer(W, b), X, T, 10.0, Pass(16, n)) for n in (1, 3))
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_wide_triangles_are_few():
    assert [n_strips(width) for width in (10, 2010, 15010)] == [4, 4, 2]


@pytest.mark.parametrize("block_rows", [1, 7, 64, 1000])
@pytest.mark.parametrize(("n_rows", "n_hidden"), [(200, 12), (9, 40)])
def test_the_solution_is_the_ridge_solution_for_any_blocks(n_rows, n_hidden, block_rows):
    X, T, W, b = problem(n_rows, 4, n_hidden)
    H = hidden(X, W, b)
    beta, info = ridge_from_rows(Layer(W, b), X, T, 1e2, Pass(block_rows))
    np.testing.assert_allclose(beta, np.linalg.solve(H.T @ H + np.eye(n_hidden) / 1e2, H.T @ T), atol=1e-9)
    assert (info.method, info.rank) == ("qr", n_hidden)


def test_the_factors_are_those_of_the_penalised_rows():
    X, T, W, b = problem(50, 4, 6)
    H = hidden(X, W, b)
    R, QtT = factorise_rows(Layer(W, b), X, T, 10.0, Pass(16))
    np.testing.assert_allclose(np.triu(R).T @ np.triu(R), H.T @ H + np.eye(6) / 10)
    np.testing.assert_allclose(np.triu(R).T @ QtT, H.T @ T)


def test_a_linear_layer_is_solved_as_it_is():
    X, T, W, b = problem(60, 5, 3)
    H = X @ W + b
    beta, _ = ridge_from_rows(Layer(W, b, "identity"), X, T, 5.0)
    np.testing.assert_allclose(beta, np.linalg.solve(H.T @ H + np.eye(3) / 5, H.T @ T))


def test_the_smallest_ridge_is_honoured_where_the_gram_matrix_has_lost_it():
    """H has singular values 1e5 and 1e-3 and the ridge is 1e-8: in HᵀH (1e10) the small direction drowns."""
    rng = np.random.default_rng(2)
    U, V = np.linalg.qr(rng.standard_normal((40, 2)))[0], np.linalg.qr(rng.standard_normal((2, 2)))[0]
    s, T = np.array([1e5, 1e-3]), rng.standard_normal((40, 3))
    W = np.diag(s) @ V.T
    exact = V @ ((s / (s**2 + 1e-8))[:, None] * (U.T @ T))
    beta, info = ridge_from_rows(Layer(W, np.zeros(2), "identity"), U, T, 1e8)
    np.testing.assert_allclose(beta, exact, rtol=1e-6)
    assert info.method == "qr"
    gram = (U @ W).T @ (U @ W) + 1e-8 * np.eye(2)
    assert np.linalg.norm(np.linalg.solve(gram, (U @ W).T @ T) - exact) > 1e-2 * np.linalg.norm(exact)


def test_a_vanishing_ridge_on_repeated_nodes_falls_back_to_the_least_norm_solution():
    X, T, W, b = problem(40, 3, 4)
    W, b = np.hstack([W, W]), np.hstack([b, b])
    beta, info = ridge_from_rows(Layer(W, b), X, T, 1e60)
    assert (info.method, info.rank) == ("svd", 4)
    np.testing.assert_allclose(beta, np.linalg.pinv(hidden(X, W, b), rcond=1e-12) @ T, atol=1e-8)
