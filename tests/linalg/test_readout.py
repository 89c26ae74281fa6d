"""The readout of one layer: pseudo-inverse and ridge against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from celm.linalg.readout import (
    CUTOFFS,
    correct_counts,
    cutoff_value,
    orthogonal_factor,
    pseudo_inverse_solve,
    ridge_from_outputs,
    ridge_path_scores,
    solve_factor,
    solve_long_factor,
    spectral_ridge,
    surely_full_rank,
)

LAMS = tuple(10.0**e for e in range(-8, 9, 2))


def with_singular_values(values, n_rows, n_columns, seed=0):
    """A matrix (n_rows × n_columns) with the given singular values."""
    rng = np.random.default_rng(seed)
    U = np.linalg.qr(rng.normal(size=(n_rows, len(values))))[0]
    V = np.linalg.qr(rng.normal(size=(n_columns, len(values))))[0]
    return U @ np.diag(values) @ V.T


def targets(n_rows, n_classes=3, seed=1):
    return np.random.default_rng(seed).normal(size=(n_rows, n_classes))


def naive_ridge(H, T, lam):
    return np.linalg.solve(np.eye(H.shape[1]) / lam + H.T @ H, H.T @ T)


shapes = st.tuples(st.integers(1, 20), st.integers(1, 20))


@given(shape=shapes, seed=st.integers(0, 99))
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_full_rank_equals_numpy(cutoff, shape, seed):
    H, T = np.random.default_rng(seed).normal(size=shape), targets(shape[0])
    beta, rank = pseudo_inverse_solve(H, T, cutoff)
    assert rank == min(shape)
    assert_allclose(beta, np.linalg.pinv(H) @ T, atol=1e-9 * np.linalg.cond(H))


def test_cutoffs_are_those_of_matlab_and_numpy():
    values = np.array([300.0, 1.0])
    assert cutoff_value(values, (20, 700), "matlab") == 700 * 2.0**-44
    assert cutoff_value(values, (800, 2), "matlab") == 800 * 2.0**-44
    assert cutoff_value(values, (800, 2), "numpy") == pytest.approx(3e-13)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(400, 8), (8, 400), (8, 8)])
def test_each_cutoff_counts_the_singular_values_above_it(n_rows, n_columns):
    values = np.array([1.0, 1e-2, 1e-6, 1e-10, 8e-15, 1e-18])
    H, T = with_singular_values(values, n_rows, n_columns), targets(n_rows)
    ranks = {cutoff: pseudo_inverse_solve(H, T, cutoff)[1] for cutoff in ("matlab", "numpy")}
    assert ranks == {"matlab": 4 if max(n_rows, n_columns) == 400 else 5, "numpy": 5}


@pytest.mark.parametrize("cutoff", ["matlab", "numpy"])
@pytest.mark.parametrize(("n_rows", "n_columns"), [(200, 14), (14, 14), (10, 14)])
def test_rank_deficient_equals_numpy_with_the_same_cutoff(cutoff, n_rows, n_columns):
    values = np.array([7.0, 1.0, 1e-1, 1e-3, 1e-5, 1e-17, 1e-18])
    H, T = with_singular_values(values, n_rows, n_columns), targets(n_rows)
    beta, rank = pseudo_inverse_solve(H, T, cutoff)
    relative = cutoff_value(values, H.shape, cutoff) / values[0]
    assert rank == 5
    assert_allclose(beta, np.linalg.pinv(H, rcond=relative) @ T, atol=1e-5 * np.abs(beta).max())


@pytest.mark.parametrize(("n_rows", "n_columns"), [(40, 12), (12, 40)])
def test_rank_and_minimal_norm_of_a_rank_five_matrix(n_rows, n_columns):
    H, T = with_singular_values([9.0, 5.0, 3.0, 2.0, 1.0], n_rows, n_columns), targets(n_rows)
    beta, rank = pseudo_inverse_solve(H, T)
    assert rank == 5
    assert_allclose(beta, np.linalg.lstsq(H, T, rcond=1e-10)[0], atol=1e-10)
    null_space = np.linalg.svd(H)[2][5:]
    assert_allclose(null_space @ beta, 0, atol=1e-12)
    assert_allclose(H.T @ (H @ beta - T), 0, atol=1e-10)


def test_no_cutoff_is_plain_least_squares():
    H, T = with_singular_values(10.0 ** -np.linspace(0, 6, 10), 50, 10), targets(50)
    beta, rank = pseudo_inverse_solve(H, T, "none")
    assert rank == 10
    assert_allclose(beta, np.linalg.lstsq(H, T, rcond=None)[0], rtol=1e-6)


def test_no_cutoff_keeps_what_the_others_drop():
    H, T = with_singular_values([1.0, 0.5, 1e-15], 30, 3), targets(30)
    ranks = {cutoff: pseudo_inverse_solve(H, T, cutoff)[1] for cutoff in CUTOFFS}
    assert ranks["matlab"] == 2
    assert ranks["none"] == 3


def test_a_node_that_never_fires_does_not_stop_plain_least_squares():
    H, T = np.random.default_rng(0).random((30, 4)), targets(30)
    H[:, 2] = 0.0
    beta, _ = pseudo_inverse_solve(H, T, "none")
    assert_allclose(beta, np.linalg.pinv(H) @ T, atol=1e-10)


@given(shape=shapes, lam=st.sampled_from(LAMS[:6]), seed=st.integers(0, 99))
def test_primal_and_dual_ridge_are_the_definition(shape, lam, seed):
    H, T = np.random.default_rng(seed).random(shape), targets(shape[0])
    dual = H.T @ np.linalg.solve(np.eye(shape[0]) / lam + H @ H.T, T)
    for expected in (naive_ridge(H, T, lam), dual):
        assert_allclose(ridge_from_outputs(H, T, lam), expected, rtol=1e-6, atol=1e-8)


def test_ridge_tends_to_the_pseudo_inverse():
    H, T = np.random.default_rng(0).normal(size=(30, 6)), targets(30)
    assert_allclose(ridge_from_outputs(H, T, 1e12), pseudo_inverse_solve(H, T)[0], rtol=1e-9)
    assert_allclose(ridge_from_outputs(H, T, 1e-8), 1e-8 * H.T @ T, rtol=1e-5)


@pytest.mark.parametrize("shape", [(16, 2), (2, 16)])
def test_a_singular_system_is_solved_on_its_eigenvalues(shape):
    """16 + 1/λ rounds to 16, so Cholesky meets an exact zero; equal nodes share the weight equally."""
    beta = ridge_from_outputs(np.ones(shape), np.ones((shape[0], 1)), 1e15)
    assert_allclose(beta, 1.0 / shape[1], rtol=1e-6)


def test_spectral_ridge_is_the_definition_and_takes_negative_eigenvalues_as_zero():
    H, T = np.random.default_rng(0).random((20, 6)), targets(20)
    assert_allclose(spectral_ridge(H.T @ H, H.T @ T, 10.0), naive_ridge(H, T, 10.0), rtol=1e-9)
    assert_allclose(spectral_ridge(np.diag([1.0, -1e-9]), np.ones((2, 1)), 1e9), [[1.0], [1e9]])


def test_the_path_of_lambdas_equals_separate_solves():
    rng = np.random.default_rng(0)
    H, H_eval, T = rng.random((40, 8)), rng.random((15, 8)), targets(40)
    scores = ridge_path_scores(H.T @ H, H.T @ T, H_eval, LAMS)
    assert scores.shape == (len(LAMS), 15, 3)
    for lam, score in zip(LAMS, scores, strict=True):
        assert_allclose(score, H_eval @ naive_ridge(H, T, lam), rtol=1e-7, atol=1e-9)


def test_correct_counts_runs_over_the_last_two_axes():
    scores = np.array([[[1.0, 2.0], [5.0, 0.0]], [[3.0, 2.0], [0.0, 1.0]]])
    assert_array_equal(correct_counts(scores, np.array([1, 0])), [2, 0])
    assert correct_counts(scores[0], np.array([1, 1])) == 1


@pytest.mark.parametrize("smallest", [1e-1, 1e-5, 1e-9, 1e-13, 0.0])
@pytest.mark.parametrize("cutoff", ["matlab", "numpy"])
def test_the_cheap_bound_calls_no_factor_full_that_loses_a_singular_value(smallest, cutoff):
    rng = np.random.default_rng(3)
    U, V = (np.linalg.qr(rng.standard_normal((30, 30)))[0] for _ in range(2))
    R = np.linalg.qr(U * np.geomspace(1.0, max(smallest, 1e-300), 30) @ V)[1]
    s = np.linalg.svd(R, compute_uv=False)
    full = s[-1] > cutoff_value(s, (1000, 30), cutoff)
    assert full or not surely_full_rank(R, 1000, cutoff)
    assert surely_full_rank(R, 1000, cutoff) == (smallest >= 1e-9)


@pytest.mark.parametrize("repeated", [False, True])
def test_a_long_factor_is_solved_as_a_short_one(repeated):
    rng = np.random.default_rng(4)
    H, T = rng.standard_normal((60, 8)), rng.standard_normal((60, 3))
    if repeated:
        H[:, 7] = H[:, 6]
    R, QtT = orthogonal_factor(H, T)
    (beta, rank), (expected, expected_rank) = (
        solve(R, QtT, 60, "matlab") for solve in (solve_long_factor, solve_factor)
    )
    assert rank == expected_rank == (7 if repeated else 8)
    np.testing.assert_allclose(beta, expected, atol=1e-10)
