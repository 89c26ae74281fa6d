"""The cross-validated ELM: what it chooses is what a plain search over fresh classifiers chooses."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from celm.base.threads import blas_threads
from celm.linalg.layer import Layer
from celm.models.elm.base_search import LAMBDAS
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.options import WeightOptions
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV

COUNTS = (2, 5, 9, 12)
LAMS = (1e-4, 1e-2, 1.0, 100.0)
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 90)
X = RNG.normal(size=(len(Y), 4)) + 0.9 * Y[:, None]
FOLDS = np.arange(len(Y)) % 3


def cv(strategy="cdelm", pair_draw="samples", **parameters):
    settings = {"n_hidden_grid": COUNTS, "lams": LAMS, "cv": FOLDS, "random_state": 3, **parameters}
    return ELMClassifierCV(ELMClassifier(strategy=strategy, options=WeightOptions(pair_draw=pair_draw)), **settings)


def test_the_grid_of_the_paper_is_the_default():
    assert_array_equal(np.log10(LAMBDAS), np.arange(-8, 9))
    assert_array_equal(ELMClassifierCV().n_hidden_grid, np.arange(5, 201, 5))
    assert ELMClassifierCV().cv == 3


@pytest.mark.parametrize(("strategy", "nested"), [("cdelm", True), ("cselm", False), ("orthogonal_elm", True)])
def test_the_surface_counts_what_fresh_classifiers_get_right(strategy, nested):
    """The layer is drawn from all rows and shared by the folds, so only β is fitted on a fold's training rows."""
    chosen = cv(strategy, nested=nested).fit(X, Y)
    T = np.where(Y[:, None] == np.arange(3), 1.0, -1.0)
    surface = np.zeros((len(COUNTS), len(LAMS)), dtype=int)
    for i, L in enumerate(COUNTS):
        layer = chosen.estimator_at(L, 1.0).fit(X, Y)
        H = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_)))
        for j, lam in enumerate(LAMS):
            for fold in range(3):
                h, rest = H[fold != FOLDS], H[fold == FOLDS]
                beta = np.linalg.solve(np.eye(L) / lam + h.T @ h, h.T @ T[fold != FOLDS])
                surface[i, j] += ((rest @ beta).argmax(axis=1) == Y[fold == FOLDS]).sum()
    assert_array_equal(chosen.surface_, surface)
    assert chosen.cv_accuracy_ == surface.max() / len(Y)
    i, j = np.argwhere(surface == surface.max())[0]
    assert (chosen.n_hidden_, chosen.lam_) == (COUNTS[i], LAMS[j])


@pytest.mark.parametrize("nested", [True, False])
def test_a_layer_per_fold_never_sees_the_held_out_rows(nested):
    chosen = cv("cmelm", layer="per_fold", nested=nested).fit(X, Y)
    surface = np.zeros((len(COUNTS), len(LAMS)), dtype=int)
    for fold in range(3):
        train, rest = fold != FOLDS, fold == FOLDS
        for i, L in enumerate(COUNTS):
            for j, lam in enumerate(LAMS):
                fitted = chosen.estimator_at(L, lam, fold).fit(X[train], Y[train])
                surface[i, j] += np.count_nonzero(fitted.predict(X[rest]) == Y[rest])
    assert_array_equal(chosen.surface_, surface)


def test_a_class_that_one_fold_holds_alone_leaves_the_other_pairs_alone():
    """Held-out rows of a class without training rows are wrong, and pairs come from the classes that are left."""
    y = np.where(FOLDS == 0, 1, 2 * (np.arange(len(Y)) % 2))
    chosen = cv(pair_draw="classes", layer="per_fold").fit(X, y)
    assert chosen.surface_.max() <= np.count_nonzero(y != 1)
    with pytest.raises(ValueError, match="class differences need samples of at least two classes"):
        cv(layer="per_fold", cv=(Y == 1).astype(int)).fit(X, Y == 1)


@pytest.mark.parametrize("strategy", ["cdelm", "cmelm", "orthogonal_elm"])
@pytest.mark.parametrize("parameters", [{}, {"choose": "largest"}, {"nested": False}, {"layer": "per_fold"}, {"cv": 4}])
def test_the_chosen_model_is_a_fresh_classifier(strategy, parameters):
    chosen = cv(strategy, **parameters).fit(X, Y)
    best = chosen.best_estimator_
    assert (best.n_hidden, best.lam) == (chosen.n_hidden_, chosen.lam_)
    fresh = ELMClassifier(chosen.n_hidden_, strategy=strategy, lam=chosen.lam_, random_state=best.random_state).fit(
        X, Y
    )
    assert_array_equal(fresh.W_, best.W_)
    assert_array_equal(fresh.beta_, best.beta_)
    assert_array_equal(chosen.predict(X), fresh.predict(X))
    assert_array_equal(chosen.decision_function(X), fresh.decision_function(X))


def test_largest_takes_the_best_lambda_of_the_largest_count():
    chosen = cv(choose="largest").fit(X, Y)
    assert chosen.n_hidden_ == COUNTS[-1]
    assert chosen.lam_ == LAMS[int(chosen.surface_[-1].argmax())]
    assert [choice.n_hidden for choice in chosen.lambdas_by_count_] == list(COUNTS)
    assert [choice.correct for choice in chosen.lambdas_by_count_] == chosen.surface_.max(axis=1).tolist()


