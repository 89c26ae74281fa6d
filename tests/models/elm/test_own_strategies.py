"""A strategy of one's own that is not in the form of the contract is named, and cannot change the rows."""

import numpy as np
import pytest

from celm import ELMClassifier, ELMRegressor, HiddenLayer, Strategy

X = np.random.default_rng(0).normal(size=(30, 4))
CODES = np.arange(30) % 3
FORM = r"it must be called as draw\(X, codes, n_hidden, rng, options\)"


def short(X, codes):
    return X, codes


def gaussian(X, codes, n_hidden, rng, options):
    return rng.normal(size=(X.shape[1], n_hidden)), np.zeros(n_hidden)


def fitted(draw):
    return ELMClassifier(5, strategy=draw, lam=1.0, random_state=0).fit(X, CODES)


@pytest.mark.parametrize(
    "model", [ELMClassifier(5, lam=1.0), ELMRegressor(5, lam=1.0), HiddenLayer(5)], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize("strategy", [short, Strategy(short), Strategy(gaussian, for_numbers=short)])
def test_another_form_is_told_with_the_one_expected(model, strategy):
    numbers = np.column_stack([X[:, 0], X[:, 1]]) if isinstance(model, ELMRegressor) else CODES
    if isinstance(strategy, Strategy) and strategy.for_numbers and not isinstance(model, ELMRegressor):
        model.set_params(strategy=strategy).fit(X, numbers)
        return
    with pytest.raises(TypeError, match=rf"strategy short: {FORM}; got short\(X, codes\)") as caught:
        model.set_params(strategy=strategy).fit(X, numbers)
    assert isinstance(caught.value.__cause__, TypeError)


def test_what_cannot_be_called_is_no_strategy():
    with pytest.raises(TypeError, match=rf"strategy int: {FORM}; it cannot be called"):
        fitted(Strategy(3))


def test_an_error_of_the_strategy_is_its_own():
    def draw(*_):
        raise TypeError("of its own")

    with pytest.raises(TypeError, match=r"^of its own$"):
        fitted(draw)


@pytest.mark.parametrize(
    ("answer", "error", "told"),
    [
        (None, TypeError, "got NoneType"),
        ((1, 2, 3), TypeError, "got tuple"),
        ((np.ones((5, 4)), np.ones(5)), ValueError, r"got \(5, 4\) of float64 and \(5,\) of float64"),
        ((np.ones((4, 6)), np.ones(5)), ValueError, r"got \(4, 6\) of float64"),
        ((np.ones((4, 5)), 0.0), ValueError, r"and \(\) of float64"),
        ((np.ones((4, 5)) * 1j, np.ones(5)), ValueError, "of complex128"),
        ((np.full((4, 5), "a"), np.ones(5)), ValueError, "of <U1"),
        (([[1.0], [2.0, 3.0]], np.ones(5)), ValueError, "lists of unequal lengths"),
    ],
)
def test_another_answer_is_told_with_the_one_expected(answer, error, told):
    def draw(X, codes, n_hidden, rng, options):
        return answer

    with pytest.raises(error, match=rf"strategy draw: it must give W of shape \(4, 5\) and b of shape \(5,\).*{told}"):
        fitted(draw)


def test_lists_are_arrays():
    lists = fitted(lambda *given: tuple(part.tolist() for part in gaussian(*given)))
    np.testing.assert_array_equal(lists.predict(X), fitted(gaussian).predict(X))


def test_rows_and_classes_cannot_be_changed():
    def draw(X, codes, n_hidden, rng, options):
        X[:] = 0.0
        return gaussian(X, codes, n_hidden, rng, options)

    before = X.copy()
    with pytest.raises(ValueError, match="read-only"):
        fitted(draw)
    np.testing.assert_array_equal(X, before)
    assert X.flags.writeable
