"""A data set's parameters: from a plain mapping to a checked dataclass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

from celm.base.validation import nearest, quoted

#: Points that a generated data set may have.
MAX_SAMPLES = 10_000_000


@dataclass(frozen=True)
class NoParams:
    """For data sets that are what they are."""


def is_required(field: Field[Any]) -> bool:
    """Whether a parameter has no default."""
    return field.default is MISSING and field.default_factory is MISSING


def check_text(value: Any, name: str, owner: str) -> None:
    """``value`` must be a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError(f"{owner}: {name} must be a text that is not empty; got {quoted(value)}.")


def build_params(kind: type[Any], given: Mapping[str, Any] | None, owner: str) -> Any:
    """The dataclass ``kind`` filled from ``given``; it checks its own values, unknown and missing keys are errors."""
    given = dict(given or {})
    known = {field.name: field for field in fields(kind)}
    for key in given:
        if key not in known:
            allowed = f"it takes {', '.join(known)}" if known else "it takes none"
            raise ValueError(f"{owner}: unknown parameter {key!r}; {allowed}.{nearest(str(key), known)}")
    missing = [name for name, field in known.items() if is_required(field) and name not in given]
    if missing:
        raise ValueError(f"{owner}: the parameter {missing[0]!r} must be given.")
    return kind(**given)
