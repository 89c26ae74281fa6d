"""The ridge readout: its forms agree, its path equals separate solves, and singular systems are caught and named."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from celm.linalg.blocks import Pass
from celm.linalg.gram import accumulate
from celm.linalg.layer import Layer
from celm.linalg.ridge import _Reduction, choose_lambda, dual_ridge, ridge_from_gram, ridge_path

LAMS = [10.0**e for e in range(-8, 9)]


def problem(n_rows: int, n_hidden: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    H = expit(rng.standard_normal((n_rows, 8)) @ rng.standard_normal((8, n_hidden)) + rng.uniform(0, 1, n_hidden))
    return H, rng.choice([-1.0, 1.0], (n_rows, 3))


def direct(H: np.ndarray, T: np.ndarray, lam: float) -> np.ndarray:
    """Least squares on [H; I/√λ]: the same minimiser without ever forming HᵀH."""
    stacked = np.vstack([H, np.eye(H.shape[1]) / np.sqrt(lam)])
    return np.linalg.lstsq(stacked, np.vstack([T, np.zeros((H.shape[1], T.shape[1]))]), rcond=None)[0]


def spoilt(G: np.ndarray) -> np.ndarray:
    """The lower triangle of G with an upper one that must not be read."""
    return np.asfortranarray(np.tril(G) + np.triu(np.full(G.shape, np.nan), 1))


@pytest.mark.parametrize("lam", LAMS)
def test_ridge_minimises_the_penalised_squares(lam):
    H, T = problem(400, 40)
    beta, info = ridge_from_gram(spoilt(H.T @ H), H.T @ T, lam)
    np.testing.assert_allclose(beta, direct(H, T, lam), rtol=1e-6, atol=1e-9 * np.abs(beta).max())
    assert (info.method, info.rank) == ("cholesky", 40)


@pytest.mark.parametrize("lam", [1e-8, 1.0, 1e4])
def test_primal_equals_dual(lam):
    H, T = problem(30, 50)
    primal, _ = ridge_from_gram(H.T @ H, H.T @ T, lam)
    dual, info = dual_ridge(H, T, lam)
    np.testing.assert_allclose(dual, primal, rtol=1e-5, atol=1e-8 * np.abs(primal).max())
    assert info.rank == 30


@pytest.mark.parametrize("overwrite", [False, True])
def test_path_equals_separate_choleskys(overwrite):
    H, T = problem(500, 60)
    G, moment = spoilt(H.T @ H), H.T @ T
    separate = [ridge_from_gram(G, moment, lam) for lam in LAMS]
    betas, infos = ridge_path(G, moment, LAMS, overwrite=overwrite)
    assert betas.shape == (17, 60, 3)
    for beta, info, (expected, single) in zip(betas, infos, separate, strict=True):
        np.testing.assert_allclose(beta, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max())
        assert (info.method, single.method) == ("tridiagonal", "cholesky")


def test_inputs_are_left_alone():
    H, T = problem(100, 20)
    G, moment = np.asfortranarray(H.T @ H), np.asfortranarray(H.T @ T)
    G0, moment0 = G.copy(), moment.copy()
    ridge_from_gram(G, moment, 1e3)
    ridge_path(G, moment, LAMS)
    assert np.array_equal(G, G0)
    assert np.array_equal(moment, moment0)


def test_singular_systems_fall_back_to_the_pseudo_inverse_and_say_so():
    rng = np.random.default_rng(5)
    H = rng.standard_normal((300, 12)) @ rng.standard_normal((12, 50))
    T = rng.standard_normal((300, 2))
    beta, info = ridge_from_gram(H.T @ H, H.T @ T, 1e16)
    assert (info.method, info.rank) == ("spectral", 12)
    assert info.rcond < np.finfo(float).eps
    np.testing.assert_allclose(beta, np.linalg.pinv(H, rcond=1e-10) @ T, atol=1e-10)
    dual, dual_info = dual_ridge(H, T, 1e16)
    assert (dual_info.method, dual_info.rank) == ("spectral", 12)
    np.testing.assert_allclose(dual, beta, atol=1e-10)


def test_only_the_bad_end_of_a_path_falls_back():
    rng = np.random.default_rng(6)
    H = rng.standard_normal((300, 12)) @ rng.standard_normal((12, 50))
    T = rng.standard_normal((300, 2))
    lams = [1e-2, 1e2, 1e15, 1e16]
    betas, infos = ridge_path(H.T @ H, H.T @ T, lams)
    assert [info.method for info in infos] == ["tridiagonal", "tridiagonal", "spectral", "spectral"]
    for beta, lam in zip(betas, lams, strict=True):
        expected = ridge_from_gram(H.T @ H, H.T @ T, lam)[0]
        np.testing.assert_allclose(beta, expected, rtol=1e-6, atol=1e-9)


def test_a_dead_layer_gives_zero_weights():
    beta, info = ridge_from_gram(np.zeros((4, 4)), np.zeros((4, 2)), 1e3)
    assert (beta == 0).all()
    assert info.method == "cholesky"


@pytest.mark.parametrize("solve", [lambda G, m: ridge_from_gram(G, m, 1.0), lambda G, m: ridge_path(G, m, [1.0])])
def test_gram_matrices_that_are_not_finite_are_refused(solve):
    with pytest.raises(ValueError, match="must be finite"):
        solve(np.array([[1.0, 0.0], [np.nan, 1.0]]), np.ones((2, 1)))


@pytest.mark.parametrize("lam", [0.0, -1.0, np.inf, np.nan])
def test_lambda_must_be_positive_and_finite(lam):
    with pytest.raises(ValueError, match="lam must be a number above 0"):
        ridge_from_gram(np.eye(2), np.ones((2, 1)), lam)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="G must be L × L"):
        ridge_path(np.eye(3), np.ones((2, 1)), [1.0])


class TestChoice:
    """λ by three folds against a plain loop over folds and λ."""

    rng = np.random.default_rng(9)
    n_hidden, n_classes = 25, 4
    codes = rng.integers(0, n_classes, 700)
    X = rng.standard_normal((700, 6)) + 0.9 * codes[:, None] * rng.standard_normal(6)
    W, b = rng.standard_normal((6, n_hidden)), rng.uniform(0, 1, n_hidden)
    T = 2.0 * np.eye(n_classes)[codes] - 1
    folds = rng.integers(0, 3, 700)

    def naive(self) -> np.ndarray:
        H = expit(self.X @ self.W + self.b)
        correct = np.zeros((3, len(LAMS)), dtype=int)
        for fold in range(3):
            seen = self.folds != fold
            for j, lam in enumerate(LAMS):
                scores = H[~seen] @ direct(H[seen], self.T[seen], lam)
                correct[fold, j] = np.count_nonzero(scores.argmax(axis=1) == self.codes[~seen])
        return correct

    @pytest.mark.parametrize(("block_rows", "n_threads", "keep"), [(None, None, False), (40, 3, True), (1000, 1, True)])
    def test_choice_equals_a_plain_loop(self, block_rows, n_threads, keep):
        hidden = np.empty((700, self.n_hidden)) if keep else None
        layer, arguments = Layer(self.W, self.b), {"how": Pass(block_rows, n_threads), "hidden": hidden}
        sums = accumulate(layer, self.X, self.T, folds=self.folds, n_folds=3, **arguments)
        choice = choose_lambda(sums, layer, self.X, self.codes, self.folds, LAMS, **arguments)
        expected = self.naive()
        assert np.array_equal(choice.correct, expected)
        assert choice.lam == LAMS[int(expected.sum(axis=0).argmax())]
        assert [[info.method for info in infos] for infos in choice.infos] == [["tridiagonal"] * 17] * 3


def test_the_fallback_keeps_every_eigenvalue_while_the_ridge_rises_above_rounding():
    rng = np.random.default_rng(7)
    H = rng.standard_normal((300, 12)) @ rng.standard_normal((12, 50))
    G, moment = np.asfortranarray(H.T @ H), np.asfortranarray(H.T @ rng.standard_normal((300, 2)))
    reduction = _Reduction(G.copy(order="F"), moment)
    loadings, used = reduction.spectral(1e6)
    assert used == 50
    expected = np.linalg.solve(np.eye(50) / 1e6 + G, moment)
    np.testing.assert_allclose(H @ reduction.back(loadings), H @ expected, atol=1e-8)
    assert reduction.spectral(1e16)[1] == 12
