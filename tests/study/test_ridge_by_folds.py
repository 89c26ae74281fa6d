"""The ridge on shared sums is what scikit-learn computes: the same choice, accuracy of the folds, and coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import RidgeClassifierCV
from sklearn.model_selection import PredefinedSplit

from celm.study.ridge_by_folds import RidgeByFolds

ALPHAS = [10.0**exponent for exponent in range(-4, 5)]


@pytest.mark.parametrize("load", [load_digits, load_breast_cancer])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_it_is_what_scikit_learn_computes_candidate_by_candidate(load, shift):
    X, y = load(return_X_y=True)
    X = X + shift
    folds = np.random.default_rng(3).integers(0, 3, len(X))
    ours = RidgeByFolds(ALPHAS, folds).fit(X, y)
    theirs = RidgeClassifierCV(ALPHAS, cv=PredefinedSplit(folds)).fit(X, y)
    assert ours.alpha_ == theirs.alpha_
    assert ours.best_score_ == pytest.approx(theirs.best_score_, abs=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.decision_function(X) / (2 if len(ours.classes_) == 2 else 1),
                               theirs.decision_function(X), atol=1e-6)  # fmt: skip


def test_among_equals_the_first_penalty_is_taken():
    X, y = np.array([[-1.0], [-2.0], [1.0], [2.0]] * 3), np.array([0, 0, 1, 1] * 3)
    assert RidgeByFolds([7.0, 0.1], np.arange(12) // 4).fit(X, y).alpha_ == 7.0


@pytest.mark.parametrize(
    ("parameters", "names"), [({"alphas": [0.0]}, "alphas"), ({"alphas": [1.0], "cv": np.zeros(3, int)}, "cv")]
)
def test_what_is_out_of_range_is_named(parameters, names):
    with pytest.raises(ValueError, match=f"RidgeByFolds: .*{names}"):
        RidgeByFolds(**parameters).fit(np.eye(4), [0, 1, 0, 1])
