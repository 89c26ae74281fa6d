"""The whole surface of a protocol: the numbers of a search, of its test surface and of the curve without a penalty."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from celm import ELMClassifier, ELMClassifierCV
from celm.models.elm.node_curves import pseudo_inverse_rows, ridge_surface
from celm.models.elm.surfaces import chosen_with_tests, plain_hits

COUNTS = [5, 20, 45]


def rows() -> tuple[Any, Any, Any, Any]:
    X, y = load_digits(return_X_y=True)
    X = X[:500] / 16.0
    # The test rows hold a class that the training rows do not.
    order = np.argsort(y[:500] == 9, kind="stable")
    X, y = X[order], y[:500][order]
    return X[:300], y[:300], X[300:], y[300:]


def search(strategy: str, **more: Any) -> ELMClassifierCV:
    return ELMClassifierCV(
        ELMClassifier(strategy=strategy), n_hidden_grid=COUNTS, lams=[1e-2, 1.0, 1e4], random_state=5, **more
    )


@pytest.mark.parametrize(
    ("strategy", "more"),
    [
        ("cdelm", {}),
        ("orthogonal_elm", {}),
        ("elm", {"nested": False}),
        ("cdelm", {"layer": "per_fold"}),
        ("elm", {"input_scales": [0.3, 3.0]}),
        ("elm", {"cv": "loo"}),
    ],
)
def test_a_choice_with_its_tests_is_that_of_the_search(strategy: str, more: dict[str, Any]) -> None:
    data = rows()
    expected = search(strategy, **more).choose_candidate(*data[:2])
    found = search(strategy, **more)
    tested = chosen_with_tests(found, *data)
    assert np.array_equal(found.surface_, expected.surface_)
    assert np.array_equal(tested, ridge_surface(expected, *data))
    assert (found.n_hidden_, found.lam_, found.cv_accuracy_) == (
        expected.n_hidden_,
        expected.lam_,
        expected.cv_accuracy_,
    )


@pytest.mark.parametrize(("strategy", "nested"), [("cdelm", True), ("elm", False), ("orthogonal_elm", True)])
def test_the_curve_without_a_penalty_is_that_of_single_fits(strategy: str, nested: bool) -> None:
    data, model = rows(), ELMClassifier(strategy=strategy)
    expected = pseudo_inverse_rows(model, COUNTS, *data, nested=nested, seed=7)
    assert plain_hits(model, COUNTS, *data, nested=nested, seed=7) == [row.correct for row in expected]
