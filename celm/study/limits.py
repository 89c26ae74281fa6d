"""What no study can mean, whatever the key: huge numbers, values that are not finite, texts of many lines.

A study that would fill the machine is refused in a sentence before anything of it is planned.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from celm.base.validation import check_flag

#: Cells of one study; those of the paper have fewer than a thousand.
MAX_CELLS = 100_000
MAX_TEXT = 4000
#: The largest whole number of a key that LIMITS does not name: columns, epochs, rows of a subset.
LARGEST = 1_000_000_000
_NODES, _PROCESSES, _SEED = 100_000, 256, 2**63 - 1
LIMITS = {
    "seed": _SEED,
    "dataset.seed": _SEED,
    "rounds": 10_000,
    "n_hidden": _NODES,
    "max_nodes": _NODES,
    "dataset.n_hidden": _NODES,
    "bp.n_hidden": _NODES,
    "ml_elm.layers": _NODES,
    "dcn.n_units": _NODES,
    "kernel.n_components": _NODES,
    "features.n_atoms": _NODES,
    "dcn.n_modules": 10_000,
    "r2svm.n_layers": 10_000,
    "embedding.points": 1_000_000,
    "executor.workers": _PROCESSES,
    "executor.threads": _PROCESSES,
}


def _leaves(value: Any, key: str) -> Iterator[tuple[str, Any]]:
    """(dotted key, value) of all plain values inside a config, those of lists and of names with values each."""
    if is_dataclass(value) and not isinstance(value, type):
        hints = get_type_hints(type(value))
        for entry in fields(value):
            inner = f"{key}.{entry.name}" if key else entry.name
            if hints[entry.name] is bool:
                check_flag(getattr(value, entry.name), inner, "config")
            yield from _leaves(getattr(value, entry.name), inner)
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _leaves(name, key)
            yield from _leaves(one, key)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _leaves(one, key)
    else:
        yield key, value


def check_limits(config: Any) -> None:
    """Raise a ValueError naming the first key of a config whose value no study can mean."""
    for key, value in _leaves(config, ""):
        if isinstance(value, str):
            check_plain_text(value, key)
        elif isinstance(value, int) and abs(value) > LIMITS.get(key, LARGEST):
            raise ValueError(f"config: {key} must be at most {LIMITS.get(key, LARGEST)}; got {value}.")
        elif isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"config: {key} must be a finite number; got {value}.")


def check_plain_text(text: str, key: str) -> None:
    """A text must stand in one line and be no longer than any path or title."""
    if len(text) > MAX_TEXT or any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        shown = f"{text[:40]}…" if len(text) > 40 else text
        raise ValueError(
            f"config: {key} must be one line of at most {MAX_TEXT} readable characters; got {shown!r}, "
            f"{len(text)} characters."
        )


def check_folder_name(name: str, key: str) -> None:
    """A name that becomes that of a folder must be one: not empty, no path, not too long for a file system."""
    check_plain_text(name, key)
    if not name.strip() or name.startswith(".") or set("/\\\0") & set(name) or len(name.encode()) > 200:
        raise ValueError(
            f"config: {key} must be the name of a folder, without / and not starting with a dot; got {name[:60]!r}."
        )


def check_cells(n_cells: int) -> None:
    """A plan of more cells than anyone could want is a slip."""
    if n_cells > MAX_CELLS:
        raise ValueError(f"config: the study has {n_cells} cells, the limit is {MAX_CELLS}; give fewer rounds.")
