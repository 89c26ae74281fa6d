"""Single precision: the bounds on its error hold, and the solver takes it only where they allow it."""

import numpy as np
import pytest
from scipy.special import expit

from celm.base.validation import signed_targets
from celm.linalg import solve
from celm.linalg.blocks import Pass
from celm.linalg.gram import accumulate
from celm.linalg.layer import Layer
from celm.linalg.precision import TOLERANCE, Looks, Seen, objective_excess, output_error, sums_excess
from celm.linalg.ridge import cholesky_from_gram, ridge_from_gram
from celm.linalg.single import harmless_readout

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
    monkeypatch.setattr(solve, "SCORED_WHOLE", 0)


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


# Rows as they come, sorted by class, all outputs near 0 or 1, nearly equal nodes, rows that hardly differ.
SHUFFLED = np.argsort(CODES, kind="stable")
WORLDS = {
    "as they come": (X, 0.1),
    "sorted": (X[SHUFFLED], 0.1),
    "saturated": (X, 30.0),
    "nearly linear": (X, 1e-3),
    "hardly different": (1.0 + 1e-3 * X, 0.1),
}


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("lam", [1e-2, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("block_rows", [100, 600])
def test_sums_in_single_precision_cost_no_more_than_the_bound_says(name, lam, block_rows):
    rows, scale = WORLDS[name]
    targets = T[SHUFFLED] if name == "sorted" else T
    drawn = layer(scale, precision="single")
    how = Pass(block_rows)
    H = drawn.by_blocks()(rows, slice(None)).astype(np.float64)
    A = H.T @ H + np.eye(50) / lam
    best = np.linalg.solve(A, H.T @ targets)
    sums = accumulate(drawn, rows, targets, how=how)
    beta, info = ridge_from_gram(*sums.summed(), lam)
    inverse_norm = 1.0 / (info.rcond * np.linalg.norm(A, 1)) if info.method == "cholesky" else np.inf
    seen = Seen.of(rows, targets)
    bound = sums_excess(np.diagonal(sums.grams[0]), seen, beta, sums.moments[0], inverse_norm, block_rows)
    least = np.linalg.norm(H @ best - targets) ** 2 + np.linalg.norm(best) ** 2 / lam
    excess = np.linalg.norm(H @ beta - targets) ** 2 + np.linalg.norm(beta) ** 2 / lam - least
    assert excess <= (bound + 1e-12) * least
    assert bound > TOLERANCE or info.method == "cholesky"


def test_sums_that_may_drown_the_least_eigenvalue_have_no_bound():
    beta, moment, seen = np.full((2, 1), 1e-6), np.zeros((2, 1)), Seen(1000, 1.0, 10.0)
    harmless, harmful = (sums_excess(np.full(2, 1e3), seen, beta, moment, norm, 1000) for norm in (1.0, 1e9))
    assert 0 < harmless < 1e-6
    assert harmful == np.inf


@pytest.mark.parametrize(
    ("precision", "scale", "lam", "used"),
    [
        ("auto", 0.1, 1.0, "single products"),
        ("mixed", 0.1, 1.0, "single precision"),
        ("mixed", 0.01, 1e4, "single products"),
    ],
)
def test_single_precision_is_chosen_where_it_does_no_harm(precision, scale, lam, used):
    double = solve.solve_readout(layer(scale, precision="double"), X, T, lam=lam, cutoff="matlab")
    chosen = solve.solve_readout(layer(scale, precision=precision), X, T, lam=lam, cutoff="matlab")
    assert chosen.solver == f"row blocks cholesky, {used}"
    assert not np.array_equal(chosen.beta, double.beta)
    H = layer(scale).outputs(X)
    np.testing.assert_allclose(H @ chosen.beta, H @ double.beta, atol=1e-4)


@pytest.mark.parametrize("precision", ["mixed", "auto"])
def test_a_readout_of_huge_weights_is_solved_in_double(precision):
    drawn = layer(1e-4, 80, precision)
    chosen = solve.solve_readout(drawn, X, T, lam=1e9, cutoff="matlab")
    double = solve.solve_readout(layer(1e-4, 80, "quick_double"), X, T, lam=1e9, cutoff="matlab")
    assert "single" not in chosen.solver
    np.testing.assert_array_equal(chosen.beta, double.beta)


def test_what_is_seen_of_parts_is_what_is_seen_of_all():
    parts = [Seen.of(X[a:b], T[a:b]) for a, b in ((0, 7), (7, 7), (7, 600))]
    whole = Seen.of(X, T)
    assert parts[0].plus(parts[1]).plus(parts[2]) == whole
    assert whole.longest_row == pytest.approx(np.linalg.norm(X, axis=1).max())


def test_a_rough_look_at_rows_comes_first_and_is_never_below_the_exact_one():
    rough, exact = Looks(X, T)
    assert exact == Seen.of(X, T)
    assert rough.longest_row > exact.longest_row
    assert rough._replace(longest_row=exact.longest_row) == exact


def test_rows_are_looked_at_exactly_where_the_rough_look_does_not_clear_them():
    sums = accumulate(layer(precision="single_products"), X, T)
    hopeless, exact = Seen(len(X), 1e30, 1.0), Seen.of(X, T)
    assert harmless_readout(layer(), sums, [hopeless], 1.0) is None
    np.testing.assert_array_equal(
        harmless_readout(layer(), sums, [hopeless, exact], 1.0), harmless_readout(layer(), sums, [exact], 1.0)
    )


def test_a_gram_matrix_that_is_singular_to_rounding_has_no_cholesky_readout():
    singular = np.asfortranarray(np.ones((3, 3)))
    assert cholesky_from_gram(singular, np.ones((3, 1)), 1e20)[0] is None
    beta, rcond = cholesky_from_gram(singular, np.ones((3, 1)), 1.0)
    np.testing.assert_allclose(beta, np.full((3, 1), 0.25))
    assert 0 < rcond <= 1
