"""Checks the command line before Hydra sees it: names, types and files, so that a mistake is answered in a sentence."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from hydra.core.override_parser.types import Glob, IntervalSweep, Override, OverrideType, QuotedString
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from celm.base.validation import nearest
from experiments.config.command_line import Words, in_quotes, taken_apart
from experiments.config.entries import CONF, options
from experiments.config.ignored import unused_words
from experiments.config.value_types import key_fault, known_types, takes_text, tree_faults, value_fault

GROUPS = ("dataset", "features", "model", "experiment", "sweep", "protocol", "reading", "scale", "executor")
# Groups of which nothing may be chosen.
FREE = ("experiment", "sweep", "protocol", "reading")
# How several of a group are run, where that is not one study.
SEVERAL = {
    "dataset": "'grid.datasets=[{0}]' runs them in one study, -m dataset={0} one after the other",
    "model": "'grid.models=[{0}]' runs them in one study, -m model={0} one after the other",
    "protocol": "a protocol is a list of readings: reading=[…] combines them",
}
MAX_JOBS = 10_000


def offered(group: str, folder: Path | None) -> list[str]:
    """The names of a group: those under conf/, and those in the folder that --config-dir names."""
    own = [] if folder is None else [path.stem for path in (folder / group).glob("*.yaml")]
    return sorted({*options(group), *own})


def _plain(value: Any) -> Any:
    """A value of Hydra's parser as plain lists, names and numbers."""
    if isinstance(value, QuotedString):
        return value.text
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return value


def _values(override: Override, names: Sequence[str]) -> list[Any]:
    """Every value that an override stands for, up to MAX_JOBS + 1 of them; ``names`` are what a glob chooses from."""
    value = override.value()
    if isinstance(value, Glob):
        return list(value.filter(list(names)))
    if override.is_sweep_override():
        return [_plain(one) for one in islice(override.sweep_iterator(transformer=lambda one: one), MAX_JOBS + 1)]
    return [_plain(value)]


def _group_fault(group: str, value: Any, names: Sequence[str]) -> str | None:
    """What is wrong with the choice of a group."""
    if value in (None, "", [], {}):
        return None if value is None and group in FREE else f"{group} must name one of {', '.join(names)}."
    if isinstance(value, dict) or (isinstance(value, list) and group != "reading"):
        several = SEVERAL.get(group, "-m {1}={0} runs them one after the other")
        return f"{group} takes one name; {several.format(','.join(map(str, value)), group)}."
    chosen = [str(one) for one in value] if isinstance(value, list) else [str(value)]
    for name in chosen:
        if name not in names:  # nor would Hydra follow an interpolation here
            return f"no such {group} {name!r}.{nearest(name, names)} Allowed: {', '.join(names)}."
    return f"{group} names {_doubled(chosen)} twice." if _doubled(chosen) else None


def _doubled(names: Sequence[Any]) -> str:
    """The first that is there twice, in words; empty when none is."""
    seen: set[str] = set()
    for name in map(str, names):
        if name in seen:
            return name
        seen.add(name)
    return ""


def _value_faults(key: str, override: Override, values: Sequence[Any]) -> Iterator[str]:
    """What is wrong with the values of a key; a text must be meant as it is written."""
    for value in values:
        if found := value_fault(key, value):
            yield found
            return
        is_text = isinstance(value, str) or value is None or not {str, str | None} & set(known_types()[key])
        written = str(override.get_value_string())
        if not is_text and len(values) == 1 and str(value) != written:
            yield f"{key} must be a text; {written} would be read as {value}: write '{key}=\"{written}\"'."


def faults_of(override: Override, words: Words) -> Iterator[str]:
    """Everything that is wrong with one override, each as a sentence."""
    key = str(override.key_or_group)
    if key.startswith("hydra"):
        if key == "hydra.job.chdir" and override.value() not in (False, None):
            yield "jobs stay in the folder of the command, where their common store is; leave it out."
        return
    if override.type == OverrideType.DEL:
        yield "a key cannot be left out, only set."
        return
    if override.package is not None:
        yield "a group goes where its files say; leave out what stands after the @."
        return
    is_group = key in GROUPS
    wrong = None if is_group else key_fault(key, GROUPS)
    if wrong:
        yield wrong
        return
    if isinstance(override.value(), IntervalSweep):
        yield "an interval has no values to run one after the other; write range(first,end) or a,b."
        return
    if is_group and override.type == OverrideType.ADD and key not in FREE:
        yield f"{key} has a choice already, which is replaced without the +."
        return
    names = offered(key, words.folder) if is_group else []
    try:
        values = _values(override, names)
    except ValueError as error:
        yield f"it stands for no value: {error}."
        return
    if not values:
        allowed = f" Allowed: {', '.join(names)}." if is_group else ""
        yield f"it stands for no value, nothing would be run.{allowed}"
    elif override.is_sweep_override() and not words.multirun:
        yield f"it has several values: -m runs them one after the other; {_one_value(key, override)}."
    elif override.is_sweep_override() and _doubled(values):
        yield f"{key} names {_doubled(values)} twice."
    elif is_group:
        yield from filter(None, (_group_fault(key, value, names) for value in values))
    else:
        yield from _value_faults(key, override, values)


