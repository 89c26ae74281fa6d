"""The weight strategies by name: every module of this folder is one, found by itself.

A file holds ``STRATEGY``, a :class:`celm.models.elm.strategy.Strategy`, and its name is the strategy's name. The
contract is stated there. Names that start with an underscore are left out.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from celm.models.elm.strategy import Strategy


def found_strategies() -> dict[str, Strategy]:
    """Name -> strategy of every module in this folder, in alphabetical order."""
    found = {}
    for module in sorted(iter_modules(__path__), key=lambda module: module.name):
        if not module.name.startswith("_"):
            strategy = getattr(import_module(f"{__name__}.{module.name}"), "STRATEGY", None)
            if not isinstance(strategy, Strategy):
                raise TypeError(f"{__name__}.{module.name}: STRATEGY must be a Strategy; got {strategy!r}.")
            found[module.name] = strategy
    return found


STRATEGIES = found_strategies()
