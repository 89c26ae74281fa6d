"""The dictionary's atoms are unit vectors, its objective falls, and planted atoms are found again."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.features import omp1
from celm.features.omp1 import OMP1Dictionary, atom_sums, best_atoms, learn_atoms, unit_rows

RNG = np.random.default_rng(0)
X = RNG.standard_normal((600, 8)) * np.linspace(0.3, 2.0, 8)


@parametrize_with_checks([OMP1Dictionary(n_atoms=3, n_iterations=4, random_state=0)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_never_rises_and_atoms_have_unit_norm(seed):
    atoms, objective, redrawn = learn_atoms(X, 10, 40, np.random.default_rng(seed))
    assert (np.diff(objective) <= 1e-12).all()
    assert redrawn.shape == (40,)
    assert objective[-1] < objective[0]
    assert_allclose(np.linalg.norm(atoms, axis=1), 1.0)


def test_the_objective_is_the_mean_squared_residual_of_the_best_multiple():
    atoms = unit_rows(RNG.standard_normal((5, 8)))
    best, coefficients = best_atoms(X, atoms)
    residuals = ((X[:, None] - (X @ atoms.T)[..., None] * atoms) ** 2).sum(axis=2)
    assert_array_equal(best, residuals.argmin(axis=1))
    assert_allclose(((X - coefficients[:, None] * atoms[best]) ** 2).sum(axis=1), residuals.min(axis=1))
    first = learn_atoms(X, 5, 1, np.random.default_rng(3))[1][0]
    start = unit_rows(np.random.default_rng(3).standard_normal((5, 8)))
    _, coefficients = best_atoms(X, start)
    assert first == pytest.approx((X**2).sum(axis=1).mean() - (coefficients**2).mean())


def test_blocked_sums_are_the_signed_weighted_sums(monkeypatch):
    monkeypatch.setattr(omp1, "BLOCK_ROWS", 71)
    atoms = unit_rows(RNG.standard_normal((5, 8)))
    best, coefficients = best_atoms(X, atoms)
    sums, explained = atom_sums(X, atoms)
    for k in range(5):
        assert_allclose(sums[k], (coefficients[:, None] * X)[best == k].sum(axis=0))
    assert explained == pytest.approx((coefficients**2).sum())


def test_planted_orthogonal_atoms_are_found_up_to_sign():
    planted, _ = np.linalg.qr(RNG.standard_normal((8, 8)))
    rows = planted[RNG.integers(0, 4, 800)] * RNG.choice([-1, 1], (800, 1)) * RNG.uniform(1, 3, (800, 1))
    found = [OMP1Dictionary(4, 50, seed).fit(rows) for seed in range(20)]
    best = min(found, key=lambda dictionary: dictionary.objective_[-1])
    assert best.objective_[-1] < 1e-12
    assert_allclose(np.abs(best.atoms_ @ planted[:4].T).max(axis=1), 1.0)


def test_signs_and_order_of_the_rows_do_not_matter():
    flipped = X * RNG.choice([-1, 1], (len(X), 1))
    reference = OMP1Dictionary(6, 10, random_state=0).fit(X).atoms_
    assert_allclose(OMP1Dictionary(6, 10, random_state=0).fit(flipped).atoms_, reference, atol=1e-10)
    assert_allclose(OMP1Dictionary(6, 10, random_state=0).fit(X[::-1]).atoms_, reference, atol=1e-10)


def test_atoms_without_rows_are_drawn_anew():
    line = np.outer(np.linspace(1, 2, 30), np.eye(8)[0])
    dictionary = OMP1Dictionary(5, 6, random_state=0).fit(line)
    assert_array_equal(dictionary.redrawn_, 4)
    assert_allclose(np.linalg.norm(dictionary.atoms_, axis=1), 1.0)
    assert dictionary.objective_[-1] < 1e-12


def test_transform_gives_the_dot_products_on_rows_and_maps():
    dictionary = OMP1Dictionary(6, 3, random_state=0).fit(X)
    assert_allclose(dictionary.transform(X.reshape(6, 10, 10, 8)).reshape(600, 6), X @ dictionary.atoms_.T)
    assert len(dictionary.get_feature_names_out()) == 6


@pytest.mark.parametrize("parameters", [{"n_atoms": 0}, {"n_iterations": 0}, {"n_atoms": 2.5}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ValueError, match=r"OMP1Dictionary: n_.* must be a whole number of at least 1"):
        OMP1Dictionary(**parameters).fit(X)
