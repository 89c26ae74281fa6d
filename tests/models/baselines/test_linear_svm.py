"""The linear SVM classifiers: scikit-learn's contract, the choice of C, and the collapse to one class."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from celm.models.baselines.linear_svm import LinearSVM
from celm.models.baselines.linear_svm_cv import CS, LinearSVMCV
from celm.models.baselines.svm_columns import class_targets, predicted_codes

Array = npt.NDArray[np.float64]


def blobs(seed: int = 0, n: int = 150, k: int = 3) -> tuple[Array, npt.NDArray[np.intp]]:
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % k)
    return rng.standard_normal((n, 5)) + 1.5 * rng.standard_normal((k, 5))[y], y


@pytest.fixture(scope="module")
def wdbc() -> tuple[Array, npt.NDArray[np.intp]]:
    X, y = load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@parametrize_with_checks([LinearSVM(), LinearSVMCV(random_state=0)])
def test_scikit_learn_contract(estimator: Any, check: Any) -> None:
    check(estimator)


def test_two_classes_are_one_column_that_equals_two() -> None:
    X, y = blobs(k=2)
    model = LinearSVM(C=10.0).fit(X, y)
    swapped = LinearSVM(C=10.0).fit(X, 1 - y)
    assert model.coef_.shape == (1, 5)
    assert np.allclose(model.coef_, -swapped.coef_, rtol=1e-6)
    assert np.array_equal(model.predict(X), 1 - swapped.predict(X))


def test_the_largest_score_wins() -> None:
    X, y = blobs()
    names = np.array(["c", "a", "b"])[y]
    model = LinearSVM().fit(X, names)
    scores = X @ model.coef_.T + model.intercept_
    assert np.allclose(model.decision_function(X), scores)
    assert np.array_equal(model.predict(X), np.array(["a", "b", "c"])[scores.argmax(axis=1)])


@pytest.mark.parametrize("k", [2, 3])
def test_the_chosen_C_is_the_one_that_refitting_per_fold_would_choose(k: int) -> None:
    X, y = blobs(1, k=k)
    folds = np.random.default_rng(2).permutation(np.arange(len(y)) % 3)
    Cs = [1e-4, 1e-2, 1.0, 1e2, 1e4]
    model = LinearSVMCV(Cs, cv=folds).fit(X, y)
    refitted = [cross_val_score(LinearSVM(C), X, y, cv=PredefinedSplit(folds)).mean() for C in Cs]
    assert np.allclose(model.cv_accuracy_, refitted)
    assert model.C_ == Cs[int(np.argmax(refitted))]
    assert np.allclose(model.coef_, LinearSVM(model.C_).fit(X, y).coef_)


def test_of_equally_good_candidates_the_smallest_wins_and_the_edge_is_told() -> None:
    X, y = np.repeat([[-1.0], [1.0]], [12, 9], axis=0), np.repeat([0, 1], [12, 9])
    folds = np.arange(21) % 3
    low = LinearSVMCV([1.0, 10.0, 100.0], cv=folds).fit(X, y)
    assert np.array_equal(low.cv_accuracy_, [1.0, 1.0, 1.0])
    assert (low.C_, low.C_at_edge_) == (1.0, True)
    inner = LinearSVMCV([1e-8, 1.0, 10.0], cv=folds).fit(X, y)
    assert np.allclose(inner.cv_accuracy_, [12 / 21, 1.0, 1.0])
    assert (inner.C_, inner.C_at_edge_) == (1.0, False)


def test_folds_come_from_the_random_state() -> None:
    X, y = blobs(3)
    first, again, other = (LinearSVMCV(random_state=seed).fit(X, y).cv_accuracy_ for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_wdbc_is_learned_and_the_published_value_is_the_collapse(wdbc: Any) -> None:
    X, y = wdbc
    train = np.random.default_rng(0).permutation(len(y)) < 379
    correct = LinearSVMCV(random_state=0).fit(X[train], y[train])
    collapsed = LinearSVMCV(infer_classes="max_label", random_state=0).fit(X[train], y[train])
    assert correct.score(X[~train], y[~train]) > 0.95
    assert correct.converged_
    assert np.array_equal(collapsed.predict(X), np.ones(len(y)))
    assert collapsed.score(X, y) == 357 / 569
    assert collapsed.C_ == CS[0]


def test_max_label_is_right_for_labels_that_start_at_one_and_blind_for_class_zero() -> None:
    codes = np.array([0, 1, 2, 1])
    assert np.array_equal(class_targets(codes, 3), [[1, -1, -1, -1], [-1, 1, -1, 1], [-1, -1, 1, -1]])
    assert np.array_equal(class_targets(codes, 3, "max_label"), [[-1, 1, -1, 1], [-1, -1, 1, -1]])
    assert np.array_equal(predicted_codes(np.array([[-9.0, -8.0], [3.0, 1.0]]), "max_label"), [2, 1])
    X, y = blobs(4)
    assert set(LinearSVM(infer_classes="max_label").fit(X, y).predict(X)) == {1, 2}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LinearSVM(C=0.0), "LinearSVM: C must be a number of at least 1e-150 and at most 1e\\+150; got 0.0"),
        (LinearSVM(infer_classes="max"), "LinearSVM: infer_classes must be one of all, max_label; got 'max'"),
        (LinearSVM(tol=-1.0), "LinearSVM: tol must be a number above 0"),
        (LinearSVM(max_iter=0), "LinearSVM: max_iter must be a whole number of at least 1"),
        (LinearSVMCV([1.0, 0.1]), "LinearSVMCV: Cs must be one or more numbers in ascending order"),
        (LinearSVMCV([]), "LinearSVMCV: Cs must be one or more numbers in ascending order"),
        (LinearSVMCV(1.0), "LinearSVMCV: Cs must be one or more numbers in ascending order; got 1.0"),
        (LinearSVMCV([-1.0, 1.0]), "LinearSVMCV: Cs must be a number of at least 1e-150 .*; got -1.0"),
        (LinearSVMCV(cv=1), "LinearSVMCV: cv must be a whole number of at least 2"),
        (LinearSVMCV(cv=np.zeros(150, dtype=int)), "LinearSVMCV: cv must be a number of folds or one fold number"),
    ],
)
def test_wrong_parameters_are_named(model: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.fit(*blobs())


def test_a_fit_that_is_cut_short_warns() -> None:
    X, y = blobs(5)
    for model in (LinearSVM(C=100.0, max_iter=1), LinearSVMCV([1.0, 100.0], max_iter=1, random_state=0)):
        with pytest.warns(ConvergenceWarning, match="max_iter=1"):
            model.fit(X, y)
        assert not model.converged_
