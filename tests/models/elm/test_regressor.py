"""The ELM regressor: scikit-learn's contract, ridge on its layer, quantiles, blocks, and targets of any size."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import Ridge

from celm.models.elm.classifier import ELMClassifier
from celm.models.elm.numeric_targets import centred, quantile_codes
from celm.models.elm.regressor import ELMRegressor
from celm.models.elm.strategies import STRATEGIES

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = np.column_stack([np.sin(X[:, 0]) + X[:, 1], X[:, 2] ** 2 + 7.0, X.sum(axis=1)]) + 0.1 * RNG.normal(size=(90, 3))


def hidden(model):
    return 1 / (1 + np.exp(-(X @ model.W_ + model.b_)))


@pytest.mark.parametrize("strategy", sorted(set(STRATEGIES) - {"rf_ciw", "rf_differences"}))
@pytest.mark.parametrize("y", [Y, Y[:, 0]], ids=["three targets", "one target"])
def test_predictions_are_those_of_ridge_regression_on_the_layer(strategy, y):
    model = ELMRegressor(15, strategy=strategy, lam=50.0, random_state=1).fit(X, y)
    H, centre = hidden(model), y.mean(axis=0)
    naive = Ridge(alpha=1 / 50.0, fit_intercept=False).fit(H, y - centre)
    assert_allclose(model.predict(X), naive.predict(H) + centre, rtol=1e-7, atol=1e-9)
    assert model.predict(X).shape == y.shape
    plain = ELMRegressor(15, strategy=strategy, random_state=1).fit(X, y)
    assert_allclose(plain.predict(X), H @ np.linalg.pinv(H) @ (y - centre) + centre, atol=1e-6)


def test_targets_are_learned_one_by_one():
    together = ELMRegressor(15, lam=10.0, random_state=0).fit(X, Y)
    for j in range(3):
        alone = ELMRegressor(15, lam=10.0, random_state=0).fit(X, Y[:, j])
        assert_allclose(alone.predict(X), together.predict(X)[:, j], rtol=1e-9)


def test_a_shift_and_a_scale_of_the_target_shift_and_scale_the_prediction():
    base = ELMRegressor(15, strategy="cdelm", lam=10.0, random_state=0).fit(X, Y[:, 0]).predict(X)
    moved = ELMRegressor(15, strategy="cdelm", lam=10.0, random_state=0).fit(X, 1e6 + 3 * Y[:, 0]).predict(X)
    assert_allclose(moved, 1e6 + 3 * base, rtol=1e-12, atol=1e-6)


def test_quantiles_stand_for_classes():
    """CDELM's layer in a regressor is that of a classifier of the target's quantiles."""
    codes = quantile_codes(Y[:, :1], 4)
    assert_array_equal(np.bincount(codes), [23, 22, 23, 22])
    assert (np.diff(Y[np.argsort(codes, kind="stable"), 0].reshape(-1)[[22, 23]]) > 0).all()
    model = ELMRegressor(12, strategy="cdelm", n_quantiles=4, random_state=3).fit(X, Y[:, 0])
    assert_array_equal(model.W_, ELMClassifier(12, strategy="cdelm", random_state=3).fit(X, codes).W_)


def test_several_targets_are_ranked_along_their_first_component():
    direction = np.array([[1.0, -1000.0]])
    t = RNG.normal(size=(50, 1))
    codes, reference = quantile_codes(t @ direction, 5), quantile_codes(t, 5)
    assert_array_equal(codes, reference) if codes[0] == reference[0] else assert_array_equal(4 - codes, reference)


def test_equal_targets_share_a_quantile():
    assert_array_equal(quantile_codes(np.repeat([1.0, 2.0], [30, 3])[:, None], 10), np.repeat([0, 1], [30, 3]))
    constant = ELMRegressor(5, lam=1.0, random_state=0).fit(X, np.full(90, 4.0))
    assert_allclose(constant.predict(X), 4.0)


@pytest.mark.parametrize("y", [Y, Y[:, 1]], ids=["three targets", "one target"])
def test_blocks_learn_what_one_fit_learns(y):
    """The layer is drawn from the first block; after that β and the mean are those of all rows."""
    model = ELMRegressor(10, strategy="elm", lam=20.0, random_state=0)
    for rows in (slice(0, 31), slice(31, 40), slice(40, 90)):
        model.partial_fit(X[rows], y[rows])
    whole = ELMRegressor(10, strategy="elm", lam=20.0, random_state=0).fit(X, y)
    assert_allclose(model.beta_, whole.beta_, rtol=1e-8, atol=1e-10)
    assert_allclose(model.predict(X), whole.predict(X), rtol=1e-9)
    streamed = ELMRegressor(10, strategy="elm", lam=20.0, random_state=0)
    assert_allclose(streamed.fit_blocks([(X[:50], y[:50]), (X[50:], y[50:])]).beta_, whole.beta_, rtol=1e-8, atol=1e-10)


def test_blocks_must_agree():
    model = ELMRegressor(6, lam=1.0, random_state=0).partial_fit(X, Y)
    with pytest.raises(ValueError, match="ELMRegressor: partial_fit goes on with 3 targets; got 1"):
        model.partial_fit(X, Y[:, 0])
    model.set_params(n_hidden=7)
    with pytest.raises(
        ValueError, match=r"goes on with the hidden nodes .* n_hidden was changed from 6 to 7. Call fit"
    ):
        model.partial_fit(X, Y)
    assert not hasattr(ELMRegressor(6), "partial_fit")


@pytest.mark.parametrize("far", [0.0, 1e9, -1e12])
def test_blocks_of_targets_far_from_zero_learn_what_one_fit_learns(far):
    blocks, whole = (ELMRegressor(10, strategy="elm", lam=20.0, random_state=0) for _ in range(2))
    for rows in (slice(0, 31), slice(31, 90)):
        blocks.partial_fit(X[rows], far + Y[rows])
    lost = 1e-13 * abs(far)
    assert_allclose(blocks.predict(X), whole.fit(X, far + Y).predict(X), rtol=1e-9, atol=1e-9 + 20 * lost)
    assert_allclose(blocks.beta_, whole.beta_, rtol=1e-7, atol=1e-9 + 1e4 * lost)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
def test_targets_of_any_size(size):
    near = ELMRegressor(12, lam=30.0, random_state=0).fit(X, Y[:, 0])
    far = ELMRegressor(12, lam=30.0, random_state=0).fit(X, size * Y[:, 0])
    assert_allclose(far.predict(X) / size, near.predict(X), rtol=1e-9)


def test_predictions_beyond_double_precision_are_refused():
    y = np.where(X[:, 0] > 0, 1.7e308, -1.7e308)
    with pytest.raises(ValueError, match="beyond double precision"):
        ELMRegressor(60, random_state=0).fit(X, y).predict(100 * X)


def test_centred_targets_have_no_mean():
    T, mean, exponent = centred(1e250 * Y)
    assert exponent > 200
    assert_allclose(T.mean(axis=0), 0.0, atol=1e-15)
    assert_allclose(np.ldexp(T + mean, exponent), 1e250 * Y, rtol=1e-12)


def test_wrong_quantiles_are_named():
    with pytest.raises(ValueError, match="ELMRegressor: n_quantiles must be a whole number of at least 2; got 1"):
        ELMRegressor(n_quantiles=1).fit(X, Y)
