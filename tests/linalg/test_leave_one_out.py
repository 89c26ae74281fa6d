"""Leave-one-out in closed form: equal to leaving one row out after the other."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV
from celm.linalg.leave_one_out import loo_path_scores

LAMS = (1e-4, 1.0, 1e4, 1e8)
RNG = np.random.default_rng(0)


def naive(H, T, lam):
    scores = np.empty_like(T)
    for i in range(len(H)):
        h, t = np.delete(H, i, axis=0), np.delete(T, i, axis=0)
        # The dual form: few rows of many nodes stay well conditioned.
        scores[i] = H[i] @ h.T @ np.linalg.solve(h @ h.T + np.eye(len(h)) / lam, t)
    return scores


@pytest.mark.parametrize(("N", "L"), [(30, 7), (20, 20), (12, 40)])
def test_scores_are_those_of_readouts_that_have_not_seen_the_row(N, L):
    H, T = RNG.normal(size=(N, L)), RNG.normal(size=(N, 3))
    for lam, scores in zip(LAMS, loo_path_scores(H, T, LAMS), strict=True):
        assert_allclose(scores, naive(H, T, lam), rtol=1e-4 if lam == 1e8 else 1e-8, atol=1e-4 if lam == 1e8 else 1e-8)


@pytest.mark.parametrize("strategy", ["cdelm", "orthogonal_elm"])
def test_the_search_counts_what_naive_refits_get_right(strategy):
    y = RNG.integers(0, 3, 40)
    X = RNG.normal(size=(40, 3)) + y[:, None]
    lams = (1e-2, 1.0, 100.0)
    grids = {"n_hidden_grid": (3, 9), "lams": lams, "input_scales": (0.3, 1.0)}
    search = ELMClassifierCV(ELMClassifier(strategy=strategy), cv="loo", random_state=0, **grids).fit(X, y)
    T = np.where(y[:, None] == np.arange(3), 1.0, -1.0)
    for s, scale in enumerate((0.3, 1.0)):
        for i, L in enumerate((3, 9)):
            layer = search.estimator_at(L, 1.0).set_params(input_scale=scale).fit(X, y)
            H = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_)))
            correct = [(naive(H, T, lam).argmax(axis=1) == y).sum() for lam in lams]
            assert_array_equal(search.scale_surfaces_[s, i], correct)
    assert search.cv_accuracy_ == search.scale_surfaces_.max() / 40


def test_the_regressor_has_it_too():
    X = RNG.normal(size=(30, 3))
    y = np.sin(X[:, 0]) + X[:, 1]
    search = ELMRegressorCV(ELMRegressor(), n_hidden_grid=(6,), lams=(0.1, 10.0), cv="loo", random_state=0).fit(X, y)
    layer = search.estimator_at(6, 1.0).fit(X, y)
    H, T = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_))), (y - y.mean())[:, None]
    errors = [((naive(H, T, lam) - T) ** 2).sum() for lam in (0.1, 10.0)]
    assert_allclose(-search.surface_[0], errors, rtol=1e-7)
    assert search.cv_error_ == pytest.approx(min(errors) / 30)


def test_a_layer_per_row_is_refused():
    with pytest.raises(ValueError, match=r'ELMClassifierCV: cv="loo" shares the layer, so layer must be "shared"; got'):
        ELMClassifierCV(cv="loo", layer="per_fold").check_parameters()
    with pytest.raises(ValueError, match=r'cv must be a number of folds, "loo" or one fold number per row; got .*loop'):
        ELMClassifierCV(cv="loop").check_parameters()
