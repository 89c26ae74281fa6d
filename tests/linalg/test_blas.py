"""The in-place BLAS and LAPACK calls against numpy on full matrices, by function pointers and by scipy's wrappers."""

from __future__ import annotations

import numpy as np
import pytest

from celm.linalg import blas, triangles
from celm.linalg.blocks import Pass
from celm.linalg.gram import accumulate
from celm.linalg.layer import Layer
from celm.linalg.ridge import ridge_path
from celm.linalg.row_qr import ridge_from_rows

RNG = np.random.default_rng(7)
H = RNG.standard_normal((60, 23))
FULL = H.T @ H
RIGHT = RNG.standard_normal((23, 4))


@pytest.fixture(params=["pointers", "plain"])
def either_way(request, monkeypatch):
    """Function pointers, which this scipy must have, and the way that stands in for them."""
    assert blas.has_pointers()
    monkeypatch.setattr(blas, "has_pointers", lambda: request.param == "pointers")


def lower() -> np.ndarray:
    """The lower triangle alone: the upper one is poisoned, so that reading it would show."""
    A = np.asfortranarray(np.tril(FULL))
    A[np.triu_indices(len(A), 1)] = np.nan
    return A


@pytest.mark.usefixtures("either_way")
def test_gram_is_added_to_the_lower_triangle_only():
    G = np.asfortranarray(np.full((23, 23), 2.0))
    blas.add_gram(H, G)
    np.testing.assert_allclose(np.tril(G), np.tril(FULL + 2.0), rtol=1e-13)
    assert (np.triu(G, 1) == np.triu(np.full((23, 23), 2.0), 1)).all()


@pytest.mark.usefixtures("either_way")
def test_gram_of_no_rows_changes_nothing():
    G = np.ones((23, 23), order="F")
    blas.add_gram(H[:0], G)
    assert (G == 1).all()


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gram_is_made_anew_in_either_precision(dtype):
    G = np.full((23, 23), 2.0, dtype, order="F")
    blas.add_gram(H.astype(dtype), G, anew=True)
    np.testing.assert_allclose(np.tril(G), np.tril(FULL), rtol=1e-5, atol=1e-13 if dtype is np.float64 else 1e-5)
    assert (np.triu(G, 1) == np.triu(np.full((23, 23), 2.0), 1)).all()
    blas.add_gram(H[:0].astype(dtype), G, anew=True)
    assert not np.tril(G).any()


def test_gram_in_single_precision_is_not_added_to_one_in_double():
    with pytest.raises(ValueError, match="Fortran-ordered float32"):
        blas.add_gram(H.astype(np.float32), np.zeros((23, 23), order="F"))


@pytest.mark.usefixtures("either_way")
def test_rows_are_multiplied_by_a_triangle_of_which_the_lower_part_alone_is_read():
    B = RIGHT.T.copy(order="F")
    triangles.times_triangle(B, lower())
    np.testing.assert_allclose(B, RIGHT.T @ np.tril(FULL).T, rtol=1e-12)


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize("size", [1, 50, 51, 137])
def test_the_inverse_of_a_triangle_takes_its_place_and_nothing_above_is_read(size):
    rng = np.random.default_rng(size)
    C = np.tril(rng.standard_normal((size, size))) + size * np.eye(size)
    inverse = np.asfortranarray(C + np.triu(np.full((size, size), np.nan), 1))
    triangles.invert_triangle(inverse)
    np.testing.assert_allclose(np.tril(inverse) @ C, np.eye(size), atol=1e-12)
    assert np.isnan(inverse[np.triu_indices(size, 1)]).all()


@pytest.mark.usefixtures("either_way")
def test_norm_and_condition_use_the_lower_triangle():
    A = lower()
    assert blas.one_norm(A) == pytest.approx(np.linalg.norm(FULL, 1))
    assert blas.cholesky(A)
    exact = 1 / np.linalg.cond(FULL, 1)
    assert exact <= blas.cholesky_rcond(A, np.linalg.norm(FULL, 1)) * (1 + 1e-9) <= 3 * exact


@pytest.mark.usefixtures("either_way")
def test_cholesky_solves():
    A, B = lower(), np.asfortranarray(RIGHT)
    assert blas.cholesky(A)
    blas.cholesky_solve(A, B)
    np.testing.assert_allclose(FULL @ B, RIGHT, atol=1e-12)


@pytest.mark.usefixtures("either_way")
def test_indefinite_matrices_are_reported():
    assert not blas.cholesky(np.asfortranarray(np.diag([1.0, -1.0, 2.0])))
    assert not blas.tridiagonal_factor(np.array([1.0, 1.0]), np.array([2.0]))


@pytest.mark.usefixtures("either_way")
def test_reduction_keeps_eigenvalues_and_q_is_orthogonal():
    A = lower()
    d, e, tau = blas.tridiagonalise(A)
    S = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    np.testing.assert_allclose(np.linalg.eigvalsh(S), np.linalg.eigvalsh(FULL), rtol=1e-11)
    Q = np.asfortranarray(np.eye(23))
    blas.apply_q(A, tau, Q, transpose=False)
    np.testing.assert_allclose(Q @ S @ Q.T, FULL, atol=1e-12)
    B = np.asfortranarray(RIGHT)
    blas.apply_q(A, tau, B, transpose=True)
    np.testing.assert_allclose(B, Q.T @ RIGHT, atol=1e-13)


