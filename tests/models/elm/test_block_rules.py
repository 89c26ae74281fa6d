"""Between two blocks the layer and the meaning of targets stay; what would be forgotten or mixed is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from celm import ELMClassifier, ELMRegressor, WeightOptions
from celm.models.elm.block_rules import KEPT

RNG = np.random.default_rng(0)
CODES = np.arange(60) % 3
X = RNG.normal(size=(60, 4)) + CODES[:, None]


def begun(**parameters):
    return ELMClassifier(8, lam=10.0, random_state=0, **parameters).partial_fit(X[:30], CODES[:30])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_hidden", 9),
        ("strategy", "elm"),
        ("input_scale", 0.5),
        ("bias_width", 2.0),
        ("options", WeightOptions(sum_scale=2.0)),
        ("targets", "binary"),
    ],
)
def test_what_layer_and_targets_are_made_with_must_stay(name, value):
    assert name in KEPT
    with pytest.raises(
        ValueError, match=f"of its first block; {name} was changed from .* to .*Call fit, or make a new"
    ):
        begun().set_params(**{name: value}).partial_fit(X[30:], CODES[30:])
    assert begun().set_params(**{name: value}).fit(X, CODES).score(X, CODES) > 0.3


def test_the_number_of_quantiles_must_stay():
    model = ELMRegressor(8, lam=10.0, random_state=0).partial_fit(X, X[:, 0])
    with pytest.raises(ValueError, match="n_quantiles was changed from 10 to 5"):
        model.set_params(n_quantiles=5).partial_fit(X, X[:, 0])


def test_penalty_and_class_weights_may_change():
    model = begun().set_params(lam=1.0).partial_fit(X[30:], CODES[30:])
    assert_allclose(model.beta_, begun().partial_fit(X[30:], CODES[30:]).set_params(lam=1.0)._solve_sums().beta_)
    begun().set_params(class_weight={0: 2.0, 1: 1.0, 2: 1.0}).partial_fit(X[30:], CODES[30:])


def test_other_classes_are_refused():
    with pytest.raises(
        ValueError, match=r"goes on with the classes \[0, 1, 2\] of its first block; got classes=\[0, 1\]"
    ):
        begun().partial_fit(X[:2], CODES[:2], classes=[0, 1])
    begun().partial_fit(X[30:], CODES[30:], classes=[2, 1, 0])


@pytest.mark.parametrize(("model", "y"), [(ELMClassifier, CODES), (ELMRegressor, X[:, 0])])
def test_blocks_after_a_fit_begin_anew_with_a_warning(model, y):
    """scikit-learn's own checks call fit and partial_fit of one estimator: it cannot be refused."""
    fitted = model(8, lam=10.0, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="partial_fit begins anew and forgets what fit has learned"):
        fitted.partial_fit(X[:30], y[:30])
    alone = clone(fitted).partial_fit(X[:30], y[:30])
    assert_allclose(fitted.beta_, alone.beta_)
    alone.fit_blocks([(X, y)]).partial_fit(X, y)
