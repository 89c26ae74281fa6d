"""Every refusal says what is wrong, whose it is, what is allowed and what came."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from celm.base.validation import (
    as_generator,
    check_choice,
    check_flag,
    check_folds,
    check_integer,
    check_number,
    encode_labels,
    nearest,
    quoted,
    signed_targets,
)

NAMES = ("elm", "cdelm", "cselm")


def refusal(check, *arguments, **options):
    """The words with which ``check`` refuses its arguments."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        check(*arguments, **options)
    return str(caught.value)


def test_choices():
    for name in NAMES:
        check_choice(name, "strategy", NAMES, "Model")
    assert refusal(check_choice, "cdlem", "strategy", NAMES, "Model") == (
        "Model: strategy must be one of elm, cdelm, cselm; got 'cdlem'. Did you mean 'cdelm'?"
    )
    assert refusal(check_choice, "xyz", "strategy", NAMES, "Model").endswith("got 'xyz'.")
    for odd in (None, 3, ["elm"]):
        assert f"got {odd!r}." in refusal(check_choice, odd, "strategy", NAMES, "Model")


def test_the_nearest_name():
    assert nearest("ELM", NAMES) == " Did you mean 'elm'?"
    assert nearest("wdbc", ["WDBC"]) == " Did you mean 'WDBC'?"
    assert nearest("cdlem", NAMES) == " Did you mean 'cdelm'?"
    assert nearest("perceptron", NAMES) == ""
    assert nearest("elm", []) == ""


