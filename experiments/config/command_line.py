"""The words of a command line: flags, key=value, and how one that cannot be read should be typed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException

from celm.base.validation import nearest
from experiments.config.value_types import takes_names, takes_text
from experiments.run_end import MODES

#: Hydra's flags that the next word belongs to.
WITH_A_WORD = {"--cfg", "-c", "--package", "-p", "--config-name", "-cn", "--config-path", "-cp", "--info", "-i"}
OWN_FOLDER = ("--config-dir", "-cd")
MULTIRUN = {"-m", "--multirun"}
PACKAGE = {"--package", "-p"}
#: Flags that show something and run nothing.
SHOWING = {"--cfg", "-c", "--info", "-i", "--help", "-h", "--hydra-help", "--version", "--shell-completion", "-sc"}
#: Hydra would run whatever a pickle says.
REFUSED = {"--experimental-rerun": "it loads a pickle, which can run any code; give the command line anew"}
#: Any other flag is refused: Hydra would take the beginning of one of its own for the whole.
FLAGS = {*WITH_A_WORD, *OWN_FOLDER, *MULTIRUN, *SHOWING, *REFUSED, "--run", "-r", "--resolve"}
SHOWN = 80
MANY_BRACKETS = 12


class Words(NamedTuple):
    """A command line taken apart."""

    overrides: list[Override]
    multirun: bool
    folder: Path | None
    problems: list[str]


def taken_apart(arguments: Sequence[str]) -> Words:
    """Every override of a command line, and a sentence for every word that is none."""
    overrides, problems, folder = [], [], None
    left = list(arguments)
    while left:
        word = left.pop(0)
        flag, equals, value = word.partition("=")
        if flag in REFUSED:
            problems.append(f"{flag}: {REFUSED[flag]}.")
        elif word.startswith("-") and flag not in FLAGS:
            problems.append(f"{flag[:SHOWN]}: no such flag.{nearest(flag, [*FLAGS, *MODES])}")
        if flag in OWN_FOLDER:
            folder = Path(value if equals else left.pop(0) if left else "")
        elif word.startswith("-"):
            del left[: _words_of(word, left)]
        else:
            override = parsed_word(word)
            if override is None:
                problem, further = _unreadable(word, left)
                problems.append(problem)
                del left[:further]
            else:
                overrides.append(override)
    return Words(overrides, bool(MULTIRUN & set(arguments)), folder, problems)


def given_flags(arguments: Sequence[str]) -> set[str]:
    """The flags of a command line, without the words that belong to them."""
    return {word.partition("=")[0] for word in arguments if word.startswith("-")}


def shows(arguments: Sequence[str]) -> bool:
    """Whether a command line asks to be shown something, so that nothing is run."""
    return bool(given_flags(arguments) & SHOWING)


def parsed_word(word: str) -> Override | None:
    """A word as Hydra reads it; None when it cannot, or when its brackets are too deep to be meant."""
    if sum(map(word.count, "[{(")) > MANY_BRACKETS and _depth(word) > MANY_BRACKETS:
        return None  # Hydra's parser would take minutes over it
    try:
        return OverridesParser.create().parse_override(word)
    except (HydraException, ValueError, RecursionError):
        return None


def _depth(word: str) -> int:
    """How many brackets are open at once."""
    steps = [1 if letter in "[{(" else -1 for letter in word if letter in "[{()}]"]
    return max(accumulate(steps), default=0)


def _unreadable(word: str, following: Sequence[str]) -> tuple[str, int]:
    """What to type instead, and how many of the words that follow were part of it."""
    shown = f"{word[:SHOWN]}…" if len(word) > SHOWN else word
    key, equals, value = word.partition("=")
    if not equals:
        return f"{shown}: a word of the form key=value is expected.", 0
    for n in range(1, min(len(following), 8) + 1):
        joined = " ".join([word, *following[:n]])
        if "=" not in "".join(following[:n]) and parsed_word(joined) is not None:
            return f"{shown}: a value with spaces is one word only in quotes: '{joined}'.", n
    if takes_text(key) and (typed := in_quotes(key, value)):
        return f"{shown}: cannot be read; a text with marks is written in two kinds of quotes: {typed}.", 0
    return f"{shown}: cannot be read as key=value; lists are written 'key=[a,b]', texts 'key=\"…\"'.", 0


def in_quotes(key: str, value: str) -> str:
    """How a text with marks is typed in a shell, so that it is read as it stands; empty where that cannot be."""
    quoted = value.replace('"', '\\"')
    word = f'{key}="{quoted}"'
    fine = len(value) <= SHOWN and value.isprintable() and not set("$\\") & set(value)
    return shlex.quote(word) if fine and parsed_word(word) is not None else ""


def as_hydra_reads(arguments: Sequence[str]) -> list[str]:
    """A command line with its flags first: Hydra takes a key=value on one side of them alone.

    And one on which ``grid.rounds={elm:3}`` may name what the schema does not: Hydra asks for ++ there.
    """
    flags, words, left = [], [], list(arguments)
    while left:
        word = left.pop(0)
        if word in OWN_FOLDER:
            flags += [word, *left[:1]]
            del left[:1]
        elif word.startswith("-"):
            own = _words_of(word, left)
            flags += [word, *left[:own]]
            del left[:own]
        else:
            words.append(f"++{word}" if takes_names(word.partition("=")[0]) else word)
    return [*flags, *words]


def _words_of(flag: str, following: Sequence[str]) -> int:
    """How many of the words that follow belong to a flag of Hydra's: one or none."""
    takes = flag in WITH_A_WORD and bool(following)
    return int(takes and "=" not in following[0] and not following[0].startswith("-"))
