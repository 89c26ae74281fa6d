"""What the estimators take and refuse, and what a fitted one is to scikit-learn."""

import io
import pickle
import sys

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import celm
from celm.base.clusters import ClusterError, import_extra
from celm.dask import ELMClassifier, ELMClassifierCV, ELMRegressor
from celm.dask.progress import Progress

PARAMETERS = {"n_hidden": 12, "strategy": "elm", "lam": 1.0, "random_state": 0}


@pytest.fixture(scope="module")
def local(table):
    return celm.ELMClassifier(**PARAMETERS).fit(table.X, table.labels)


@pytest.fixture(scope="module")
def frame(table):
    columns = {f"x{i}": column for i, column in enumerate(table.X.T)}
    return dd.from_pandas(pd.DataFrame({**columns, "label": table.labels}), npartitions=7)


def test_a_dataframe_fits_and_answers_by_its_columns(frame, table, local):
    X, y = frame[[f"x{i}" for i in range(6)]], frame["label"]
    model = ELMClassifier(**PARAMETERS).fit(X, y)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-8)
    assert model.feature_names_in_.tolist() == [f"x{i}" for i in range(6)]
    answers = model.predict(X)
    assert isinstance(answers, da.Array)
    np.testing.assert_array_equal(answers.compute(), local.predict(table.X))
    assert model.score(X, y) == pytest.approx(local.score(table.X, table.labels))
    np.testing.assert_array_equal(model.to_local().predict(X.compute()), local.predict(table.X))
    with pytest.raises(ValueError, match=r"the columns of X must be those of fit, \['x0', .*\]; got \['x1'"):
        model.predict(X[[f"x{i}" for i in (1, 0, 2, 3, 4, 5)]])


def test_chunks_of_unknown_length_fit(table, local):
    kept = table.lazy("X", 300)[:, 0] > -10
    X, y = table.lazy("X", 300)[kept], table.lazy("labels", 300)[kept]
    assert np.isnan(X.shape[0])
    model = ELMClassifier(**PARAMETERS).fit(X, y)
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-8)
    decision = model.decision_function(X)
    assert np.isnan(decision.shape[0])
    np.testing.assert_allclose(decision.compute(), local.decision_function(table.X), rtol=1e-8)


def test_labels_cut_otherwise_are_cut_as_the_rows_are(table, local):
    model = ELMClassifier(**PARAMETERS).fit(table.lazy("X", 300), table.lazy("labels", 1000))
    np.testing.assert_allclose(model.beta_, local.beta_, rtol=1e-8)


def test_column_chunks_are_refused_by_name(table):
    X = table.lazy("X", 300).rechunk({1: 2})
    with pytest.raises(ValueError, match=r"X must be chunked by rows only; got column chunks \(2, 2, 2\)"):
        ELMClassifier(**PARAMETERS).fit(X, table.lazy("labels", 300))


def refused(table, what):
    X, y = table.lazy("X", 300), table.lazy("labels", 300)
    model = ELMClassifier(**PARAMETERS)
    return {
        "rows in memory": lambda: model.fit(table.X, table.labels),
        "rows of another number": lambda: model.fit(X, y[:-1]),
        "partitions of another number": lambda: model.fit(X[X[:, 0] > -9], table.lazy("labels", 100)),
        "other rows than labels": lambda: model.fit(X[X[:, 0] > 0], y[X[:, 1] > 0]),
        "no penalty": lambda: clone(model).set_params(lam=None).fit(X, y),
        "no sample": lambda: clone(model).set_params(sample_rows=0).fit(X, y),
        "progress by word": lambda: clone(model).set_params(progress="yes").fit(X, y),
        "numbers as classes": lambda: model.fit(X, table.lazy("values", 300)[:, 0]),
        "one class": lambda: model.fit(X, da.zeros(3000, chunks=300)),
        "missing values": lambda: model.fit(X * np.nan, y),
        "no rows": lambda: model.fit(X[X[:, 0] > 99], y[X[:, 0] > 99]),
        "folds as an array": lambda: ELMClassifierCV(cv=np.zeros(3000, dtype=int)).fit(X, y),
        "probabilities": lambda: clone(model).set_params(proba=True).fit(X, y),
        "a search for probabilities": lambda: ELMClassifierCV(celm.ELMClassifier(proba=True)).fit(X, y),
        "words as targets": lambda: ELMRegressor(lam=1.0).fit(X, y),
        "other columns": lambda: model.fit(X, y).predict(X[:, :3]),
    }[what]


