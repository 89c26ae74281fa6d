"""One constructor from two: the parameters of a plain estimator, and those that only a fit on partitions has."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any

Init = Callable[..., None]


def with_parameters_of(plain: type) -> Callable[[Init], Init]:
    """Decorate ``__init__(self, *, own=…)`` so that it takes the parameters of ``plain`` too, with their defaults.

    The plain estimator remains the only list of its parameters; ``get_params``, ``clone`` and help see them all.

    Examples
    --------
    >>> class Plain:
    ...     def __init__(self, n_hidden=100):
    ...         self.n_hidden = n_hidden
    >>> class Wide(Plain):
    ...     @with_parameters_of(Plain)
    ...     def __init__(self, *, sample_rows=10):
    ...         self.sample_rows = sample_rows
    >>> Wide(5).n_hidden, Wide().sample_rows
    (5, 10)
    """

    def decorate(init: Init) -> Init:
        theirs = signature(plain.__init__)  # type: ignore[misc]  # of the class itself, which is the point
        own = [p for p in signature(init).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
        merged = theirs.replace(parameters=[*theirs.parameters.values(), *own])

        @wraps(init)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            given = merged.bind(self, *args, **kwargs).arguments
            given.pop("self")
            init(self, **{p.name: given.pop(p.name) for p in own if p.name in given})
            plain.__init__(self, **given)  # type: ignore[misc]

        __init__.__signature__ = merged  # type: ignore[attr-defined]
        return __init__

    return decorate
