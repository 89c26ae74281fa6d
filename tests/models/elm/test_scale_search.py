"""Choosing the scale with node count and λ, and the regressor's choice: equal to naive fits of every candidate."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from celm.linalg import solve
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV

COUNTS, LAMS, SCALES = (3, 8, 12), (1e-2, 1.0, 100.0), (0.1, 0.6, 3.0)
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 90)
X = RNG.normal(size=(90, 4)) + 0.9 * Y[:, None]
TARGETS = np.column_stack([np.sin(2 * X[:, 0]), X[:, 1] * X[:, 2]]) + 0.2 * RNG.normal(size=(90, 2))
FOLDS = np.arange(90) % 3
GRIDS = {"n_hidden_grid": COUNTS, "lams": LAMS, "cv": FOLDS, "random_state": 3}


def naive_gains(chosen, rows, T, gain, layer="shared"):
    """Every candidate fitted afresh on the other folds, its layer drawn as the search draws it."""
    gains = np.zeros((len(SCALES), len(COUNTS), len(LAMS)))
    for s, scale in enumerate(SCALES):
        for i, L in enumerate(COUNTS):
            for j, lam in enumerate(LAMS):
                for fold in range(3):
                    train, rest = fold != FOLDS, fold == FOLDS
                    model = chosen.estimator_at(L, lam, fold if layer == "per_fold" else None)
                    drawn_from = train if layer == "per_fold" else slice(None)
                    model.set_params(input_scale=scale).fit(X[drawn_from], rows[drawn_from])
                    H = 1 / (1 + np.exp(-(X @ model.W_ + model.b_)))
                    gram = H[train].T @ H[train] + np.eye(L) / lam
                    gains[s, i, j] += gain(H[rest] @ np.linalg.solve(gram, H[train].T @ T[train]), rest)
    return gains


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize(
    ("strategy", "layer"), [("covariance", "shared"), ("cmelm", "per_fold"), ("orthogonal_elm", "shared")]
)
def test_the_classifiers_surfaces_are_those_of_naive_fits(monkeypatch, strategy, layer, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    search = ELMClassifierCV(ELMClassifier(strategy=strategy), input_scales=SCALES, layer=layer, **GRIDS).fit(X, Y)
    T = np.where(Y[:, None] == np.arange(3), 1.0, -1.0)
    naive = naive_gains(search, Y, T, lambda scores, rest: (scores.argmax(axis=1) == Y[rest]).sum(), layer)
    assert_array_equal(search.scale_surfaces_, naive)
    best = naive.max()
    i, j, s = np.argwhere(np.moveaxis(naive, 0, -1) == best)[0]
    assert (search.n_hidden_, search.lam_, search.input_scale_) == (COUNTS[i], LAMS[j], SCALES[s])
    assert search.cv_accuracy_ == best / 90
    assert_array_equal(search.surface_, naive[s])
    fitted = search.best_estimator_
    assert (fitted.n_hidden, fitted.lam, fitted.input_scale) == (search.n_hidden_, search.lam_, search.input_scale_)


@pytest.mark.parametrize("large", [False, True], ids=["whole", "blocks"])
@pytest.mark.parametrize(
    ("strategy", "y"), [("covariance", TARGETS), ("cdelm", TARGETS[:, 0]), ("orthogonal_elm", TARGETS)]
)
def test_the_regressors_errors_are_those_of_naive_fits(monkeypatch, strategy, y, large):
    monkeypatch.setattr(solve, "WHOLE", 0 if large else 10**9)
    search = ELMRegressorCV(ELMRegressor(strategy=strategy), input_scales=SCALES, **GRIDS).fit(X, y)
    T = y.reshape(90, -1) - y.mean(axis=0)
    naive = naive_gains(search, y, T, lambda scores, rest: -((scores - T[rest]) ** 2).sum())
    assert_allclose(search.scale_surfaces_, naive, rtol=1e-7)
    s, i, j = np.unravel_index(naive.argmax(), naive.shape)
    assert (search.n_hidden_, search.lam_, search.input_scale_) == (COUNTS[i], LAMS[j], SCALES[s])
    assert search.cv_error_ == pytest.approx(-naive.max() / T.size)
    assert_allclose(search.predict(X), search.best_estimator_.predict(X))
    assert search.predict(X).shape == y.shape


def test_one_scale_is_the_search_at_that_scale():
    one = ELMClassifierCV(ELMClassifier(strategy="selm"), input_scales=(0.6,), **GRIDS).fit(X, Y)
    fixed = ELMClassifierCV(ELMClassifier(strategy="selm", input_scale=0.6), **GRIDS).fit(X, Y)
    assert_array_equal(one.surface_, fixed.surface_)
    assert_array_equal(one.best_estimator_.beta_, fixed.best_estimator_.beta_)
    assert not hasattr(fixed, "scale_surfaces_")


def test_largest_chooses_scale_and_lambda_of_the_largest_count():
    search = ELMClassifierCV(input_scales=SCALES, choose="largest", **GRIDS).fit(X, Y)
    assert search.n_hidden_ == 12
    last = search.scale_surfaces_[:, -1]
    assert last[SCALES.index(search.input_scale_), LAMS.index(search.lam_)] == last.max()


def test_a_second_fit_forgets_the_first_choice():
    search = ELMClassifierCV(input_scales=SCALES, **GRIDS).fit(X, Y)
    search.set_params(input_scales=None).fit(X, Y)
    assert search.input_scale_ is None
    assert search.best_estimator_.input_scale is None


def test_the_scale_of_unscaled_directions_is_found():
    """ELM on standardised wine saturates at its own scale; folds choose a smaller one and lose nothing by it."""
    rows, y = load_wine(return_X_y=True)
    rows = StandardScaler().fit_transform(rows)
    elm = ELMClassifier(strategy="elm")
    scaled = ELMClassifierCV(elm, n_hidden_grid=(40,), input_scales=(0.1, 0.3, 1.0, 3.0), random_state=0).fit(rows, y)
    plain = ELMClassifierCV(elm, n_hidden_grid=(40,), random_state=0).fit(rows, y)
    assert scaled.input_scale_ <= 1.0
    assert scaled.cv_accuracy_ > plain.cv_accuracy_


@pytest.mark.parametrize("search", [ELMClassifierCV, ELMRegressorCV])
def test_wrong_scales_are_named(search):
    with pytest.raises(ValueError, match=r"CV: input_scales must be .* in ascending order; got \(1, 0.5\)"):
        search(input_scales=(1, 0.5)).check_parameters()
    with pytest.raises(ValueError, match="CV: input_scales must be a number above 0; got 0"):
        search(input_scales=(0, 1)).check_parameters()


def test_frames_pass_through_the_search_without_a_warning():
    frame = pd.DataFrame(X, columns=list("abcd"))
    search = ELMClassifierCV(n_hidden_grid=(5,), lams=(1.0,), random_state=0).fit(frame, Y)
    assert search.feature_names_in_.tolist() == list("abcd")
    assert_array_equal(search.predict(frame), search.best_estimator_.predict(frame))
    assert search.decision_function(frame).shape == (90, 3)
    with pytest.raises(ValueError, match="feature names"):
        search.predict(frame[list("dcba")])
