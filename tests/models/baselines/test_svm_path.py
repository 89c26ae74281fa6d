"""The SVM solver: optimality, agreement with other solvers, folds as columns, paths and hard cases."""

from __future__ import annotations

import tracemalloc

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.svm import LinearSVC

from celm.models.baselines import svm_path as module
from celm.models.baselines.svm_newton import CholeskyStep, ConjugateGradientStep, PrimalFactor, Problems, dual_step
from celm.models.baselines.svm_path import SVMSolution, exact_line_search, svm_path

Array = npt.NDArray[np.float64]


def problem(seed: int, n: int = 120, d: int = 7, k: int = 4, spread: float = 1.0) -> tuple[Array, Array]:
    """Correlated features off the origin and one-vs-all targets (k × n) that are not separable at spread 1."""
    rng = np.random.default_rng(seed)
    codes = rng.permutation(np.arange(n) % k)
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + 3.0
    X += rng.standard_normal((k, d))[codes] / spread
    return X, np.where(codes == np.arange(k)[:, None], 1.0, -1.0)


def objective(X: Array, targets: Array, C: float | Array, coef: Array, intercept: Array) -> Array:
    hinge = np.maximum(0.0, 1.0 - targets * (coef @ X.T + intercept[:, None])) * (targets != 0)
    return 0.5 * (coef**2).sum(axis=1) + C * (hinge**2).sum(axis=1) / (targets != 0).sum(axis=1)


def gradients(X: Array, targets: Array, solution: SVMSolution) -> tuple[Array, Array]:
    hinge = np.maximum(0.0, 1.0 - targets * (solution.coef @ X.T + solution.intercept[:, None]))
    pull = 2.0 * np.asarray(solution.C) / (targets != 0).sum(axis=1)
    residual = pull[:, None] * hinge * targets
    return solution.coef - residual @ X, -residual.sum(axis=1)


