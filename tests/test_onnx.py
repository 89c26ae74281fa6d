"""Exported models: onnxruntime answers as the model does, in single and in double precision."""

import sys

import numpy as np
import onnxruntime
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_digits
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, ELMRegressorCV
from celm.onnx import RoundingWarning, to_onnx

DIGITS, LABELS = load_digits(return_X_y=True)
ROWS = DIGITS[:1000].astype(np.float32)
DIABETES, PROGRESSION = load_diabetes(return_X_y=True)
WITHIN = {"float32": 1e-5, "float64": 1e-9}


def answers(model, X, dtype):
    session = onnxruntime.InferenceSession(to_onnx(model, dtype).SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": np.asarray(X, dtype=dtype)}), strict=True))


def classifier(**more):
    return ELMClassifier(60, strategy="covariance", input_scale=0.5, lam=1.0, random_state=0, **more)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "pipeline"])
@pytest.mark.parametrize("labels", [LABELS, np.char.add("digit ", LABELS.astype(str)), LABELS == 3, 2.0 * LABELS])
def test_a_classifier_of_any_labels(labels, alone, dtype):
    """On a thousand rows: classes equal, scores and probabilities within rounding."""
    model = classifier(proba=True) if alone else make_pipeline(StandardScaler(), classifier(proba=True))
    model.fit(DIGITS, labels)
    machine = model if alone else model[-1]
    given = answers(model, ROWS, dtype)
    assert_array_equal(given["label"], model.predict(ROWS))
    assert given["scores"].dtype == dtype
    scores = machine.scores(ROWS.astype(float) if alone else model[0].transform(ROWS.astype(float)))
    assert_allclose(given["scores"], scores, atol=WITHIN[dtype], rtol=0)
    assert_allclose(given["probabilities"], model.predict_proba(ROWS.astype(float)), atol=WITHIN[dtype], rtol=0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "pipeline"])
@pytest.mark.parametrize("y", [DIGITS[:, 20] / 16, DIGITS[:, 20:22] / 16], ids=["one", "two"])
def test_a_regressor_of_one_target_or_several(y, alone, dtype):
    machine = ELMRegressor(60, input_scale=0.5, lam=1.0, random_state=0)
    model = (machine if alone else make_pipeline(StandardScaler(), machine)).fit(DIGITS, y)
    given = answers(model, ROWS, dtype)["prediction"]
    assert given.shape == y[:1000].shape
    assert_allclose(given, model.predict(ROWS.astype(float)), atol=WITHIN[dtype], rtol=0)


def test_what_a_search_has_chosen():
    search = ELMClassifierCV(n_hidden_grid=(10, 20), lams=(1.0, 10.0), random_state=0)
    model = make_pipeline(StandardScaler(with_std=False), "passthrough", search).fit(DIGITS / 16, LABELS)
    assert set(answers(model, ROWS / 16, "float32")) == {"label", "scores"}
    assert_array_equal(answers(model, ROWS / 16, "float64")["label"], model.predict(ROWS / 16))
    regression = ELMRegressorCV(n_hidden_grid=(10, 20), lams=(1.0,), random_state=0)
    grid = GridSearchCV(make_pipeline(StandardScaler(with_mean=False), regression), {}, cv=2)
    grid.fit(DIABETES, PROGRESSION)
    assert_allclose(answers(grid, DIABETES, "float64")["prediction"], grid.predict(DIABETES), rtol=1e-9)


def test_large_output_weights_are_warned_of():
    model = ELMClassifier(60, strategy="covariance", input_scale=0.01, lam=1e12, random_state=0).fit(DIGITS, LABELS)
    with pytest.warns(RoundingWarning, match='scores may be off by .*; take dtype="float64", or a smaller lam'):
        to_onnx(model)


def test_what_has_no_graph_is_named(monkeypatch):
    with pytest.raises(TypeError, match="must be a fitted ELMClassifier or ELMRegressor; got LinearRegression"):
        to_onnx(LinearRegression())
    with pytest.raises(TypeError, match="steps before the model must be a StandardScaler; got MinMaxScaler"):
        to_onnx(make_pipeline(MinMaxScaler(), classifier()).fit(DIGITS, LABELS))
    with pytest.raises(ValueError, match="not fitted"):
        to_onnx(classifier())
    model = classifier().fit(DIGITS, LABELS)
    with pytest.raises(ValueError, match="to_onnx: dtype must be one of float32, float64; got 'double'"):
        to_onnx(model, "double")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ImportError, match=r"needs the onnx extra: pip install 'celm\[onnx\]'"):
        to_onnx(model)


def test_numbers_beyond_single_precision_are_refused():
    """They would be infinite, or zero, in the graph."""
    far = ELMRegressor(10, lam=1.0, random_state=0).fit(DIABETES, 1e200 * PROGRESSION)
    near_zero = ELMClassifier(10, lam=1.0, random_state=0).fit(1e60 * DIGITS, LABELS)
    for model, size in ((far, r"e\+20"), (near_zero, "e-6")):
        with pytest.raises(ValueError, match=f'as large as .*{size}.*beyond dtype="float32"; take dtype="float64"'):
            to_onnx(model)
        to_onnx(model, "float64")


@pytest.mark.parametrize("nothing", [None, Pipeline([("a", "passthrough")])])
def test_a_model_without_a_machine_is_refused(nothing):
    with pytest.raises(TypeError, match="the model must be a fitted ELMClassifier or ELMRegressor; got NoneType"):
        to_onnx(nothing)


def test_dates_are_no_classes_of_a_graph():
    years = np.array(["2020", "2021"], dtype="M8[Y]")[(LABELS > 4).astype(int)]
    with pytest.raises(TypeError, match=r"classes must be numbers or words; got datetime64\[Y\]"):
        to_onnx(classifier().fit(DIGITS, years))
