"""Command lines and files made from the schema of a study: every key with fitting values, others, and odd ones."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any, NamedTuple, get_args, get_origin

import numpy as np
import yaml  # type: ignore[import-untyped]

from experiments.config.entries import options
from experiments.config.overrides import GROUPS
from experiments.config.value_types import known_types

Generator = np.random.Generator

# What stands after the = of an override, whatever its key: empty, edges, huge, other types, texts in other scripts.
ODD = (
    *("", "0", "1", "-1", "3", "1e3", "1e308", "1e400", "nan", "inf", "-inf", "1000000000", "1000000000000000000000"),
    *("true", "false", "null", "yes", "None", "abc", "[]", "[1,2]", "[1,[2]]", "[a,b]", "{}", "{a:1}", "{a:{b:1}}"),
    *(
        "''",
        '""',
        "'a b'",
        "a b",
        "ä",
        "'日本'",
        "'\u202e'",
        "'a\nb'",
        "'\x00'",
        "..",
        "../x",
        "/",
        "a/b",
        ".",
        "~",
        "*",
    ),
    *("${zzz}", "${rounds}", "${oc.env:NO_SUCH}", "${nodes:1,5,1}", "${nodes:a,b,c}", "${", "}", "[", "]", "(", "'"),
    *("choice(1,2)", "range(1,4)", "range(4,1)", "glob(*)", "glob(zz*)", "interval(0,1)", "1,2", "1,1", "a,b"),
    *("x" * 5000, "[" * 300, "9" * 400, ";", "\\", "\\'", "%s", "{0}", "--help", "=", "==", "0x10", "1_000", "01"),
)
ODD_IN_A_FILE: tuple[Any, ...] = (
    *(None, True, 3, -1, 10**30, 0.5, float("nan"), "abc", "", "a\nb", [], [1, "a"], {}, {"a": 1}, "${zzz}", "日本"),
)
# Values that a key of that type takes, some within and some beyond its range.
FITTING: dict[Any, tuple[str, ...]] = {
    bool: ("true", "false"),
    int: ("0", "1", "2", "5", "17", "200", "100001", "-3"),
    float: ("0", "0.5", "1", "2.5", "-1", "1e-300", "1e300"),
    str: ("elm", "none", "abc", "'a b'", "''", "local", "matlab"),
}


class CommandLine(NamedTuple):
    """Words as a shell would hand them over, and the text of a file of one's own where there is one."""

    words: list[str]
    file: str | None


def _fitting(kind: Any, rng: Generator) -> str:
    """A value that may well be of a type."""
    if get_origin(kind) in (list, tuple):
        inner = [_fitting(get_args(kind)[0], rng) for _ in range(int(rng.integers(0, 4)))]
        return f"[{','.join(inner)}]"
    if get_origin(kind) is dict:
        return str(rng.choice(["{}", "{elm:3}", "{a:b}"]))
    if is_dataclass(kind):
        return str(rng.choice(["{}", "{name:a}", "null"]))
    known = FITTING.get(kind) or FITTING.get((get_args(kind) or (None,))[0])
    return str(rng.choice(known or ("5", "[5,10]", "null")))


def _value(key: str, rng: Generator) -> str:
    if rng.random() < 0.4:
        return str(ODD[rng.integers(len(ODD))])
    kinds = known_types()[key]
    return _fitting(kinds[rng.integers(len(kinds))], rng)


def _choice(group: str, rng: Generator) -> str:
    """What is chosen from a group: a name, a near name, several, or something odd."""
    names = options(group)
    name = str(names[rng.integers(len(names))])
    draws = [name, name, name, f"{name}x", name[:-1], f"[{name}]", f"[{name},{name}]", "null", f"{name},{name}", "[]"]
    return draws[rng.integers(len(draws))] if rng.random() < 0.8 else str(ODD[rng.integers(len(ODD))])


def _word(rng: Generator) -> str:
    if rng.random() < 0.25:
        group = str(rng.choice(GROUPS))
        word = f"{group}={_choice(group, rng)}"
    else:
        keys = list(known_types())
        key = str(keys[rng.integers(len(keys))])
        word = f"{key}={_value(key, rng)}"
    if rng.random() < 0.08:
        # A slip of the fingers: a letter more, less or another, a mark in front.
        place = int(rng.integers(len(word)))
        return str(rng.choice(["+", "~", "++", "-", word[:place]])) + word[place:]
    return word


def _tree(rng: Generator) -> Any:
    """A file of one's own: keys of the schema with values as YAML knows them."""
    if rng.random() < 0.1:
        return [None, 3, "text", [1, 2], {}, {3: 4}, {"": 1}][rng.integers(7)]
    found: dict[str, Any] = {}
    keys = [key for key, kinds in known_types().items() if not any(is_dataclass(kind) for kind in kinds)]
    for _ in range(int(rng.integers(1, 4))):
        *path, last = str(keys[rng.integers(len(keys))]).split(".")
        place = found
        for name in path:
            place = place.setdefault(name, {})
        place[last] = ODD_IN_A_FILE[rng.integers(len(ODD_IN_A_FILE))]
    return found


def command_line(seed: int, index: int) -> CommandLine:
    """Command line ``index`` of a seed, always the same: one to three words, now and then a sweep or a file."""
    rng = np.random.default_rng([seed, index])
    words = [_word(rng) for _ in range(int(rng.choice([1, 1, 1, 2, 3])))]
    if rng.random() < 0.15:
        words.insert(0, "-m")
    if rng.random() > 0.15:
        return CommandLine(words, None)
    text = yaml.safe_dump(_tree(rng), allow_unicode=True)
    if rng.random() < 0.1:
        text = text[: int(rng.integers(len(text)))] + "[{:"
    return CommandLine(["experiment=own"], f"# @package _global_\n{text}")
