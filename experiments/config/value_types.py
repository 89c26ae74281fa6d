"""Whether a value is of the type that its key has in the schema: Hydra alone would take 3 for true."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from celm.base.validation import nearest
from celm.study.data_config import SCHEMAS, CoatesNgConfig
from celm.study.families import study_schema

WORDS = {bool: "true or false", int: "a whole number", float: "a finite number", str: "a text"}
#: Text of a value that stands for another key, or for what a function of ours gives.
INTERPOLATION = "${"
LONGEST_TEXT = 4000


def _typed(schema: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(schema)
    for entry in fields(schema):
        yield prefix + entry.name, hints[entry.name]
        if is_dataclass(hints[entry.name]):
            yield from _typed(hints[entry.name], f"{prefix}{entry.name}.")


@cache
def known_types() -> dict[str, tuple[Any, ...]]:
    """Dotted key -> its types: several where kinds of data sets or features have a key of one name."""
    found: dict[str, tuple[Any, ...]] = {}
    kinds = [(study_schema(), ""), (CoatesNgConfig, "features."), *((kind, "dataset.") for kind in SCHEMAS.values())]
    for schema, prefix in kinds:
        for key, kind in _typed(schema, prefix):
            found[key] = (*(one for one in found.get(key, ()) if one != kind), kind)
    return found


def _optional(kind: Any) -> tuple[Any, bool]:
    """A type without its None, and whether it had one."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind, False
    (inner,) = (one for one in get_args(kind) if one is not type(None))
    return inner, True


def wanted(kind: Any) -> str:
    """A type in words.

    Examples
    --------
    >>> wanted(int | None), wanted(list[float])
    ('a whole number or null', 'a list of which each is a finite number, such as [a,b]')
    """
    kind, empty = _optional(kind)
    if get_origin(kind) in (list, tuple):
        inner = get_args(kind)[0]
        said = "a list" if inner is Any else f"a list of which each is {wanted(inner)}, such as [a,b]"
    elif get_origin(kind) is dict:
        said = f"names with values, each {wanted(get_args(kind)[1])}, such as {{a:b}}"
    elif is_dataclass(kind):
        said = f"given by its own keys ({', '.join(entry.name for entry in fields(kind))})"
    else:
        said = WORDS.get(kind, "a value")
    return f"{said} or null" if empty else said


def fits(value: Any, kind: Any) -> bool:
    """Whether a plain value is of a type; a text that refers to another key fits all but true or false."""
    kind, empty = _optional(kind)
    if value is None:
        return empty or kind is Any
    if isinstance(value, str) and INTERPOLATION in value:
        return kind is not bool
    if get_origin(kind) in (list, tuple):
        return isinstance(value, list) and all(fits(one, get_args(kind)[0]) for one in value)
    if get_origin(kind) is dict:
        return isinstance(value, Mapping) and all(fits(one, get_args(kind)[1]) for one in value.values())
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return isinstance(value, Mapping) and all(key in hints and fits(value[key], hints[key]) for key in value)
    return _fits_plainly(value, kind)


def _fits_plainly(value: Any, kind: Any) -> bool:
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return False
    if kind is Any:
        return True
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    # A number is a text too where its key takes one: a column may be called 3.
    return isinstance(value, (str, int, float)) if kind is str else isinstance(value, kind)


def takes_names(key: str) -> bool:
    """Whether a key holds names with values, which a user may name."""
    return any(get_origin(kind) is dict for kind in known_types().get(key, ()))


def takes_text(key: str) -> bool:
    """Whether a key may be a text; one that is not known may be."""
    return any(fits("a text", kind) for kind in known_types().get(key, (str,)))


def value_fault(key: str, value: Any) -> str | None:
    """What is wrong with the value of a known key, as a sentence; None when it fits."""
    kinds = known_types()[key]
    if any(fits(value, kind) for kind in kinds):
        return None
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{key} must have at most {LONGEST_TEXT} characters; got {len(value)}."
    shown = json.dumps(value, ensure_ascii=False, default=str)
    shown = f"{shown[:60]}…" if len(shown) > 60 else shown
    return f"{key} must be {' or '.join(wanted(kind) for kind in kinds)}; got {shown}."


def key_fault(key: str, others: tuple[str, ...] = ()) -> str | None:
    """What is wrong with the name of a key, with the nearest that there is; None when it is known."""
    keys = sorted({*known_types(), *others})
    if key in keys:
        return None
    siblings = [known for known in keys if known.rpartition(".")[0] == key.rpartition(".")[0]]
    allowed = f" Allowed here: {', '.join(siblings)}." if siblings else ""
    return f"no such key {key!r}.{nearest(key, keys)}{allowed}"


def tree_faults(tree: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """What is wrong with the keys and values of a file under conf/."""
    for name, value in tree.items():
        key = f"{prefix}{name}"
        wrong = key_fault(key)
        if wrong:
            yield wrong
        elif isinstance(value, Mapping) and any(is_dataclass(kind) for kind in known_types()[key]):
            yield from tree_faults(value, f"{key}.")
        elif found := value_fault(key, value):
            yield found


def check_tree(tree: Any) -> None:
    """What texts such as ``${rounds}`` stood for must fit: OmegaConf would put a number in the place of a list."""
    for fault in tree_faults(tree):
        raise ValueError(f"config: {fault}")
