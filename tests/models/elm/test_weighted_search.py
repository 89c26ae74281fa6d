"""Searches with weights and sparse rows: what repeated or dense rows would choose; folds of any form."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV
from celm.linalg import solve

RNG = np.random.default_rng(0)
CODES = np.arange(60) % 3
X = RNG.normal(size=(60, 4)) + 0.7 * CODES[:, None]
X[np.abs(X) < 0.4] = 0.0
NUMBERS = np.column_stack([X[:, 0] ** 2, np.sin(X[:, 1])])
TIMES = RNG.integers(0, 4, 60)
REPEATED = np.repeat(np.arange(60), TIMES)
FOLDS = (np.arange(60) // 3) % 3
GRIDS = {"n_hidden_grid": (3, 8), "lams": (0.1, 10.0, 1e3)}
KINDS = [(ELMClassifierCV, ELMClassifier, CODES), (ELMRegressorCV, ELMRegressor, NUMBERS)]


def fixed(X, codes, n_hidden, rng, options):
    """A layer that does not look at rows."""
    return rng.normal(size=(n_hidden, X.shape[1])).T, np.zeros(n_hidden)


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize("layer", ["shared", "per_fold"])
@pytest.mark.parametrize(("search", "model", "y"), KINDS)
def test_weights_choose_as_repetitions_do(monkeypatch, search, model, y, layer, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    settings = {**GRIDS, "layer": layer, "random_state": 3}
    weighted = search(model(strategy=fixed, precision="double"), cv=FOLDS, **settings).fit(X, y, TIMES)
    repeated = search(model(strategy=fixed, precision="double"), cv=FOLDS[REPEATED], **settings)
    repeated.fit(X[REPEATED], y[REPEATED])
    assert_allclose(weighted.surface_, repeated.surface_, rtol=1e-7)
    assert (weighted.n_hidden_, weighted.lam_) == (repeated.n_hidden_, repeated.lam_)
    assert_allclose(weighted.best_estimator_.beta_, repeated.best_estimator_.beta_, rtol=1e-6, atol=1e-8)
    reached = "cv_accuracy_" if search is ELMClassifierCV else "cv_error_"
    assert_allclose(getattr(weighted, reached), getattr(repeated, reached))
    plain = search(model(strategy=fixed), cv=FOLDS, **settings).fit(X, y)
    assert not np.allclose(plain.surface_, weighted.surface_)


@pytest.mark.parametrize(("search", "model", "y"), KINDS)
def test_leaving_out_a_row_with_a_weight_leaves_it_out_whole(search, model, y):
    """Each row is met by the readout of all the others with their weights, and counts by its own."""
    chosen = search(model(strategy=fixed), n_hidden_grid=(6,), lams=(0.1, 10.0), cv="loo", random_state=3)
    chosen.fit(X, y, TIMES)
    layer = chosen.best_estimator_
    H = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_)))
    is_class = search is ELMClassifierCV
    T = np.where(y[:, None] == np.arange(3), 1.0, -1.0) if is_class else y - np.average(y, axis=0, weights=TIMES)
    for j, lam in enumerate(chosen.lams):
        total = 0.0
        for i in range(60):
            w = np.where(np.arange(60) == i, 0, TIMES)
            score = H[i] @ np.linalg.solve(np.eye(6) / lam + (H.T * w) @ H, (H.T * w) @ T)
            total += TIMES[i] * ((score.argmax() == y[i]) if is_class else -((score - T[i]) ** 2).sum())
        assert_allclose(chosen.surface_[0, j], total)


def test_class_weights_are_weighed_in_the_choice_too():
    y = np.where(CODES == 0, "rare", "usual")
    balanced = ELMClassifierCV(ELMClassifier(class_weight="balanced"), cv=FOLDS, random_state=0, **GRIDS).fit(X, y)
    weights = np.where(y == "rare", 1.5, 0.75)
    by_hand = ELMClassifierCV(cv=FOLDS, random_state=0, **GRIDS).fit(X, y, weights)
    assert_allclose(balanced.surface_, by_hand.surface_)
    assert_allclose(balanced.best_estimator_.beta_, by_hand.best_estimator_.beta_)


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize("weights", [None, TIMES], ids=["alike", "weighted"])
@pytest.mark.parametrize("more", [{}, {"cv": "loo"}, {"input_scales": (0.3, 1.0)}, {"layer": "per_fold"}], ids=str)
@pytest.mark.parametrize(("search", "model", "y"), KINDS)
def test_sparse_rows_choose_as_dense_ones(monkeypatch, search, model, y, more, weights, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    settings = {**GRIDS, "cv": FOLDS, "random_state": 3, **more}
    dense, sparse = (
        search(model(strategy="cdelm", precision="double"), **settings).fit(rows, y, weights)
        for rows in (X, csr_matrix(X))
    )
    assert_allclose(sparse.surface_, dense.surface_, rtol=1e-7)
    assert (sparse.n_hidden_, sparse.lam_, sparse.input_scale_) == (dense.n_hidden_, dense.lam_, dense.input_scale_)
    assert_allclose(sparse.best_estimator_.beta_, dense.best_estimator_.beta_, rtol=1e-5, atol=1e-7)
    assert_array_equal(sparse.predict(csr_matrix(X)).shape, dense.predict(X).shape)


@pytest.mark.parametrize("splitter", [KFold(3), StratifiedKFold(3)])
def test_folds_may_be_a_splitter_or_its_splits(splitter):
    splits = list(splitter.split(X, CODES))
    numbers = np.empty(60, dtype=int)
    for number, (_, test) in enumerate(splits):
        numbers[test] = number
    by_number, by_splitter, by_splits = (
        ELMClassifierCV(cv=cv, random_state=0, **GRIDS).fit(X, CODES) for cv in (numbers, splitter, splits)
    )
    assert_array_equal(by_splitter.surface_, by_number.surface_)
    assert_array_equal(by_splits.surface_, by_number.surface_)


@pytest.mark.parametrize("cv", [ShuffleSplit(3, random_state=0), [(np.arange(60), np.arange(60))]], ids=["some", "all"])
def test_splits_that_are_no_folds_are_refused(cv):
    with pytest.raises(ValueError, match="ELMClassifierCV: the splits of cv must hold every row out once"):
        ELMClassifierCV(cv=cv, **GRIDS).fit(X, CODES)


def test_wrong_weights_and_labels_are_named():
    with pytest.raises(
        ValueError, match=r"ELMRegressorCV: sample_weight must hold one number from 0 to 1e.150 for each"
    ):
        ELMRegressorCV(**GRIDS).fit(X, NUMBERS, -np.ones(60))
    with pytest.raises(ValueError, match="ELMClassifierCV: every row needs a label; y holds None"):
        ELMClassifierCV(**GRIDS).fit(X, np.array([0, 1, None] * 20, dtype=object))
