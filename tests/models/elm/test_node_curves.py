"""Every point of an accuracy curve is the accuracy of a classifier fitted on its own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from celm.base.seeds import seed_of
from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.node_curves import one_pass_rows, pseudo_inverse_rows, ridge_curve_rows, ridge_surface
from celm.models.elm.options import WeightOptions
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.regressor_search import ELMRegressorCV
from celm.models.elm.search import ELMClassifierCV

COUNTS = [1, 4, 9, 20, 40]
LAMS = (1e-3, 0.1, 10.0, 1e3)


def blobs(n_rows, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_rows)
    return rng.normal(size=(n_rows, 4)) + 0.8 * y[:, None], np.array(["a", "b", "c"])[y]


X, Y = blobs(120, 0)
X_TEST, Y_TEST = blobs(300, 1)


def correct(model, y_test=Y_TEST):
    return np.count_nonzero(model.predict(X_TEST) == y_test)


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("strategy", ["elm", "cdelm", "cmelm", "orthogonal_elm"])
def test_pseudo_inverse_rows_are_single_fits(strategy, nested):
    model = ELMClassifier(strategy=strategy)
    rows = pseudo_inverse_rows(model, COUNTS, X, Y, X_TEST, Y_TEST, nested=nested, seed=5)
    own_draw = not nested or strategy == "orthogonal_elm"
    for row, L in zip(rows, COUNTS, strict=True):
        seed = seed_of(5, "nodes", L) if own_draw else seed_of(5, "nodes")
        fitted = clone(model).set_params(n_hidden=L, random_state=seed).fit(X, Y)
        assert row == (L, None, correct(fitted), fitted.rank_)


def test_the_curve_keeps_the_readings_of_its_model():
    model = ELMClassifier(strategy="cselm", options=WeightOptions(sum_scale=2.0), cutoff="none", targets="binary")
    for row in pseudo_inverse_rows(model, COUNTS, X, Y, X_TEST, Y_TEST, nested=True, seed=5):
        fitted = clone(model).set_params(n_hidden=row.n_hidden, random_state=seed_of(5, "nodes")).fit(X, Y)
        assert row.correct == correct(fitted)


@pytest.mark.parametrize("nested", [True, False])
def test_the_cutoff_decides_the_rank(nested):
    """Small inputs make nearly linear nodes: their outputs are numerically dependent."""
    ranks = {
        cutoff: [
            row.rank
            for row in pseudo_inverse_rows(
                ELMClassifier(strategy="elm", cutoff=cutoff), COUNTS, 1e-4 * X, Y, X_TEST, Y_TEST, nested=nested, seed=5
            )
        ]
        for cutoff in ("matlab", "none")
    }
    assert ranks["none"] == COUNTS
    assert ranks["matlab"][:2] == COUNTS[:2]
    assert ranks["matlab"][-1] < COUNTS[-1]


@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("strategy", ["cmelm", "orthogonal_elm"])
def test_ridge_rows_are_single_fits_and_hold_the_chosen_model(strategy, nested):
    chosen = ELMClassifierCV(
        ELMClassifier(strategy=strategy), n_hidden_grid=COUNTS, lams=LAMS, nested=nested, random_state=0
    ).fit(X, Y)
    rows = ridge_curve_rows(chosen, X, Y, X_TEST, Y_TEST)
    for row, choice in zip(rows, chosen.lambdas_by_count_, strict=True):
        fitted = chosen.estimator_at(choice.n_hidden, choice.lam).fit(X, Y)
        assert row == (choice.n_hidden, choice.lam, correct(fitted), None)
    by_count = {row.n_hidden: row for row in rows}
    assert by_count[chosen.n_hidden_].correct == correct(chosen.best_estimator_)
    assert by_count[chosen.n_hidden_].lam == chosen.lam_


@pytest.mark.parametrize("largest_whole", [0, 10**9])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("strategy", ["cmelm", "orthogonal_elm", "gaussian/squared/midpoint"])
def test_one_pass_chooses_and_fits_like_a_choice_count_by_count(strategy, nested, largest_whole, monkeypatch):
    """With H held whole and in blocks of rows."""
    monkeypatch.setattr("celm.linalg.solve.WHOLE", largest_whole)
    folds = np.arange(len(X)) % 3
    model = ELMClassifier(strategy=strategy)
    rows = one_pass_rows(model, COUNTS, LAMS, folds, X, Y, X_TEST, Y_TEST, nested=nested, seed=5)
    own_draw = not nested or strategy == "orthogonal_elm"
    for row, L in zip(rows, COUNTS, strict=True):
        member = clone(model).set_params(
            n_hidden=L, random_state=seed_of(5, "nodes", L) if own_draw else seed_of(5, "nodes")
        )
        held_out = [held_out_correct(member, lam, folds) for lam in LAMS]
        lam = LAMS[int(np.argmax(held_out))]
        assert row == (L, lam, max(held_out), correct(clone(member).set_params(lam=lam).fit(X, Y)))


def held_out_correct(member, lam, folds):
    """Held-out rows that readouts of the other folds get right, the layer drawn from all rows."""
    layer = clone(member).set_params(lam=lam).fit(X, Y)
    H = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_)))
    T = np.where(Y[:, None] == layer.classes_, 1.0, -1.0)
    hits = 0
    for fold in range(3):
        rest, held = folds != fold, folds == fold
        beta = np.linalg.solve(np.eye(H.shape[1]) / lam + H[rest].T @ H[rest], H[rest].T @ T[rest])
        hits += np.count_nonzero(layer.classes_[(H[held] @ beta).argmax(axis=1)] == Y[held])
    return hits


@pytest.mark.parametrize("unseen", ["", "aa", "z"])
def test_test_rows_of_a_class_without_training_rows_are_wrong(unseen):
    """Wherever the unknown label would be sorted in."""
    y_test = np.where(Y_TEST == "b", unseen, Y_TEST)
    rows = pseudo_inverse_rows(ELMClassifier(), COUNTS, X, Y, X_TEST, y_test, nested=True, seed=5)
    chosen = ELMClassifierCV(n_hidden_grid=COUNTS, lams=LAMS, random_state=0).fit(X, Y)
    assert max(row.correct for row in rows) <= np.count_nonzero(y_test != unseen)
    for row in rows:
        fitted = ELMClassifier(row.n_hidden, random_state=seed_of(5, "nodes")).fit(X, Y)
        assert row.correct == correct(fitted, y_test)
    for row in ridge_curve_rows(chosen, X, Y, X_TEST, y_test):
        assert row.correct == correct(chosen.estimator_at(row.n_hidden, row.lam).fit(X, Y), y_test)


@pytest.mark.parametrize("strategy", ["cdelm", "orthogonal_elm"])
def test_every_candidate_of_a_surface_is_a_single_fit(strategy):
    chosen = ELMClassifierCV(ELMClassifier(strategy=strategy), n_hidden_grid=COUNTS, lams=LAMS, random_state=3).fit(
        X, Y
    )
    surface = ridge_surface(chosen, X, Y, X_TEST, Y_TEST)
    fits = [[correct(chosen.estimator_at(L, lam).fit(X, Y)) for lam in LAMS] for L in COUNTS]
    assert surface.tolist() == fits


def numbers(rows, form):
    """One target or two, of ordinary size or huge."""
    y = np.column_stack([np.sin(rows[:, 0]) + rows[:, 1] ** 2, rows[:, 2] * rows[:, 3]])
    return {"one": y[:, 0], "two": y, "huge": 1e140 * y[:, 0]}[form]


def squared_errors(model, y_test):
    return ((model.predict(X_TEST) - y_test) ** 2).sum()


@pytest.mark.parametrize("form", ["one", "two", "huge"])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("strategy", ["covariance", "cdelm", "swim", "orthogonal_elm"])
def test_curves_of_regressors_are_single_fits(strategy, nested, form):
    """Without a penalty, with the λ of the folds, and every candidate of the surface."""
    y, y_test = numbers(X, form), numbers(X_TEST, form)
    model = ELMRegressor(strategy=strategy, input_scale=0.5)
    own_draw = not nested or strategy == "orthogonal_elm"
    for row in pseudo_inverse_rows(model, COUNTS, X, y, X_TEST, y_test, nested=nested, seed=5):
        seed = seed_of(5, "nodes", row.n_hidden) if own_draw else seed_of(5, "nodes")
        fitted = clone(model).set_params(n_hidden=row.n_hidden, random_state=seed).fit(X, y)
        assert_allclose(-row.correct, squared_errors(fitted, y_test), rtol=1e-6)
        assert row.rank == fitted.rank_
    chosen = ELMRegressorCV(model, n_hidden_grid=COUNTS, lams=LAMS, nested=nested, random_state=0).fit(X, y)
    rows = ridge_curve_rows(chosen, X, y, X_TEST, y_test)
    surface = ridge_surface(chosen, X, y, X_TEST, y_test)
    for i, (row, choice) in enumerate(zip(rows, chosen.lambdas_by_count_, strict=True)):
        assert row[:2] == choice[:2]
        fits = [squared_errors(chosen.estimator_at(row.n_hidden, lam).fit(X, y), y_test) for lam in LAMS]
        assert_allclose(-surface[i], fits, rtol=1e-7)
        assert_allclose(-row.correct, fits[LAMS.index(row.lam)], rtol=1e-7)


@pytest.mark.parametrize("largest_whole", [0, 10**9])
@pytest.mark.parametrize("form", ["one", "two", "huge"])
def test_one_pass_of_a_regressor_chooses_and_fits_like_a_search(form, largest_whole, monkeypatch):
    monkeypatch.setattr("celm.linalg.solve.WHOLE", largest_whole)
    y, y_test = numbers(X, form), numbers(X_TEST, form)
    model, folds = ELMRegressor(strategy="swim", precision="double"), np.arange(len(X)) % 3
    rows = one_pass_rows(model, COUNTS, LAMS, folds, X, y, X_TEST, y_test, nested=True, seed=5)
    for row, L in zip(rows, COUNTS, strict=True):
        member = clone(model).set_params(n_hidden=L, random_state=seed_of(5, "nodes"))
        held_out = [held_out_errors(member, lam, folds, y) for lam in LAMS]
        assert row.n_hidden == L
        assert row.lam == LAMS[int(np.argmin(held_out))]
        assert_allclose(-row.held_out_correct, min(held_out), rtol=1e-6)
        fitted = clone(member).set_params(lam=row.lam).fit(X, y)
        assert_allclose(-row.correct, squared_errors(fitted, y_test), rtol=1e-6)


def held_out_errors(member, lam, folds, y):
    """Squared errors on rows held out of readouts, targets centred by the mean of all rows."""
    layer = clone(member).set_params(lam=lam).fit(X, y)
    H = 1 / (1 + np.exp(-(X @ layer.W_ + layer.b_)))
    T = y.reshape(len(y), -1) - y.mean(axis=0)
    total = 0.0
    for fold in range(3):
        rest, held = folds != fold, folds == fold
        beta = np.linalg.solve(np.eye(H.shape[1]) / lam + H[rest].T @ H[rest], H[rest].T @ T[rest])
        total += ((H[held] @ beta - T[held]) ** 2).sum()
    return total
