"""A layer is one value: whole or in blocks its outputs are g(XW + b), and its parts are layers again."""

import numpy as np
import pytest
from scipy.special import expit

from celm.linalg import layer as layer_module
from celm.linalg.layer import PRECISIONS, QUICK, Layer

RNG = np.random.default_rng(4)
X = RNG.normal(size=(50, 6))
W, b = RNG.normal(size=(6, 9)), RNG.normal(size=9)


@pytest.mark.parametrize("rows", [slice(3, 20), np.array([7, 1, 1, 49])])
@pytest.mark.parametrize(("activation", "g"), [("sigmoid", expit), ("tanh", np.tanh), ("identity", lambda z: z)])
def test_blocks_are_rows_of_the_whole(rows, activation, g):
    layer = Layer(W, b, activation)
    whole = layer.outputs(X)
    np.testing.assert_allclose(whole, g(X @ W + b), rtol=1e-13)
    np.testing.assert_allclose(layer.by_blocks()(X, rows), whole[rows], rtol=1e-13)


def test_single_products_round_only_the_products():
    H = Layer(W, b, precision="single_products").by_blocks()(X, slice(None))
    assert H.dtype == np.float64
    np.testing.assert_allclose(H, expit(X @ W + b), rtol=1e-5)
    assert not np.array_equal(H, expit(X @ W + b))


def test_first_nodes_and_a_slope_give_layers_of_the_same_kind():
    layer = Layer(W, b, "identity", "single_products")
    part = layer.first(4).scaled(2.5)
    assert (part.n_inputs, part.n_hidden, part.activation, part.precision) == (6, 4, "identity", "single_products")
    np.testing.assert_allclose(part.outputs(X), 2.5 * layer.outputs(X)[:, :4])
    assert layer.first(9) is layer


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"b": b[1:]}, r"W must be n × L and b of length L; got \(6, 9\) and \(8,\)"),
        ({"activation": "sigmoyd"}, "Did you mean 'sigmoid'"),
        ({"precision": "half"}, "double, quick_double, single_products, mixed, auto, single; got 'half'"),
    ],
)
def test_wrong_layers_are_named(change, message):
    with pytest.raises(ValueError, match=message):
        Layer(**{"W": W, "b": b} | change)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_activation_shared_out_has_the_bits_of_one_thread(monkeypatch, threads):
    rows = RNG.normal(size=(301, 6))
    alone = Layer(W, b).outputs(rows)
    monkeypatch.setattr("celm.linalg.layer.SHARED", 100)
    monkeypatch.setattr("celm.linalg.blocks.blas_threads", lambda: threads)
    np.testing.assert_array_equal(Layer(W, b).outputs(rows), alone)


@pytest.mark.parametrize("vectorised", [True, False])
def test_the_quickest_sigmoid_differs_in_the_last_digit_at_most(vectorised, monkeypatch):
    monkeypatch.setattr(layer_module, "exp_is_vectorised", lambda: vectorised)
    Z = np.concatenate([np.linspace(-800.0, 800.0, 2001), [-1e308, 1e308]])[:, None]
    exact, quick = (Layer(np.ones((1, 1)), np.zeros(1), precision=name).outputs(Z) for name in ("double", "auto"))
    np.testing.assert_allclose(quick, exact, rtol=1e-15, atol=1e-300)
    assert np.array_equal(quick, exact) or vectorised


def test_only_layers_that_leave_the_choice_have_the_quickest_sigmoid():
    made = {name: Layer(np.ones((1, 1)), np.zeros(1), precision=name) for name in PRECISIONS}
    assert [name for name, one in made.items() if one.g is not made["double"].g] == list(QUICK)
    assert {name: one.in_double().precision for name, one in made.items()} == {
        "double": "double",
        "quick_double": "quick_double",
        "single_products": "double",
        "mixed": "quick_double",
        "auto": "quick_double",
    }
