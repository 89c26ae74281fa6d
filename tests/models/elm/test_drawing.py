"""Drawing at a scale: the spread of pre-activations, biases, nestedness, and rows of any size."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from celm import ELMClassifier, ELMClassifierCV, ELMRegressor, HiddenLayer
from celm.models.elm.drawing import SPREAD_NODES, Drawing, SaturationWarning, draw_layer, median_spread
from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES, strategy_named

CODES = np.arange(60) % 3
X = np.random.default_rng(0).normal(size=(60, 6)) * [1, 2, 3, 1, 1, 0.2] + CODES[:, None]
OPTIONS = WeightOptions(image_shape=(2, 3))


def drawn(strategy, n_hidden=SPREAD_NODES, rows=X, **how):
    return Drawing(strategy, n_hidden, OPTIONS, **how)(rows, CODES, 3)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_scale_is_the_median_standard_deviation_of_pre_activations(strategy):
    W, b = drawn(strategy, input_scale=0.7)
    assert np.median((X @ W).std(axis=0)) == pytest.approx(0.7)
    plain, b_plain = drawn(strategy)
    factor = W[0, 0] / plain[0, 0]
    assert_allclose(W, factor * plain)
    moved = np.zeros(len(b), dtype=bool)
    moved[STRATEGIES[strategy].anchored or slice(0)] = True
    centre = X.mean(axis=0) if STRATEGIES[strategy].centred else np.zeros(6)
    assert_allclose(b + centre @ W, np.where(moved, factor, 1.0) * (b_plain + centre @ plain), atol=1e-12)


@pytest.mark.parametrize("strategy", sorted(name for name in STRATEGIES if STRATEGIES[name].nested))
def test_layers_of_any_length_share_their_scale(strategy):
    W, b = drawn(strategy, 230, input_scale=0.4, bias_width=2.0)
    for n_hidden in (3, 215):
        W_short, b_short = drawn(strategy, n_hidden, input_scale=0.4, bias_width=2.0)
        assert_allclose(W_short, W[:, :n_hidden], rtol=1e-9, atol=1e-12)
        assert_allclose(b_short, b[:n_hidden], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("strategy", ["cdelm", "cmelm", "swim", "rf_differences"])
def test_a_scale_leaves_hyperplanes_among_the_rows_where_they_are(strategy):
    nodes = STRATEGIES[strategy].anchored
    (W, b), (W_scaled, b_scaled) = drawn(strategy), drawn(strategy, input_scale=5.0)
    assert_allclose((W_scaled / b_scaled)[:, nodes], (W / b)[:, nodes])


@pytest.mark.parametrize("strategy", ["covariance", "covariance_shrunk", "covariance_diagonal", "cdelm", "swim"])
@pytest.mark.parametrize("input_scale", [None, 0.5])
def test_a_shift_of_the_inputs_changes_nothing(strategy, input_scale):
    moved = X + 1000.0 * np.arange(6)
    (W, b), (W_moved, b_moved) = (drawn(strategy, rows=rows, input_scale=input_scale) for rows in (X, moved))
    assert_allclose(moved @ W_moved + b_moved, X @ W + b, atol=1e-8)


def test_raw_wine_saturates_an_elm_and_the_warning_names_the_cure():
    rows, y = load_wine(return_X_y=True)
    with pytest.warns(SaturationWarning, match=r"ELMClassifier: most hidden outputs are 0 or 1.*StandardScaler"):
        raw = ELMClassifier(50, strategy="elm", lam=1e3, random_state=0).fit(rows, y)
    scaled = StandardScaler().fit_transform(rows)
    assert ELMClassifier(50, strategy="elm", lam=1e3, random_state=0).fit(scaled, y).score(scaled, y) > raw.score(
        rows, y
    )
    ELMClassifier(50, strategy="elm", input_scale=1.0, lam=1e3, random_state=0).fit(rows, y)


def test_the_width_multiplies_biases_that_do_not_look_at_rows():
    for strategy in ("elm", "orthogonal_elm"):
        (W, b), (W_wide, b_wide) = drawn(strategy), drawn(strategy, bias_width=3.0)
        assert_array_equal(W, W_wide)
        assert_allclose(b_wide, 3.0 * b)
    assert_array_equal(drawn("cdelm")[1], drawn("cdelm", bias_width=3.0)[1])
    mixed, wide = drawn("cmelm")[1], drawn("cmelm", bias_width=3.0)[1]
    assert_allclose(wide[::2], 3.0 * mixed[::2])
    assert_array_equal(wide[1::2], mixed[1::2])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_neutral_values_leave_every_bit(strategy):
    W, b = draw_layer(X, CODES, strategy, 20, 3, OPTIONS)
    W_raw, b_raw = strategy_named(strategy)(X, CODES, 20, np.random.default_rng(3), OPTIONS)
    assert_array_equal(W, W_raw)
    assert_array_equal(b, b_raw - X.mean(axis=0) @ W if STRATEGIES[strategy].centred else b_raw)
    neutral = drawn(strategy, 20, input_scale=None, bias_width=1.0)
    assert_array_equal(neutral[0], W)
    assert_array_equal(neutral[1], b)


def test_the_spread_is_taken_block_by_block(monkeypatch):
    W = np.random.default_rng(1).normal(size=(6, 9))
    whole = median_spread(X, W)
    assert whole == pytest.approx(np.median((X @ W).std(axis=0)))
    monkeypatch.setattr("celm.models.elm.drawing.SPREAD_ROWS", 7)
    assert median_spread(X, W) == pytest.approx(whole)
    with pytest.raises(ValueError, match="median standard deviation of 0: the rows are equal"):
        median_spread(np.ones((4, 6)), W)


SIZES = (1e-300, 1e-155, 1e-100, 1e100, 1e155, 1e300, 1.7e308)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("strategy", [*STRATEGIES, "gaussian/none/midpoint", "samples/l2/uniform"])
def test_rows_of_any_finite_size_give_finite_scores_or_a_clear_error(strategy, size):
    """No warning either: they are errors here."""
    rows = size * (X / np.abs(X).max())
    for model in (
        ELMClassifier(8, strategy=strategy, lam=10.0, options=OPTIONS, random_state=0),
        ELMClassifier(8, strategy=strategy, input_scale=0.5, options=OPTIONS, random_state=0),
        ELMRegressor(8, strategy=strategy, input_scale=0.5, lam=1.0, options=OPTIONS, random_state=0),
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", SaturationWarning)
                scores = model.fit(rows, CODES).scores(rows)
        except ValueError as refusal:
            assert "precision" in str(refusal) or "overflow" in str(refusal)  # noqa: PT017
        else:
            assert np.isfinite(scores).all()


@pytest.mark.parametrize("strategy", ["cdelm", "selm", "cselm", "covariance", "swim"])
@pytest.mark.parametrize("exponent", [-510, 510])
def test_a_power_of_two_in_the_inputs_changes_nothing(strategy, exponent):
    near, far = (
        ELMClassifier(10, strategy=strategy, lam=10.0, random_state=0).fit(rows, CODES)
        for rows in (X, np.ldexp(X, exponent))
    )
    assert_allclose(far.scores(np.ldexp(X, exponent)), near.scores(X), rtol=1e-8)


def test_rows_to_predict_that_are_too_large_are_refused():
    for model in (ELMClassifier(5, random_state=0), HiddenLayer(5, random_state=0), ELMRegressor(5, random_state=0)):
        fitted = model.fit(X, CODES)
        method = fitted.transform if isinstance(model, HiddenLayer) else fitted.predict
        with pytest.raises(ValueError, match=r"inputs as large as 1e\+308 overflow in the hidden layer. Scale them"):
            method(np.full((2, 6), 1e308))
    with pytest.raises(ValueError, match="ELMClassifierCV: inputs as large as"):
        ELMClassifierCV(ELMClassifier(strategy="elm"), n_hidden_grid=(3,)).fit(1e308 * (X / np.abs(X).max()), CODES)
