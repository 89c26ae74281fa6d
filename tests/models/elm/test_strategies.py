"""The folder of strategies: what is found there, what each promises, and what a callable may be."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import celm.models.elm.strategies
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategies import STRATEGIES
from celm.models.elm.strategy import Strategy, as_strategy
from celm.models.elm.weights import check_strategy, strategy_named

FOLDER = Path(celm.models.elm.strategies.__file__).parent
CODES = np.arange(60) % 3
X = np.random.default_rng(0).normal(size=(60, 12)) + CODES[:, None]


def draw(strategy, n_hidden=20, rows=X, codes=CODES, seed=0):
    return strategy(rows, codes, n_hidden, np.random.default_rng(seed), WeightOptions(image_shape=(3, 4)))


def test_every_file_of_the_folder_is_a_strategy_of_its_name():
    assert set(STRATEGIES) == {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("name", STRATEGIES)
def test_weights_are_finite_never_zero_and_do_not_change_the_rows(name):
    rows = X.copy()
    W, b = draw(STRATEGIES[name], rows=rows)
    assert W.shape == (12, 20)
    assert b.shape == (20,)
    assert np.isfinite(W).all()
    assert np.isfinite(b).all()
    assert (np.abs(W).max(axis=0) > 0).all()
    assert_array_equal(rows, X)


@pytest.mark.parametrize("name", STRATEGIES)
def test_only_strategies_that_say_so_look_at_the_classes(name):
    other = (CODES + np.arange(60) // 20) % 3
    same = np.array_equal(draw(STRATEGIES[name], 40)[0], draw(STRATEGIES[name], 40, codes=other)[0])
    assert same != STRATEGIES[name].uses_classes


@pytest.mark.parametrize("name", [name for name in STRATEGIES if STRATEGIES[name].anchored])
def test_anchored_hyperplanes_pass_between_two_rows(name):
    nodes = STRATEGIES[name].anchored
    W, b = draw(STRATEGIES[name])
    halfway = (X[:, None] + X[None, :]).reshape(-1, 12) / 2 @ W[:, nodes] + b[nodes]
    assert_allclose(np.abs(halfway).min(axis=0), 0.0, atol=1e-12)


def test_a_callable_is_a_strategy_that_promises_nothing():
    def ones(X, codes, n_hidden, rng, options):
        return np.ones((X.shape[1], n_hidden)), np.zeros(n_hidden)

    check_strategy(ones, "strategy", "owner")
    assert strategy_named(ones) == as_strategy(ones) == Strategy(ones, nested=False, uses_classes=True, anchored=None)
    assert strategy_named(STRATEGIES["cdelm"]) is STRATEGIES["cdelm"]
    with pytest.raises(ValueError, match=r"^owner: strategy must be one of cdelm, .*; got <class 'int'>"):
        check_strategy(int, "strategy", "owner")
