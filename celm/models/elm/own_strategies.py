"""A layer that a strategy of one's own draws: it is asked in the form of the contract, and so is its answer checked."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from celm.models.elm.directions import Array
from celm.models.elm.options import WeightOptions
from celm.models.elm.strategy import Strategy

FORM = "draw(X, codes, n_hidden, rng, options)"


def own_layer(
    strategy: Strategy, X: Any, codes: Any, n_hidden: int, rng: np.random.Generator, options: WeightOptions
) -> tuple[Array, Array]:
    """W (n × L) and b (L) of a strategy that is not one of the folder; it is given rows that it cannot change."""
    called = strategy.draw if strategy.for_numbers is None or np.ndim(codes) == 1 else strategy.for_numbers
    name = getattr(called, "__name__", type(called).__name__)
    given = (_not_to_change(X), _not_to_change(codes), n_hidden, rng, options)
    _check_form(called, given, name)
    return _checked(strategy(*given), (X.shape[1], n_hidden), name)


def _not_to_change(values: Any) -> Any:
    if not isinstance(values, np.ndarray):
        return values
    shown = values.view()
    shown.flags.writeable = False
    return shown


def _check_form(called: Any, given: tuple[Any, ...], name: str) -> None:
    try:
        form = inspect.signature(called)
    except ValueError:  # what is written in C does not always tell
        return
    except TypeError as error:
        raise TypeError(f"strategy {name}: it must be called as {FORM}; it cannot be called.") from error
    try:
        form.bind(*given)
    except TypeError as error:
        raise TypeError(f"strategy {name}: it must be called as {FORM}; got {name}{form}.") from error


def _checked(answer: Any, shape: tuple[int, int], name: str) -> tuple[Array, Array]:
    """The answer of a strategy as arrays; a TypeError where it is no pair, a ValueError where it is of other sizes."""
    wanted = f"strategy {name}: it must give W of shape {shape} and b of shape {shape[1:]}, real numbers"
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(f"{wanted}; got {type(answer).__name__}.")
    try:
        W, b = (np.asarray(part) for part in answer)
    except ValueError as error:
        raise ValueError(f"{wanted}; got lists of unequal lengths.") from error
    if (W.shape, b.shape) != (shape, shape[1:]) or any(part.dtype.kind not in "fiu" for part in (W, b)):
        raise ValueError(f"{wanted}; got {W.shape} of {W.dtype} and {b.shape} of {b.dtype}.")
    return W, b