class Unshowable:
    """Something that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "odd",
    [
        "x" * 10**6,
        list(range(10**6)),
        tuple("ab" * 10**5),
        dict.fromkeys(range(10**5)),
        10**400,
        10**5000,
        Unshowable(),
    ],
    ids=["text", "list", "tuple", "dict", "long number", "number beyond Python's digits", "unshowable"],
)
@pytest.mark.parametrize(
    "check",
    [
        lambda odd: check_choice(odd, "strategy", NAMES, "Model"),
        lambda odd: check_integer(odd, "rounds", "Model", 1),
        lambda odd: check_number(odd, "share", "Model", 0, 1),
        lambda odd: check_flag(odd, "nested", "Model"),
    ],
    ids=["choice", "integer", "number", "flag"],
)
def test_what_cannot_be_shown_in_a_line_is_not(check, odd):
    words = refusal(check, odd)
    assert words.startswith("Model: ")
    assert len(words) < 500


def test_values_that_fit_are_quoted_as_they_are():
    for value in (None, 3, 2.5, "elm", [50, 100], (1, 2), {"a": 1}, np.float64(2.0), np.array([1, 2])):
        assert quoted(value) == repr(value)
    assert quoted(Unshowable()).startswith("<Unshowable instance")


def test_lengths_of_time_and_fractions_are_no_numbers():
    for odd in (np.timedelta64(3), np.timedelta64(3, "D")):
        assert "whole number" in refusal(check_integer, odd, "rounds", "config", 1)
        assert "must be a number" in refusal(check_number, odd, "share", "config", 0)
    assert "must be a number" in refusal(check_number, Fraction(1, 2), "share", "config", 0)


def test_whole_numbers():
    for fine in (1, 7, 10, np.int64(3), np.uint8(1)):
        check_integer(fine, "rounds", "config", 1, 10)
    for odd in (0, 11, -5, 2.0, True, "3", None, np.nan):
        assert refusal(check_integer, odd, "rounds", "config", 1, 10) == (
            f"config: rounds must be a whole number of at least 1 and at most 10; got {odd!r}."
        )
    check_integer(10**30, "rounds", "config", 1)
    assert "of at least 1 that a float can hold" in refusal(check_integer, 10**400, "rounds", "config", 1)
    assert refusal(check_integer, 0, "rounds", "config", 1) == (
        "config: rounds must be a whole number of at least 1; got 0."
    )


def test_numbers():
    for fine in (0, 0.5, 1, np.float32(0.25), np.int64(1)):
        check_number(fine, "alpha", "Encoder", 0, 1)
    for odd in (-1e-9, 1.1, np.nan, np.inf, -np.inf, True, "1", None, 1j):
        assert refusal(check_number, odd, "alpha", "Encoder", 0, 1) == (
            f"Encoder: alpha must be a number of at least 0 and at most 1; got {odd!r}."
        )
    check_number(1e-300, "lam", "Model", 0, above=True)
    assert refusal(check_number, 0, "lam", "Model", 0, above=True) == "Model: lam must be a number above 0; got 0."
    assert refusal(check_number, np.inf, "lam", "Model", 0) == "Model: lam must be a number of at least 0; got inf."


def test_flags():
    for fine in (True, False, np.True_):
        check_flag(fine, "nested", "Model")
    for odd in (0, 1, "true", None):
        assert refusal(check_flag, odd, "nested", "Model") == f"Model: nested must be true or false; got {odd!r}."


def test_generators():
    rng = np.random.default_rng(0)
    assert as_generator(rng) is rng
    assert as_generator(5).random() == np.random.default_rng(5).random()
    assert as_generator(2**100).random() == np.random.default_rng(2**100).random()
    assert as_generator(None).random() != as_generator(None).random()
    state = np.random.RandomState(0)
    first, second = as_generator(state).random(), as_generator(state).random()
    assert first == as_generator(np.random.RandomState(0)).random() != second
    for odd in (-1, 1.5, "seed", True):
        assert refusal(as_generator, odd) == (
            f"random_state: random_state must be a whole number of at least 0; got {odd!r}."
        )


@given(y=st.lists(st.sampled_from([-3, 0, 7, 9]), min_size=2, max_size=20).filter(lambda y: len(set(y)) > 1))
def test_codes_lead_back_to_the_labels(y):
    classes, codes = encode_labels(y, "Model")
    assert_array_equal(classes[codes], y)
    assert_array_equal(classes, sorted(set(y)))
    targets = signed_targets(codes, len(classes))
    assert_array_equal(targets.argmax(axis=1), codes)
    assert_array_equal(targets.sum(axis=1), 2 - len(classes))
    assert_array_equal(signed_targets(codes, len(classes), 0.0, 5.0), 5 * (targets > 0))


def test_one_class_is_not_enough():
    words = refusal(encode_labels, ["b", "b"], "Model")
    assert words.startswith("Model: a classifier needs at least two classes; y holds only 1 class")
    assert "'b'" in words


@given(n_rows=st.integers(2, 40), data=st.data())
def test_a_number_of_folds_gives_balanced_folds(n_rows, data):
    n_folds = data.draw(st.integers(2, n_rows))
    folds = check_folds(n_folds, n_rows, np.random.default_rng(0), "Model")
    sizes = np.bincount(folds, minlength=n_folds)
    assert (len(folds), len(sizes)) == (n_rows, n_folds)
    assert sizes.max() - sizes.min() <= 1
    assert_array_equal(folds, check_folds(n_folds, n_rows, np.random.default_rng(0), "Model"))


def test_folds_are_shuffled_by_the_generator():
    one, other = (check_folds(3, 60, np.random.default_rng(seed), "Model") for seed in (0, 1))
    assert not np.array_equal(one, other)
    assert not np.array_equal(one, np.arange(60) % 3)


def test_given_folds_are_kept():
    folds = check_folds([0, 2, 1, 1], 4, np.random.default_rng(0), "Model")
    assert_array_equal(folds, [0, 2, 1, 1])
    assert folds.dtype == np.intp


@pytest.mark.parametrize(
    "odd", [[0, 1], [0, 0, 0, 0], [0, 2, 0, 2], [1, 2, 1, 2], [-1, 0, 1, 0], [0.0, 1.0, 0.0, 1.0], []]
)
def test_wrong_folds_are_refused(odd):
    words = refusal(check_folds, odd, 4, np.random.default_rng(0), "Model")
    assert words.startswith(
        "Model: cv must be a number of folds or one fold number (0, 1, …) for each of the 4 rows; got"
    )
    assert f"shape ({len(odd)},)" in words


@pytest.mark.parametrize("odd", [1, 0, 5, 2.5, "3", None])
def test_wrong_numbers_of_folds_are_refused(odd):
    assert refusal(check_folds, odd, 4, np.random.default_rng(0), "Model") == (
        f"Model: cv must be a whole number of at least 2 and at most 4; got {odd!r}."
    )