@pytest.mark.usefixtures("either_way")
def test_tridiagonal_solve_and_condition():
    d, e = RNG.uniform(3, 4, 23), RNG.uniform(-1, 1, 22)
    S = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
    B = np.asfortranarray(RIGHT)
    assert blas.tridiagonal_factor(d, e)
    assert blas.tridiagonal_rcond(d, e, np.linalg.norm(S, 1)) == pytest.approx(1 / np.linalg.cond(S, 1))
    blas.tridiagonal_solve(d, e, B)
    np.testing.assert_allclose(S @ B, RIGHT, atol=1e-13)


@pytest.mark.usefixtures("either_way")
def test_a_single_node_is_a_matrix_too():
    A, B = np.array([[4.0]], order="F"), np.array([[2.0, 8.0]], order="F")
    d, e, tau = blas.tridiagonalise(A)
    blas.apply_q(A, tau, B, transpose=True)
    assert blas.tridiagonal_factor(d, e)
    blas.tridiagonal_solve(d, e, B)
    assert B.tolist() == [[0.5, 2.0]]


@pytest.mark.parametrize(
    "wrong", [np.ones((3, 3)), np.ones((3, 4), order="F"), np.ones((3, 3), order="F", dtype=np.float32)]
)
def test_arrays_that_compiled_code_would_misread_are_refused(wrong):
    wrong[0, 1] = 5
    with pytest.raises(ValueError, match="Fortran-ordered float64"):
        blas.add_gram(np.ones((2, 3)), wrong)


def test_gram_refuses_rows_in_fortran_order():
    with pytest.raises(ValueError, match="C-ordered float64"):
        blas.add_gram(np.asfortranarray(H), np.zeros((23, 23), order="F"))


@pytest.mark.parametrize("panel", [1, 3, 64])
@pytest.mark.usefixtures("either_way")
def test_rows_added_block_by_block_give_the_triangle_of_all_rows(panel):
    rows = np.random.default_rng(1).standard_normal((30, 5))
    R = np.zeros((5, 5), order="F")
    for block in np.split(rows, [4, 5, 19]):
        blas.add_to_triangle(R, np.array(block, order="F"), panel)
    np.testing.assert_allclose(np.triu(R).T @ np.triu(R), rows.T @ rows)


@pytest.mark.usefixtures("either_way")
def test_triangles_can_be_stacked_whatever_stands_below_their_diagonals():
    rng = np.random.default_rng(2)
    first, second = (np.array(rng.standard_normal((4, 4)), order="F") for _ in range(2))
    expected = np.triu(first).T @ np.triu(first) + np.triu(second).T @ np.triu(second)
    blas.add_to_triangle(first, second, 2, triangular=True)
    np.testing.assert_allclose(np.triu(first).T @ np.triu(first), expected)


@pytest.mark.usefixtures("either_way")
def test_the_condition_of_a_triangle_reads_nothing_below_its_diagonal():
    R = np.triu(RNG.uniform(1, 2, (9, 9)))
    exact = 1 / np.linalg.cond(R, 1)
    R[np.tril_indices(9, -1)] = np.nan
    assert exact <= blas.triangle_rcond(np.asfortranarray(R)) * (1 + 1e-9) <= 3 * exact
    assert blas.triangle_rcond(np.zeros((3, 3), order="F")) == 0.0


@pytest.mark.parametrize(("shape", "triangular"), [((3, 4), False), ((2, 5), True)])
def test_rows_that_do_not_fit_a_triangle_are_refused(shape, triangular):
    with pytest.raises(ValueError, match="rows must be writeable, Fortran-ordered float64"):
        blas.add_to_triangle(np.zeros((5, 5), order="F"), np.ones(shape, order="F"), 2, triangular=triangular)


def test_without_pointers_the_solvers_give_the_same_readouts(monkeypatch):
    layer, X, T = Layer(RNG.standard_normal((5, 12)), np.zeros(12)), RNG.standard_normal((90, 5)), np.eye(90)[:, :2]
    lams, how = [1e-2, 1e2], Pass(20, 2)

    def readouts():
        path, _ = ridge_path(*accumulate(layer, X, T, how=how).total(), lams)
        return [*path, *(ridge_from_rows(layer, X, T, lam, how)[0] for lam in lams)]

    with_pointers = readouts()
    monkeypatch.setattr(blas, "has_pointers", lambda: False)
    for plain, pointed in zip(readouts(), with_pointers, strict=True):
        np.testing.assert_allclose(plain, pointed, rtol=1e-7, atol=1e-10)


def test_a_scipy_that_publishes_no_pointers_is_noticed(monkeypatch):
    class Bare:
        __pyx_capi__: dict[str, object] = {}  # noqa: RUF012

    blas.has_pointers.cache_clear()
    blas.routine.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(blas, "import_module", lambda name: Bare)
        assert not blas.has_pointers()
    blas.has_pointers.cache_clear()
    assert blas.has_pointers()
