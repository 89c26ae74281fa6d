"""Inputs and settings that numpy or scikit-learn would take for something else are refused by every estimator."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import is_regressor
from sklearn.model_selection import KFold

from celm import (
    BPClassifier,
    BPClassifierCV,
    DCNClassifier,
    ELMClassifier,
    ELMClassifierCV,
    ELMRegressor,
    HeldOutSearch,
    LinearSVMCV,
    MLELMClassifier,
    R2SVMClassifier,
)
from fuzz.estimators import exported, make

RNG = np.random.default_rng(0)
CODES = np.arange(40) % 3
X = RNG.normal(size=(40, 4)) + CODES[:, None]
MASKED = np.ma.array(X, mask=X > 2)
DAYS = np.datetime64("2020-01-01") + np.arange(160).reshape(40, 4)
LEARNING = sorted(name for name in exported() if name != "SampleStandardizer")


def targets(model):
    return X[:, 0] ** 2 if is_regressor(model) else CODES


@pytest.mark.parametrize("name", sorted(exported()))
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (MASKED, "X has masked entries"),
        (DAYS, "X holds dates or lengths of time"),
        (DAYS - DAYS[0], "X holds dates or lengths of time"),
        (pd.DataFrame(DAYS, columns=list("abcd")), "X holds dates or lengths of time"),
        (pl.DataFrame(DAYS, schema=list("abcd")), "X holds dates or lengths of time"),
    ],
    ids=["masked", "dates", "times", "pandas", "polars"],
)
def test_rows_that_are_no_numbers(name, rows, words) -> None:
    model = make(name)
    with pytest.raises(ValueError, match=words):
        model.fit(rows, targets(model))
    fitted = make(name).fit(X, targets(model))
    with pytest.raises(ValueError, match=words):
        (fitted.predict if hasattr(fitted, "predict") else fitted.transform)(rows)


@pytest.mark.parametrize("name", sorted(exported()))
def test_whole_numbers_beyond_a_float_and_complex_ones(name) -> None:
    model = make(name)
    beyond = np.full(X.shape, 10**400, dtype=object)
    with pytest.raises(ValueError, match=f"{name}: a whole number of the data is beyond what a float can hold"):
        model.fit(beyond, targets(model))
    for rows in (X + 1j, csr_array(X + 1j), pd.DataFrame(X + 1j)):
        with pytest.raises((ValueError, TypeError)) as caught:
            model.fit(rows, targets(model))
        assert len(str(caught.value)) < 200


def test_weights_beyond_a_float() -> None:
    with pytest.raises(ValueError, match="sample_weight has a whole number beyond what a float can hold"):
        make("ELMClassifier").fit(X, CODES, sample_weight=[10**400] * 40)


@pytest.mark.parametrize("cv", [b"auto", KFold, [([0], [99])] * 3, [([0.5], [1.5])] * 3, [("a", "b")] * 3])
def test_folds_that_are_none(cv) -> None:
    with pytest.raises(ValueError, match=r"cv"):
        ELMClassifierCV(n_hidden_grid=(3, 5), cv=cv, random_state=0).fit(X, CODES)


@pytest.mark.parametrize("name", sorted(exported()))
def test_a_mask_that_hides_nothing_is_none(name) -> None:
    model = make(name)
    assert model.fit(np.ma.array(X), targets(model)) is model


@pytest.mark.parametrize("name", LEARNING)
def test_targets_behind_a_mask_or_missing(name) -> None:
    model = make(name)
    y = targets(model)
    with pytest.raises(ValueError, match=f"{name}: y has masked entries"):
        model.fit(X, np.ma.array(y, mask=CODES == 1))
    with pytest.raises(ValueError, match=r"y contains NaN|every row needs a label; y holds None"):
        model.fit(X, [None if place == 3 else value for place, value in enumerate(y)])


def test_numbers_to_predict_are_no_dates_and_no_sparse_matrix() -> None:
    with pytest.raises(ValueError, match="ELMRegressor: y holds dates or lengths of time"):
        make("ELMRegressor").fit(X, DAYS[:, 0])
    with pytest.raises(TypeError, match=r"ELMRegressor: y must be dense: y\.toarray"):
        make("ELMRegressor").fit(X, csr_array(np.eye(3)[CODES]))
    dates = make("ELMClassifier").fit(X, DAYS[CODES, 0])
    assert dates.classes_.dtype.kind == "M", "dates can be classes"


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ELMClassifier(10**30), "weights of 10{30} hidden nodes would need 3.2e.22 GB of memory, this machine has"),
        (ELMRegressor(2**62), "hidden nodes would need"),
        (BPClassifier(10**30), "a network of 10{30} hidden nodes would need"),
        (DCNClassifier(n_units=10**30), "weights of 10{30} units would need"),
        (DCNClassifier(n_modules=10**30), "outputs of 10{30} modules for 40 rows would need"),
        (R2SVMClassifier(10**30), "projections of 10{30} layers would need"),
        (R2SVMClassifier(10**30, weights="cumulative"), "projections of 10{30} layers would need"),
        (MLELMClassifier((10**30, 5, 5), penalties=(1, 1, 1)), "weights of 10{30} nodes would need"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_no_machine_holds_is_refused_before_it_is_tried(model, words) -> None:
    with pytest.raises(ValueError, match=words):
        model.fit(X, CODES)


def test_sums_that_no_machine_holds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sums of products of 1000000 hidden nodes would need 8e.03 GB"):
        ELMClassifier(10**6, strategy="elm", lam=1.0).partial_fit(X, CODES)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (BPClassifierCV(np.array(5)), "n_hidden_grid must be a list of at least one node count"),
        (ELMClassifier(class_weight=np.array([1, 2])), "class_weight must be None"),
        (ELMClassifierCV(cv=[[3]]), "a split of cv must be rows to learn from and rows held out"),
        (HeldOutSearch(None, {"C": [1.0]}), "HeldOutSearch: estimator must answer after every stage; got None"),
        (LinearSVMCV(None), "Cs must be one or more numbers in ascending order; got None"),
        (MLELMClassifier(np.array(5)), "layers must hold at least one node count"),
        (MLELMClassifier(penalties=np.array(5)), "penalties must hold one value for each of 3 layers"),
        (ELMClassifier(lam=10**400), "lam must be a number above 0; got 10"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_settings_of_another_shape(model, words) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        model.fit(X, CODES)


@pytest.mark.parametrize("name", sorted(exported()))
def test_whole_numbers_beyond_64_bits_are_numbers(name) -> None:
    for parameter in {"lam", "C"} & set(inspect.signature(exported()[name]).parameters):
        model = make(name).set_params(**{parameter: 10**30})
        assert model.fit(X, targets(model)) is model


@pytest.mark.parametrize("blocks", [None, 5, [(X,)], [X], [(X, CODES, None, None)]], ids=lambda value: str(type(value)))
def test_blocks_of_another_shape(blocks) -> None:
    with pytest.raises(TypeError, match=r"ELMClassifier: (a block|blocks) must be \(X, y\) or \(X, y, sample_weight\)"):
        ELMClassifier(8, lam=1.0).fit_blocks(blocks)


def test_classes_that_are_no_labels() -> None:
    with pytest.raises(ValueError, match="ELMClassifier: classes must be finite numbers or texts"):
        ELMClassifier(8, lam=1.0).partial_fit(X, CODES, classes=[0, 1, 2, np.nan])


def numbers_of(name):
    """The settings of an estimator that are numbers, or may be."""
    return [key for key, value in make(name).get_params(deep=False).items() if isinstance(value, float)] + [
        key for key in ("lam", "input_scale") if key in make(name).get_params(deep=False)
    ]


@pytest.mark.parametrize(("name", "key"), sorted({(name, key) for name in exported() for key in numbers_of(name)}))
@pytest.mark.parametrize("value", [5e-324, 1e-308, 1e308, 1.7e308])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_settings_at_the_ends_of_the_range_are_answered_or_refused(name, key, value) -> None:
    model = make(name).set_params(**{key: value})
    try:
        model.fit(X, targets(model))
    except ValueError:
        return
    answer = (model.predict if hasattr(model, "predict") else model.transform)(X)
    assert answer.dtype.kind != "f" or np.isfinite(answer).all()


@pytest.mark.parametrize("name", sorted(exported()))
def test_settings_that_are_changed_after_a_fit_change_no_answer(name) -> None:
    model = make(name).fit(X, targets(make(name)))
    answer = model.predict if hasattr(model, "predict") else model.transform
    before = answer(X)
    others = {int: 3, float: 0.5, str: "other", tuple: (1.0,)}
    given = model.get_params(deep=False)
    model.set_params(
        **{key: others[type(value)] for key, value in given.items() if type(value) in others} | kept(given)
    )
    np.testing.assert_array_equal(answer(X), before)


def kept(given):
    """How products are taken is asked anew at every call."""
    return {key: given[key] for key in ("precision",) if key in given}
