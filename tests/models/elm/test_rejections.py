"""Rejections are counted where somebody listens, and counting changes no weight."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from celm.models.elm.directions import MAX_ATTEMPTS
from celm.models.elm.drawing import draw_layer
from celm.models.elm.options import WeightOptions
from celm.models.elm.rejections import counted_draws, note, noted

RNG = np.random.default_rng(3)
CODES = np.arange(60) % 3
NODES = 25


def drawn(X, strategy, **options):
    with counted_draws() as seen:
        W, b = draw_layer(X, CODES, strategy, NODES, 7, WeightOptions(**options))
    return W, b, seen


@pytest.mark.parametrize(
    ("strategy", "options"),
    [
        ("cdelm", {"difference_filter": True}),
        ("cdelm", {"cosine_filter": True}),
        ("cdelm", {"difference_filter": True, "cosine_filter": True}),
        ("cselm", {"sum_filter": True}),
        ("cmelm", {"difference_filter": True, "sum_filter": True}),
        ("rselm", {}),
        ("selm", {}),
    ],
)
@pytest.mark.parametrize("size", [0.1, 0.4, 3.0])
def test_counting_changes_no_weight(strategy, options, size):
    X = size * RNG.normal(size=(60, 3))
    W, b, _ = drawn(X, strategy, **options)
    plain = draw_layer(X, CODES, strategy, NODES, 7, WeightOptions(**options))
    assert np.array_equal(W, plain[0])
    assert np.array_equal(b, plain[1])


@pytest.mark.parametrize(("size", "some"), [(0.2, True), (100.0, False)])
def test_every_rejected_difference_is_drawn_again(size, some):
    X = size * RNG.normal(size=(60, 3))
    _, _, seen = drawn(X, "cdelm", difference_filter=True)
    assert (seen["short"] > 0) == some
    assert seen["differences"] == NODES + seen["short"]
    assert seen["sums"] == seen["long"] == seen["parallel"] == 0


def test_what_is_kept_of_a_sample_of_short_differences_was_not_rejected():
    """By hand: candidates of the first attempt below the limit are those that the filter counts first."""
    X = 0.3 * RNG.normal(size=(60, 3))
    W, _, seen = drawn(X, "cdelm", difference_filter=True)
    plain, _, none = drawn(X, "cdelm")
    first = 4.0 / np.einsum("ij,ij->j", plain, plain)
    assert none["short"] == 0
    assert (first < 1 / 3).sum() == (~np.isclose(W, plain).all(axis=0)).sum()
    assert seen["short"] >= (first < 1 / 3).sum() > 0


def test_parallel_differences_are_counted_and_unfiltered_ones_are_not():
    X = np.column_stack([RNG.normal(size=60), 0.01 * RNG.normal(size=60)])
    _, _, seen = drawn(X, "cdelm", cosine_filter=True)
    assert seen["parallel"] > 0
    assert seen["differences"] == NODES + seen["parallel"]
    assert drawn(X, "cdelm")[2]["parallel"] == 0


def test_a_filter_of_sums_that_gives_up_says_on_how_many_nodes():
    _, _, seen = drawn(100.0 * RNG.normal(size=(60, 3)), "cselm", sum_filter=True)
    assert seen["given_up"] == NODES
    assert seen["long"] == 3 * NODES
    assert seen["sums"] == 4 * NODES
    _, _, short = drawn(1e-3 * RNG.normal(size=(60, 3)), "cselm", sum_filter=True)
    assert (short["long"], short["given_up"], short["sums"]) == (0, 0, NODES)


def test_vanishing_draws_are_counted_without_a_filter():
    X = np.repeat(RNG.normal(size=(4, 3)), 15, axis=0)
    codes = np.arange(60) % 2
    with counted_draws() as seen:
        draw_layer(X, codes, "cdelm", NODES, 7, WeightOptions())
    assert 0 < seen["vanishing"] < MAX_ATTEMPTS * NODES
    assert seen["differences"] == NODES + seen["vanishing"]


def test_threads_do_not_hear_each_other():
    X = 0.2 * RNG.normal(size=(60, 3))
    alone = drawn(X, "cdelm", difference_filter=True)[2]
    with counted_draws() as outside, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: drawn(X, "cdelm", difference_filter=True)[2], range(8)))
    assert all(one == alone for one in found)
    assert not outside


def failing():
    with counted_draws() as seen:
        noted("long", np.array([True, False, True]))
        raise ZeroDivisionError(seen["long"])


def test_the_innermost_listener_hears_and_none_is_left_behind():
    with counted_draws() as outer:
        note("sums", 1)
        with pytest.raises(ZeroDivisionError, match="2"):
            failing()
        note("sums", 1)
    note("sums", 5)
    assert dict(outer) == {"sums": 2}
