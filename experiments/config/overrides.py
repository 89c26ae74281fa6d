"""Checks the command line before Hydra sees it, so that a misspelt name is answered with the nearest valid one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

from celm.base.validation import nearest
from celm.study.data_config import SCHEMAS, CoatesNgConfig
from celm.study.families import study_schema
from experiments.config.entries import options

GROUPS = ("dataset", "features", "model", "experiment", "sweep", "protocol", "reading", "scale", "executor")
# How several of a group are run, where that is not one study.
SEVERAL = {
    "dataset": "'grid.datasets=[{0}]' runs them in one study, -m dataset={0} one after the other",
    "model": "'grid.models=[{0}]' runs them in one study, -m model={0} one after the other",
    "protocol": "a protocol is a list of readings: reading=[…] combines them",
}


def known_keys(schema: Any = None, prefix: str = "") -> Iterator[str]:
    """Every dotted key a study has, those of all kinds of data sets and features included."""
    schema = schema or study_schema()
    hints = get_type_hints(schema)
    for entry in fields(schema):
        yield prefix + entry.name
        if is_dataclass(hints[entry.name]):
            yield from known_keys(hints[entry.name], f"{prefix}{entry.name}.")
    if schema is study_schema():
        for kind in SCHEMAS.values():
            yield from known_keys(kind, "dataset.")
        yield from known_keys(CoatesNgConfig, "features.")


def problem(argument: str) -> str | None:
    """What is wrong with one ``key=value``; None when it names something that exists."""
    key, equals, value = argument.partition("=")
    if not equals or key.startswith(("-", "hydra", "+hydra")):
        return None
    key = key.lstrip("+~")
    if key in GROUPS and not value.startswith(("{", "$", "glob")):
        if value.strip(" '\"").startswith("[") and key != "reading":
            several = SEVERAL.get(key, "-m {1}={0} runs them one after the other").format(value.strip(" '\"[]"), key)
            return f"{argument}: {key} takes one name; {several}."
        for name in filter(None, (part.strip(" '\"[]") for part in value.split(","))):
            if name != "null" and name not in options(key):
                return f"{key}={name}: no such {key}.{nearest(name, options(key))} Allowed: {', '.join(options(key))}."
        return None
    keys = sorted({*known_keys(), *GROUPS})
    if key in keys:
        return None
    siblings = [known for known in keys if known.rpartition(".")[0] == key.rpartition(".")[0]]
    allowed = f" Allowed here: {', '.join(siblings)}." if siblings else ""
    return f"{argument}: no such key {key!r}.{nearest(key, keys)}{allowed}"


def check_arguments(arguments: Sequence[str]) -> None:
    """Print every problem of the command line and exit with code 2."""
    problems = [found for found in map(problem, arguments) if found]
    if any(argument.startswith("sweep=") for argument in arguments) and not {"-m", "--multirun"} & set(arguments):
        problems.append("sweep=NAME describes many runs: add -m.")
    for found in problems:
        print(f"error: {found}", file=sys.stderr)
    if problems:
        print("python -m experiments.run --help lists all groups and keys.", file=sys.stderr)
        raise SystemExit(2)
