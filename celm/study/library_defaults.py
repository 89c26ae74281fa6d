"""Defaults of a study that the library has already: a config takes them from the signature that says them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def default_of(library: Callable[..., Any], parameter: str) -> Any:
    """The default of a parameter of an estimator or a function; a sequence as a list of its own.

    Examples
    --------
    >>> from celm import MLELMClassifier
    >>> default_of(MLELMClassifier, "layers")
    [700, 700, 1000]
    """
    default = inspect.signature(library).parameters[parameter].default
    return list(default) if isinstance(default, tuple) else default
