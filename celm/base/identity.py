"""What of an options dataclass determines numbers, and so enters the key of everything computed with it.

A key must not move when an option is added, so an identity names an option **only away from its default**. The options
of the first published records are named always: they carry :func:`original`. What is only shown carries :func:`shown`
and is never named. An option that is added later needs neither: it is a plain field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, TypeVar

Options = TypeVar("Options")

_KIND = "identity"
_ALWAYS, _NEVER = "always", "never"


def original(default: Any = MISSING, *, factory: Callable[[], Any] | None = None) -> Any:
    """A field that every identity names, as the first published records do."""
    return _marked(_ALWAYS, default, factory)


def shown(default: Any = MISSING, *, factory: Callable[[], Any] | None = None) -> Any:
    """A field that changes no number (labels, colours, guesses, where data come from): no identity names it."""
    return _marked(_NEVER, default, factory)


def _marked(kind: str, default: Any, factory: Callable[[], Any] | None) -> Any:
    if factory is not None:
        return field(default_factory=factory, metadata={_KIND: kind})
    return field(default=default, metadata={_KIND: kind})


def named(options: Any) -> dict[str, Any]:
    """The options as an identity names them: original ones always, shown ones never, others away from their default.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Draw:
    ...     scale: float = original(1.0)
    ...     label: str = shown("")
    ...     mirrored: bool = False
    >>> named(Draw(label="mine"))
    {'scale': 1.0}
    >>> named(Draw(mirrored=True))
    {'scale': 1.0, 'mirrored': True}
    """
    values = {entry.name: (entry, getattr(options, entry.name)) for entry in fields(options)}
    return {name: _plain(value) for name, (entry, value) in values.items() if _is_named(entry, value)}


def filled(kind: type[Options], settings: Mapping[str, Any]) -> Options:
    """The options of a dataclass from an identity or record that may name more or fewer: the others have defaults."""
    names = {entry.name for entry in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in settings.items() if name in names})


def _is_named(entry: Field[Any], value: Any) -> bool:
    kind = entry.metadata.get(_KIND)
    return kind == _ALWAYS or (kind is None and value != _default(entry))


def _default(entry: Field[Any]) -> Any:
    return entry.default if entry.default_factory is MISSING else entry.default_factory()


def _plain(value: Any) -> Any:
    """A list as its own copy, so that an identity does not change with its options."""
    return list(value) if isinstance(value, (list, tuple)) else value
