"""Probabilities: the temperature with the least log loss on rows that no part of a model has seen, or none at all."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix
from scipy.special import softmax
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV
from celm.models.elm.probabilities import FLATTEST, fitted_temperature, held_out_scores, stratified_folds

RNG = np.random.default_rng(0)
CODES = np.arange(150) % 3
X = RNG.normal(size=(150, 4)) + CODES[:, None]
SCORES = RNG.normal(size=(150, 3)) + np.eye(3)[CODES]


def calibration_error(probabilities, codes, n_bins=10):
    """How far confidence lies from accuracy, in the mean over rows, bin by bin of equal numbers of rows."""
    confidence, met = probabilities.max(axis=1), probabilities.argmax(axis=1) == codes
    bins = np.array_split(np.argsort(confidence), n_bins)
    return sum(len(rows) * abs(confidence[rows].mean() - met[rows].mean()) for rows in bins) / len(codes)


@pytest.mark.parametrize("weights", [None, np.arange(150) % 4 + 0.5], ids=["alike", "weighted"])
def test_the_temperature_has_the_least_log_loss(weights):
    """Found again by plain minimisation of scikit-learn's loss; what a row leaves to other classes moves it little."""
    temperature = fitted_temperature(SCORES, CODES, weights)

    def loss(t):
        return log_loss(CODES, softmax(SCORES / t, axis=1), sample_weight=weights)

    best = minimize_scalar(loss, bounds=(0.05, 20.0), method="bounded").x
    assert_allclose(temperature, best, rtol=0.03)
    assert_allclose(fitted_temperature(1e200 * SCORES, CODES, weights), 1e200 * temperature, rtol=1e-9)


def test_scores_that_meet_all_rows_are_not_called_certain_and_those_that_meet_none_are_flat():
    certain = softmax(np.eye(3)[CODES] / fitted_temperature(np.eye(3)[CODES], CODES, None), axis=1).max(axis=1)
    assert_allclose(certain, 1 - 1 / 152, atol=1e-6)
    assert fitted_temperature(-np.eye(3)[CODES], CODES, None) == 1 / FLATTEST


@pytest.mark.parametrize("weights", [None, np.arange(150) % 3 + 1.0], ids=["alike", "weighted"])
def test_a_row_is_scored_by_a_model_that_has_not_seen_it(weights):
    """The row's label, and with it all that is learned from the row, may change: its score does not."""
    model = ELMClassifier(10, strategy="cdelm", lam=10.0, proba=True, random_state=0)
    scores = held_out_scores(model, X, CODES, weights, -1.0)
    changed = X.copy()
    folds = stratified_folds(CODES, 5, np.random.default_rng(0))
    changed[folds == 2] += 5.0
    again = held_out_scores(model, changed, CODES, weights, -1.0)
    assert not np.allclose(again[folds != 2], scores[folds != 2])
    seen_as_before = held_out_scores(model, np.where((folds == 2)[:, None], changed, X), CODES, weights, -1.0)
    assert_array_equal(seen_as_before, again)
    seeds = np.random.default_rng(0)
    seeds.permutation(150)
    seed = int(seeds.integers(2**63, size=5)[2])
    rest = folds != 2
    part = ELMClassifier(10, strategy="cdelm", lam=10.0, random_state=seed)
    part.fit(X[rest], CODES[rest], None if weights is None else weights[rest])
    assert_allclose(scores[folds == 2], part.scores(X[folds == 2]))


def test_folds_spread_classes_and_rows():
    codes = np.repeat([0, 1, 2], [50, 7, 1])
    folds = stratified_folds(codes, 5, np.random.default_rng(0))
    assert np.ptp(np.bincount(folds)) <= 1
    assert np.ptp(np.bincount(folds[codes == 0])) == 0
    assert np.ptp(np.bincount(folds[codes == 1], minlength=5)) == 1


@pytest.mark.parametrize(("load", "bound"), [(load_breast_cancer, 0.03), (load_digits, 0.025)])
def test_probabilities_are_calibrated_on_real_rows(load, bound):
    """Half of the rows learn, the other half tell how often a confidence is right."""
    data, y = load(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(data, y, test_size=0.5, random_state=0, stratify=y)
    scaler = StandardScaler().fit(X_train)
    model = ELMClassifier(100, strategy="covariance", input_scale=0.5, lam=100.0, proba=True, random_state=0)
    model.fit(scaler.transform(X_train), y_train)
    rows = scaler.transform(X_test)
    error = calibration_error(model.predict_proba(rows), y_test)
    assert error < bound
    assert error < 0.5 * calibration_error(softmax(model.scores(rows), axis=1), y_test)
    assert_array_equal(model.classes_[model.predict_proba(rows).argmax(axis=1)], model.predict(rows))
    assert_allclose(model.predict_proba(rows).sum(axis=1), 1.0)


@pytest.mark.parametrize("targets", ["signed", "binary"])
@pytest.mark.parametrize("class_weight", [None, "balanced", {"a": 1.0, "b": 2.0, "c": 1.0}])
def test_a_search_hands_probabilities_on(targets, class_weight):
    y = np.array(["a", "b", "c"])[CODES]
    model = ELMClassifier(proba=True, targets=targets, class_weight=class_weight)
    search = ELMClassifierCV(model, n_hidden_grid=(5, 10), random_state=0).fit(csr_matrix(X), y, CODES + 1.0)
    assert_array_equal(search.predict_proba(X), search.best_estimator_.predict_proba(X))
    assert log_loss(y, search.predict_proba(X)) < 0.8
    plain = search.estimator_at(search.n_hidden_, search.lam_).set_params(proba=False).fit(X, y, CODES + 1.0)
    assert_allclose(search.best_estimator_.scores(X), plain.scores(X), rtol=1e-6)


def test_without_asking_there_are_none():
    for model in (ELMClassifier(), ELMClassifierCV()):
        assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError) as error:
        _ = ELMClassifier().predict_proba
    assert "predict_proba needs proba=True, which learns it on held-out rows in fit" in str(error.value.__cause__)
    assert not hasattr(ELMClassifier(lam=1.0, proba=True), "partial_fit")
    with pytest.raises(ValueError, match="ELMClassifier: proba must be true or false; got 1"):
        ELMClassifier(proba=1).fit(X, CODES)


def test_a_class_of_one_row_has_a_score_from_no_one():
    y = np.where(np.arange(150) == 0, 3, CODES)
    model = ELMClassifier(10, lam=1.0, proba=True, random_state=0).fit(X, y)
    assert model.predict_proba(X).shape == (150, 4)
    assert_array_equal(held_out_scores(model, X, y, None, -1.0)[0, 3], -1.0)
    with pytest.raises(ValueError, match="proba=True needs two classes with at least two rows each to learn from"):
        model.fit(X, (np.arange(150) == 0).astype(int))