@pytest.fixture(params=["cholesky", "conjugate_gradients", "one_preconditioner"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with each way to solve for the Newton step."""
    monkeypatch.setattr(module, "CHOLESKY_LIMIT", np.inf if request.param == "cholesky" else 0.0)
    monkeypatch.setattr(module, "SHARED_LIMIT", 0.0 if request.param == "one_preconditioner" else np.inf)
    return str(request.param)


@pytest.mark.parametrize("C", [1e-6, 1e-2, 1.0, 100.0, 1e4])
def test_the_gradient_vanishes_at_the_solution(solver: str, C: float) -> None:
    X, targets = problem(0)
    solution = next(svm_path(X, targets, [C], tol=1e-7))
    coef_gradient, intercept_gradient = gradients(X, targets, solution)
    size, steep = np.linalg.norm(solution.coef, axis=1), np.linalg.norm(coef_gradient, axis=1)
    assert solution.converged.all()
    # Inexact steps may end where the objective, 1-strongly convex in w, is within its rounding of the optimum.
    flat = 0.5 * steep**2 <= 1e-9 * C if solver == "one_preconditioner" else False
    assert np.all((steep <= 1e-6 * size) | flat)
    assert np.all(np.abs(intercept_gradient) <= 1e-6 * 2.0 * C)
    assert np.allclose(solution.scores, solution.coef @ X.T + solution.intercept[:, None])


@pytest.mark.parametrize("C", [0.01, 10.0])
def test_no_point_found_by_a_general_optimiser_is_better(solver: str, C: float) -> None:
    X, targets = problem(1, n=40, d=3, k=3)
    solution = next(svm_path(X, targets, [C]))
    found = objective(X, targets, C, solution.coef, solution.intercept)

    def loss(point: Array, target: Array) -> float:
        return float(objective(X, target[None], C, point[None, :-1], point[-1:])[0])

    for value, target in zip(found, targets, strict=True):
        other = minimize(loss, np.zeros(4), args=(target,), method="BFGS", options={"gtol": 1e-7})
        assert value <= other.fun * (1 + 1e-9)
        assert value == pytest.approx(other.fun, rel=1e-5)


@pytest.mark.parametrize("C", [0.1, 10.0])
def test_agrees_with_liblinear_once_its_intercept_is_free(solver: str, C: float) -> None:
    X, targets = problem(2)
    ours = next(svm_path(X, targets, [C], tol=1e-6))
    ours_objective = objective(X, targets, C, ours.coef, ours.intercept)
    for row, target in enumerate(targets):
        library = LinearSVC(
            C=C / len(X), dual=False, loss="squared_hinge", intercept_scaling=1e3, tol=1e-10, max_iter=100_000
        ).fit(X, target)
        theirs = objective(X, target[None], C, library.coef_, library.intercept_)
        assert ours_objective[row] <= theirs[0] * (1 + 1e-10)
        assert np.allclose(ours.scores[row], library.decision_function(X), atol=1e-3)


def test_a_path_equals_separate_solutions(solver: str) -> None:
    X, targets = problem(3)
    Cs = 10.0 ** np.arange(-4, 5)
    for C, along in zip(Cs, svm_path(X, targets, Cs, tol=1e-8), strict=True):
        alone = next(svm_path(X, targets, [C], tol=1e-8))
        assert np.allclose(along.coef, alone.coef, rtol=1e-6, atol=1e-9 + 1e-6 * np.abs(alone.coef).max())
        assert np.allclose(along.intercept, alone.intercept, rtol=1e-6)


def test_a_larger_C_buys_a_smaller_loss_with_a_larger_norm() -> None:
    X, targets = problem(4)
    solutions = list(svm_path(X, targets, 10.0 ** np.arange(-6, 7)))
    penalty = np.array([0.5 * (s.coef**2).sum(axis=1) for s in solutions])
    loss = np.array([objective(X, targets, 1.0, s.coef, s.intercept) for s in solutions]) - penalty
    assert np.all(np.diff(penalty, axis=0) > 0)
    assert np.all(np.diff(loss, axis=0) < 0)


def test_rows_with_target_zero_are_as_if_absent(solver: str) -> None:
    X, targets = problem(5)
    kept = np.arange(len(X)) % 3 != 0
    Cs = [1e-3, 1.0, 1e3]
    masked = svm_path(X, targets * kept, Cs, tol=1e-8)
    alone = svm_path(X[kept], np.ascontiguousarray(targets[:, kept]), Cs, tol=1e-8)
    for with_zeros, without in zip(masked, alone, strict=True):
        assert np.allclose(with_zeros.coef, without.coef, rtol=1e-5, atol=1e-7 * np.abs(without.coef).max())
        assert np.allclose(with_zeros.scores[:, kept], without.scores, atol=1e-5)


def test_C_may_differ_between_columns(solver: str) -> None:
    X, targets = problem(6, k=3)
    Cs = np.array([1e-2, 1.0, 50.0])
    together = next(svm_path(X, targets, [Cs], tol=1e-8))
    for row, C in enumerate(Cs):
        alone = next(svm_path(X, targets[row : row + 1], [C], tol=1e-8))
        assert np.allclose(together.coef[row], alone.coef[0], rtol=1e-5, atol=1e-7)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), factor=st.floats(0.05, 20.0), exponent=st.integers(-3, 3))
def test_scaling_and_shifting_the_data_moves_only_the_parametrisation(seed: int, factor: float, exponent: int) -> None:
    X, targets = problem(seed % 1000, n=60, d=4)
    shift = np.random.default_rng(seed).standard_normal(4)
    C = 10.0**exponent
    plain = next(svm_path(X, targets, [C], tol=1e-8))
    moved = next(svm_path(factor * X + shift, targets, [C / factor**2], tol=1e-8))
    assert np.allclose(moved.coef * factor, plain.coef, rtol=1e-5, atol=1e-6 * np.abs(plain.coef).max())
    assert np.allclose(moved.scores, plain.scores, atol=1e-5)


def test_repeating_every_row_changes_nothing() -> None:
    X, targets = problem(7)
    once = next(svm_path(X, targets, [10.0], tol=1e-8))
    twice = next(svm_path(np.vstack([X, X]), np.hstack([targets, targets]), [10.0], tol=1e-8))
    assert np.allclose(once.coef, twice.coef, rtol=1e-6)


def test_flipping_the_targets_flips_the_solution(solver: str) -> None:
    X, targets = problem(8)
    solution = next(svm_path(X, np.vstack([targets[0], -targets[0]]), [1.0]))
    assert np.allclose(solution.coef[0], -solution.coef[1])
    assert solution.intercept[0] == pytest.approx(-solution.intercept[1])


def test_separable_data_end_at_the_widest_margin() -> None:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0], [9.0, 5.0]])
    targets = np.array([[-1.0, -1.0, 1.0, 1.0, 1.0]])
    *_, last = svm_path(X, targets, 10.0 ** np.arange(-8, 9))
    assert last.converged.all()
    assert np.allclose(last.coef, [[1.0, 0.0]], atol=1e-6)
    assert last.intercept[0] == pytest.approx(-1.0, abs=1e-6)


@pytest.mark.parametrize("C", [1e4, 1e8])
@pytest.mark.parametrize("d", [5, 60])
def test_a_huge_C_converges_from_a_cold_start(C: float, d: int) -> None:
    X, targets = problem(9, n=90, d=d)
    solution = next(svm_path(X, targets, [C]))
    assert solution.converged.all()
    assert solution.n_iter.max() < 100


def test_equal_columns_share_their_weight_and_constant_columns_get_none(solver: str) -> None:
    X, targets = problem(10)
    constant = np.full((len(X), 1), 5.0)
    plain = svm_path(np.sqrt(2.0) * X, targets, [1.0, 1e6], tol=1e-7)
    doubled = svm_path(np.hstack([X, X, constant]), targets, [1.0, 1e6], tol=1e-7)
    for one, two in zip(plain, doubled, strict=True):
        assert two.converged.all()
        scale = np.abs(one.coef).max()
        assert np.allclose(two.coef[:, :7], two.coef[:, 7:14], atol=1e-6 * scale)
        assert np.allclose(two.coef[:, :7] * np.sqrt(2.0), one.coef, atol=1e-4 * scale)
        assert np.allclose(two.coef[:, 14], 0.0, atol=1e-9 * scale)


def test_only_constant_features_leave_the_intercept(solver: str) -> None:
    targets = np.array([[1.0] * 3 + [-1.0] * 7])
    solution = next(svm_path(np.full((10, 2), 4.0), targets, [1e3]))
    assert solution.converged.all()
    assert np.allclose(solution.coef, 0.0)
    assert solution.scores == pytest.approx(-0.4)


def test_a_column_of_one_class_is_fitted_by_its_intercept(solver: str) -> None:
    X, _ = problem(11)
    solution = next(svm_path(X, -np.ones((1, len(X))), [1.0]))
    assert solution.converged.all()
    assert np.allclose(solution.coef, 0.0)
    assert np.all(solution.scores <= -1.0 + 1e-9)


def test_features_of_extreme_size_still_end() -> None:
    X, targets = problem(12, n=50, d=20)
    *_, last = svm_path(1e7 * X, targets, 10.0 ** np.arange(-8, 9, 4))
    assert np.isfinite(last.coef).all()
    assert np.all(objective(1e7 * X, targets, last.C, last.coef, last.intercept) <= last.C)


@pytest.mark.parametrize("size", [1e121, 1e152, 1e200])
def test_features_whose_products_overflow_are_named(size: float) -> None:
    X, targets = problem(12)
    with pytest.raises(ValueError, match=r"linear SVM: entries of X must be at most 1e\+90"):
        next(svm_path(size * X, targets, [1.0]))


def test_too_few_steps_are_reported() -> None:
    X, targets = problem(13)
    solution = next(svm_path(X, targets, [100.0], max_iter=1))
    assert not solution.converged.all()
    assert solution.n_iter.max() == 1


def test_primal_and_dual_steps_solve_the_same_system() -> None:
    rng = np.random.default_rng(14)
    X, rhs, rhs0, ridge = rng.standard_normal((6, 9)), rng.standard_normal((2, 9)), rng.standard_normal(2), 0.3
    augmented = np.hstack([X, np.ones((6, 1))])
    system = augmented.T @ augmented + ridge * np.diag([1.0] * 9 + [0.0])
    expected = np.linalg.solve(system, np.column_stack([rhs, rhs0]).T).T
    for step, step0 in (
        PrimalFactor(X.T @ X, X.sum(axis=0), 6, ridge).solve(rhs, rhs0),
        dual_step(X, ridge, rhs, rhs0),
    ):
        assert np.allclose(np.column_stack([step, step0]), expected)


def test_all_solvers_step_alike_also_after_rows_enter_and_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celm.models.baselines.svm_newton.FORCING", 1e-9)
    monkeypatch.setattr("celm.models.baselines.svm_newton.SAMPLE_ROWS", 5)
    rng = np.random.default_rng(15)
    X = rng.standard_normal((300, 6))
    exact, inexact, shared = CholeskyStep(X), ConjugateGradientStep(X), ConjugateGradientStep(X, shared=True)
    active = rng.random((3, 300)) < 0.5
    for _ in range(4):
        problems = Problems(
            np.arange(3), active.copy(), np.array([0.1, 1.0, 1.0]), rng.standard_normal((3, 6)), np.ones(3)
        )
        for one, *others in zip(exact(problems), inexact(problems), shared(problems), strict=True):
            assert all(np.allclose(one, other, atol=1e-7) for other in others)
        active ^= rng.random((3, 300)) < 0.1


@pytest.mark.parametrize("n", [6, 40])
def test_a_system_that_is_singular_in_working_precision_still_gives_a_step_downhill(n: int) -> None:
    rng = np.random.default_rng(17)
    X = 1e8 * rng.standard_normal((n, 1)) * np.ones((1, 12))
    gradient, gradient0 = rng.standard_normal((1, 12)), np.ones(1)
    problems = Problems(np.arange(1), np.ones((1, n), dtype=bool), np.array([1e10]), gradient, gradient0)
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(X.T @ X + 5e-11 * np.eye(12))
    for solver in (CholeskyStep(X), ConjugateGradientStep(X), ConjugateGradientStep(X, shared=True)):
        step, step0 = solver(problems)
        assert np.vdot(gradient, step) + gradient0[0] * step0[0] < 0


def test_the_line_search_finds_the_lowest_point_of_the_ray() -> None:
    rng = np.random.default_rng(16)
    slack, slope = rng.standard_normal((5, 40)), rng.standard_normal((5, 40))
    w, weight = rng.standard_normal((5, 3)), np.array([0.01, 0.1, 1.0, 10.0, 100.0])
    downhill = 2.0 * weight * (np.maximum(slack, 0.0) * slope).sum(axis=1)
    slope *= -np.sign(downhill)[:, None]
    s = -0.01 * w
    t = exact_line_search(slack, slope, (w * s).sum(axis=1), (s * s).sum(axis=1), weight, precision=1e-10)

    def along(t: Array) -> Array:
        hinge = np.maximum(slack + t[:, None] * slope, 0.0)
        return 0.5 * ((w + t[:, None] * s) ** 2).sum(axis=1) + weight * (hinge**2).sum(axis=1)

    for other in (t * 0.999, t * 1.001, np.zeros(5), np.ones(5)):
        assert np.all(along(t) <= along(other))


def test_few_rows_of_many_features_need_no_matrix_of_features() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 12_000))
    targets = np.where(rng.random((3, 40)) < 0.5, -1.0, 1.0)
    tracemalloc.start()
    solution = next(svm_path(X, targets, [1.0]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert solution.converged.all()
    assert peak < 20 * X.nbytes