def _one_value(key: str, override: Override) -> str:
    """How a value with commas is typed where it is meant as one."""
    typed = in_quotes(key, str(override.input_line).partition("=")[2]) if takes_text(key) and key not in GROUPS else ""
    return f"a text with a comma is written {typed}" if typed else "a list is written in brackets, 'key=[a,b]'"


def file_faults(path: Path, group: str) -> Iterator[str]:
    """What is wrong with a file of a group: it cannot be read, or it says what the schema does not know."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = OmegaConf.to_container(OmegaConf.create(text), resolve=False)
    except AssertionError:  # OmegaConf's answer to a number
        tree = None
    except (OSError, ValueError, yaml.YAMLError, OmegaConfBaseException, RecursionError) as error:
        yield f"it cannot be read: {' '.join(str(error).split())[:300]}"
        return
    if not isinstance(tree, dict) or not all(isinstance(key, str) for key in tree):
        yield "it must hold lines of the form key: value."
        return
    kept = {str(key): value for key, value in tree.items() if key not in ("defaults", "hydra")}
    yield from tree_faults(kept, "" if "@package _global_" in text else f"{group}.")


def _chosen_files(words: Words) -> Iterator[tuple[Path, str]]:
    """The files that a command line names, where they are plain ones."""
    for override in words.overrides:
        group = str(override.key_or_group)
        if group not in GROUPS or group == "protocol":
            continue
        for value in _values(override, offered(group, words.folder)):
            for name in value if isinstance(value, list) else [value]:
                places = [folder / group / f"{name}.yaml" for folder in (words.folder, CONF) if folder is not None]
                yield from ((path, group) for path in places if path.is_file())


def problems_of(arguments: Sequence[str]) -> Iterator[str]:
    """Everything that is wrong with a command line, each as a sentence that begins with the word it is about."""
    words = taken_apart(arguments)
    yield from words.problems
    if words.folder is not None and not words.folder.is_dir():
        yield f"--config-dir {words.folder}: no such folder."
    told = False
    for override in words.overrides:
        for fault in faults_of(override, words):
            told = True
            yield f"{_shortened(str(override.input_line))}: {fault}"
    yield from _said_twice(words.overrides)
    yield from unused_words(arguments, words.overrides)
    if not told:
        for path, group in _chosen_files(words):
            yield from (f"{_near(path)}: {fault}" for fault in file_faults(path, group))
        yield from _sweep_faults(words)


def _sweep_faults(words: Words) -> Iterator[str]:
    swept = {str(one.key_or_group): one for one in words.overrides if one.is_sweep_override()}
    if prod(len(_values(one, offered(key, words.folder))) for key, one in swept.items()) > MAX_JOBS:
        yield f"the sweep has more than {MAX_JOBS} jobs."
    has_file = any(str(one.key_or_group) == "sweep" and one.value() is not None for one in words.overrides)
    if has_file and not words.multirun:
        yield "sweep=NAME describes many runs: add -m."


def _said_twice(overrides: Iterable[Override]) -> Iterator[str]:
    twice = _doubled([override.key_or_group for override in overrides])
    if twice:
        several = " reading=[a,b] combines two." if twice == "reading" else ""
        yield f"{twice} is given twice, only the last would count.{several}"


def _shortened(line: str) -> str:
    return line if len(line) <= 80 else f"{line[:80]}…"


def _near(path: Path) -> Path:
    return path.relative_to(CONF.parent) if path.is_relative_to(CONF.parent) else path


def check_arguments(arguments: Sequence[str]) -> None:
    """Print every problem of the command line and exit with code 2."""
    problems = list(problems_of(arguments))
    for found in problems:
        print(f"error: {found}", file=sys.stderr)
    if problems:
        print("python -m experiments.run --help lists all groups and keys.", file=sys.stderr)
        raise SystemExit(2)
