"""The estimators in the hands of scikit-learn's tools and of tables: what a user combines them with."""

import warnings

import dask.array as da
import numpy as np
import pandas as pd
import polars
import pytest
import skops.io
from dask_ml.wrappers import Incremental
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.ensemble import StackingClassifier, StackingRegressor
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV, HiddenLayer, WeightOptions

WINE, WINE_CLASSES = load_wine(return_X_y=True)
DIABETES, PROGRESSION = load_diabetes(return_X_y=True)
TABLE, SPECIES = load_iris(return_X_y=True, as_frame=True)


def scaled(model):
    return make_pipeline(StandardScaler(), model)


def test_a_grid_search_in_a_pipeline_over_strategy_and_nodes():
    """Its winner is the best of fits made by hand with the same folds."""
    model = scaled(ELMClassifier(lam=10.0, random_state=0))
    grid = {"elmclassifier__strategy": ["elm", "cdelm", "covariance"], "elmclassifier__n_hidden": [2, 30]}
    search = GridSearchCV(model, grid, cv=3).fit(WINE, WINE_CLASSES)
    by_hand = {
        (strategy, n): cross_val_score(
            scaled(ELMClassifier(n, strategy=strategy, lam=10.0, random_state=0)), WINE, WINE_CLASSES, cv=3
        ).mean()
        for strategy in grid["elmclassifier__strategy"]
        for n in grid["elmclassifier__n_hidden"]
    }
    assert_allclose(search.best_score_, max(by_hand.values()))
    best = search.best_params_
    assert by_hand[best["elmclassifier__strategy"], best["elmclassifier__n_hidden"]] == max(by_hand.values())
    assert search.best_score_ > 0.95


def test_stacked_with_others():
    members = [("elm", scaled(ELMClassifier(30, lam=10.0, random_state=0))), ("lr", scaled(LogisticRegression()))]
    assert cross_val_score(StackingClassifier(members), WINE, WINE_CLASSES, cv=3).mean() > 0.95
    members = [("elm", scaled(ELMRegressor(30, lam=1.0, random_state=0))), ("ridge", Ridge())]
    assert cross_val_score(StackingRegressor(members), DIABETES, PROGRESSION, cv=3).mean() > 0.4


def test_calibrated_by_scikit_learn_and_by_itself():
    by_scikit_learn = scaled(CalibratedClassifierCV(ELMClassifier(30, lam=10.0, random_state=0), cv=3))
    own = scaled(ELMClassifier(30, lam=10.0, proba=True, random_state=0))
    losses = [
        -cross_val_score(m, WINE, WINE_CLASSES, cv=3, scoring="neg_log_loss").mean() for m in (by_scikit_learn, own)
    ]
    assert max(losses) < 0.2
    proba = cross_val_predict(own, WINE, WINE_CLASSES, cv=3, method="predict_proba")
    assert_allclose(proba.sum(axis=1), 1.0)


def test_permutation_importance_finds_the_feature_that_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    model = ELMRegressor(60, input_scale=0.5, lam=1e3, random_state=0).fit(X, np.sin(2 * X[:, 2]))
    importance = permutation_importance(model, X, np.sin(2 * X[:, 2]), n_repeats=3, random_state=0).importances_mean
    assert importance.argmax() == 2
    assert importance[2] > 10 * np.delete(importance, 2).max()