def test_nested_candidates_share_their_first_nodes():
    for nested in (True, False):
        chosen = cv("rselm", nested=nested).fit(X, Y)
        small, large = (chosen.estimator_at(L, 1.0).fit(X, Y) for L in (5, 12))
        assert np.array_equal(small.W_, large.W_[:, :5]) == nested


def test_every_fold_has_nodes_of_its_own():
    chosen = cv(layer="per_fold").fit(X, Y)
    seeds = {chosen.estimator_at(5, 1.0, fold).random_state for fold in (None, 0, 1, 2)}
    assert len(seeds) == 4


@pytest.mark.parametrize(("lams", "at_edge"), [((1e-4, 100.0, 1e14), False), (LAMS[2:], True), (LAMS[:1], True)])
def test_a_lambda_at_an_end_of_the_grid_is_noted(lams, at_edge):
    chosen = cv(lams=lams).fit(X, Y)
    assert chosen.lam_at_edge_ == (chosen.lam_ in (lams[0], lams[-1])) == at_edge


def test_the_seed_decides_folds_and_layers():
    first, again, other = (cv(cv=3, random_state=seed).fit(X, Y) for seed in (1, 1, 2))
    assert_array_equal(first.surface_, again.surface_)
    assert_array_equal(first.best_estimator_.beta_, again.best_estimator_.beta_)
    assert not np.array_equal(first.surface_, other.surface_)
    for kind in (np.random.default_rng, np.random.RandomState):
        assert_array_equal(*(cv(cv=3, random_state=kind(4)).fit(X, Y).surface_ for _ in range(2)))


def test_times_of_choice_and_fit_are_apart():
    chosen = cv().fit(X, Y)
    assert chosen.selection_seconds_ > 0
    assert chosen.fit_seconds_ > 0


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"n_hidden_grid": (5, 0)}, "n_hidden_grid must be a whole number of at least 1; got 0"),
        ({"n_hidden_grid": (10, 5)}, r"n_hidden_grid must be one or more numbers in ascending order; got \(10, 5\)"),
        ({"n_hidden_grid": (5, 5)}, r"n_hidden_grid must be one or more numbers in ascending order; got \(5, 5\)"),
        ({"n_hidden_grid": ()}, r"n_hidden_grid must be one or more numbers in ascending order; got \(\)"),
        ({"n_hidden_grid": 50}, "n_hidden_grid must be one or more numbers in ascending order; got 50"),
        ({"lams": (0.0, 1.0)}, "lams must be a number above 0; got 0.0"),
        ({"lams": (10.0, 1.0)}, r"lams must be one or more numbers in ascending order; got \(10.0, 1.0\)"),
        ({"lams": ()}, r"lams must be one or more numbers in ascending order; got \(\)"),
        ({"choose": "join"}, "choose must be one of joint, largest; got 'join'. Did you mean 'joint'?"),
        ({"layer": "fold"}, "layer must be one of shared, per_fold; got 'fold'. Did you mean 'per_fold'?"),
        ({"nested": "yes"}, "nested must be true or false; got 'yes'"),
    ],
)
def test_wrong_parameters_are_named_without_data(parameters, words):
    with pytest.raises(ValueError, match=f"^ELMClassifierCV: {words}"):
        cv(**parameters).check_parameters()


def test_the_inner_estimator_and_the_folds_are_checked():
    with pytest.raises(
        ValueError, match=r"ELMClassifier: strategy must be one of .*; got 'cdlem'. Did you mean 'cdelm'?"
    ):
        cv("cdlem").check_parameters()
    with pytest.raises(
        ValueError, match="ELMClassifierCV: cv must be a whole number of at least 2 and at most 90; got 1"
    ):
        cv(cv=1).fit(X, Y)
    with pytest.raises(ValueError, match="ELMClassifierCV: cv must be a number of folds or one fold number"):
        cv(cv=FOLDS[:-1]).fit(X, Y)


@pytest.mark.parametrize("other", [ELMRegressor(), ELMClassifierCV(), ELMClassifier, "cdelm"])
def test_an_estimator_of_another_kind_is_named(other):
    with pytest.raises(TypeError, match="ELMClassifierCV: estimator must be an ELMClassifier; got "):
        ELMClassifierCV(other).fit(X, Y)
    with pytest.raises(TypeError, match="ELMRegressorCV: estimator must be an ELMRegressor; got "):
        ELMRegressorCV(ELMClassifier()).fit(X, X[:, 0])


@pytest.mark.parametrize("search", [ELMClassifierCV(cv="loo"), ELMRegressorCV(), cv(), cv(layer="per_fold")])
def test_few_rows_are_searched_with_one_thread_of_blas(monkeypatch, search):
    seen, outputs = set(), Layer.outputs
    monkeypatch.setattr(Layer, "outputs", lambda *asked: seen.add(blas_threads()) or outputs(*asked))
    with threadpool_limits(2, "blas"):
        clone(search).set_params(random_state=0, n_hidden_grid=[3, 5], lams=[1.0]).fit(X, Y)
        assert blas_threads() == 2
    assert seen == {1}
