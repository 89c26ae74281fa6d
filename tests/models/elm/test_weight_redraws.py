"""Weight draws on hard data: what is redrawn, what is filtered, what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from celm.models.elm.options import WeightOptions
from celm.models.elm.weights import STRATEGIES


def layer(strategy, rows, codes, n_hidden=200, seed=0, **options):
    rng = np.random.default_rng(seed)
    rows, codes = np.asarray(rows, dtype=float), np.asarray(codes)
    return STRATEGIES[strategy](rows, codes, n_hidden, rng, WeightOptions(**options))


def squared_lengths(W, factor):
    """‖v‖² of weight columns factor·v/‖v‖²."""
    return factor**2 / (W**2).sum(axis=0)


def assert_usable(W, b, largest=1e6):
    assert np.isfinite(W).all()
    assert np.isfinite(b).all()
    assert 0 < np.abs(W).max(axis=0).min()
    assert np.abs(W).max() < largest


POINTS = np.random.default_rng(0).normal(size=(6, 3))


def test_duplicates_across_classes_are_redrawn():
    assert_usable(*layer("cdelm", np.vstack([POINTS, POINTS]), np.repeat([0, 1], 6)))


def test_duplicates_up_to_rounding_are_redrawn():
    assert_usable(*layer("cdelm", np.vstack([POINTS, POINTS * (1 + 1e-15)]), np.repeat([0, 1], 6)))


@pytest.mark.parametrize("strategy", ["cselm", "rselm"])
def test_antipodal_points_are_redrawn(strategy):
    assert_usable(*layer(strategy, np.vstack([POINTS, -POINTS]), np.tile([0, 1, 1], 4)))


@pytest.mark.parametrize("strategy", ["cdelm", "selm", "cselm", "rselm", "cmelm"])
def test_blank_rows_are_redrawn(strategy):
    rows = np.vstack([POINTS[:2], np.zeros((30, 3))])
    assert_usable(*layer(strategy, rows, np.arange(32) % 2))


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_what_is_zero_depends_on_the_scale_of_the_data(scale):
    rows = np.vstack([POINTS, POINTS])
    W, _ = layer("cdelm", rows, np.repeat([0, 1], 6))
    assert_allclose(layer("cdelm", scale * rows, np.repeat([0, 1], 6))[0], W / scale, rtol=1e-8)


@pytest.mark.parametrize(
    ("strategy", "rows", "what"),
    [
        ("cdelm", np.ones((6, 3)), "difference between two classes"),
        ("cmelm", np.ones((6, 3)), "difference between two classes"),
        ("selm", np.zeros((6, 3)), "sample"),
        ("cselm", np.zeros((6, 3)), "sum of two samples of a class"),
        ("rselm", np.zeros((6, 3)), "sum of two samples"),
        ("cdelm", np.full((6, 3), 0.1) * (1 + 1e-16 * np.arange(6))[:, None], "difference between two classes"),
    ],
)
def test_data_without_a_valid_draw_is_refused(strategy, rows, what):
    with pytest.raises(
        ValueError, match=rf"no usable {what} after 1000 draws for .* nodes: the training rows are equal"
    ):
        layer(strategy, rows, np.arange(6) % 2, 5)


@pytest.mark.parametrize("pair_draw", ["samples", "classes"])
def test_differences_of_one_class_are_refused(pair_draw):
    with pytest.raises(ValueError, match="class differences need samples of at least two classes; all"):
        layer("cdelm", POINTS, np.zeros(6, dtype=int), pair_draw=pair_draw)


@pytest.mark.parametrize("strategy", ["cselm", "cmelm"])
def test_singleton_classes_have_no_sums_of_two_different_samples(strategy):
    with pytest.raises(ValueError, match="a class with at least two samples; every class has one"):
        layer(strategy, POINTS, np.arange(6), same_sample=False)
    assert_usable(*layer(strategy, POINTS, np.arange(6)))
    assert_usable(*layer(strategy, POINTS, [0, 1, 2, 3, 4, 4], same_sample=False))


def test_the_difference_filter_rejects_short_differences():
    """Half of the differences are of length 0.01, below the threshold of all attempts; half of length 2."""
    rows = np.array([[0, 0], [2, 0], [0.01, 0], [2.01, 0]])
    codes = [0, 0, 1, 1]
    assert (squared_lengths(layer("cdelm", rows, codes)[0], 2.0) < 1e-3).any()
    assert squared_lengths(layer("cdelm", rows, codes, difference_filter=True)[0], 2.0).min() > 1


def test_the_difference_filter_gives_way():
    """All differences are of squared length 0.01 < 1/(k·2) until attempt 50."""
    rows = np.array([[0, 0], [0, 0.1]])
    W, _ = layer("cdelm", rows, [0, 1], difference_filter=True)
    assert_allclose(squared_lengths(W, 2.0), 0.01)


def test_the_sum_filter_prefers_short_sums_and_switches_off():
    """Half of the samples are short; three tries for each node make a short sum in 7 of 8."""
    rows = np.repeat([[0.01, 0.0], [0.0, 5.0]], 2, axis=0)
    codes = [0, 0, 1, 1]
    for switched_on, expected in ((False, 1 / 2), (True, 7 / 8)):
        lengths = squared_lengths(layer("cselm", rows, codes, 2000, sum_filter=switched_on)[0], 1.0)
        assert np.mean(lengths < 0.1) == pytest.approx(expected, abs=0.04)
    assert_usable(*layer("cselm", rows[2:], [0, 1], sum_filter=True))


@pytest.mark.parametrize("seed", range(5))
def test_the_cosine_filter_separates_nearly_parallel_differences(seed):
    """Ten tight bundles of parallel differences, ten nodes: each node must take a bundle of its own."""
    n, tight = 10, 1e-3 * np.random.default_rng(1).normal(size=(60, 10))
    rows = np.vstack([tight[:10], np.tile(np.eye(n), (5, 1)) + tight[10:]])
    codes = np.repeat([1, 0], [10, 50])
    bundles = {
        switched_on: np.abs(layer("cdelm", rows, codes, n, seed, cosine_filter=switched_on)[0]).argmax(axis=0)
        for switched_on in (False, True)
    }
    assert len(set(bundles[False])) < n
    assert len(set(bundles[True])) == n


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sum_scale": 0}, "Owner: sum_scale must be a number above 0; got 0"),
        ({"sample_scale": -1.0}, "Owner: sample_scale must be a number above 0; got -1.0"),
        (
            {"pair_draw": "class"},
            "Owner: pair_draw must be one of samples, classes; got 'class'. Did you mean 'classes'?",
        ),
        (
            {"orientation": "lower"},
            "orientation must be one of lower_positive, random; got 'lower'. Did you mean 'lower_p",
        ),
        ({"orthogonal_bias": "unit"}, "orthogonal_bias must be one of signed_unit, uniform; got 'unit'."),
        ({"orthogonal_norm": 2}, "orthogonal_norm must be one of orth, unit; got 2."),
        ({"same_sample": 1}, "Owner: same_sample must be true or false; got 1."),
        ({"difference_filter": None}, "Owner: difference_filter must be true or false; got None."),
        ({"cosine_filter": "no"}, "Owner: cosine_filter must be true or false; got 'no'."),
        ({"sum_filter": 0.5}, "Owner: sum_filter must be true or false; got 0.5."),
    ],
)
def test_wrong_options_are_named(options, words):
    with pytest.raises(ValueError) as refusal:  # noqa: PT011
        WeightOptions(**options).check("Owner")
    assert words in str(refusal.value)
