"""What candidates share: the chosen model comes from the sums of its folds, and equals a fit of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV
from celm.linalg import solve

RNG = np.random.default_rng(5)
X = RNG.normal(size=(240, 6))
CLASSES = (X[:, 0] + X[:, 1] ** 2 > 0.8).astype(int) + (X[:, 2] > 1)
NUMBERS = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
WEIGHTS = RNG.uniform(0.5, 2.0, len(X))


def classifier_search(**more: Any) -> ELMClassifierCV:
    model = ELMClassifier(strategy=more.pop("strategy", "cdelm"), precision="double")
    return ELMClassifierCV(model, **{"n_hidden_grid": (6, 12, 20), "lams": (1e-2, 1.0, 1e2), "random_state": 1, **more})


def regressor_search(**more: Any) -> ELMRegressorCV:
    grids = {"n_hidden_grid": (6, 12, 20), "lams": (1e-2, 1.0, 1e2), "random_state": 1}
    return ELMRegressorCV(ELMRegressor(precision="double"), **{**grids, **more})


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Everything goes in blocks; the list grows with every pass over the rows that sums products."""
    counted: list[int] = []
    accumulate = solve.accumulate

    def counting(layer: Any, *rows: Any, **more: Any) -> Any:
        counted.append(layer.n_hidden)
        return accumulate(layer, *rows, **more)

    monkeypatch.setattr(solve, "WHOLE", 0)
    monkeypatch.setattr(solve, "accumulate", counting)
    return counted


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("search", "y"), [(classifier_search, CLASSES), (regressor_search, NUMBERS)])
def test_the_sums_of_the_folds_give_the_chosen_model(
    passes: list[int], search: Any, y: Any, sparse: bool, weights: Any
) -> None:
    rows = csr_matrix(X) if sparse else X
    chosen = search().fit(rows, y, weights)
    assert passes == [20]
    fresh = chosen.estimator_at(chosen.n_hidden_, chosen.lam_).fit(rows, y, weights)
    assert_allclose(chosen.best_estimator_.W_, fresh.W_, rtol=1e-12)
    assert_allclose(chosen.best_estimator_.beta_, fresh.beta_, rtol=1e-8, atol=1e-12)
    assert_allclose(chosen.best_estimator_.scores(rows), fresh.scores(rows), rtol=1e-9, atol=1e-9)
    assert chosen.best_estimator_.W_.base is None


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"input_scales": (0.3, 1.0, 3.0)}, [20, 20, 20]),
        # Layers of their own for every count or fold: the chosen model takes a pass of its own.
        ({"nested": False}, [6, 12, 20, "chosen"]),
        ({"layer": "per_fold"}, [20, 20, 20, "chosen"]),
        ({"nested": False, "n_hidden_grid": (12,)}, [12]),
    ],
)
def test_a_pass_per_layer_and_none_for_a_choice_among_one(
    passes: list[int], more: dict[str, Any], expected: list[Any]
) -> None:
    chosen = classifier_search(**more).fit(X, CLASSES)
    assert passes == [chosen.n_hidden_ if each == "chosen" else each for each in expected]
    fresh = chosen.estimator_at(chosen.n_hidden_, chosen.lam_).fit(X, CLASSES)
    assert_allclose(chosen.decision_function(X), fresh.decision_function(X), rtol=1e-8, atol=1e-9)


def test_sums_that_are_singular_to_rounding_are_not_trusted(passes: list[int]) -> None:
    """Equal columns of X and a weak penalty: the rows themselves are factorised, as in a fit."""
    flat = np.repeat(X[:, :1], 6, axis=1)
    chosen = classifier_search(strategy="elm", n_hidden_grid=(20,), lams=(1e15, 1e16)).fit(flat, CLASSES)
    fresh = chosen.estimator_at(chosen.n_hidden_, chosen.lam_).fit(flat, CLASSES)
    assert chosen.best_estimator_.solver_ == fresh.solver_ != "row blocks cholesky"


def test_more_nodes_than_rows_are_fitted_by_the_dual_form(passes: list[int]) -> None:
    chosen = classifier_search(n_hidden_grid=(300,)).fit(X, CLASSES)
    assert chosen.best_estimator_.solver_.startswith("dual")


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("more", [{}, {"nested": False}, {"layer": "per_fold"}, {"input_scales": (0.3, 1.0)}])
def test_a_fit_chooses_as_the_exact_count_of_candidates(
    monkeypatch: pytest.MonkeyPatch, more: dict[str, Any], large: bool
) -> None:
    if large:
        monkeypatch.setattr(solve, "WHOLE", 0)
    fitted, counted = classifier_search(**more).fit(X, CLASSES), classifier_search(**more).choose_candidate(X, CLASSES)
    assert_array_equal(fitted.surface_, counted.surface_)
    assert (fitted.n_hidden_, fitted.lam_, fitted.input_scale_) == (
        counted.n_hidden_,
        counted.lam_,
        counted.input_scale_,
    )
