"""Single-precision products: the bound on their error holds, and the solver takes them only where it allows it."""

import numpy as np
import pytest
from scipy.special import expit

from celm.base.validation import signed_targets
from celm.linalg import solve
from celm.linalg.layer import Layer
from celm.linalg.precision import Seen, objective_excess, output_error

RNG = np.random.default_rng(8)
CODES = RNG.integers(3, size=600)
X = RNG.normal(size=(600, 40)) + CODES[:, None]
T = signed_targets(CODES, 3)


def layer(scale=0.1, n_hidden=50, precision="auto"):
    rng = np.random.default_rng(1)
    return Layer(scale * rng.normal(size=(40, n_hidden)), rng.uniform(0, 1, n_hidden), precision=precision)


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch):
    monkeypatch.setattr(solve, "WHOLE", 0)


@pytest.mark.parametrize("scale", [1e-3, 0.1, 10.0])
def test_no_output_is_further_off_than_the_bound_says(scale):
    drawn = layer(scale, precision="single_products")
    error = np.abs(drawn.by_blocks()(X, slice(None)) - expit(X @ drawn.W + drawn.b)).max()
    assert 0 < error <= output_error(drawn, Seen.of(X, T).longest_row)


def objective(H, beta, lam):
    return np.linalg.norm(H @ beta - T) ** 2 + np.linalg.norm(beta) ** 2 / lam


@pytest.mark.parametrize("scale", [1e-2, 0.1, 1.0])
@pytest.mark.parametrize("lam", [1e-2, 1.0, 1e3, 1e6])
def test_the_objective_lies_no_further_above_its_minimum_than_the_bound_says(scale, lam):
    double, single = (layer(scale, precision=name) for name in ("double", "single_products"))
    best = solve.solve_readout(double, X, T, lam=lam, cutoff="matlab").beta
    beta = solve.solve_readout(single, X, T, lam=lam, cutoff="matlab").beta
    H, Hs = double.outputs(X), single.by_blocks()(X, slice(None)).copy()
    inverse_norm = np.linalg.norm(np.linalg.inv(H.T @ H + np.eye(50) / lam), 2)
    bound = objective_excess(double, Seen.of(X, T), beta, Hs.T @ T, inverse_norm)
    least = objective(H, best, lam)
    assert objective(H, beta, lam) - least <= (bound + 1e-12) * least


def test_single_products_are_chosen_where_they_do_no_harm():
    double = solve.solve_readout(layer(precision="double"), X, T, lam=1.0, cutoff="matlab")
    chosen = solve.solve_readout(layer(), X, T, lam=1.0, cutoff="matlab")
    assert chosen.solver == "row blocks cholesky, single products"
    assert not np.array_equal(chosen.beta, double.beta)
    H = layer().outputs(X)
    np.testing.assert_allclose(H @ chosen.beta, H @ double.beta, atol=1e-4)


def test_a_readout_of_huge_weights_is_solved_in_double():
    drawn = layer(scale=1e-4, n_hidden=80)
    chosen = solve.solve_readout(drawn, X, T, lam=1e9, cutoff="matlab")
    double = solve.solve_readout(layer(1e-4, 80, "quick_double"), X, T, lam=1e9, cutoff="matlab")
    assert "single" not in chosen.solver
    np.testing.assert_array_equal(chosen.beta, double.beta)


def test_what_is_seen_of_parts_is_what_is_seen_of_all():
    parts = [Seen.of(X[a:b], T[a:b]) for a, b in ((0, 7), (7, 7), (7, 600))]
    whole = Seen.of(X, T)
    assert parts[0].plus(parts[1]).plus(parts[2]) == whole
    assert whole.longest_row == pytest.approx(np.linalg.norm(X, axis=1).max())