@pytest.mark.parametrize(
    ("what", "error", "words"),
    [
        ("rows in memory", TypeError, "X must be a Dask array or DataFrame; got ndarray"),
        ("rows of another number", ValueError, "X has 3000 rows and y 2999"),
        ("partitions of another number", ValueError, "X comes in 10 partitions and y in 30"),
        ("other rows than labels", ValueError, r"partition \d must be \d+ × 6 with as many labels; got"),
        ("no penalty", ValueError, "lam must be a penalty"),
        ("no sample", ValueError, "sample_rows must be a whole number of at least 1; got 0"),
        ("progress by word", ValueError, "progress must be true or false; got 'yes'"),
        ("numbers as classes", ValueError, "Unknown label type"),
        ("one class", ValueError, "needs at least two classes"),
        ("missing values", ValueError, "Input X contains NaN"),
        ("no rows", ValueError, "all partitions are empty"),
        ("folds as an array", ValueError, "cv must be a whole number"),
        ("probabilities", ValueError, "proba must be False on partitions"),
        ("a search for probabilities", ValueError, "proba must be False on partitions"),
        ("words as targets", ValueError, "could not convert string to float"),
        ("other columns", ValueError, "X must have 6 columns, as in fit"),
    ],
)
def test_refusals_say_what_is_wrong(table, what, error, words):
    with pytest.raises(error, match=words):
        refused(table, what)()


def test_scikit_learn_sees_the_plain_parameters_and_two_more(table):
    model = ELMClassifier(20, strategy="selm", lam=2.0, sample_rows=50)
    assert set(model.get_params()) == {*celm.ELMClassifier().get_params(), "sample_rows", "progress"}
    again = clone(model)
    assert again.get_params() == model.get_params()
    assert again.n_hidden == 20
    assert again.set_params(lam=3.0).lam == 3.0
    with pytest.raises(TypeError):
        ELMClassifier(wrong=1)
    with pytest.raises(NotFittedError):
        model.predict(table.lazy("X", 300))


def test_a_fitted_model_is_pickled_without_its_rows(table):
    model = ELMClassifier(**PARAMETERS).fit(table.lazy("X", 300), table.lazy("labels", 300))
    dumped = pickle.dumps(model)
    assert len(dumped) < 20_000
    np.testing.assert_array_equal(pickle.loads(dumped).predict(table.X), model.predict(table.X))


def test_every_pass_reports_its_partitions_and_the_time_left(table):
    seen = []
    ELMClassifier(**PARAMETERS, progress=seen.append).fit(table.lazy("X", 300), table.lazy("labels", 300))
    assert list(dict.fromkeys(progress.stage for progress in seen)) == ["labels", "sample", "sums"]
    assert [progress.done for progress in seen] == [*range(1, 11)] * 3
    assert {progress.total for progress in seen} == {10}
    assert Progress("sums", 2, 8, 6.0).seconds_left == 18.0
    assert str(Progress("sums", 0, 8, 6.0)) == "sums: 0 of 8 partitions, 6 s"


def test_progress_true_prints_lines(table, monkeypatch):
    lines = io.StringIO()
    monkeypatch.setattr(sys, "stderr", lines)
    ELMClassifier(**PARAMETERS, progress=True).fit(table.lazy("X", 300), table.lazy("labels", 300))
    assert "sums: 10 of 10 partitions" in lines.getvalue()


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask.array", None)
    with pytest.raises(ClusterError, match=r"celm.dask needs the dask extra: pip install 'celm\[dask\]'"):
        import_extra("dask.array", "celm.dask")