@pytest.mark.parametrize(
    "model",
    [
        ELMClassifier(10, lam=1.0, proba=True, random_state=0),
        ELMClassifierCV(ELMClassifier(proba=True), n_hidden_grid=(5, 10), random_state=0),
        ELMRegressor(10, lam=1.0, random_state=0),
        ELMRegressorCV(n_hidden_grid=(5, 10), random_state=0),
        HiddenLayer(10, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_names_of_columns_go_all_the_way_without_a_warning(model):
    """And a table with other columns, or in another order, is refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = clone(model).fit(TABLE, SPECIES)
        answers = [
            name for name in ("predict", "decision_function", "predict_proba", "transform") if hasattr(fitted, name)
        ]
        plain = clone(model).fit(TABLE.to_numpy(), SPECIES.to_numpy())
        for name in answers:
            assert_allclose(getattr(fitted, name)(TABLE), getattr(plain, name)(TABLE.to_numpy()))
    assert answers
    assert_array_equal(fitted.feature_names_in_, TABLE.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        getattr(fitted, answers[0])(TABLE[TABLE.columns[::-1]])


@pytest.mark.parametrize(("kind", "form"), [("pandas", pd.DataFrame), ("polars", polars.DataFrame)])
def test_hidden_outputs_as_a_table(kind, form):
    given = TABLE if kind == "pandas" else polars.DataFrame({name: TABLE[name].to_numpy() for name in TABLE.columns})
    layer = HiddenLayer(3, random_state=0).set_output(transform=kind).fit(given, SPECIES)
    table = layer.transform(given)
    assert isinstance(table, form)
    assert list(table.columns) == list(layer.get_feature_names_out()) == [f"hiddenlayer{i}" for i in range(3)]
    assert_allclose(table.to_numpy(), HiddenLayer(3, random_state=0).fit_transform(TABLE.to_numpy(), SPECIES))


@pytest.mark.parametrize(
    "model",
    [
        ELMClassifier(10, lam=1.0, options=WeightOptions(sum_scale=2.0), proba=True, random_state=0),
        ELMRegressor(10, strategy="swim", random_state=0),
        ELMClassifierCV(n_hidden_grid=(5, 10), random_state=0),
        ELMRegressorCV(n_hidden_grid=(5, 10), random_state=0),
        scaled(ELMClassifier(10, random_state=0)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_fitted_model_is_saved_without_pickle(model):
    """What it holds besides numpy and scikit-learn is of this library, and the copy answers as the model does."""
    saved = skops.io.dumps(model.fit(TABLE, SPECIES))
    foreign = skops.io.get_untrusted_types(data=saved)
    assert all(name.startswith("celm.") for name in foreign)
    again = skops.io.loads(saved, trusted=foreign)
    assert_array_equal(again.predict(TABLE), model.predict(TABLE))


def test_dask_ml_fits_block_by_block_what_one_fit_gives():
    """With a layer that does not look at rows: dask-ml draws it from the first block."""
    model = ELMClassifier(10, strategy="elm", lam=10.0, random_state=0)
    X, y = StandardScaler().fit_transform(WINE), WINE_CLASSES
    blocks = Incremental(clone(model), shuffle_blocks=False)
    blocks.fit(da.from_array(X, chunks=(50, 13)), da.from_array(y, chunks=50), classes=[0, 1, 2])
    assert_allclose(blocks.estimator_.beta_, model.fit(X, y).beta_, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix, pd.DataFrame], ids=["array", "sparse", "table"])
def test_single_precision_is_kept(form):
    """What answers rows in single precision answers in it; sums inside a fit are double, so the models are equal."""
    single = form(WINE.astype(np.float32) / 1000)
    double = form((WINE.astype(np.float32) / np.float32(1000)).astype(np.float64))
    model = ELMClassifier(10, lam=10.0, proba=True, random_state=0)
    kept, reference = clone(model).fit(single, WINE_CLASSES), clone(model).fit(double, WINE_CLASSES)
    assert_array_equal(kept.beta_, reference.beta_)
    for name in ("decision_function", "predict_proba"):
        assert getattr(kept, name)(single).dtype == np.float32
        assert getattr(kept, name)(double).dtype == np.float64
        assert_allclose(getattr(kept, name)(single), getattr(reference, name)(double), rtol=1e-5, atol=1e-6)
    layer = HiddenLayer(10, random_state=0).fit(single, WINE_CLASSES)
    assert layer.transform(single).dtype == np.float32
    assert layer.transform(double).dtype == np.float64
    numbers = WINE[:, 0]
    for y, kind in ((numbers.astype(np.float32), np.float32), (numbers, np.float64)):
        assert ELMRegressor(10, lam=1.0, random_state=0).fit(single, y).predict(single).dtype == kind
